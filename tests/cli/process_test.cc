// The program as a shell, a pipe and a terminal see it.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/german_locale.h"
#include "tests/support/process.h"
#include "tests/support/temporary_directory.h"

namespace mha::test {
namespace {

const std::vector<std::string> kCommands = {"mha weights",  "mha concat", "mha params",   "mha filterbank",
                                            "mha entropy",  "mha rank",   "mha run",      "mha verify",
                                            "mha exercise", "mha --help", "mha --version"};

bool one_complaint(const std::string& err) {
  return err.rfind("mha: ", 0) == 0 && std::count(err.begin(), err.end(), '\n') == 1 && err.back() == '\n';
}

TEST(Output, IsTheSameOnATerminalAndInAPipe) {
  for (const std::string& command : kCommands) {
    const Outcome piped = shell(command);
    EXPECT_EQ(piped.status, 0) << command;
    EXPECT_EQ(piped.err, "") << command;
    EXPECT_EQ(piped.out, on_terminal(command).out) << command;
    EXPECT_EQ(piped.out, on_terminal(command, {{"NO_COLOR", "1"}, {"TERM", "dumb"}}).out) << command;
    EXPECT_EQ(piped.out.find('\x1b'), std::string::npos) << command;
  }
}

/// Holds that the program does not take the locale of its environment for its own; Locale.* holds that it
/// could.
TEST(Output, IsTheSameInACommaLocale) {
  const GermanLocale in_force;
  const std::map<std::string, std::string> comma = {{"LC_ALL", "de_DE.UTF-8"}};
  ASSERT_EQ(shell("env printf %.1f 1,5", comma).out, "1,5") << "the locale is not in force";
  const TemporaryFile half("half.json", R"({"A": [[1, 0], [0.5, 0.5]]})");
  for (const std::string& command :
       {std::string("mha weights --gain 2.5"), std::string("mha weights --gain 2.5 --format json"),
        std::string("mha rank --format json"), std::string("mha params --d-model 100000 --H 1,10"),
        std::string("mha verify"), std::string("mha rank --gain 2.5 --plot"),
        "mha weights --format json --input " + half.path(),
        std::string(
            "d=$(mktemp -d); mha rank --gain 2.5 --svg $d > /dev/null 2>&1; cat $d/*.svg; rm -r $d")}) {
    const Outcome outcome = shell(command, comma);
    EXPECT_EQ(outcome.status, 0) << command << outcome.err;
    EXPECT_EQ(outcome.out, shell(command).out) << command;
  }
  EXPECT_EQ(shell("mha weights --gain 2,5", comma).status, 2);
}

TEST(Output, OfWhatWasWrittenBeginsALineOfATerminal) {
  const Outcome outcome = on_terminal(
      "d=$(mktemp -d); mha weights --T 12000 --threads 1 --svg $d --html $d/page > /dev/null; rm -r $d");
  std::size_t told = 0;
  for (std::size_t at = outcome.out.find("mha: wrote"); at != std::string::npos;
       at = outcome.out.find("mha: wrote", at + 1)) {
    ++told;
    // After a carriage return the line of progress has been cleared.
    EXPECT_TRUE(at == 0 || outcome.out[at - 1] == '\n' || outcome.out[at - 1] == '\r') << outcome.out;
  }
  EXPECT_EQ(told, 3U);
  if (outcome.out.find("% done") == std::string::npos) GTEST_SKIP() << "no progress was shown";
}

TEST(Output, ThatCannotBeWrittenIsAnError) {
  for (const std::string& command : kCommands) {
    const Outcome full = shell(command + " > /dev/full");
    EXPECT_EQ(full.status, 1) << command;
    EXPECT_EQ(full.err, "mha: standard output: No space left on device\n") << command;
    const Outcome closed = shell(command + " >&-");
    EXPECT_EQ(closed.status, 1) << command;
    EXPECT_EQ(closed.err, "mha: standard output is closed\n") << command;
  }
}

TEST(Output, EndsQuietlyWhenTheReaderLeaves) {
  for (const char* command :
       {"mha weights --T 200 --full", "mha weights --T 20000 --full", "mha entropy --T 2000 --format json"}) {
    for (const char* trap : {"", "trap '' PIPE; "}) {
      // Seconds of work that nobody reads would be cut off, with another status.
      const Outcome left =
          shell("ulimit -t 5; " + std::string(trap) + "{ " + command + "; echo status $? >&2; } | head -1");
      EXPECT_EQ(std::count(left.out.begin(), left.out.end(), '\n'), 1) << command;
      EXPECT_EQ(left.err, "status 0\n") << trap << command;
    }
  }
}

TEST(Output, OfAFailedWriteIsNotASilentSuccessEvenInTheMiddle) {
  const Outcome full = shell("mha weights --T 300 --full --format json > /dev/full");
  EXPECT_EQ(full.status, 1);
  EXPECT_TRUE(one_complaint(full.err)) << full.err;
}

TEST(Output, BeyondAFileSizeLimitIsAnErrorAndNoSignal) {
  const Outcome limited =
      shell("f=$(mktemp); ulimit -f 1; mha weights --T 300 --full > $f; s=$?; rm $f; exit $s");
  EXPECT_EQ(limited.status, 1);
  EXPECT_EQ(limited.err, "mha: standard output: File too large\n");
}

TEST(Output, OfAComplaintIntoAClosedPipeIsNoSignal) {
  const Outcome told =
      shell("f=$(mktemp); { sleep 0.1; mha frobnicate; echo $? > $f; } 2>&1 | true; cat $f; rm $f");
  EXPECT_EQ(told.out, "2\n");
}

TEST(Json, ParsesStrictlyForEveryCommand) {
  std::vector<std::string> commands;
  for (const std::string& command : kCommands) {
    if (command.find("--") == std::string::npos) commands.push_back(command);
  }
  commands.insert(commands.end(),
                  {"mha bench --T 8 --d-model 8 --H 1,2 --repeat 1", "mha inspect --input four-heads.json",
                   "mha weights --input four-heads.json", "mha compare --input qkv.npz --expect attn_out.npy",
                   "mha compare --input qkv.npz --expect attn_out-wrong.npy"});
  for (const std::string& command : commands) {
    const std::string out =
        shell(command + " --format json", {}, MHA_SOURCE_DIR "/lessons/09-multi-head-attention/own-heads")
            .out;
    const auto parsed = nlohmann::json::parse(out, nullptr, false);
    ASSERT_TRUE(parsed.is_object()) << command << "\n" << out;
    EXPECT_TRUE((command + " ").starts_with("mha " + parsed.at("command").get<std::string>() + " "))
        << command;
  }
}

TEST(WrongRequest, ExitsWith2AndOneLineThatNamesTheOption) {
  struct Wrong {
    std::string arguments;
    std::vector<std::string> named;  // what the message must say
  };
  const std::vector<Wrong> wrongs = {
      {"weights --T 0", {"--T", "'0'"}},
      {"weights --T -1", {"--T", "'-1'"}},
      {"weights --T ' -1'", {"--T", "' -1'"}},
      {"weights --T 4.0", {"--T", "'4.0'"}},
      {"weights --T 4x", {"--T", "'4x'"}},
      {"weights --T 0x10", {"--T", "'0x10'"}},
      {"weights --T ''", {"--T", "''"}},
      {"weights --T=", {"--T"}},
      {"weights --T", {"--T", "missing"}},
      {"weights --T '[4]'", {"--T", "'[4]'"}},
      {"weights --T 4 --T 5", {"--T", "'4'", "'5'"}},
      {"weights --T 4294967297000", {"--T 4294967297000", "GiB"}},
      {"entropy --T 9223372036854775807", {"--T 9223372036854775807", "GiB"}},
      {"concat --T 9223372036854775807", {"--T 9223372036854775807", "GiB"}},
      {"concat --T 18446744073709551616", {"--T", "'18446744073709551616'"}},
      {"weights --gain nan", {"--gain", "'nan'"}},
      {"concat --gain inf", {"--gain", "'inf'"}},
      {"entropy --gain -inf", {"--gain", "'-inf'"}},
      {"rank --gain 1e400", {"--gain", "'1e400'"}},
      {"rank --gain 3,5", {"--gain", "'3,5'"}},
      {"rank --gain ''", {"--gain", "''"}},
      {"weights --gain 1e308", {"--gain 1e+308", "head 2"}},
      {"concat --gain 1e308 --format json", {"--gain 1e+308", "head 1"}},
      {"weights --heads 5", {"--heads 5", "1 to 4"}},
      {"weights --heads 0", {"--heads", "'0'"}},
      {"weights --heads 1,,2", {"--heads", "'1,,2'"}},
      {"weights --heads 1,", {"--heads", "'1,'"}},
      {"weights --heads ''", {"--heads", "''"}},
      {"params --H 3", {"--H 3", "--d-model 4"}},
      {"params --d-model 2 --H 8", {"8", "2"}},
      {"params --d-model 10 --H 3", {"10", "3", "remainder 1"}},
      {"params --d-model 1600 --H 48", {"1600", "48", "remainder 16"}},
      {"params --H 0", {"--H", "'0'"}},
      {"params --d-model 0 --H 2", {"--d-model", "'0'"}},
      {"params --d-model 3000000000", {"3000000000", "2^63"}},
      {"params --d-k 9223372036854775807", {"--d-k 9223372036854775807: ", "2^63"}},
      {"rank --gain 9e153 --T 9 --heads 2", {"--gain 9e+153", "head 2"}},
      {"rank --gain 1.7e308 --heads 1 --format json", {"--gain 1.7e+308", "head 1"}},
      {"params --H 8 --d-model 64 --kv-heads 3", {"--kv-heads 3", "8"}},
      {"rank --H-big 3", {"--H-big 3", "512"}},
      {"rank --T-big 4294967296 --d-big 8 --H-big 1", {"--T-big 4294967296", "2^63"}},
      {"concat --wo swop", {"--wo", "'swop'", "swap"}},
      {"concat --wo all", {"--wo", "'all'"}},
      {"concat --wo ''", {"--wo", "''"}},
      {"weights --format yaml", {"--format", "'yaml'", "json"}},
      {"weights --gian 3", {"'--gian'", "'--gain'"}},
      {"weights --t 3", {"'--t'", "'--T'"}},
      {"weights --frobnicate", {"'--frobnicate'", "--help"}},
      {"weights 4", {"'4'"}},
      {"weights concat", {"'concat'"}},
      {"wieghts", {"'wieghts'", "'weights'"}},
      {"frobnicate", {"'frobnicate'", "weights, concat"}},
      {"--format json weights", {"'--format'"}},
      {"--hlep", {"'--hlep'", "'--help'"}},
      {"help", {"'help'", "'--help'"}},
      {"run head_concatenatoin", {"'head_concatenatoin'", "'head_concatenation'"}},
      {"''", {"''"}},
      {"", {"weights, concat"}},
      {"concat --wo mix", {"'mix'", "did you mean 'mixing'"}},
      {"wieghts >&-", {"'weights'"}},
      {"verify 1", {"'1'"}},
      {"exercise 7", {"exercise '7'", "1, 2, 3, 4, 5, 6"}},
      {"exercise 0", {"exercise '0'"}},
      {"exercise 1 2", {"'2'"}},
      {"exercise four", {"exercise 'four'"}},
      {"exercise --hint", {"--hint", "1 to 6"}},
      {"exercise 4 --check", {"--check", "missing"}},
      {"exercise 4 --check ''", {"--check", "''"}},
      {"exercise 4 --check . ", {"--check '.'", "directory"}},
      {"exercise 4 --hint --template", {"--hint", "--template"}},
      {"exercise 4 --hnit", {"'--hnit'", "'--hint'"}},
      {"--version 1", {"'1'"}},
      {"\"$(printf 'we\\nights\\033[31m\\377')\"", {"'we\\x0aights\\x1b[31m\\xff'"}},
      {"\"$(printf 'we\\342\\200\\256ights')\"", {"'we\\xe2\\x80\\xaeights'"}},
      {"verify --full=true", {"--full", "no value"}},
      {"--man=x", {"--man", "no value"}},
      {"--completion=tcsh", {"--completion", "'tcsh'", "fish"}},
  };
  for (const Wrong& wrong : wrongs) {
    const Outcome outcome = shell("mha " + wrong.arguments);
    EXPECT_EQ(outcome.status, 2) << wrong.arguments << "\n" << outcome.err;
    EXPECT_EQ(outcome.out, "") << wrong.arguments;
    EXPECT_TRUE(one_complaint(outcome.err)) << wrong.arguments << "\n" << outcome.err;
    for (const std::string& word : wrong.named) {
      EXPECT_NE(outcome.err.find(word), std::string::npos)
          << wrong.arguments << " does not name " << word << ":\n"
          << outcome.err;
    }
  }
}

#ifndef MHA_SANITIZED  // AddressSanitizer's shadow memory needs terabytes of address space
TEST(WrongRequest, OfTooMuchMemoryIsRefusedUnderALimit) {
  for (const char* arguments : {"weights --T 4294967297", "weights --T 100000000", "entropy --T 100000000",
                                "rank --T 100000000", "concat --T 50000000", "filterbank --T 50000000"}) {
    const Outcome outcome = shell(std::string("ulimit -v 2000000; timeout 2 mha ") + arguments);
    EXPECT_EQ(outcome.status, 2) << arguments << "\n" << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_NE(outcome.err.find("GiB"), std::string::npos) << outcome.err;
  }
}

TEST(WrongRequest, OfABadNumberCostsNothing) {
  for (const char* number : {"--T -1", "--T ' -1'", "--T 0", "--T 18446744073709551616", "--T 4.0",
                             "--T 0x10", "--T ''", "--gain nan", "--gain inf", "--gain 1e400"}) {
    const Outcome outcome = shell(std::string("ulimit -v 2000000; timeout 2 mha weights ") + number);
    EXPECT_EQ(outcome.status, 2) << number << "\n" << outcome.err;
    EXPECT_EQ(outcome.out, "") << number;
    EXPECT_TRUE(one_complaint(outcome.err)) << outcome.err;
  }
}

TEST(WrongRequest, OfALittleTooMuchMemoryIsRefusedToo) {
  for (const char* command :
       {"ulimit -v 24000; mha concat --T 100000", "ulimit -v 24000; mha rank --T 150000",
        "ulimit -d 4000; mha weights --T 1000000"}) {
    const Outcome outcome = shell(command);
    EXPECT_EQ(outcome.status, 2) << command << "\n" << outcome.err;
    EXPECT_NE(outcome.err.find("MiB"), std::string::npos) << outcome.err;
  }
}

/// In text a row costs its keys and no more: T² pairs would be hours and terabytes here.
TEST(LargeSizes, CostTheRowsThatAreShown) {
  for (const char* command :
       {"mha weights --T 1000000", "mha entropy --T 1000000", "mha concat --T 1000000"}) {
    const Outcome outcome = shell(std::string("ulimit -t 10; ulimit -v 1000000; ") + command);
    EXPECT_EQ(outcome.status, 0) << command << "\n" << outcome.err;
  }
}
#endif

TEST(LargeSizes, ShowTheirFirstRows) {
  for (const char* T : {"46341", "65536"}) {
    const Outcome weights = shell(std::string("mha weights --T ") + T);
    EXPECT_EQ(weights.status, 0);
    EXPECT_NE(weights.out.find(std::string("Matrix(") + T + "x" + T + ")\n  [1.000000, 0.000000,"),
              std::string::npos);
    EXPECT_NE(weights.out.find(
                  "  [0.125000, 0.125000, 0.125000, 0.125000, 0.125000, 0.125000, 0.125000, 0.125000, ...]\n"
                  "  ... (" +
                  std::string(T) + " rows total)\nHead 4 row 4: [1×" + T +
                  "]  0.250000  0.250000  0.250000  0.250000  0.000000  0.000000  0.000000  0.000000  ... (" +
                  T + " total)\n"),
              std::string::npos)
        << weights.out;
    EXPECT_EQ(
        shell(std::string("mha rank --T ") + T).out.rfind("rank(Q_h K_h') for heads 1..4: 1 2 2 0\n", 0), 0U);
  }
}

}  // namespace
}  // namespace mha::test
