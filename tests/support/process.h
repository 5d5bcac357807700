#pragma once

#include <map>
#include <string>
#include <vector>

namespace mha::test {

/// What a program did.
struct Outcome {
  std::string out;  ///< what it wrote to standard output
  std::string err;  ///< and to standard error
  int status = 0;   ///< its exit status, or 128 + the signal that ended it
};

/// Runs `command` with /bin/sh, `mha` being the program under test. Variables in `environment` are set
/// beside those of this process. Standard input is /dev/null, and XDG_STATE_HOME an empty directory of its
/// own. It runs in `directory`, or in this process's if that is empty.
Outcome shell(const std::string& command, const std::map<std::string, std::string>& environment = {},
              const std::string& directory = "");

/// The same on a pseudo-terminal of that many columns: standard output and standard error both go there
/// and come back in `out`, line ends as \n, other carriage returns as they are. A system without
/// pseudo-terminals skips the test, but fails it where the environment variable CI is set.
Outcome on_terminal(const std::string& command, const std::map<std::string, std::string>& environment = {},
                    int columns = 80);

/// How to call a Python that has NumPy: the system's own first, whose packages have it. Empty if there is
/// none.
std::string python_with_numpy();

}  // namespace mha::test
