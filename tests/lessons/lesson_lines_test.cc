// The lines that the lesson prints, as it prints them: what the goldens may never be rewritten away from.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/process.h"

namespace mha::test {
namespace {

const std::string kConcat =
    "Concat = [O_1, O_2]: Matrix(4x4)\n"
    "  [0.000000, 0.000000, 1.000000, 0.000000]\n"
    "  [0.000000, 0.000000, 0.500000, 0.500000]\n"
    "  [0.998277, 0.000000, 0.333333, 0.333333]\n"
    "  [0.001717, 0.996564, 0.250000, 0.250000]\n"
    "O = Concat * W_O: Matrix(4x4)\n"
    "  [1.000000, 0.000000, -1.000000, 0.000000]\n"
    "  [0.500000, 0.000000, -0.500000, 0.500000]\n"
    "  [1.331611, 0.000000, -0.333333, 0.333333]\n"
    "  [0.251717, 0.996564, -0.250000, 0.250000]\n"
    "Concat shape = [1×2]  4.000000  4.000000    O shape = [1×2]  4.000000  4.000000\n"
    "parameters: W_Q, W_K, W_V = 48   W_O = 16   total = 64\n";

const std::string kEntropy =
    "columns: t, log2 t, head 1, head 2, head 3, head 4  (bits)\n"
    "Matrix(6x6)\n"
    "  [1.000000, 0.000000, 0.000000, 0.000000, 0.000000, 0.000000]\n"
    "  [2.000000, 1.000000, 0.490928, 0.241602, 0.241602, 1.000000]\n"
    "  [3.000000, 1.584963, 0.901880, 0.466890, 0.242633, 1.584963]\n"
    "  [4.000000, 2.000000, 1.252685, 0.467871, 0.242689, 2.000000]\n"
    "  [5.000000, 2.321928, 1.556962, 0.467924, 0.243721, 2.321928]\n"
    "  [6.000000, 2.584963, 1.824399, 0.468905, 0.468905, 2.584963]\n";

const std::string kRank =
    "rank(Q_h K_h') for heads 1..4: 1 2 2 0\n"
    "score FLOPs, one wide head vs H narrow heads: 1073741824 1073741824\n";

const std::string kIdentity = "max |Concat*W_O - sum_h A_h X W_V^h W_O^(h)| = 0";
const std::string kRow4 = "Head 4 row 4: [1×6]  0.250000  0.250000  0.250000  0.250000  0.000000  0.000000\n";
const std::string kParameters = "parameters: W_Q, W_K, W_V = 48   W_O = 16   total = 64\n";
const std::string kSlice = "max |Q_all(:, 1:2) - Q_1| = 0\n";

TEST(LessonLines, AreTheWholeOutputOfTheirCommands) {
  EXPECT_EQ(shell("mha concat").out, kConcat);
  EXPECT_EQ(shell("mha entropy").out, kEntropy);
  EXPECT_EQ(shell("mha rank").out, kRank);
  EXPECT_EQ(shell("mha filterbank").out, kIdentity + "\n");
}

TEST(LessonLines, AreAmongTheLinesOfWeightsAndParams) {
  const std::string weights = shell("mha weights").out;
  EXPECT_EQ(weights.substr(weights.size() - std::min(weights.size(), kRow4.size())), kRow4);
  const std::string params = shell("mha params").out;
  EXPECT_EQ(params.substr(0, kParameters.size()), kParameters);
  EXPECT_EQ(params.substr(params.size() - std::min(params.size(), kSlice.size())), kSlice);
}

TEST(LessonLines, ComeOutOfTheScripts) {
  const std::string run = shell("mha run").out;
  for (const std::string& block :
       {"=== multi_head_weights ===\n" + shell("mha weights").out + kRank + kEntropy,
        "=== head_concatenation ===\n" + kConcat + shell("mha params").out,
        "=== filter_bank_identity ===\n" + kIdentity + " (mixing)\n" + kIdentity + " (identity)\n" +
            kIdentity + " (swap)\n"}) {
    EXPECT_NE(run.find(block), std::string::npos) << "missing:\n" << block << "in:\n" << run;
  }
}

TEST(LessonLines, TheIdentityIsExactAtEverySize) {
  for (const int T : {1, 2, 3, 5, 7, 8, 9, 64, 65, 128, 129, 500}) {
    const std::string command = "mha filterbank --wo all --T " + std::to_string(T);
    const std::string out = shell(command).out;
    for (const char* wo : {" (mixing)\n", " (identity)\n", " (swap)\n"}) {
      EXPECT_NE(out.find(kIdentity + wo), std::string::npos) << command << "\n" << out;
    }
  }
}

}  // namespace
}  // namespace mha::test
