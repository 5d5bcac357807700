// One vector of exponentials. Included once per instruction set.
#if defined(MHA_ATTENTION_KERNEL_EXP2_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MHA_ATTENTION_KERNEL_EXP2_INL_H_
#undef MHA_ATTENTION_KERNEL_EXP2_INL_H_
#else
#define MHA_ATTENTION_KERNEL_EXP2_INL_H_
#endif

#include <numbers>

#include <hwy/highway.h>
#include "attention/matrix.h"

#ifndef HWY_UNROLL  // Highway before 1.0
#define HWY_UNROLL(factor)
#endif

HWY_BEFORE_NAMESPACE();
namespace mha::attention::kernel::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
using Lanes = hn::Vec<Doubles>;

/// e^(s·x) for x ≤ 0, a difference of unscaled scores q·k from their row's largest, and a scale s > 0, mostly
/// 1/√d_k. The scale goes into the exponent's factor, where it costs nothing and rounds nothing: scores that
/// are equal stay equal.
///
///   e^(s·x) = 2^(x·c),  c = s · log₂e,   2^(n + r) = 2^n · P(r),  n whole, |r| ≤ ½.
///
/// x·c − n is formed with c in two parts, so that a large |x| costs no accuracy. P(r) = 1 + r·p(r), p the
/// polynomial through the Chebyshev points of (2^r − 1)/r: relative error 2e-17, so that what is left is
/// the rounding of the last two operations. P(0) is 1 exactly. Below 2^−1023 the result is 0 exactly.
class Exp {
 public:
  explicit Exp(long double scale) {
    const long double c = std::numbers::log2e_v<long double> * scale;
    high_ = static_cast<double>(c);
    low_ = static_cast<double>(c - static_cast<long double>(high_));
    least_ = -1023.0 / high_;
  }

  /// x, or what already gives 0 if x is below it: −∞ becomes a number.
  HWY_INLINE Lanes clamp(Lanes x) const { return hn::Max(x, hn::Set(Doubles(), least_)); }

  /// e^(s·x) of a clamped x.
  HWY_INLINE Lanes operator()(Lanes x) const {
    const Doubles d;
    // Added to a double of this size, n + 1023 lands in its lowest bits: the exponent field of 2^n, which
    // a shift puts in its place. For n = −1023 that is the bit pattern of 0.
    const Lanes magic = hn::Set(d, 0x1.8p52 + 1023.0);
    const Lanes high = hn::Set(d, high_);
    const Lanes t = hn::MulAdd(x, high, magic);
    const Lanes n = hn::Sub(t, magic);
    const Lanes r = hn::MulAdd(x, hn::Set(d, low_), hn::MulSub(x, high, n));
    const hn::RebindToUnsigned<Doubles> bits;
    const Lanes power = hn::BitCast(d, hn::ShiftLeft<52>(hn::BitCast(bits, t)));
    // Even and odd powers apart: one long chain of multiply-adds would leave the processor waiting.
    const Lanes r2 = hn::Mul(r, r);
    Lanes even = hn::Set(d, kCoefficients[10]);
    Lanes odd = hn::Set(d, kCoefficients[9]);
    HWY_UNROLL(4)
    for (int i = 8; i >= 2; i -= 2) {
      even = hn::MulAdd(even, r2, hn::Set(d, kCoefficients[i]));
      odd = hn::MulAdd(odd, r2, hn::Set(d, kCoefficients[i - 1]));
    }
    even = hn::MulAdd(even, r2, hn::Set(d, kCoefficients[0]));
    const Lanes p = hn::MulAdd(odd, r, even);
    return hn::Mul(hn::MulAdd(p, r, hn::Set(d, 1.0)), power);
  }

 private:
  static constexpr double kCoefficients[11] = {
      0x1.62e42fefa39efp-1,  0x1.ebfbdff82c598p-3,  0x1.c6b08d704a0c2p-5,  0x1.3b2ab6fba1ddap-7,
      0x1.5d87fe78a5276p-10, 0x1.430913096fd9fp-13, 0x1.ffcbfc670dcd4p-17, 0x1.62bfd47773353p-20,
      0x1.b524fae627834p-24, 0x1.e6063f7217bc6p-28, 0x1.e9d3fe3952179p-32};
  double high_;
  double low_;
  double least_;
};

}  // namespace mha::attention::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
