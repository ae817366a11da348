#include "sim/kafka/groups/consumer/regex.h"

#include <re2/re2.h>

#include <algorithm>

namespace wt::kafka {
namespace {

RE2::Options options() {
  RE2::Options options;
  options.set_log_errors(false);
  return options;
}

// RE2/J, which brokers use, also takes (?<name>…) and minds names that are given twice.
class Names {
 public:
  explicit Names(std::string_view regex) : rest_(regex) {
    while (!rest_.empty()) step();
  }
  // With all names as (?P<name>…).
  const std::string& regex() const noexcept { return regex_; }
  bool twice() const noexcept { return twice_; }

 private:
  void step() {
    if (rest_.starts_with("\\Q")) return copy(end_of("\\E", 2));
    if (rest_.front() == '\\') return copy(2);
    if (rest_.front() == '[') return copy(end_of_class());
    if (rest_.starts_with("(?P<")) return name(4);
    if (rest_.starts_with("(?<") && !rest_.starts_with("(?<=") && !rest_.starts_with("(?<!")) return name(3);
    copy(1);
  }

  void name(std::size_t prefix) {
    rest_.remove_prefix(prefix);
    regex_ += "(?P<";
    const std::size_t end = rest_.find('>');
    if (end != std::string_view::npos && !names_.emplace(rest_.substr(0, end)).second) twice_ = true;
  }

  std::size_t end_of(std::string_view mark, std::size_t from) const {
    const std::size_t at = rest_.find(mark, from);
    return at == std::string_view::npos ? rest_.size() : at + mark.size();
  }

  // A bracket that comes first in a class stands for itself.
  std::size_t end_of_class() const {
    std::size_t at = rest_.starts_with("[^") ? 2 : 1;
    for (bool first = true; at < rest_.size() && (first || rest_[at] != ']'); first = false) {
      if (rest_[at] == '\\') {
        at += 2;
      } else if (rest_.substr(at).starts_with("[:")) {
        at = end_of(":]", at + 2);
      } else {
        ++at;
      }
    }
    return at + 1;
  }

  void copy(std::size_t bytes) {
    bytes = std::min(bytes, rest_.size());
    regex_ += rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
  }

  std::string_view rest_;
  std::string regex_;
  std::set<std::string_view> names_;
  bool twice_ = false;
};

// RE2/J has the same errors under other words.
std::string_view words_of(RE2::ErrorCode code) {
  switch (code) {
    case RE2::ErrorBadEscape:
      return "invalid escape sequence";
    case RE2::ErrorBadCharClass:
      return "invalid character class";
    case RE2::ErrorBadCharRange:
      return "invalid character class range";
    case RE2::ErrorMissingBracket:
      return "missing closing ]";
    case RE2::ErrorMissingParen:
      return "missing closing )";
    case RE2::ErrorTrailingBackslash:
      return "trailing backslash at end of expression";
    case RE2::ErrorRepeatArgument:
      return "missing argument to repetition operator";
    case RE2::ErrorRepeatSize:
      return "invalid repeat count";
    case RE2::ErrorRepeatOp:
      return "invalid nested repetition operator";
    case RE2::ErrorBadPerlOp:
      return "invalid or unsupported Perl syntax";
    case RE2::ErrorBadUTF8:
      return "invalid UTF-8";
    case RE2::ErrorBadNamedCapture:
      return "invalid named capture";
    case RE2::ErrorPatternTooLarge:
      return "expression too large";
    default:
      return "regexp/syntax: internal error";
  }
}

}  // namespace

std::optional<std::string> regex_problem(const std::string& regex) {
  const Names names(regex);
  const RE2 compiled(names.regex(), options());
  if (compiled.ok() && names.twice()) return "duplicate capture group name";
  if (compiled.ok()) return std::nullopt;
  return std::string(words_of(compiled.error_code()));
}

std::set<std::string> matching_topics(const std::string& regex, const controller::MetadataImage& image) {
  std::set<std::string> names;
  const RE2 compiled(Names(regex).regex(), options());
  if (!compiled.ok()) return names;
  image.for_each_topic([&](const controller::TopicState& topic) {
    if (RE2::FullMatch(topic.name, compiled)) names.insert(topic.name);
  });
  return names;
}

}  // namespace wt::kafka
