#include "cli/standard_output.h"

#include <stdexcept>
#include <string_view>
#include <system_error>

#include "platform/terminal.h"

namespace mha::cli {

StandardOutput::StandardOutput() : stream_(this) {
  if (!platform::is_open(platform::Stream::kOutput)) throw std::runtime_error("standard output is closed");
  setp(buffer_.data(), buffer_.data() + buffer_.size());
  // With badbit among the exceptions, what finish throws comes out of operator<< as it is.
  stream_.exceptions(std::ios::badbit | std::ios::failbit);
}

void StandardOutput::finish() {
  try {
    platform::write_all(platform::Stream::kOutput, std::string_view(pbase(), pptr()));
  } catch (const std::system_error& e) {
    if (e.code() == std::errc::broken_pipe) throw ClosedPipe{};
    throw std::system_error(e.code(), "standard output");
  }
  setp(buffer_.data(), buffer_.data() + buffer_.size());
}

StandardOutput::int_type StandardOutput::overflow(int_type c) {
  finish();
  if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
  return traits_type::not_eof(c);
}

}  // namespace mha::cli
