#include "report/report.h"

#include <algorithm>
#include <utility>

namespace mha::report {

Value::Value(bool yes) : data(yes) {}
Value::Value(double number) : data(number) {}
Value::Value(const char* text) : data(std::string(text)) {}
Value::Value(std::string text) : data(std::move(text)) {}
Value::Value(Vector vector) : data(std::move(vector)) {}
Value::Value(LazyMatrix matrix) : data(std::move(matrix)) {}
Value::Value(List list) : data(std::move(list)) {}
Value::Value(Object object) : data(std::move(object)) {}
Value::Value(Counted counted) : data(counted.count) {}
Value::Value(const Value& other) = default;
Value::Value(Value&& other) noexcept = default;
Value& Value::operator=(const Value& other) = default;
Value& Value::operator=(Value&& other) noexcept = default;
Value::~Value() = default;

Member::Member(const char* n, Value v) : name(n), value(std::move(v)) {}
Member::Member(std::string n, Value v) : name(std::move(n)), value(std::move(v)) {}
Member::Member(const Member& other) = default;
Member::Member(Member&& other) noexcept = default;
Member& Member::operator=(const Member& other) = default;
Member& Member::operator=(Member&& other) noexcept = default;
Member::~Member() = default;

const Value* find(const Object& object, const std::string& name) {
  const auto found =
      std::find_if(object.begin(), object.end(), [&](const Member& member) { return member.name == name; });
  return found == object.end() ? nullptr : &found->value;
}

Item::Item(double number) : data(number) {}
Item::Item(const char* text) : data(std::string(text)) {}
Item::Item(std::string text) : data(std::move(text)) {}
Item::Item(Vector vector) : data(std::move(vector)) {}
Item::Item(LazyMatrix matrix) : data(std::move(matrix)) {}
Item::Item(Table table) : data(std::move(table)) {}
Item::Item(Decimals decimals) : data(std::move(decimals)) {}
Item::Item(Counted counted) : data(counted.count) {}
Item::Item(const Item& other) = default;
Item::Item(Item&& other) noexcept = default;
Item& Item::operator=(const Item& other) = default;
Item& Item::operator=(Item&& other) noexcept = default;
Item::~Item() = default;

Panel::Panel(std::string heading, Content shown) : title(std::move(heading)), content(std::move(shown)) {}
Panel::Panel(const Panel& other) = default;
Panel::Panel(Panel&& other) noexcept = default;
Panel& Panel::operator=(const Panel& other) = default;
Panel& Panel::operator=(Panel&& other) noexcept = default;
Panel::~Panel() = default;

Figure::Figure(std::string file, std::string heading, std::string seen, std::size_t grid_columns,
               bool shared_scale, std::vector<Panel> shown)
    : name(std::move(file)),
      title(std::move(heading)),
      description(std::move(seen)),
      columns(grid_columns),
      one_scale(shared_scale),
      panels(std::move(shown)) {}
Figure::Figure(const Figure& other) = default;
Figure::Figure(Figure&& other) noexcept = default;
Figure& Figure::operator=(const Figure& other) = default;
Figure& Figure::operator=(Figure&& other) noexcept = default;
Figure::~Figure() = default;

Report::Report(std::string name, Object given)
    : command(std::move(name)), parameters(std::move(given)), command_line(command) {}
Report::Report(const Report& other) = default;
Report::Report(Report&& other) noexcept = default;
Report& Report::operator=(const Report& other) = default;
Report& Report::operator=(Report&& other) noexcept = default;
Report::~Report() = default;

Document::Document(Report report) : command_line(report.command_line), explanation(report.explanation) {
  scripts.push_back({"", {}, {}});
  scripts.front().steps.push_back(std::move(report));
}

Document::Document(Explanation of_all, std::vector<Script> parts)
    : command_line("run"), explanation(std::move(of_all)), scripts(std::move(parts)) {}

bool Document::ok() const {
  return std::all_of(scripts.begin(), scripts.end(), [](const Script& script) {
    return std::all_of(script.steps.begin(), script.steps.end(), [](const Report& step) { return step.ok; });
  });
}

std::vector<Figure> Document::figures() const {
  std::vector<Figure> all;
  for (const Script& script : scripts) {
    for (const Report& step : script.steps) {
      all.insert(all.end(), step.figures.begin(), step.figures.end());
    }
  }
  return all;
}

}  // namespace mha::report
