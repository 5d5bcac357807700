#include "render/terminal.h"
#include <ostream>
namespace mha::render {
void terminal(const report::Figure&, const Screen&, std::ostream&) {}
}  // namespace mha::render
