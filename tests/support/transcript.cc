#include "tests/support/transcript.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "tests/support/process.h"
#include "tests/support/temporary_directory.h"

namespace mha::test {
namespace {

constexpr double kJsonTolerance = 1e-12;
constexpr std::string_view kCut = "…";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) result.push_back(line);
  return result;
}

bool same_json(const nlohmann::ordered_json& a, const nlohmann::ordered_json& b) {
  if (a.is_number() && b.is_number()) {
    const auto x = a.get<double>();
    const auto y = b.get<double>();
    return std::abs(x - y) <= kJsonTolerance * std::max({1.0, std::abs(x), std::abs(y)});
  }
  if (a.type() != b.type() || a.size() != b.size()) return false;
  if (a.is_object()) {
    return std::equal(
        a.items().begin(), a.items().end(), b.items().begin(),
        [](const auto& m, const auto& n) { return m.key() == n.key() && same_json(m.value(), n.value()); });
  }
  if (a.is_array()) return std::equal(a.begin(), a.end(), b.begin(), same_json);
  return a == b;
}

/// Where the first "…" after a digit begins, from `start` on; npos if there is none.
std::size_t cut_number(const std::string& golden, std::size_t start) {
  std::size_t at = golden.find(kCut, start);
  while (at != std::string::npos && (at == 0 || !is_digit(golden[at - 1]))) at = golden.find(kCut, at + 1);
  return at;
}

/// Whether the bytes are the same where the golden's cut numbers go on with digits of any kind.
bool same_text(const std::string& golden, const std::string& actual) {
  std::size_t g = 0;
  std::size_t a = 0;
  for (;;) {
    const std::size_t cut = cut_number(golden, g);
    const std::size_t length = std::min(cut, golden.size()) - g;
    if (actual.compare(a, length, golden, g, length) != 0) return false;
    a += length;
    if (cut == std::string::npos) return a == actual.size();
    while (a < actual.size() && is_digit(actual[a])) ++a;
    g = cut + kCut.size();
  }
}

bool agree(const std::string& golden, const std::string& actual) {
  if (same_text(golden, actual)) return true;
  // The status of a failed check comes after the JSON.
  const std::size_t end_a = golden.rfind('}') + 1;
  const std::size_t end_b = actual.rfind('}') + 1;
  if (golden.substr(end_a) != actual.substr(end_b)) return false;
  const auto a = nlohmann::ordered_json::parse(golden.substr(0, end_a), nullptr, false);
  const auto b = nlohmann::ordered_json::parse(actual.substr(0, end_b), nullptr, false);
  return a.is_object() && b.is_object() && same_json(a, b);
}

std::string unified_diff(const std::string& golden, const std::string& actual) {
  const auto file = [](const std::string& text) {
    std::string name = (std::filesystem::temp_directory_path() / "mha-golden-XXXXXX").string();
    if (::close(::mkstemp(name.data())) != 0) throw std::runtime_error("no temporary file");
    std::ofstream(name, std::ios::binary) << text;
    return name;
  };
  const std::string a = file(golden);
  const std::string b = file(actual);
  std::string diff = shell(fmt::format("diff -u --label golden --label actual {} {}", a, b)).out;
  std::filesystem::remove(a);
  std::filesystem::remove(b);
  return diff;
}

/// Where only numbers differ: the largest difference between two in the same place.
std::string largest_difference(const std::string& golden, const std::string& actual) {
  static const std::regex number(R"(-?\d+(\.\d+)?([eE][-+]?\d+)?)");
  const std::vector<std::string> a = lines(golden);
  const std::vector<std::string> b = lines(actual);
  if (std::regex_replace(golden, number, "#") != std::regex_replace(actual, number, "#"))
    return "more than numbers differs\n";
  double largest = 0.0;
  std::string place;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    std::sregex_iterator x(a[i].begin(), a[i].end(), number);
    std::sregex_iterator y(b[i].begin(), b[i].end(), number);
    for (int nth = 1; x != std::sregex_iterator() && y != std::sregex_iterator(); ++x, ++y, ++nth) {
      const double difference =
          std::abs(std::strtod(x->str().c_str(), nullptr) - std::strtod(y->str().c_str(), nullptr));
      if (difference > largest) {
        largest = difference;
        place = fmt::format("line {}, number {}: golden {}, actual {}", i + 2, nth, x->str(), y->str());
      }
    }
  }
  return place.empty() ? "no number differs\n" : fmt::format("largest |Δ| = {:g} at {}\n", largest, place);
}

}  // namespace

std::vector<std::filesystem::path> golden_files() {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::exists(MHA_SOURCE_DIR "/golden")) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(MHA_SOURCE_DIR "/golden")) {
    if (entry.path().extension() == ".txt") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Transcript read_transcript(const std::filesystem::path& file) {
  const std::string text = contents(file);
  const std::size_t end = std::min(text.find('\n'), text.size());
  if (text.find('\r') != std::string::npos) throw std::runtime_error(file.string() + ": has CR line ends");
  if (text.rfind("$ ", 0) != 0)
    throw std::runtime_error(file.string() + ": the first line is not `$ command`");
  return {text.substr(2, end - 2), end < text.size() ? text.substr(end + 1) : ""};
}

void write_transcript(const std::filesystem::path& file, const Transcript& transcript) {
  std::ofstream(file, std::ios::binary) << "$ " << transcript.command << '\n' << transcript.body;
}

Transcript record(const std::string& command) {
  const Outcome outcome = shell(command, {}, MHA_SOURCE_DIR);
  std::string body = outcome.out;
  for (const std::string& line : lines(outcome.err)) body += "! " + line + "\n";
  if (outcome.status != 0) body += fmt::format("? {}\n", outcome.status);
  return {command, body};
}

std::string disagreement(const Transcript& golden, const Transcript& actual) {
  if (agree(golden.body, actual.body)) return "";
  return fmt::format("{}{}", unified_diff(golden.body, actual.body),
                     largest_difference(golden.body, actual.body));
}

}  // namespace mha::test
