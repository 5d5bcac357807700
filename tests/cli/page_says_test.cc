// What a page and its figures say of a layer is how that layer attends.
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "tests/support/process.h"
#include "tests/support/temporary_directory.h"

namespace mha::test {
namespace {

class PageSays : public testing::Test {
 protected:
  /// The page of a command on a file with Q, K, V and what else there is.
  std::string page_of(const std::string& command, const std::string& more = "") {
    std::ofstream(in("f.json")) << R"({"Q": [[1, 2], [3, 4], [0, 1]], "K": [[1, 0], [0, 1], [1, 1]],
      "V": [[1, 2], [3, 4], [5, 6]])"
                                << more << "}";
    const Outcome outcome = shell("mha " + command + " --input f.json --html page", {}, directory_.path());
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return contents(in("page"));
  }
  [[nodiscard]] std::string in(const std::string& name) const { return directory_.in(name); }

 private:
  TemporaryDirectory directory_;
};

/// The equations, without their tags and the invisible signs.
std::string equations(const std::string& page) {
  static const std::regex math("<math[^>]*>(.*?)</math>");
  std::string all;
  for (std::sregex_iterator at(page.begin(), page.end(), math), end; at != end; ++at) {
    std::string one = std::regex_replace((*at)[1].str(), std::regex("<mfrac>"), "over ");
    one = std::regex_replace(one, std::regex("<[^>]*>|\u2061|\u2062"), "");
    all += (all.empty() ? "" : "; ") + one;
  }
  return all;
}

void expect_says(const std::string& page, const std::vector<std::string>& said,
                 const std::vector<std::string>& not_said = {}) {
  for (const std::string& text : said) EXPECT_NE(page.find(text), std::string::npos) << text;
  for (const std::string& text : not_said) EXPECT_EQ(page.find(text), std::string::npos) << text;
}

const std::string kWithW_O = R"(, "W_O": [[1, 0], [0, 1]])";

TEST_F(PageSays, ACausalLayerIsTheLessons) {
  const std::string page = page_of("weights");
  EXPECT_EQ(equations(page), "Ah=softmax(over QhKh⊤dk+M)");
  expect_says(page,
              {"M is the causal mask", "Under a causal mask", "each row sums to 1", "keys after the query"});
  EXPECT_EQ(equations(page_of("entropy")), "Ht=−∑i=1tatilog2ati≤log2t");
  EXPECT_EQ(equations(page_of("concat", kWithW_O)), "O=Concat(A1V1,…,AHVH)WO");
}

TEST_F(PageSays, NothingOfAMaskWhereThereIsNone) {
  const std::string page = page_of("weights --mask none");
  EXPECT_EQ(equations(page), "Ah=softmax(over QhKh⊤dk)");
  expect_says(page, {"<sub>O</sub> is the output projection"},
              {"causal mask", "nobody looks ahead", "keys after"});
}

TEST_F(PageSays, TheScaleAndTheSoftcap) {
  EXPECT_EQ(equations(page_of("weights --scale 0.25")), "Ah=softmax(0.25QhKh⊤+M)");
  EXPECT_EQ(equations(page_of("weights --scale 1")), "Ah=softmax(QhKh⊤+M)");
  EXPECT_EQ(equations(page_of("weights", R"(, "softcap": 30)")), "Ah=softmax(30tanh(over over QhKh⊤dk30)+M)");
}

TEST_F(PageSays, WhatAMaskOfTheFileDoes) {
  const std::string added =
      page_of("weights --mask none", R"(, "mask": [[0.5, 0.5, 0.5], [0.5, 0.5, 0.5], [0.5, 0.5, 2.5]])");
  EXPECT_EQ(equations(added), "Ah=softmax(over QhKh⊤dk+M)");
  expect_says(added, {"is what is added to the scores"}, {"causal mask", "nobody looks ahead"});
  const std::string window = page_of("weights --set window=2");
  expect_says(window, {"is the mask", "keys that the query may not see are masked"}, {"is the causal mask"});
}

TEST_F(PageSays, TheCeilingOfAnEntropy) {
  for (const char* options : {" --mask none", " --set window=2"}) {
    const std::string page = page_of(std::string("entropy") + options);
    EXPECT_EQ(equations(page), "Ht=−∑iatilog2ati≤log2n") << options;
    expect_says(page, {"log₂ n if it spreads", "n is how many keys a query may see"}, {"log₂ t", "log2 t"});
  }
}

TEST_F(PageSays, TheBiasAndTheEndAtConcat) {
  EXPECT_EQ(equations(page_of("concat", kWithW_O + R"(, "b_O": [1, 2])")), "O=Concat(A1V1,…,AHVH)WO+bO");
  EXPECT_EQ(equations(page_of("concat")), "Concat=(A1V1,…,AHVH)");
  const std::string bank = page_of("filterbank", kWithW_O + R"(, "b_O": [1, 2])");
  EXPECT_EQ(equations(bank), "Concat·WO+bO=∑h=1HAhVhWO(h)+bO");
  expect_says(bank, {"its bias"});
}

TEST_F(PageSays, ThatSinksTakeAPart) {
  const std::string page = page_of("weights", R"(, "sinks": [0.5])");
  expect_says(page, {"each row sums to less than 1", "sink is one logit more"}, {"sums to 1"});
}

TEST_F(PageSays, NoSoftmaxOfGivenWeights) {
  std::ofstream(in("a.json")) << R"({"A": [[1, 0], [0.5, 0.5]]})";
  EXPECT_EQ(shell("mha weights --input " + in("a.json") + " --html " + in("page")).status, 0);
  EXPECT_EQ(equations(contents(in("page"))), "");
}

TEST_F(PageSays, WhatWasCompared) {
  std::ofstream(in("a.json")) << R"({"A": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]})";
  page_of("weights");
  shell("mha compare --input f.json --expect a.json --html page", {}, in(""));
  EXPECT_EQ(equations(contents(in("page"))), "Ah=softmax(over QhKh⊤dk+M)");
}

TEST_F(PageSays, OfARowAloneWhatItsMaskHides) {
  page_of("weights --set window=1");
  const Outcome drawn = shell("mha weights --set window=1 --input f.json --svg x", {}, in(""));
  EXPECT_EQ(drawn.status, 0) << drawn.err;
  expect_says(contents(in("x/impulse_responses.svg")), {}, {"are masked"});
}

}  // namespace
}  // namespace mha::test
