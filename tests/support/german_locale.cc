#include "tests/support/german_locale.h"

#include <clocale>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "tests/support/process.h"

#ifdef MHA_SANITIZED
/// glibc keeps the list of folders that it makes of LOCPATH until the next one, and LeakSanitizer takes the
/// last for lost.
extern "C" const char* __lsan_default_suppressions() { return "leak:__argz_add_sep"; }
#endif

namespace mha::test {

GermanLocale::GermanLocale() {
  const Outcome made = shell("localedef -i de_DE -f UTF-8 " + directory_.in("de_DE.UTF-8"));
  ::setenv("LOCPATH", directory_.path().c_str(), 1);
  if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr) {
    throw std::runtime_error("localedef made no de_DE.UTF-8: " + made.out + made.err);
  }
  before_ = std::locale::global(std::locale("de_DE.UTF-8"));
}

GermanLocale::~GermanLocale() {
  std::locale::global(before_);
  std::setlocale(LC_ALL, "C");
  ::unsetenv("LOCPATH");
}

}  // namespace mha::test
