#pragma once

namespace mha::render {

/// A visitor of a variant made of a function for each alternative.
template <typename... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};
template <typename... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

}  // namespace mha::render
