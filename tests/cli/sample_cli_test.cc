// Arrays as .npz at the command line: those of mha sample, and of every other command.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command_table.h"
#include "tests/support/process.h"
#include "tests/support/temporary_directory.h"

namespace mha::test {
namespace {

namespace fs = std::filesystem;

class SampleCli : public testing::Test {
 protected:
  Outcome run(const std::string& command) { return shell(command, {}, directory_.path()); }
  [[nodiscard]] std::string in(const std::string& name) const { return directory_.in(name); }
  /// Runs a script with `np` and `f`, the arrays of sample.npz.
  Outcome numpy(const std::string& script) {
    std::ofstream(in("check.py")) << "import sys\nimport numpy as np\nf = dict(np.load('sample.npz'))\n"
                                  << script;
    return run(python_with_numpy() + " check.py");
  }

  TemporaryDirectory directory_;
};

/// Slow and obvious: T × T at once. `A` is not allowed to see where `seen` is false.
constexpr const char* kAttention = R"(
def attention(f, scale=None, cap=None, seen=None):
    Q, K, V = f['Q'], f['K'], f['V']
    H, T, d = Q.shape
    K, V = np.repeat(K, H // len(K), axis=0), np.repeat(V, H // len(V), axis=0)
    S = Q @ K.transpose(0, 2, 1) * (1 / np.sqrt(d) if scale is None else scale)
    if cap: S = cap * np.tanh(S / cap)
    i, t = np.arange(T), np.arange(T)[:, None]
    S[:, ~(i <= t if seen is None else seen(t, i))] = -np.inf
    A = np.exp(S - S.max(axis=2, keepdims=True))
    A /= A.sum(axis=2, keepdims=True)
    C = np.concatenate(list(A @ V), axis=1)
    return A, C, C @ f['W_O']
def check(*right):
    for name, x in zip(['A', 'O_concat', 'O'], right):
        assert f[name].shape == x.shape, (name, f[name].shape)
        e = np.abs(f[name] - x).max() / np.abs(x).max()
        assert e < 1e-12, (name, e)
)";

TEST_F(SampleCli, AgreesWithNumPy) {
  if (python_with_numpy().empty()) GTEST_SKIP() << "no python3 with numpy";
  for (const auto& [T, d_k, H, kv] : std::vector<std::array<int, 4>>{{1, 1, 1, 1},
                                                                     {1, 40, 2, 1},
                                                                     {7, 5, 4, 2},
                                                                     {97, 80, 2, 2},
                                                                     {97, 1, 6, 3},
                                                                     {257, 40, 3, 1},
                                                                     {1025, 5, 4, 1},
                                                                     {1025, 80, 1, 1}}) {
    const std::string sizes =
        fmt::format("mha sample --T {} --d-model {} --H {} --kv-heads {}", T, d_k * H, H, kv);
    SCOPED_TRACE(sizes);
    const Outcome made = run(sizes + " --seed 5 --output sample.npz");
    ASSERT_EQ(made.status, 0) << made.err;
    EXPECT_EQ(made.err, "mha: wrote sample.npz\n");
    EXPECT_PRED_FORMAT2(testing::IsSubstring, "seed = 5", made.out);
    const std::string shapes = fmt::format(
        "assert f['Q'].shape == ({1}, {0}, {3}) and f['K'].shape == f['V'].shape == ({2}, {0}, {3})\n", T, H,
        kv, d_k);
    const Outcome checked = numpy(kAttention + shapes + "check(*attention(f))");
    EXPECT_EQ(checked.status, 0) << checked.err;
    const Outcome compared = run("mha compare --input sample.npz --expect sample.npz");
    EXPECT_EQ(compared.status, 0) << compared.out << compared.err;
  }
}

TEST_F(SampleCli, HasTheSettingsInTheFile) {
  if (python_with_numpy().empty()) GTEST_SKIP() << "no python3 with numpy";
  for (
      const auto& [set, check] : std::vector<std::pair<std::string, std::string>>{
          {"causal=false,scale=0.3", "check(*attention(f, scale=0.3, seen=lambda t, i: t > -1 + 0 * i))"},
          {"window=4,softcap=1.5", "check(*attention(f, cap=1.5, seen=lambda t, i: (i <= t) & (i > t - 4)))"},
          {"offset=2", "check(*attention(f, seen=lambda t, i: i <= t + 2))"},
          {"rope_base=10000,rope_dims=4,rope_pairs=interleaved",
           "assert f['rope_pairs'] == 'interleaved' and f['rope_base'] == 1e4\n"
           "a = np.arange(23)[:, None] * np.array([1, 0.01])\n"
           "def turned(x):\n"
           "    x = x.copy()\n"
           "    u, v = x[..., 0:4:2].copy(), x[..., 1:4:2].copy()\n"
           "    x[..., 0:4:2], x[..., 1:4:2] = u * np.cos(a) - v * np.sin(a), u * np.sin(a) + v * np.cos(a)\n"
           "    return x\n"
           "check(*attention({**f, 'Q': turned(f['Q']), 'K': turned(f['K'])}))"}}) {
    SCOPED_TRACE(set);
    ASSERT_EQ(run("mha sample --T 23 --d-model 32 --set " + set + " --output sample.npz").status, 0);
    const Outcome checked = numpy(kAttention + check);
    EXPECT_EQ(checked.status, 0) << checked.err;
    for (const char* as : {"A", "O_concat", "O"}) {
      const Outcome compared =
          run(std::string("mha compare --input sample.npz --expect sample.npz --as ") + as);
      EXPECT_EQ(compared.status, 0) << compared.out << compared.err;
      EXPECT_EQ(compared.err, "");
    }
  }
}

TEST_F(SampleCli, IsTheSameForASeedAndShowsAChangedEntry) {
  if (python_with_numpy().empty()) GTEST_SKIP() << "no python3 with numpy";
  run("mha sample --output sample.npz; mha sample --threads 1 --output again.npz; mha sample --seed 2 --output b.npz");
  EXPECT_TRUE(contents(in("sample.npz")) == contents(in("again.npz")));
  EXPECT_FALSE(contents(in("sample.npz")) == contents(in("b.npz")));
  ASSERT_EQ(numpy("f['O'][40, 17] += 1e-6\nnp.savez('wrong.npz', O=f['O'])").status, 0);
  const Outcome compared = run("mha compare --input sample.npz --expect wrong.npz");
  EXPECT_EQ(compared.status, 1);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "row 41, column 18", compared.out);
}

TEST_F(SampleCli, OfAnyCommandCanBeReadAsAnInput) {
  ASSERT_EQ(run("mha weights --T 5 --format npz --output a.npz").out, "");
  ASSERT_EQ(run("mha weights --T 5 --format npz --output - > b.npz").err, "");
  EXPECT_TRUE(contents(in("a.npz")) == contents(in("b.npz")));
  EXPECT_EQ(run("mha weights --T 5 --output c.npz").out, shell("mha weights --T 5").out);
  EXPECT_TRUE(contents(in("a.npz")) == contents(in("c.npz")));
  const auto heads = [&](const std::string& options) {
    const Outcome outcome = run("mha weights --format json " + options);
    EXPECT_EQ(outcome.err, "");
    auto found = nlohmann::json::parse(outcome.out).at("results").at("heads");
    for (auto& head : found) head.erase("name");
    return found;
  };
  EXPECT_EQ(heads("--input a.npz"), heads("--T 5"));
  ASSERT_EQ(run("mha run --format npz --output run.npz").status, 0);
  EXPECT_EQ(heads("--input run.npz --prefix multi_head_weights.weights."), heads(""));
}

TEST_F(SampleCli, ComesFromEveryCommand) {
  std::ofstream(in("heads.json")) << R"({"A": [[1, 0], [0.5, 0.5]]})";
  for (const commands::Command* command : cli::command_table()) {
    const std::string name = command->name;
    SCOPED_TRACE(name);
    std::string options;
    if (name == "bench") options = " --T 8 --d-model 8 --H 1,2 --repeat 1";
    if (name == "inspect") options = " --input heads.json";
    if (name == "compare") options = " --input heads.json --expect heads.json";
    if (name == "exercise") options = " 3 --solution";
    const Outcome made = run("mha " + name + options + " --format npz --output x.npz");
    EXPECT_EQ(made.status, 0) << made.err;
    EXPECT_EQ(made.out, "");
    EXPECT_EQ(made.err, "mha: wrote x.npz\n");
  }
}

TEST_F(SampleCli, RefusesWhatMakesNoSense) {
  std::ofstream(in("heads.json")) << R"({"A": [[1, 0], [0.5, 0.5]]})";
  const std::string before = contents(in("heads.json"));
  for (const auto& [arguments, message] : std::vector<std::pair<std::string, std::string>>{
           {"sample", "--output: a file for the arrays is needed, such as sample.npz"},
           {"sample --output -", "--output: '-' is not standard output"},
           {"weights --format npz", "--output: a file for the arrays is needed, such as weights.npz, or -"},
           {"weights --output -", "--output: '-' is not standard output"},
           {"weights --plot --format npz --output x", "--plot: a drawing is not a .npz"},
           {"weights --input heads.json --output ./heads.json", "'./heads.json' is the file of --input"},
           {"weights --html x --output ./x", "is a figure of --svg or the page of --html"},
           {"weights --svg . --output ./multi_head_weights.svg",
            "is a figure of --svg or the page of --html"},
           {"sample --H 3 --output x", "--H 3: 3 heads do not divide --d-model 64 evenly"},
           {"sample --kv-heads 3 --output x", "--kv-heads 3: 3 heads do not divide --H 4 evenly"},
           {"sample --set widow=3 --output x", "did you mean 'window'?"},
           {"sample --set rope_base=9,rope_dims=20 --output x", "sample: rope_dims 20"},
           {"sample --T 4294967296 --output x", "--T 4294967296, --d-model 64"}}) {
    const Outcome outcome = run("mha " + arguments);
    EXPECT_EQ(outcome.status, 2) << arguments << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_PRED_FORMAT2(testing::IsSubstring, message, outcome.err) << arguments;
  }
  EXPECT_EQ(contents(in("heads.json")), before);
  EXPECT_EQ(std::distance(fs::directory_iterator(directory_.path()), fs::directory_iterator()), 1);
  const Outcome terminal = on_terminal("mha weights --format npz --output -");
  EXPECT_EQ(terminal.status, 2);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "is a terminal", terminal.out);
}

TEST_F(SampleCli, LeavesNothingWhenItFailsOrIsInterrupted) {
  for (const char* place : {"nowhere/x.npz", "/proc/x.npz", "."}) {
    const Outcome outcome = run(std::string("mha sample --output ") + place);
    EXPECT_EQ(outcome.status, 1) << place;
    EXPECT_EQ(outcome.out, "") << place;
    EXPECT_TRUE(outcome.err.starts_with(std::string("mha: --output: cannot write '") + place)) << outcome.err;
  }
  EXPECT_EQ(run("trap '' XFSZ; ulimit -f 1; mha sample --output x.npz").status, 1);
  EXPECT_EQ(run("mha weights --format npz --output - > /dev/full").status, 1);
  // Half a minute of numbers, were it not interrupted.
  EXPECT_EQ(run("timeout -s INT 0.3 mha weights --T 12000 --output x.npz").status, 124);
  EXPECT_EQ(std::distance(fs::directory_iterator(directory_.path()), fs::directory_iterator()), 0);
}

}  // namespace
}  // namespace mha::test
