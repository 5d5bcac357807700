#include <fmt/format.h>

#include <memory>
#include <utility>

#include "attention/multi_head.h"
#include "lessons/09-multi-head-attention/exercises/exercises.h"

namespace mha::lesson09 {
namespace {

const std::vector<std::string> kChannels = {"d1", "d2", "d3", "d4"};

Matrix output(const attention::Layer& layer) {
  Matrix O_concat(layer.T_q, layer.W_O.rows());
  Matrix O(layer.T_q, layer.W_O.cols());
  attention::concat(layer, 0, O_concat);
  attention::project(O_concat, layer.W_O, O);
  return O;
}

/// The channels that hear both heads, as words.
std::string shared_channels(const Matrix& heard) {
  std::string names;
  for (Index c = 0; c < heard.cols(); ++c) {
    if (heard(0, c) > 1.0) names += (names.empty() ? "" : ", ") + kChannels[static_cast<std::size_t>(c)];
  }
  return names.empty() ? "none" : names;
}

Solution solve_output_channels() {
  Solution solution;
  solution.lines = {{"Silence a head (set its V_h to 0) and see how far each channel of O moves."},
                    {"Rows are the head that is silenced, columns d1 to d4."}};
  std::string shared = "channels that hear more than one head:";
  report::List moves;
  for (const Projection projection : kProjections) {
    const std::string wo = text::name_of(projection);
    const report::LazyMatrix moved = moves_when_silenced(projection);
    const Matrix heard = heads_heard(projection);
    solution.answer[wo] = heard;
    solution.lines.push_back({wo + ":", moved});
    shared += fmt::format(" {} ({}){}", shared_channels(heard), wo, wo == "swap" ? "" : ",");
    moves.push_back(report::Object{{"wo", wo}, {"moves", moved}});
  }
  solution.numbers = {{"silenced", std::move(moves)}};
  solution.lines.insert(
      solution.lines.end(),
      {
          {shared},
          {""},
          {"Why: a column of Concat belongs to one head, and W_O is the first place where"},
          {"columns of different heads are added. The identity copies them and swap moves"},
          {"them about, so each channel stays with one head, and whatever reads one channel"},
          {"learns what one head found. Only entries that add columns of both heads let a"},
          {"single channel say something about both. The right shape does none of that,"},
          {"which is why W_O is learnt: it chooses what is added to what, and with which"},
          {"sign and size."},
      });
  return solution;
}

Judgement judge_output_channels(const Answer& answer) {
  Judgement judgement;
  for (const Projection projection : kProjections) {
    const std::string wo = text::name_of(projection);
    // How many heads can be two or one: more than which entry is off would be the answer.
    compare_lists(wo, kChannels, answer.at(wo), heads_heard(projection), 0.0, judgement,
                  [](double, double) -> std::string { return "not right"; });
  }
  return judgement;
}

}  // namespace

Matrix moves_when_silenced(Projection projection) {
  const attention::Layer layer = two_head_pipeline(kPipelineTokens, kGain, projection);
  const Matrix O = output(layer);
  Matrix moves(kPipelineHeads, kModelWidth);
  for (Index h = 0; h < kPipelineHeads; ++h) {
    attention::Layer silenced = layer;
    silenced.heads[static_cast<std::size_t>(h)].V =
        std::make_shared<const Matrix>(Matrix::Zero(kPipelineTokens, kHeadWidth));
    moves.row(h) = (output(silenced) - O).cwiseAbs().colwise().maxCoeff();
  }
  return moves;
}

Matrix heads_heard(Projection projection) {
  return (moves_when_silenced(projection).array() > 0.0).cast<double>().colwise().sum();
}

Exercise output_channels() {
  const Matrix open = Matrix::Zero(1, kModelWidth);
  return {"What W_O is for",
          {
              "Two heads stand side by side in Concat: columns h1.1 and h1.2 are head 1's,",
              "h2.1 and h2.2 head 2's. W_O makes the output channels d1 to d4 of them. Take",
              "the lesson's mixing W_O, then the identity, then swap, under which the two",
              "heads change places. How many heads does each of d1 to d4 depend on?",
              "",
              "And argue: Concat has the right shape already. What would be missing without",
              "a learnt W_O?",
          },
          "mha concat --wo identity",
          {
              "Column c of W_O is the recipe of channel dc: each of its entries that is not 0",
              "adds a column of Concat. mha concat --wo swap --format json prints W_O. Or ask",
              "of each channel: if one head fell silent, would it change?",
          },
          {{"mixing", Field::Shape::kList, open},
           {"identity", Field::Shape::kList, open},
           {"swap", Field::Shape::kList, open}},
          solve_output_channels,
          judge_output_channels};
}

}  // namespace mha::lesson09
