#pragma once

#include "commands/command.h"
#include "commands/heads.h"
#include "report/report.h"

namespace mha::commands {

/// What each head of a person's own does: the nearest of the textbook filters and how far it is, beside the
/// runner-up's; mean bits and effective positions; the rank of its scores where Q and K are known; its share
/// of the output, ‖A_h V_h W_O^(h)‖_F over the sum of all heads', where V and W_O are. And between heads the
/// mean Jensen–Shannon divergence of their rows.
report::Report inspect(const HeadOptions& options);

extern const Command kInspect;

}  // namespace mha::commands
