#include "cli/own_options.h"

#include <fmt/format.h>

#include <stdexcept>

#include "cli/in_quotes.h"

namespace mha::cli {

void own_options(Options& options, input::ModelOptions& own, const std::vector<std::string>& lesson_only,
                 bool packed_heads) {
  options.section("Your own heads");
  options.path("--input", own.file, "FILE", "take the heads from a .json, .npy, .npz or .safetensors file");
  std::vector<std::string> needs_input = {"--as",    "--layout", "--prefix", "--x",     "--layer",
                                          "--batch", "--mask",   "--align",  "--scale", "--tokens"};
  options.choice("--as", own.as, input::kArrayNames,
                 "what the one array of a .npy is (default: A); which of A and Q to take");
  options.choice("--layout", own.layout, input::kLayouts, "how packed projections lie");
  if (packed_heads) {
    options.whole("--H", own.H, "N", "how many heads packed projections hold");
    needs_input.emplace_back("--H");
  }
  options.text("--prefix", own.prefix, "TEXT", "what the arrays' names begin with, such as h.5.attn.");
  options.path("--x", own.x, "FILE", "take X from another file");
  options.whole("--layer", own.pick.layer, "N", "which layer, from 1, of arrays that have several");
  options.whole("--batch", own.pick.batch, "N", "which sequence, from 1, of a batch");
  options.choice("--mask", own.mask, input::kMasks, "what a query may not see");
  options.choice("--align", own.align, input::kAlignments,
                 "the corner of a causal mask where T_q and T_k differ");
  options.number("--scale", own.scale, "S", "what scores are multiplied by (default: 1/sqrt(d_k))");
  options.texts("--tokens", own.tokens, "labels of the positions in the figures");
  options.section("");
  options.check([&own, lesson_only, needs_input](const Options& read) {
    own.file_name = "--input " + in_quotes(own.file);
    own.x_name = "--x " + in_quotes(own.x);
    const bool given = !own.file.empty();
    for (const std::string& name : given ? lesson_only : needs_input) {
      if (!read.was_given(name)) continue;
      throw std::invalid_argument(
          given ? fmt::format("{}: goes with the lesson's own heads, not with --input", name)
                : fmt::format("{}: goes with --input, which is not there", name));
    }
  });
}

}  // namespace mha::cli
