#include "cli/standard_output.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>

namespace mha::cli {
namespace {

[[noreturn]] void fail() {
  if (errno == EPIPE) throw ClosedPipe{};
  throw std::system_error(errno, std::generic_category(), "standard output");
}

}  // namespace

StandardOutput::StandardOutput() : stream_(this) {
  if (fcntl(STDOUT_FILENO, F_GETFD) == -1) throw std::runtime_error("standard output is closed");
  setp(buffer_.data(), buffer_.data() + buffer_.size());
  // With badbit among the exceptions, what write_out throws comes out of operator<< as it is.
  stream_.exceptions(std::ios::badbit | std::ios::failbit);
}

void StandardOutput::finish() { write_out(); }

void StandardOutput::write_out() {
  const char* text = pbase();
  while (text < pptr()) {
    const ssize_t written = ::write(STDOUT_FILENO, text, static_cast<std::size_t>(pptr() - text));
    if (written >= 0) {
      text += written;
    } else if (errno == EAGAIN) {
      // Whoever shares the descriptor made it non-blocking: wait as it would have.
      pollfd ready{STDOUT_FILENO, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      fail();
    }
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
