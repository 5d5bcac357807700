#include "cli/request.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "cli/command_table.h"
#include "tests/support/models.h"
#include "tests/support/refusal.h"
#include "tests/support/report_values.h"
#include "tests/support/zip_bytes.h"

namespace mha::test {
namespace {

using cli::read_request;

report::Report report_of(const std::vector<std::string>& arguments) {
  return read_request(arguments).work().scripts.front().steps.front();
}

std::string refused(const std::vector<std::string>& arguments) {
  // A request may be refused when it is read or, where values do not go together, when it is worked.
  return refusal<std::invalid_argument>([&] {
    const cli::Request request = read_request(arguments);
    if (request.work) request.work();
  });
}

TEST(Request, PassesEveryOptionOnToItsCommand) {
  const report::Report weights =
      report_of({"weights", "--T", "5", "--gain", "2.5", "--heads", "3,3", "--format", "json", "--full"});
  EXPECT_EQ(weights.command, "weights");
  EXPECT_EQ(member_as<report::Count>(weights.parameters, "T"), 5U);
  EXPECT_EQ(member_as<double>(weights.parameters, "gain"), 2.5);
  EXPECT_EQ(elements<report::Count>(member(weights.parameters, "heads")), (std::vector<report::Count>{3, 3}));

  const report::Report bank = report_of({"filterbank", "--T=7", "--gain=1", "--wo=all"});
  EXPECT_EQ(member_as<report::Count>(bank.parameters, "T"), 7U);
  EXPECT_EQ(member_as<double>(bank.parameters, "gain"), 1.0);
  EXPECT_EQ(member_as<std::string>(bank.parameters, "wo"), "all");

  const report::Report params =
      report_of({"params", "--d-model", "512", "--H", "8", "--d-k", "32", "--kv-heads", "2", "--bias"});
  EXPECT_EQ(member_as<report::Count>(params.parameters, "d_model"), 512U);
  EXPECT_EQ(member_as<report::Count>(params.parameters, "H"), 8U);
  EXPECT_EQ(member_as<report::Count>(params.parameters, "d_k"), 32U);
  EXPECT_EQ(member_as<report::Count>(params.parameters, "kv_heads"), 2U);
  EXPECT_TRUE(member_as<bool>(params.parameters, "bias"));

  const report::Report rank = report_of({"rank", "--T-big", "2048", "--d-big", "64", "--H-big", "1,4"});
  EXPECT_EQ(member_as<report::Count>(rank.parameters, "T_big"), 2048U);
  EXPECT_EQ(member_as<report::Count>(rank.parameters, "d_big"), 64U);
  EXPECT_EQ(elements<report::Count>(member(rank.parameters, "H_big")), (std::vector<report::Count>{1, 4}));

  const std::vector<report::Script> scripts =
      read_request({"run", "filter_bank_identity", "head_concatenation"}).work().scripts;
  ASSERT_EQ(scripts.size(), 2U);
  EXPECT_EQ(scripts[0].name, "filter_bank_identity");
  EXPECT_EQ(scripts[1].name, "head_concatenation");
}

TEST(Request, SaysHowToPrint) {
  EXPECT_EQ(read_request({"concat"}).show.format, cli::Format::kText);
  EXPECT_FALSE(read_request({"concat"}).show.full);
  EXPECT_EQ(read_request({"concat", "--format", "json"}).show.format, cli::Format::kJson);
  EXPECT_TRUE(read_request({"concat", "--full"}).show.full);
}

TEST(Request, RefusesBadValuesNamingTheOptionAndTheText) {
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"--T", "0"},        {"--T", "-1"},        {"--T", " -1"},      {"--T", "4.0"},
      {"--T", "4x"},       {"--T", "0x10"},      {"--T", ""},         {"--T", "18446744073709551616"},
      {"--gain", "nan"},   {"--gain", "inf"},    {"--gain", "1e400"}, {"--heads", "0"},
      {"--heads", "1,,2"}, {"--format", "yaml"}, {"--format", ""}};
  for (const auto& [option, text] : bad) {
    std::string start = option;
    start += ": '";
    start += text;
    start += "' is not ";
    EXPECT_EQ(refused({"weights", option, text}).substr(0, start.size()), start);
  }
  EXPECT_EQ(refused({"params", "--H", "0"}).rfind("--H: '0' is not ", 0), 0U);
  EXPECT_EQ(refused({"params", "--d-model", "0", "--H", "2"}).rfind("--d-model: '0' is not ", 0), 0U);
  EXPECT_EQ(refused({"concat", "--wo", "all"}).rfind("--wo: 'all' is not ", 0), 0U);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "--H 3", refused({"params", "--H", "3"}));
}

TEST(Request, RefusesAnUnknownCommandOrOptionWithASuggestion) {
  EXPECT_EQ(refused({"wieghts"}), "unknown command 'wieghts'; did you mean 'weights'?");
  EXPECT_EQ(refused({"help"}), "unknown command 'help'; did you mean '--help'?");
  EXPECT_EQ(refused({"--verison"}), "unknown option '--verison'; did you mean '--version'?");
  EXPECT_EQ(refused({"weights", "--haeds", "1"}), "unknown option '--haeds'; did you mean '--heads'?");
  const std::string none = refused({"frobnicate"});
  const std::string missing = refused({});
  const std::string option = refused({"--T", "4"});
  for (const commands::Command* command : cli::command_table()) {
    EXPECT_PRED_FORMAT2(testing::IsSubstring, command->name, none);
    EXPECT_PRED_FORMAT2(testing::IsSubstring, command->name, missing);
    EXPECT_PRED_FORMAT2(testing::IsSubstring, command->name, option);
  }
}

