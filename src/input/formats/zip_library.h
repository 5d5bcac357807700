#pragma once

#include <zip.h>

namespace mha::input {

/// The functions of libzip that are called. The library is loaded when a zip is first opened: linked, it
/// would have to be found and bound, and libcrypto with it, at each start of a program that hardly ever needs
/// it, and takes as long as a whole command.
struct ZipLibrary {
  decltype(&::zip_source_function_create) source_function_create;
  decltype(&::zip_source_free) source_free;
  decltype(&::zip_open_from_source) open_from_source;
  decltype(&::zip_discard) discard;
  decltype(&::zip_get_num_entries) get_num_entries;
  decltype(&::zip_stat_index) stat_index;
  decltype(&::zip_fopen_index) fopen_index;
  decltype(&::zip_fread) fread;
  decltype(&::zip_fclose) fclose;
  decltype(&::zip_get_error) get_error;
  decltype(&::zip_file_get_error) file_get_error;
  decltype(&::zip_error_strerror) error_strerror;
  decltype(&::zip_error_fini) error_fini;
};

/// Throws std::runtime_error, saying what to install, when the library or a function of it is missing.
const ZipLibrary& zip_library();

}  // namespace mha::input
