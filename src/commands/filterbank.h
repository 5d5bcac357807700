#pragma once

#include <array>

#include "commands/command.h"
#include "commands/pipeline.h"
#include "report/report.h"

namespace mha::commands {

/// Which W_O: one of the lesson's, or each of them in turn.
enum class BankProjection { kMixing, kIdentity, kSwap, kAll };
inline constexpr std::array kBankProjectionNames = {"mixing", "identity", "swap", "all"};
constexpr text::Names names_of(BankProjection) { return kBankProjectionNames; }

struct FilterbankOptions {
  Source source = {};
  BankProjection wo = BankProjection::kMixing;
};

/// The filter-bank identity: its largest deviation for one W_O, or for every one followed by the ranks
/// of the channel maps W_V^h W_O^(h).
report::Report filterbank(const FilterbankOptions& options);

extern const Command kFilterbank;

}  // namespace mha::commands
