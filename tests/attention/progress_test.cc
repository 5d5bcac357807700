#include "attention/progress.h"

#include <gtest/gtest.h>

#include <sstream>

#include "analysis/survey.h"
#include "commands/commands.h"
#include "render/svg/svg.h"
#include "render/text/json.h"
#include "render/text/text.h"
#include "tests/support/models.h"

namespace mha::test {
namespace {

/// Listens to what is planned and done after its making, as the terminal does.
class Listener {
 public:
  Listener() {
    attention::listen_to_progress([this](double done, double planned) {
      earlier_done_ = done;
      earlier_planned_ = planned;
    });
    attention::finish_pairs(0.0);
    attention::listen_to_progress([this](double done, double planned) {
      done_ = done - earlier_done_;
      planned_ = planned - earlier_planned_;
      EXPECT_GE(done_ * last_planned_, last_done_ * planned_) << "the share that is done fell back";
      last_done_ = done_;
      last_planned_ = planned_;
    });
  }
  ~Listener() { attention::listen_to_progress({}); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  void expect_all_done(double pairs) const {
    EXPECT_EQ(done_, pairs);
    EXPECT_EQ(planned_, pairs);
  }

 private:
  double earlier_done_ = 0.0;
  double earlier_planned_ = 0.0;
  double done_ = 0.0;
  double planned_ = 0.0;
  double last_done_ = 0.0;
  double last_planned_ = 1.0;
};

constexpr Index kT = 5000;
constexpr double kPairs = 5000.0 * 5001.0 / 2.0;

TEST(PlannedPairs, AreThoseOfEachMatrixThatJsonStreams) {
  const report::Report report = commands::entropy({{.T = kT}, {1, 2, 3}});
  std::ostringstream out;
  const Listener listener;
  render::json(report, out);
  listener.expect_all_done(5.0 * kPairs);  // t, log2 t and three heads
}

TEST(PlannedPairs, AreKnownBeforeTheFirstMatrixOfATextIsWritten) {
  const report::Report report = commands::concat({{.T = kT}});
  std::ostringstream out;
  const Listener listener;
  render::text(report, true, out, {});
  listener.expect_all_done(2.0 * kPairs);
}

TEST(PlannedPairs, AreKnownBeforeTheFirstPanelOfAFigureIsRead) {
  const report::Report report = commands::weights({{.T = 600}, {1, 2, 4}});
  const Listener listener;
  render::svg(report.figures.front());
  listener.expect_all_done(3.0 * 600.0 * 601.0 / 2.0);
}

/// Three heads over T tokens with values and W_O, and what is computed of them.
struct Layer {
  SmallLayer layer = small_layer(300, 3, 2, 3, 77);
  TemporaryFile file{"layer.json", json_bytes(head_arrays(layer))};
  double pairs = 300.0 * 301.0 / 2.0;
};

TEST(PlannedPairs, OfHeadsComparedApartAreThoseOfEachOnce) {
  const Layer own;
  const Matrix O_concat = concat_of(own.layer);
  const TemporaryFile expected(
      "heads.json", json_bytes({stacked("O_concat", {O_concat.leftCols(2), O_concat.middleCols(2, 2),
                                                     O_concat.rightCols(2)})}));
  commands::CompareOptions options;
  options.file = options_for(own.file);
  options.expected.path = expected.path();
  const Listener listener;
  EXPECT_TRUE(commands::compare(options).ok);
  listener.expect_all_done(3.0 * own.pairs);
}

TEST(PlannedPairs, OfInspectedHeadsAreTheirWeightsAndWhatTheyAdd) {
  const Layer own;
  commands::HeadOptions options;
  options.source.file = options_for(own.file);
  const Listener listener;
  commands::inspect(options);
  listener.expect_all_done(3.0 * 300.0 * 300.0 + 3.0 * own.pairs);
}

}  // namespace
}  // namespace mha::test
