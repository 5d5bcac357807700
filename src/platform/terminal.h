#pragma once

#include <string>
#include <string_view>

/// The standard streams, and the terminal that they may be connected to.
namespace mha::platform {

enum class Stream { kInput = 0, kOutput = 1, kError = 2 };

bool is_open(Stream stream);
bool is_terminal(Stream stream);

/// The terminal's width in columns. 0 if there is no terminal or its width is unknown.
int terminal_columns(Stream stream);

/// Whether the stream reads or writes the file at `path`.
bool is_same_file(Stream stream, const std::string& path);

/// Writes all of the text, waiting where the stream is non-blocking. Throws std::system_error if it cannot:
/// with EPIPE if the reader of a pipe has left and signals are ignored.
void write_all(Stream stream, std::string_view text);

/// From now on, a write to a closed pipe or beyond the limit of a file's size fails instead of ending the
/// program.
void ignore_write_signals();

}  // namespace mha::platform
