#pragma once

#include <locale>

#include "tests/support/temporary_directory.h"

namespace mha::test {

/// While it lives the whole process, C and C++, writes 0,5 for a half: a locale built for the purpose, so
/// that no machine lacks it. Throws std::runtime_error when localedef does not work.
class GermanLocale {
 public:
  GermanLocale();
  ~GermanLocale();
  GermanLocale(const GermanLocale&) = delete;
  GermanLocale& operator=(const GermanLocale&) = delete;

 private:
  TemporaryDirectory directory_;
  std::locale before_;
};

}  // namespace mha::test
