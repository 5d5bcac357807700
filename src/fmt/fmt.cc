// fmt, compiled once: its functions, and the templates that its headers only declare (for each version as
// many as its own source file, of which the package has no copy). The package's shared library would bring
// the shared C++ library to every start.
#include <fmt/format-inl.h>

template auto fmt::detail::thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template auto fmt::detail::decimal_point_impl<char>(locale_ref) -> char;
template auto fmt::detail::dragonbox::to_decimal<float>(float) noexcept -> decimal_fp<float>;
template auto fmt::detail::dragonbox::to_decimal<double>(double) noexcept -> decimal_fp<double>;
#if FMT_VERSION >= 100000
template void fmt::detail::vformat_to<char>(buffer<char>&, string_view, vformat_args<>::type, locale_ref);
#endif
