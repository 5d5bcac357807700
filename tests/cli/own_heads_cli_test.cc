// A person's own heads, at the command line: the lesson's from a file, and layers that NumPy writes and
// computes.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/process.h"
#include "tests/support/temporary_directory.h"

namespace mha::test {
namespace {

namespace fs = std::filesystem;

const std::string kData = MHA_SOURCE_DIR "/lessons/09-multi-head-attention/own-heads";

TEST(OwnHeadsCli, PrintOfTheLessonsHeadsWhatTheLessonsCommandsPrint) {
  const std::string heads = " --input four-heads.json";
  const std::string pipeline = " --input two-heads.json --layout lesson --H 2";
  for (const auto& [command, input] :
       std::vector<std::pair<std::string, std::string>>{{"weights", heads},
                                                        {"weights --T 6 --heads 2,4,2 --full", heads},
                                                        {"entropy", heads},
                                                        {"entropy --heads 3,1", heads},
                                                        {"rank", heads},
                                                        {"rank --H-big 1,8", heads},
                                                        {"concat", pipeline},
                                                        {"concat --T 4", pipeline},
                                                        {"filterbank", pipeline},
                                                        {"params", pipeline}}) {
    SCOPED_TRACE(command);
    const Outcome lessons = shell("mha " + command);
    const Outcome own = shell("mha " + command + input, {}, kData);
    EXPECT_EQ(lessons.status, 0);
    EXPECT_EQ(own.status, 0) << own.err;
    EXPECT_EQ(own.out, lessons.out);
    EXPECT_EQ(own.err, "");
  }
}

TEST(OwnHeadsCli, TellOfAStrangePrefixOnOneLine) {
  const Outcome told =
      shell(R"sh(mha weights --input qkv.npz --prefix "$(printf 'a\n\033[31m\377')")sh", {}, kData);
  EXPECT_EQ(told.status, 2);
  EXPECT_EQ(std::count(told.err.begin(), told.err.end(), '\n'), 1) << told.err;
  EXPECT_EQ(told.err.find('\033'), std::string::npos);
  EXPECT_NE(told.err.find(R"(begin with "a\x0a\x1b[31m)"), std::string::npos) << told.err;
}

/// An empty name is a name that nothing asks for, unless nothing else is there.
TEST(OwnHeadsCli, TakeAnArrayByItsNameBeforeOneWithout) {
  const Outcome told = shell(R"(echo '{"": [[1, 0], [0, 1]], "A": [[1, 0], [0.5, 0.5]]}' > f; trap 'rm f' EXIT
                               mha weights --input f --format json)");
  EXPECT_EQ(nlohmann::json::parse(told.out).at("results").at("heads").at(0).at("A").at(1).at(0), 0.5);
}

/// A head without arrays, wherever in the list it stands, is refused and not left out.
TEST(OwnHeadsCli, DropNoHeadOfAList) {
  const std::string head = R"({"A": [[1, 0], [0.5, 0.5]]})";
  const std::string other = R"({"name": "lost"})";
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {R"({"heads": [)" + other + ", " + head + "]}", "\"heads[0].Q\": is not there"},
           {R"({"heads": [)" + head + ", " + other + ", " + head + "]}", "\"heads[1].Q\": is not there"},
           {R"({"heads": [)" + head + ", " + other + "]}", "\"heads[1].Q\": is not there"},
           {R"({"heads": [)" + head + ", {}, " + head + "]}", "\"heads[1]\": is empty"},
           {R"({"heads": [)" + head + ", {}]}", "\"heads[1]\": is empty"},
           {R"({"A": [[1]], "heads": [)" + head + "]}", "has a list of heads, and A beside it"},
           {R"({"Q": [[1]], "K": [[1]], "heads": [)" + head + "]}",
            "has a list of heads, and Q and K beside it"}}) {
    const TemporaryDirectory folder;
    std::ofstream(folder.in("heads.json")) << text;
    const Outcome outcome = shell("mha weights --input heads.json", {}, folder.path());
    EXPECT_EQ(outcome.status, 2) << text << outcome.out;
    EXPECT_PRED_FORMAT2(testing::IsSubstring, message, outcome.err);
  }
}

TEST(OwnHeadsCli, NameTheFileOfAnXThatDoesNotFit) {
  const TemporaryDirectory folder;
  std::ofstream(folder.in("layer.json")) << R"({"W_Q": [[1]], "W_K": [[1]], "W_V": [[1]], "X": [[1, 2]]})";
  std::ofstream(folder.in("x.json")) << R"({"X": [[1, 2, 3]]})";
  const std::string weights = "mha weights --input layer.json --layout lesson --H 1";
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "--input 'layer.json': X is [1, 2]; it has to be [1, 1]",
                      shell(weights, {}, folder.path()).err);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "--x 'x.json': X is [1, 3]; it has to be [1, 1]",
                      shell(weights + " --x x.json", {}, folder.path()).err);
}

