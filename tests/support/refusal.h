#pragma once

#include <gtest/gtest.h>

#include <exception>
#include <string>

namespace mha::test {

/// What `work` says when it refuses with an `Error`. A test failure, and no text, when it does not refuse.
template <typename Error, typename Work>
std::string refusal(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another kind of error: " << error.what();
    return "";
  }
  ADD_FAILURE() << "not refused";
  return "";
}

}  // namespace mha::test
