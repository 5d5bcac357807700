#include "render/html/equations.h"

#include <initializer_list>
#include <stdexcept>
#include <string>

#include "text/number.h"

namespace mha::render {
namespace {

// One function per element. U+2061 (function application) and U+2062 (times) are invisible: screen readers
// speak them.
using Parts = std::initializer_list<std::string>;

std::string in(const std::string& element, Parts parts) {
  std::string result = "<" + element + ">";
  for (const std::string& part : parts) result += part;
  return result + "</" + element + ">";
}

std::string i(const char* name) { return in("mi", {name}); }
std::string n(const std::string& number) { return in("mn", {number}); }
std::string o(const char* sign) { return in("mo", {sign}); }
std::string row(Parts parts) { return in("mrow", parts); }
std::string sub(const std::string& base, const std::string& below) { return in("msub", {base, below}); }
std::string sup(const std::string& base, const std::string& above) { return in("msup", {base, above}); }
std::string subsup(const std::string& base, const std::string& below, const std::string& above) {
  return in("msubsup", {base, below, above});
}
std::string over(const std::string& above, const std::string& below) { return in("mfrac", {above, below}); }
std::string sum(const std::string& from, const std::string& to) {
  return in("munderover", {o("∑"), from, to});
}
std::string of(const std::string& function) { return function + o("\u2061"); }
std::string brackets(const std::string& inside) { return row({o("("), inside, o(")")}); }

std::string product(Parts factors) {
  std::string result;
  for (const std::string& factor : factors) result += (result.empty() ? "" : o("\u2062")) + factor;
  return result;
}

std::string head_scores() { return product({sub(i("Q"), i("h")), subsup(i("K"), i("h"), o("⊤"))}); }
std::string d_k() { return sub(i("d"), i("k")); }
std::string d_model() { return sub(i("d"), i("model")); }
std::string W_O() { return sub(i("W"), i("O")); }
std::string log2(const std::string& argument) { return of(sub(i("log"), n("2"))) + argument; }

/// What the softmax is taken of.
std::string logits(const report::Attends& attends) {
  std::string scores = !attends.scale          ? over(row({head_scores()}), in("msqrt", {d_k()}))
                       : *attends.scale == 1.0 ? head_scores()
                                               : product({n(text::shortest(*attends.scale)), head_scores()});
  if (attends.softcap) {
    const std::string C = n(text::shortest(*attends.softcap));
    scores = product({C, of(i("tanh")) + brackets(over(row({scores}), C))});
  }
  return attends.masked ? scores + o("+") + i("M") : scores;
}

std::string b_O() { return o("+") + sub(i("b"), i("O")); }

std::string content(report::Equation equation, const report::Attends& attends) {
  switch (equation) {
    case report::Equation::kAttentionWeights:
      return sub(i("A"), i("h")) + o("=") + of(i("softmax")) + brackets(logits(attends));
    case report::Equation::kScoreRank:
      return of(i("rank")) + brackets(head_scores()) + o("≤") + d_k();
    case report::Equation::kScoreFlops: {
      const std::string T_squared = sup(i("T"), n("2"));
      return product({n("2"), T_squared, i("d")}) + o("=") + i("H") + o("·") +
             product({n("2"), T_squared, over(i("d"), i("H"))});
    }
    case report::Equation::kRowEntropy: {
      const std::string a_ti = sub(i("a"), row({i("t"), i("i")}));
      const std::string over_keys =
          attends.sees_its_past ? sum(row({i("i"), o("="), n("1")}), i("t")) : in("munder", {o("∑"), i("i")});
      return sub(i("H"), i("t")) + o("=") + o("−") + over_keys + product({a_ti, log2(a_ti)}) + o("≤") +
             log2(i(attends.sees_its_past ? "t" : "n"));
    }
    case report::Equation::kConcat: {
      const auto output = [](const std::string& head) {
        return product({sub(i("A"), head), sub(i("V"), head)});
      };
      const std::string heads = brackets(output(n("1")) + o(",") + o("…") + o(",") + output(i("H")));
      if (!attends.has_W_O) return i("Concat") + o("=") + heads;
      return i("O") + o("=") + product({of(i("Concat")) + heads, W_O()}) + (attends.has_b_O ? b_O() : "");
    }
    case report::Equation::kParameters:
      return product({n("3"), d_model(), i("H"), d_k()}) + o("+") +
             product({i("H"), sub(i("d"), i("v")), d_model()}) + o("=") +
             product({n("4"), subsup(i("d"), i("model"), n("2"))});
    case report::Equation::kFilterBank: {
      const std::string bias = attends.has_b_O ? b_O() : "";
      const std::string values =
          attends.has_X ? product({i("X"), subsup(i("W"), i("V"), i("h"))}) : sub(i("V"), i("h"));
      return i("Concat") + o("·") + W_O() + bias + o("=") + sum(row({i("h"), o("="), n("1")}), i("H")) +
             product({sub(i("A"), i("h")), values, subsup(i("W"), i("O"), brackets(i("h")))}) + bias;
    }
    case report::Equation::kCausalPairs:
      return i("H") + o("·") + product({n("2"), d_k()}) + o("·") +
             over(row({product({i("T"), brackets(i("T") + o("+") + n("1"))})}), n("2"));
  }
  throw std::logic_error("this equation has no MathML");
}

}  // namespace

Markup math_ml(report::Equation equation, const report::Attends& attends) {
  return {"<math display=\"block\">" + content(equation, attends) + "</math>"};
}

}  // namespace mha::render
