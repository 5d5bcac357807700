#include "cli/standard_output.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "platform/terminal.h"

namespace mha::cli {

StandardOutput::StandardOutput() : stream_(this) {
  if (!platform::is_open(platform::Stream::kOutput)) throw std::runtime_error("standard output is closed");
  setp(buffer_.data(), buffer_.data() + buffer_.size());
  // With badbit among the exceptions, what write_out throws comes out of operator<< as it is.
  stream_.exceptions(std::ios::badbit | std::ios::failbit);
}

void StandardOutput::finish() { write_out(); }

void StandardOutput::write_out() {
  try {
    platform::write_all(platform::Stream::kOutput, std::string_view(pbase(), pptr()));
  } catch (const std::system_error& e) {
    if (e.code() == std::errc::broken_pipe) throw ClosedPipe{};
    throw std::system_error(e.code(), "standard output");
  }
  setp(buffer_.data(), buffer_.data() + buffer_.size());
}

StandardOutput::int_type StandardOutput::overflow(int_type c) {
  write_out();
  if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
  return traits_type::not_eof(c);
}

std::streamsize StandardOutput::xsputn(const char* text, std::streamsize size) {
  for (std::streamsize done = 0; done < size;) {
    if (pptr() == epptr()) write_out();
    const auto part = std::min<std::streamsize>(size - done, epptr() - pptr());
    std::memcpy(pptr(), text + done, static_cast<std::size_t>(part));
    pbump(static_cast<int>(part));
    done += part;
  }
  return size;
}

int StandardOutput::sync() {
  write_out();
  return 0;
}

}  // namespace mha::cli
