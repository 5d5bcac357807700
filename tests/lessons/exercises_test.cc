// The exercises: their numbers against formulas of their own, their judges against right and wrong answers.
#include "lessons/09-multi-head-attention/exercises/exercises.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "attention/causal_attention.h"
#include "lessons/09-multi-head-attention/lesson.h"
#include "tests/support/lesson_heads.h"
#include "tests/support/reference.h"

namespace mha::test {
namespace {

using lesson09::Answer;
using lesson09::Exercise;
using lesson09::exercises;
using lesson09::Judgement;

const Exercise& exercise(std::size_t number) { return exercises().at(number - 1); }

bool passes(const Judgement& judgement) {
  bool ok = !judgement.findings.empty();
  for (const lesson09::Finding& finding : judgement.findings) ok = ok && finding.ok;
  return ok;
}

Answer placeholders(const Exercise& exercise) {
  Answer answer;
  for (const lesson09::Field& field : exercise.form) answer[field.name] = field.placeholder;
  return answer;
}

Matrix row(const std::vector<double>& values) { return lesson09::list(values); }

/// −Σ p log₂ p of e^{g/√2} against t − 1 ones, worked out on paper: with x = e^{g/√2} and Z = x + t − 1 it
/// is log₂ Z − (x/Z) · (g/√2)/ln 2.
double closed_form_bits(Index t, long double gain) {
  const long double score = gain / std::sqrt(2.0L);
  const long double x = std::exp(score);
  const long double Z = x + static_cast<long double>(t - 1);
  return static_cast<double>(std::log2(Z) - x / Z * score / std::log(2.0L));
}

TEST(Exercises, AreSixAndTheirSolutionsPass) {
  ASSERT_EQ(exercises().size(), 6U);
  for (std::size_t n = 1; n <= 6; ++n) {
    const Judgement judgement = exercise(n).judge(exercise(n).solve().answer);
    EXPECT_TRUE(passes(judgement)) << "exercise " << n;
  }
}

TEST(Exercises, HaveTemplatesThatAreWellFormedAndNotRight) {
  for (std::size_t n = 1; n <= 6; ++n) {
    const Answer blank = placeholders(exercise(n));
    const Answer solved = exercise(n).solve().answer;
    EXPECT_EQ(blank.size(), solved.size()) << "exercise " << n;
    for (const auto& [name, values] : solved) {
      ASSERT_EQ(blank.count(name), 1U) << name;
      EXPECT_EQ(blank.at(name).rows(), values.rows()) << name;
      EXPECT_EQ(blank.at(name).cols(), values.cols()) << name;
    }
    EXPECT_FALSE(passes(exercise(n).judge(blank))) << "exercise " << n;
  }
}

/// Each entry of a right answer, made wrong alone, is found out, and no message states what was right.
TEST(Exercises, FindOutEachEntryThatIsOffAndKeepTheSolutionToThemselves) {
  for (const std::size_t n : {1U, 2U, 3U, 5U, 6U}) {
    const Answer right = exercise(n).solve().answer;
    for (const auto& [name, values] : right) {
      for (Index i = 0; i < values.cols(); ++i) {
        for (const double off : {-0.25, 0.25, 1.0, 1e300}) {
          Answer wrong = right;
          wrong[name](0, i) += off;
          const Judgement judgement = exercise(n).judge(wrong);
          SCOPED_TRACE(fmt::format("exercise {}, {} {} off by {}", n, name, i, off));
          EXPECT_FALSE(passes(judgement));
          int bad = 0;
          for (const lesson09::Finding& finding : judgement.findings) {
            if (finding.ok) continue;
            ++bad;
            EXPECT_EQ(finding.text.rfind(name, 0), 0U) << finding.text;
            // The answer that was given is repeated; the right one must not stand beside it.
            std::string told = finding.text;
            const std::string given = fmt::format(": {} ", wrong[name](0, i));
            if (const std::size_t at = told.find(given); at != std::string::npos)
              told.erase(at, given.size());
            const std::string solution = fmt::format("{}", values(0, i));
            if (values(0, i) < 10.0) {
              EXPECT_EQ(told.find(" " + solution + " "), std::string::npos) << told;
            } else {
              EXPECT_EQ(told.find(solution), std::string::npos) << told;
            }
          }
          EXPECT_EQ(bad, 1);
        }
      }
    }
  }
}

TEST(Exercises, SayWhatIsRightBesideWhatIsNot) {
  Answer half = exercise(1).solve().answer;
  half["mixing"] = row({1, 1, 1, 1});
  const Judgement judgement = exercise(1).judge(half);
  std::vector<std::string> texts;
  for (const lesson09::Finding& finding : judgement.findings) texts.push_back(finding.text);
  EXPECT_EQ(texts, (std::vector<std::string>{"mixing: right for d2, d3, d4", "mixing, d1: 1 is not right",
                                             "identity: all right", "swap: all right"}));
}

TEST(Exercises, KnowCommonSlips) {
  const auto told = [](std::size_t n, const std::string& field, const Matrix& values) {
    Answer answer = exercise(n).solve().answer;
    answer[field] = values;
    std::string texts;
    for (const lesson09::Finding& finding : exercise(n).judge(answer).findings) {
      EXPECT_LE(finding.text.size(), 73U) << "fits a line after its mark: " << finding.text;
      texts += finding.text + "\n";
    }
    return texts;
  };
  const auto has = [](const std::string& texts, const std::string& part) {
    return texts.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(told(2, "n_tot", Matrix::Constant(1, 6, 3.0 * 384 * 384)), "leaves out the way back"));
  EXPECT_TRUE(has(told(2, "n_tot", Matrix::Constant(1, 6, 4.0 * 384 * 384 + 4.0 * 384)), "counts biases"));
  EXPECT_TRUE(has(told(5, "n_tot", row({1048576, 4.0 * 1024 * 1024})), "d_model = 1024"));
  EXPECT_TRUE(has(told(5, "n_tot", row({1048576, 1048576})), "d_k = 32"));
  EXPECT_TRUE(has(told(6, "bits", row({1.2646, 0.5104, 0.0908})), "in nats"));
}

TEST(OutputChannels, HearTheHeadsThatTheirColumnOfWOReads) {
  for (const lesson09::Projection wo : lesson09::kProjections) {
    const Matrix W_O = lesson09::output_projection(wo);
    const Matrix heard = lesson09::heads_heard(wo);
    for (Index c = 0; c < 4; ++c) {
      const bool first = !W_O.block(0, c, 2, 1).isZero(0.0);
      const bool second = !W_O.block(2, c, 2, 1).isZero(0.0);
      EXPECT_EQ(heard(0, c), static_cast<double>(first) + static_cast<double>(second))
          << text::name_of(wo) << ", d" << c + 1;
    }
  }
  EXPECT_EQ(lesson09::heads_heard(lesson09::Projection::kMixing), row({2, 1, 1, 1}));
}

TEST(SplitWidth, CountsFourTimesTheSquareOfTheWidth) {
  const Answer answer = exercise(2).solve().answer;
  EXPECT_EQ(answer.at("d_k"), row({384, 192, 96, 64, 48, 32}));
  EXPECT_EQ(answer.at("n_tot"), Matrix::Constant(1, 6, 4.0 * 384 * 384));
}

TEST(ReplicatedHeads, GiveTheSameOutputsAndNoOthersDo) {
  const std::vector<Matrix> O = lesson09::eight_outputs();
  ASSERT_EQ(O.size(), 8U);
  for (std::size_t h = 0; h < 8; ++h) {
    const LessonHead head = lesson_head(static_cast<int>(h % 4) + 1, 6, 3.0);
    EXPECT_TRUE(O[h].isApprox(reference_weights(head.Q, head.K), 1e-14)) << "V is the identity";
    for (std::size_t other = 0; other < h; ++other) {
      EXPECT_EQ(O[h] == O[other], other + 4 == h) << h + 1 << " and " << other + 1;
    }
  }
  const Answer answer = exercise(3).solve().answer;
  EXPECT_EQ(answer.at("largest_difference")(0, 0), 0.0);
  EXPECT_EQ(answer.at("distinct_outputs")(0, 0), 4.0);
}

/// L = ½ Σ O² of head 1 and its replica, whose queries are Q_1 and Q_5.
double loss(const Matrix& Q_1, const Matrix& Q_5, const Matrix& K, const Matrix& V, double ratio) {
  return 0.5 * (reference_weights(Q_1, K) * V + ratio * reference_weights(Q_5, K) * V).squaredNorm();
}

TEST(ReplicatedHeads, PartInTrainingOnlyWhereTheirBlocksOfWODiffer) {
  const LessonHead head = lesson_head(1, 6, 3.0);
  const Matrix V = lesson09::position_code(6, 1.0, 0);
  for (const double ratio : {1.0, 2.0, 0.5, -1.0}) {
    // By central differences: the slope in an entry of Q_1 against that in the same entry of Q_5.
    constexpr double kStep = 1e-5;
    double gap = 0.0;
    for (Index t = 0; t < 6; ++t) {
      for (Index c = 0; c < 2; ++c) {
        Matrix up = head.Q;
        Matrix down = head.Q;
        up(t, c) += kStep;
        down(t, c) -= kStep;
        const double own = loss(up, head.Q, head.K, V, ratio) - loss(down, head.Q, head.K, V, ratio);
        const double copy = loss(head.Q, up, head.K, V, ratio) - loss(head.Q, down, head.K, V, ratio);
        gap = std::max(gap, std::abs(own - copy) / (2.0 * kStep));
      }
    }
    EXPECT_NEAR(lesson09::gradient_gap(ratio), gap, 1e-8) << "ratio " << ratio;
  }
  EXPECT_EQ(lesson09::gradient_gap(1.0), 0.0);
  EXPECT_GT(lesson09::gradient_gap(2.0), 0.1);
}

TEST(FixedHeadWidth, DoublesTheCount) {
  const Answer answer = exercise(5).solve().answer;
  EXPECT_EQ(answer.at("n_tot"), row({4.0 * 512 * 512, 4.0 * 512 * 1024}));
  EXPECT_EQ(answer.at("ratio")(0, 0), 2.0);
}

TEST(SharperHead, SpendsTheBitsOfTheClosedForm) {
  for (const Index t : {1, 2, 6, 60, 600}) {
    for (const double gain : {0.0, 0.5, 3.0, 6.0, 8.3, 9.0, 30.0, 100.0}) {
      EXPECT_NEAR(lesson09::first_token_bits(t, gain), closed_form_bits(t, gain), 1e-12)
          << "t = " << t << ", gain " << gain;
    }
  }
}

TEST(SharperHead, FindsTheSmallestGainRightOnBothSides) {
  for (const Index t : {2, 6, 60, 600}) {
    for (const double limit : {1.9, 1.1, 1.01, 1.0001}) {
      SCOPED_TRACE(fmt::format("t = {}, limit {}", t, limit));
      const double gain = lesson09::smallest_gain(t, limit);
      EXPECT_LT(std::exp2(lesson09::first_token_bits(t, gain)), limit);
      EXPECT_GE(std::exp2(lesson09::first_token_bits(t, std::nextafter(gain, 0.0))), limit);
      // Against the formula, which knows nothing of how it was found: within 1e-9 it crosses the limit.
      EXPECT_LT(std::exp2(closed_form_bits(t, gain + 1e-9)), limit);
      EXPECT_GT(std::exp2(closed_form_bits(t, gain - 1e-9)), limit);
    }
  }
  EXPECT_EQ(lesson09::smallest_gain(1, 1.1), 0.0) << "one position is always fewer";
}

TEST(SharperHead, JudgesTheGainByItsSide) {
  const double gain = exercise(6).solve().answer.at("gain")(0, 0);
  const auto judged = [&](double given) {
    Answer answer = exercise(6).solve().answer;
    answer["gain"] = lesson09::number(given);
    return passes(exercise(6).judge(answer));
  };
  EXPECT_TRUE(judged(gain));
  EXPECT_TRUE(judged(std::ceil(gain * 1000.0) / 1000.0)) << "rounded up, as the task asks";
  EXPECT_FALSE(judged(std::floor(gain * 1000.0) / 1000.0));
  EXPECT_FALSE(judged(gain - 1e-9));
  EXPECT_TRUE(judged(gain + 0.0009));
  EXPECT_FALSE(judged(gain + 0.0011));
  EXPECT_FALSE(judged(-gain));
  EXPECT_FALSE(judged(1e308));
}

}  // namespace
}  // namespace mha::test
