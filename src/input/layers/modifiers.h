#pragma once

#include <string>
#include <vector>

#include "attention/layer.h"
#include "input/layers/arrays.h"
#include "input/layers/read_layer.h"
#include "input/layers/settings.h"

namespace mha::input {

/// The arrays that say how a layer attends, beside its Q, K, V or A.
const std::vector<std::string>& modifier_names();

/// Norms and rotary positions of Q and K, and the extra key and value: heads that come from Q and K become
/// what meets in the scores. After choose_rules, which says where the queries stand.
void modify_heads(const Arrays& arrays, const Settings& settings, attention::Layer& layer);

}  // namespace mha::input
