#include "input/formats/zip_archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <utility>

#include "input/formats/place.h"
#include "input/formats/zip_library.h"

namespace mha::input {
namespace {

/// Of a block of deflate, which writes 258 bytes with two bits at best.
constexpr std::uint64_t kMostInflated = 1032;

/// A ByteSource as libzip asks for one.
struct Source {
  const ByteSource& bytes;
  std::uint64_t at = 0;
  std::exception_ptr failure;  ///< what the bytes could not be had for: nothing is thrown through C
};

zip_int64_t read_some(Source& source, void* to, zip_uint64_t length) {
  const std::uint64_t size = std::min<std::uint64_t>(length, source.bytes.size() - source.at);
  try {
    source.bytes.read(source.at, {static_cast<std::byte*>(to), size});
  } catch (...) {
    source.failure = std::current_exception();
    return -1;
  }
  source.at += size;
  return static_cast<zip_int64_t>(size);
}

zip_int64_t seek(Source& source, const zip_source_args_seek_t& to) {
  const auto size = static_cast<zip_int64_t>(source.bytes.size());
  const zip_int64_t base = to.whence == SEEK_SET   ? 0
                           : to.whence == SEEK_CUR ? static_cast<zip_int64_t>(source.at)
                                                   : size;
  if (to.offset < -base || to.offset > size - base) return -1;
  source.at = static_cast<std::uint64_t>(base + to.offset);
  return 0;
}

zip_int64_t answer(void* state, void* data, zip_uint64_t length, zip_source_cmd_t command) {
  Source& source = *static_cast<Source*>(state);
  switch (command) {
    case ZIP_SOURCE_OPEN:
      source.at = 0;
      return 0;
    case ZIP_SOURCE_READ:
      return read_some(source, data, length);
    case ZIP_SOURCE_STAT: {
      zip_stat_t& stat = *static_cast<zip_stat_t*>(data);
      stat = {};
      stat.valid = ZIP_STAT_SIZE;
      stat.size = source.bytes.size();
      return sizeof stat;
    }
    case ZIP_SOURCE_ERROR: {
      const std::array<int, 2> error = {ZIP_ER_READ, EIO};
      std::copy(error.begin(), error.end(), static_cast<int*>(data));
      return sizeof error;
    }
    case ZIP_SOURCE_SEEK:
      return seek(source, *static_cast<const zip_source_args_seek_t*>(data));
    case ZIP_SOURCE_TELL:
      return static_cast<zip_int64_t>(source.at);
    case ZIP_SOURCE_SUPPORTS:
      return ZIP_SOURCE_SUPPORTS_SEEKABLE;
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE:
      return 0;
    default:
      return -1;
  }
}

ZipEntry checked(const zip_stat_t& stat, const std::string& archive) {
  constexpr zip_uint64_t kNeeded =
      ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
  if ((stat.valid & kNeeded) != kNeeded) refuse(archive, "an entry without a name, a size or a method");
  const std::string place = place_of(archive, stat.name);
  if (stat.encryption_method != ZIP_EM_NONE) refuse(place, "is encrypted");
  if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE)
    refuse(place,
           fmt::format("compression method {}; 0 (stored) and 8 (deflated) are read", stat.comp_method));
  if (stat.size / kMostInflated > stat.comp_size)
    refuse(place, fmt::format("{} bytes cannot be deflated into {}", stat.size, stat.comp_size));
  return {stat.name, stat.size};
}

}  // namespace

struct ZipArchive::State {
  const ZipLibrary& library;
  Source source;
  zip_t* zip = nullptr;

  /// What went wrong: the source's own reason where it has one.
  [[nodiscard]] std::string reason(zip_error_t* error) const {
    if (source.failure) std::rethrow_exception(source.failure);
    return library.error_strerror(error);
  }
};

ZipArchive::ZipArchive(const ByteSource& bytes, std::string name)
    : name_(std::move(name)), state_(std::make_unique<State>(State{zip_library(), {bytes, 0, {}}})) {
  const ZipLibrary& library = state_->library;
  zip_error_t error{};
  zip_source_t* const source = library.source_function_create(answer, &state_->source, &error);
  if (source != nullptr) state_->zip = library.open_from_source(source, ZIP_RDONLY, &error);
  if (state_->zip == nullptr) {
    if (source != nullptr) library.source_free(source);
    const std::string why = state_->reason(&error);
    library.error_fini(&error);
    refuse(name_, "is no zip archive that can be read: " + why);
  }
  try {
    const zip_int64_t count = library.get_num_entries(state_->zip, 0);
    for (zip_int64_t i = 0; i < count; ++i) {
      zip_stat_t stat{};
      if (library.stat_index(state_->zip, static_cast<zip_uint64_t>(i), 0, &stat) != 0)
        refuse(name_, state_->reason(library.get_error(state_->zip)));
      entries_.push_back(checked(stat, name_));
    }
  } catch (...) {
    library.discard(state_->zip);
    throw;
  }
}

ZipArchive::~ZipArchive() { state_->library.discard(state_->zip); }

struct ZipArchive::Stream::Handle {
  zip_file_t* file;
};

ZipArchive::Stream::Stream(const ZipArchive& archive, std::size_t number)
    : archive_(archive), entry_(archive.entries_.at(number).name) {
  const State& state = *archive_.state_;
  zip_file_t* const file = state.library.fopen_index(state.zip, number, 0);
  if (file == nullptr) refuse(state.reason(state.library.get_error(state.zip)));
  handle_ = std::make_unique<Handle>(Handle{file});
}

ZipArchive::Stream::~Stream() { archive_.state_->library.fclose(handle_->file); }

void ZipArchive::Stream::read(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const std::size_t size = some(bytes);
    if (size == 0) refuse("ends before it should");
    bytes = bytes.subspan(size);
  }
}

void ZipArchive::Stream::end() {
  // The library compares the checksum when it is asked for more than there is.
  std::array<std::byte, 1> more{};
  if (some(more) != 0) refuse("is longer than the archive's directory says");
}

std::size_t ZipArchive::Stream::some(std::span<std::byte> bytes) {
  const State& state = *archive_.state_;
  const zip_int64_t size = state.library.fread(handle_->file, bytes.data(), bytes.size());
  if (size < 0) refuse(state.reason(state.library.file_get_error(handle_->file)));
  return static_cast<std::size_t>(size);
}

void ZipArchive::Stream::refuse(const std::string& why) const {
  input::refuse(place_of(archive_.name_, entry_), why);
}

}  // namespace mha::input
