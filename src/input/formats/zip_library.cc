#include "input/formats/zip_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <stdexcept>

namespace mha::input {
namespace {

[[noreturn]] void fail() {
  const char* const why = ::dlerror();
  throw std::runtime_error(fmt::format(
      "a .npz is read with libzip, which cannot be loaded ({}); install it, on Debian and Ubuntu with: apt-get install libzip-dev",
      why != nullptr ? why : MHA_LIBZIP_SONAME));
}

template <typename Function>
void bind(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (function == nullptr) fail();
}

ZipLibrary load() {
  // Never closed: it is needed to the end or not at all.
  void* const library = ::dlopen(MHA_LIBZIP_SONAME, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) fail();
  ZipLibrary functions{};
  bind(library, "zip_source_function_create", functions.source_function_create);
  bind(library, "zip_source_free", functions.source_free);
  bind(library, "zip_open_from_source", functions.open_from_source);
  bind(library, "zip_discard", functions.discard);
  bind(library, "zip_get_num_entries", functions.get_num_entries);
  bind(library, "zip_stat_index", functions.stat_index);
  bind(library, "zip_fopen_index", functions.fopen_index);
  bind(library, "zip_fread", functions.fread);
  bind(library, "zip_fclose", functions.fclose);
  bind(library, "zip_get_error", functions.get_error);
  bind(library, "zip_file_get_error", functions.file_get_error);
  bind(library, "zip_error_strerror", functions.error_strerror);
  bind(library, "zip_error_fini", functions.error_fini);
  return functions;
}

}  // namespace

const ZipLibrary& zip_library() {
  static const ZipLibrary library = load();
  return library;
}

}  // namespace mha::input