TEST(Request, RefusesAnythingAfterHelpOrVersion) {
  EXPECT_EQ(refused({"--version", "x"}), "--version takes nothing after it, not 'x'");
  EXPECT_EQ(refused({"--help", "weights"}), "--help takes nothing after it, not 'weights'");
}

TEST(Request, RefusesAllButOneShellToCompleteFor) {
  EXPECT_EQ(refused({"--man", "x"}), "--man takes nothing after it, not 'x'");
  EXPECT_EQ(refused({"--completion"}), "--completion: a value is missing; it is one of bash, zsh, fish");
  EXPECT_EQ(refused({"--completion", "fissh"}),
            "--completion: 'fissh' is not one of bash, zsh, fish; did you mean 'fish'?");
  EXPECT_EQ(refused({"--completion", "zsh", "x"}), "--completion zsh takes nothing after it, not 'x'");
}

TEST(Help, OfTheProgramListsEveryCommandAndEveryCommonOption) {
  const cli::Request request = read_request({"--help"});
  EXPECT_FALSE(request.work);
  EXPECT_EQ(request.text, read_request({"-h"}).text);
  for (const commands::Command* command : cli::command_table()) {
    EXPECT_PRED_FORMAT2(testing::IsSubstring, std::string("\n  ") + command->name + " ", request.text);
    EXPECT_PRED_FORMAT2(testing::IsSubstring, command->summary, request.text);
  }
  for (const char* const option :
       {"--format text|json|npz", "--full", "--help", "--version", "--man", "--completion bash|zsh|fish"}) {
    EXPECT_PRED_FORMAT2(testing::IsSubstring, option, request.text);
  }
}

TEST(Help, OfACommandListsEveryOptionAndExample) {
  const std::map<std::string, std::vector<std::string>> options = {
      {"weights", {"--T N", "--gain G", "--heads LIST"}},
      {"concat", {"--T N", "--gain G", "--wo NAME"}},
      {"params", {"--d-model N", "--H LIST", "--d-k N", "--kv-heads N", "--bias"}},
      {"filterbank", {"--T N", "--gain G", "--wo NAME"}},
      {"entropy", {"--T N", "--gain G", "--heads LIST"}},
      {"rank", {"--T N", "--gain G", "--heads LIST", "--T-big N", "--d-big N", "--H-big LIST"}},
      {"run", {"[SCRIPT…]"}},
      {"verify", {}},
      {"exercise", {"[N]", "--hint", "--template", "--check FILE", "--solution", "--reset"}}};
  for (const auto& [name, own] : options) {
    const cli::Request request = read_request({name, "--help"});
    EXPECT_FALSE(request.work) << name;
    for (const std::string& option : own) EXPECT_PRED_FORMAT2(testing::IsSubstring, option, request.text);
    for (const char* const option : {"--format NAME", "--full", "--help"}) {
      EXPECT_PRED_FORMAT2(testing::IsSubstring, option, request.text);
    }
  }
}

/// A directory with the files that the examples name, and the current one while it lives.
class ExampleFiles {
 public:
  ExampleFiles() : before_(std::filesystem::current_path()) {
    const SmallLayer heads = small_layer(6, 2, 2, 2, 1);
    std::vector<NamedArray> checkpoint = gpt2_arrays(small_layer(6, 12, 2, 12, 2), "h.5.attn.");
    write("ln1_out.npy", npy_bytes(checkpoint.front()));
    checkpoint.erase(checkpoint.begin());
    write("model.safetensors", safetensors_bytes(checkpoint));
    write("heads.npz", npz_bytes(head_arrays(heads)));
    write("qkv.npz", npz_bytes(head_arrays(heads)));
    write("heads.json", json_bytes(head_arrays(heads)));
    write("out.npy", npy_bytes(named("", output_of(heads))));
    std::filesystem::current_path(directory_.parent());
  }
  ExampleFiles(const ExampleFiles&) = delete;
  ExampleFiles& operator=(const ExampleFiles&) = delete;
  ~ExampleFiles() { std::filesystem::current_path(before_); }

 private:
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(directory_.parent() / name, std::ios::binary) << bytes;
  }

  std::filesystem::path before_;
  TemporaryFile directory_{"keep", ""};
};

TEST(Help, GivesExamplesThatWork) {
  const ExampleFiles files;
  for (const commands::Command* command : cli::command_table()) {
    const std::string help = read_request({command->name, "--help"}).text;
    EXPECT_FALSE(command->examples.empty()) << command->name;
    for (const std::string example : command->examples) {
      EXPECT_PRED_FORMAT2(testing::IsSubstring, "\n  " + example + "\n", help);
      std::vector<std::string> words;
      for (std::size_t start = 0; start < example.size();) {
        const std::size_t blank = std::min(example.find(' ', start), example.size());
        words.push_back(example.substr(start, blank - start));
        start = blank + 1;
      }
      ASSERT_EQ(words.front(), "mha") << example;
      words.erase(words.begin());
      EXPECT_EQ(words.front(), command->name) << example;
      ASSERT_NO_THROW({
        const report::Document document = read_request(words).work();
        EXPECT_NE(document.explanation.title, "") << example;
        EXPECT_NE(document.explanation.shows, "") << example << " has no explanation for its page";
      }) << example;
    }
  }
}

}  // namespace
}  // namespace mha::test
