#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace mha::attention {

/// Room for `size` doubles, aligned to a cache line and a vector, not set to anything: what is packed or
/// summed there is written before it is read, and clearing megabytes first would show.
class AlignedDoubles {
 public:
  explicit AlignedDoubles(std::size_t size) {
    constexpr std::size_t kAlignment = 64;
    const std::size_t bytes = (size * sizeof(double) + kAlignment - 1) / kAlignment * kAlignment;
    data_.reset(static_cast<double*>(std::aligned_alloc(kAlignment, bytes)));
    if (!data_ && bytes > 0) throw std::bad_alloc();
  }

  [[nodiscard]] double* data() const { return data_.get(); }

 private:
  struct Free {
    void operator()(double* data) const { std::free(data); }
  };
  std::unique_ptr<double[], Free> data_;
};

}  // namespace mha::attention
