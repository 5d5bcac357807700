#include "commands/own_model.h"

#include <fmt/format.h>

#include <filesystem>

namespace mha::commands {

std::shared_ptr<const input::Model> own_model(const input::ModelOptions& options) {
  return std::make_shared<const input::Model>(input::read_model(options));
}

std::string own_source(const input::ModelOptions& options) {
  return std::filesystem::path(options.file).filename().string();
}

std::string shown_sizes(const input::Model& model) {
  return model.T_q == model.T_k ? fmt::format("T = {}", model.T_q)
                                : fmt::format("T_q = {}, T_k = {}", model.T_q, model.T_k);
}

report::Object own_parameters(const input::Model& model, const input::ModelOptions& options) {
  report::Object parameters = {{"input", {options.file}}};
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) parameters.push_back({name, {text}});
  };
  const auto count = [&](const char* name, Index value) {
    parameters.push_back({name, {static_cast<report::Count>(value)}});
  };
  add("layout", options.layout);
  add("prefix", options.prefix);
  add("x", options.x);
  if (options.pick.layer) count("layer", *options.pick.layer);
  if (options.pick.batch) count("batch", *options.pick.batch);
  if (model.T_q == model.T_k) {
    count("T", model.T_q);
  } else {
    count("T_q", model.T_q);
    count("T_k", model.T_k);
  }
  count("H", static_cast<Index>(model.heads.size()));
  add("mask", options.mask);
  add("align", options.align);
  if (options.scale) parameters.push_back({"scale", {*options.scale}});
  return parameters;
}

void add_remarks(const input::Model& model, report::Report& report) {
  if (!model.file) return;
  if (model.T_q != model.T_k && model.mask.diagonal == model.shift) {
    report.lines.push_back({fmt::format(
        "causal mask lined up {}: query t sees keys 1 to t{}", model.shift == 0 ? "top-left" : "bottom-right",
        model.shift == 0 ? "" : fmt::format(" {} {}", model.shift > 0 ? "+" : "-", std::abs(model.shift)))});
  }
  if (const Index blind = model.blind_queries(); blind > 0) {
    report.lines.push_back({fmt::format("no key to see: {}; such rows are zero",
                                        blind == 1 ? "query 1" : fmt::format("queries 1 to {}", blind))});
    report.results.push_back({"zero_rows", {static_cast<report::Count>(blind)}});
  }
  if (const auto& above = model.above_diagonal) {
    report.lines.push_back(
        {fmt::format(
             "weight above the diagonal, which a causal mask forbids; the largest: head {}, row {}, column {}:",
             above->head + 1, above->row + 1, above->column + 1),
         above->weight});
    report.results.push_back({"above_diagonal",
                              {report::Object{{"head", {static_cast<report::Count>(above->head + 1)}},
                                              {"row", {static_cast<report::Count>(above->row + 1)}},
                                              {"column", {static_cast<report::Count>(above->column + 1)}},
                                              {"weight", {above->weight}}}}});
  }
}

}  // namespace mha::commands