TEST(OwnHeadsCli, ReadDataThatTheirScriptStillMakes) {
  const std::string python = python_with_numpy();
  if (python.empty()) GTEST_SKIP() << "no python3 with numpy";
  const TemporaryDirectory made;
  const Outcome outcome = shell(python + " '" + kData + "/make.py' " + made.path().string());
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(made.path())) {
    EXPECT_TRUE(contents(entry.path()) == contents(fs::path(kData) / entry.path().filename()))
        << entry.path().filename() << " is not what own-heads/make.py makes";
    ++files;
  }
  const auto committed = std::distance(fs::directory_iterator(kData), fs::directory_iterator());
  EXPECT_EQ(static_cast<std::ptrdiff_t>(files), committed - 1) << "all but make.py are made by it";
}

/// Writes layers of random sizes in every layout, format, dtype, byte and memory order, with the output that
/// NumPy computes from the very numbers in the file, and once more with one entry changed. A line of cases
/// for each: the arguments, the tolerance, and the row and column of the change.
constexpr const char* kWriter = R"(
import json
import struct
import numpy as np

rng = np.random.default_rng(23)
cases = []

def heads(x, n):
    return x.reshape(x.shape[0], n, -1).transpose(1, 0, 2)

def attention(Q, K, V):
    group = Q.shape[0] // K.shape[0]
    K, V = np.repeat(K, group, axis=0), np.repeat(V, group, axis=0)
    S = Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[2])
    S[:, np.triu(np.ones(S.shape[1:]), 1) > 0] = -np.inf
    A = np.exp(S - S.max(axis=2, keepdims=True))
    A /= A.sum(axis=2, keepdims=True)
    return np.concatenate(list(A @ V), axis=1)

def safetensors(path, arrays):
    names = {"f8": "F64", "f4": "F32", "f2": "F16"}
    header, data = {}, b""
    for name, a in arrays.items():
        a = np.ascontiguousarray(a, dtype=a.dtype.newbyteorder("<"))
        header[name] = {"dtype": names[a.dtype.str[1:]], "shape": a.shape, "data_offsets": [len(data), len(data) + a.nbytes]}
        data += a.tobytes()
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)

def write(stem, kind, arrays):
    if kind == "json":
        with open(stem + ".json", "w") as file:
            json.dump({name: a.astype(float).tolist() for name, a in arrays.items()}, file)
        return stem + ".json"
    if kind == "safetensors":
        safetensors(stem + ".safetensors", arrays)
        return stem + ".safetensors"
    (np.savez_compressed if kind == "deflated" else np.savez)(stem + ".npz", **arrays)
    return stem + ".npz"

def case(stem, file, options, O):
    row, col = int(rng.integers(O.shape[0])), int(rng.integers(O.shape[1]))
    # One head of as many tokens as channels: only a name tells O from A.
    right = stem + ("-right.npz" if "--H 1" in options or stem.endswith("heads") else "-right.npy")
    np.savez(right, O=O) if right.endswith("z") else np.save(right, O)
    wrong = O.copy()
    wrong[row, col] += 0.001
    np.savez(stem + "-wrong.npz", O=wrong)
    cases.append({"input": f"--input {file} {options}", "right": right,
                  "wrong": stem + "-wrong.npz", "row": row + 1, "col": col + 1})

