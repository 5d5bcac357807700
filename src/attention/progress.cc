#include "attention/progress.h"

#include <utility>

namespace mha::attention {
namespace {

double planned = 0.0;
double done = 0.0;
std::function<void(double, double)> listener;

}  // namespace

void plan_pairs(double pairs) { planned += pairs; }

void finish_pairs(double pairs) {
  done += pairs;
  if (listener) listener(done, planned);
}

void listen_to_progress(std::function<void(double done, double planned)> heard) {
  listener = std::move(heard);
}

}  // namespace mha::attention
