#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

#include "platform/memory.h"

namespace mha::attention {

/// Room for `size` doubles, aligned to a cache line and a vector, not set to anything: what is packed or
/// summed there is written before it is read, and clearing megabytes first would show. Large blocks ask for
/// large pages: touching 4 KiB pages one by one took a tenth of a call at T = 1024.
class AlignedDoubles {
 public:
  explicit AlignedDoubles(std::size_t size) {
    constexpr std::size_t kLine = 64;
    constexpr std::size_t kLargePage = std::size_t{2} << 20;
    std::size_t bytes = size * sizeof(double);
    const std::size_t alignment = bytes < 2 * kLargePage ? kLine : kLargePage;
    bytes = (bytes + alignment - 1) / alignment * alignment;
    data_.reset(static_cast<double*>(std::aligned_alloc(alignment, bytes)));
    if (!data_ && bytes > 0) throw std::bad_alloc();
    if (alignment == kLargePage) platform::prefer_large_pages(data_.get(), bytes);
  }

  [[nodiscard]] double* data() const { return data_.get(); }

 private:
  struct Free {
    void operator()(double* data) const { std::free(data); }
  };
  std::unique_ptr<double[], Free> data_;
};

}  // namespace mha::attention