number = 0
for dtype in ["<f8", ">f8", "<f4", ">f4", "<f2", ">f2"]:
    for order in "CF":
        for kind in ["npz", "deflated", "safetensors", "json"]:
            if kind in ("safetensors", "json") and (order == "F" or dtype[0] == ">"):
                continue
            number += 1
            for layout in [["lesson", "gpt2"], ["torch", "heads"], ["gpt2", "torch"], ["heads", "lesson"]][number % 4]:
                number += 1
                stem = f"{number}-{layout}"
                H, d_k, T = int(rng.integers(1, 5)), int(rng.integers(1, 6)), int(rng.integers(1, 12))
                d = H * d_k
                cast = lambda a: np.array(a.astype(dtype), order=order)
                real = lambda a: a.astype(float)
                X, W_O, b_O = cast(rng.normal(size=(T, d))), cast(rng.normal(size=(d, d))), cast(rng.normal(size=d))
                if layout == "heads":
                    kv = int(rng.choice([n for n in range(1, H + 1) if H % n == 0]))
                    d_v = d_k + 1
                    Q, K = cast(rng.normal(size=(1, H, T, d_k))), cast(rng.normal(size=(1, kv, T, d_k)))
                    V, W_O = cast(rng.normal(size=(1, kv, T, d_v))), cast(rng.normal(size=(H * d_v, d)))
                    O = attention(real(Q)[0], real(K)[0], real(V)[0]) @ real(W_O) + real(b_O)
                    file = write(stem, kind, {"Q": Q, "K": K, "V": V, "W_O": W_O, "b_O": b_O})
                    case(stem, file, "", O)
                    continue
                W, b = cast(rng.normal(size=(d, 3 * d))), cast(rng.normal(size=3 * d))
                parts = np.split(real(X) @ real(W) + real(b), 3, axis=1)
                O = attention(*(heads(p, H) for p in parts)) @ real(W_O) + real(b_O)
                flip = lambda a: np.array(a.T, order=order)
                if layout == "lesson":
                    arrays = dict(zip(["W_Q", "W_K", "W_V"], (cast(w) for w in np.split(W, 3, axis=1))))
                    arrays.update(zip(["b_Q", "b_K", "b_V"], np.split(b, 3)), W_O=W_O, b_O=b_O)
                elif layout == "torch":
                    arrays = {"in_proj_weight": flip(W), "in_proj_bias": b, "out_proj.weight": flip(W_O), "out_proj.bias": b_O}
                else:
                    arrays = {"c_attn.weight": W, "c_attn.bias": b, "c_proj.weight": W_O, "c_proj.bias": b_O}
                prefix = "layers.1." if number % 2 else ""
                arrays = {prefix + name: a for name, a in arrays.items()}
                options = f"--layout {layout} --H {H}" + (f" --prefix {prefix}" if prefix else "")
                if number % 3:
                    arrays["X"] = X
                else:
                    np.save(stem + "-x.npy", X[None])
                    options += f" --x {stem}-x.npy"
                case(stem, write(stem, kind, arrays), options, O)
with open("cases.json", "w") as file:
    json.dump(cases, file)
)";

TEST(OwnHeadsCli, AgreeWithNumPyInEveryLayoutAndFormat) {
  const std::string python = python_with_numpy();
  if (python.empty()) GTEST_SKIP() << "no python3 with numpy";
  const TemporaryDirectory folder;
  std::ofstream(folder.in("write.py")) << kWriter;
  const Outcome written = shell(python + " write.py", {}, folder.path());
  ASSERT_EQ(written.status, 0) << written.err;
  const auto cases = nlohmann::json::parse(contents(folder.in("cases.json")));
  ASSERT_EQ(cases.size(), 60U);
  for (const auto& one : cases) {
    const std::string compare =
        "mha compare --tolerance 1e-10 --format json " + one["input"].get<std::string>() + " --expect ";
    SCOPED_TRACE(compare);
    const Outcome right = shell(compare + one["right"].get<std::string>(), {}, folder.path());
    EXPECT_EQ(right.status, 0) << right.out << right.err;
    const Outcome wrong = shell(compare + one["wrong"].get<std::string>(), {}, folder.path());
    EXPECT_EQ(wrong.status, 1) << wrong.err;
    const auto results = nlohmann::json::parse(wrong.out, nullptr, false).value("results", nlohmann::json());
    EXPECT_EQ(results.value("at", nlohmann::json()), nlohmann::json({one["row"], one["col"]}));
    EXPECT_NEAR(results.value("max_abs_diff", 0.0), 0.001, 1e-9);
  }
}

}  // namespace
}  // namespace mha::test
