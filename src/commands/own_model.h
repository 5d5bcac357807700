#pragma once

#include <memory>
#include <string>

#include "input/layers/model.h"
#include "report/report.h"

/// What every command says alike of a person's own heads.
namespace mha::commands {

std::shared_ptr<const input::Model> own_model(const input::ModelOptions& options);

/// For titles: the file's name without its directory.
std::string own_source(const input::ModelOptions& options);

/// For titles: `T = 6`, or `T_q = 2, T_k = 5`.
std::string shown_sizes(const input::Model& model);

/// The file and what it was taken to be, as parameters.
report::Object own_parameters(const input::Model& model, const input::ModelOptions& options);

/// Adds what a reader has to know of the layer: which corner the mask is lined up with, queries that see no
/// key, weights above the diagonal. Nothing for the lesson's heads.
void add_remarks(const input::Model& model, report::Report& report);

}  // namespace mha::commands
