#include <fmt/format.h>

#include <cmath>

#include "analysis/entropy.h"
#include "lessons/09-multi-head-attention/exercises/exercises.h"

namespace mha::lesson09 {
namespace {

constexpr Index kLastRow = 6;
constexpr double kLimit = 1.1;
constexpr double kBitsTolerance = 5e-4;  ///< bits are asked for to three decimals
constexpr double kGainStep = 1e-3;       ///< and so is the gain
const std::vector<double> kGains = {3.0, 6.0, 9.0};

double positions(Index t, double gain) { return std::exp2(first_token_bits(t, gain)); }

Matrix bits_at_gains() {
  std::vector<double> bits;
  for (const double gain : kGains) bits.push_back(first_token_bits(kLastRow, gain));
  return list(bits);
}

/// Smallest gains for closer and closer limits, and for longer and longer rows.
report::Table growth() {
  report::Table table{{"2^bits below", "gain at t = 6", "at t = 60", "at t = 600"}, {}};
  for (const double limit : {1.1, 1.01, 1.001, 1.0001}) {
    std::vector<report::Table::Cell> row = {fmt::format("{}", limit)};
    for (const Index t : {Index{6}, Index{60}, Index{600}}) {
      row.emplace_back(report::Decimals{{smallest_gain(t, limit)}, 6});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Solution solve_sharper_head() {
  const Matrix bits = bits_at_gains();
  const report::Vector bits_vector{Matrix(bits.transpose())};
  const double gain = smallest_gain(kLastRow, kLimit);
  // As many decimals as another machine's exp would give as well; the gain rounded to its safe side.
  const double nano_up = std::ceil(gain * 1e9) / 1e9;
  return {{{"bits", (bits.array() * 1e6).round() / 1e6}, {"gain", number(nano_up)}},
          {{"gains", report::Vector{Matrix(list(kGains).transpose())}},
           {"bits", bits_vector},
           {"gain", gain},
           {"positions", positions(kLastRow, gain)}},
          {
              {"In row t, head 1 scores the first key gain/sqrt(2) and the others 0: its weights"},
              {"are exp(gain/sqrt(2)) against t - 1 ones, divided by their sum."},
              {""},
              {"bits at t = 6 for gains 3, 6, 9:", bits_vector},
              {"smallest gain with 2^bits < 1.1, rounded up at the ninth decimal:", nano_up},
              {""},
              {"It is found by halving an interval, at whose lower end 2^bits is not below 1.1"},
              {"and at whose upper end it is, until no double lies between (--format json has"},
              {"all digits). The same for closer limits and longer rows:"},
              {""},
              {growth()},
              {""},
              {"Why: the weight that the others keep is about (t - 1)*exp(-gain/sqrt(2)). Each"},
              {"step of sqrt(2)*ln(10) = 3.26 in gain divides it by ten, and ten times as many"},
              {"tokens ask for such a step more. So sharpness costs a larger gain, but only"},
              {"logarithmically: to be ten times sharper, or to look over ten times as many"},
              {"tokens, takes about the same addition again and never a multiple."},
          }};
}

Finding judge_gain(double gain) {
  const double blended = positions(kLastRow, gain);
  if (!(blended < kLimit)) {
    return {false, fmt::format("gain: {} is not enough, 2^bits is {:.6f} there and not below {}", gain,
                               blended, kLimit)};
  }
  if (positions(kLastRow, gain - kGainStep) < kLimit) {
    return {false, fmt::format("gain: {} is enough, 2^bits is {:.6f} there, but less would do; "
                               "three decimals are asked for",
                               gain, blended)};
  }
  return {true, fmt::format("gain: {} is right, and {} less would not do", gain, kGainStep)};
}

/// Of an entropy that is not right: whether it is in nats.
std::string other_unit(double given, double right) {
  const bool nats = std::abs(given - right * std::log(2.0)) <= kBitsTolerance;
  return direction(given, right) + (nats ? " (that is in nats)" : "");
}

Judgement judge_sharper_head(const Answer& answer) {
  const double gain = answer.at("gain")(0, 0);
  Judgement judgement;
  compare_lists("bits", {"gain 3", "gain 6", "gain 9"}, answer.at("bits"), bits_at_gains(), kBitsTolerance,
                judgement, other_unit);
  judgement.findings.push_back(judge_gain(gain));
  judgement.numbers = {{"positions", positions(kLastRow, gain)}};
  return judgement;
}

}  // namespace

double first_token_bits(Index t, double gain) {
  Matrix bits(1, 1);
  analysis::row_entropies_bits(hand_set_head(1, t, gain), t - 1, bits);
  return bits(0, 0);
}

double smallest_gain(Index t, double limit) {
  if (positions(t, 0.0) < limit) return 0.0;
  double not_enough = 0.0;
  double enough = 1.0;
  while (!(positions(t, enough) < limit)) {
    not_enough = enough;
    enough *= 2.0;
  }
  for (;;) {
    const double middle = not_enough + (enough - not_enough) / 2.0;
    if (middle == not_enough || middle == enough) return enough;
    (positions(t, middle) < limit ? enough : not_enough) = middle;
  }
}

Exercise sharper_head() {
  return {"Sharpening head 1",
          {
              "Head 1's key K_1(1, 1) is the gain, 3 in the lesson. How many bits does row 6",
              "spend for gains 3, 6 and 9 (bits, to three decimals)? And from which gain on",
              "does it blend fewer than 1.1 positions, 2^bits < 1.1? Give the smallest such",
              "gain, rounded up to three decimals (gain).",
              "",
              "And argue: how does the gain that is needed grow with the sharpness wanted?",
          },
          "mha entropy --gain 3 --heads 1",
          {
              "mha entropy --gain G --heads 1 has the bits in its last row. For the last part,",
              "find a gain that is not enough and one that is, and halve what lies between; or",
              "write row 6 as exp(gain/sqrt(2)) against five ones and solve its entropy. Mind",
              "the side: with its digits cut off, the gain falls just short.",
          },
          {{"bits", Field::Shape::kList, Matrix::Zero(1, 3)}, {"gain", Field::Shape::kNumber, number(0.0)}},
          solve_sharper_head,
          judge_sharper_head};
}

}  // namespace mha::lesson09
