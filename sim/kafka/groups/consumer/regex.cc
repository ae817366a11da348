#include "sim/kafka/groups/consumer/regex.h"

#include <re2/re2.h>

namespace wt::kafka {
namespace {

RE2::Options options() {
  RE2::Options options;
  options.set_log_errors(false);
  return options;
}

// RE2/J, which brokers use, has the same errors under other words, and minds names that are given twice.
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
  const RE2 compiled(regex, options());
  if (compiled.ok()) return std::nullopt;
  return std::string(words_of(compiled.error_code()));
}

std::set<std::string> matching_topics(const std::string& regex, const controller::MetadataImage& image) {
  std::set<std::string> names;
  const RE2 compiled(regex, options());
  if (!compiled.ok()) return names;
  image.for_each_topic([&](const controller::TopicState& topic) {
    if (RE2::FullMatch(topic.name, compiled)) names.insert(topic.name);
  });
  return names;
}

}  // namespace wt::kafka
