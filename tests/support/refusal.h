#pragma once

#include <gtest/gtest.h>

#include <exception>
#include <filesystem>
#include <regex>
#include <string>
#include <utility>

#include "text/field.h"

namespace mha::test {

/// A message as the command line shows it, but that files of the test's own are "the file", "the expected",
/// "the answer".
inline std::string told(const std::string& message) {
  const std::string directory = std::filesystem::temp_directory_path().string();
  std::string text = text::with_flags(message);
  for (const auto& [option, name] :
       {std::pair("--input", "the file"), {"--expect", "the expected"}, {"--check", "the answer"}}) {
    text = std::regex_replace(text, std::regex(option + std::string(" '") + directory + "[^']*'"), name);
  }
  return text;
}

/// What `work` says when it refuses with an `Error`. A test failure, and no text, when it does not refuse.
template <typename Error, typename Work>
std::string refusal(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return told(error.what());
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another kind of error: " << error.what();
    return "";
  }
  ADD_FAILURE() << "not refused";
  return "";
}

}  // namespace mha::test
