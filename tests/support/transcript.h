#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mha::test {

/// A golden file: a line `$ command`, then what the command writes to standard output, its standard
/// error with `! ` before each line, and `? STATUS` unless the status is 0.
struct Transcript {
  std::string command;
  std::string body;
};

/// Every golden below golden/, sorted by path.
std::vector<std::filesystem::path> golden_files();

Transcript read_transcript(const std::filesystem::path& file);
void write_transcript(const std::filesystem::path& file, const Transcript& transcript);

/// Runs the command in the source directory and writes down what it does.
Transcript record(const std::string& command);

/// Empty when the two agree; otherwise a unified diff and, where only numbers differ, the largest |Δ|
/// and its place. JSON agrees when its numbers agree within 1e-12 (relative above 1) and all else is
/// equal, anything else when its bytes are; but a number that the golden ends in "…", as 0.0312…, may go on
/// with any digits: those that another machine rounds otherwise.
std::string disagreement(const Transcript& golden, const Transcript& actual);

}  // namespace mha::test
