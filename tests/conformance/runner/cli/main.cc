// conformance: asks a cluster what the rows ask, and says where its answers differ.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <random>
#include <set>

#include "absl/strings/str_cat.h"
#include "tests/conformance/runner/differences.h"
#include "tests/conformance/runner/matrix.h"
#include "tests/conformance/runner/real_cluster.h"
#include "tests/conformance/runner/run_row.h"
#include "tests/conformance/sim/sim_target.h"
#include "tests/conformance/sockets/double_target.h"

namespace wt::conformance {
namespace {

constexpr int kDifferent = 1;
constexpr int kTrouble = 2;

struct Settings {
  std::string rows = WT_SOURCE_DIR "/tests/conformance/kafka/rows";
  std::string matrix = WT_SOURCE_DIR "/tests/conformance/kafka/matrix.json";
  std::string differences = WT_SOURCE_DIR "/docs/differences.md";
  std::string starter = WT_SOURCE_DIR "/tests/conformance/real_kafka/real_kafka";
  std::vector<std::string> filter;
  std::string against = "simulation";
  std::string bootstrap;
  std::vector<std::string> control;
  std::vector<std::string> with;
  int port = 19092;
  bool list = false;
  bool check = false;
  bool as_json = false;
  bool record = false;
};

constexpr const char* kExamples =
    R"(Examples:
  conformance                                          every row inside the simulation
  conformance --against sockets                        … over Wavetank's own sockets
  conformance --against real-kafka                     … against real Kafka brokers (needs java and mvn)
  conformance --filter fetch-session --json            some of them, one JSON object a row
  conformance --bootstrap 127.0.0.1:9092,127.0.0.1:9093,127.0.0.1:9094
                                                       against running brokers 1, 2 and 3
  conformance --against real-kafka --record --filter my-new-row
                                                       let the real broker write the expectations
  conformance --list                                   names and what they refer to
  conformance --check                                  can all requests be built, has every entry of the matrix
                                                       a row or a reason? needs no broker

Exit code: 0 no unexplained difference, 1 some, 2 trouble.
)";

int trouble(const absl::Status& status) {
  std::fprintf(stderr, "conformance: %s\n", std::string(status.message()).c_str());
  return kTrouble;
}

std::string random_run() {
  std::random_device device;
  char text[8];
  std::snprintf(text, sizeof text, "r%06x", static_cast<unsigned>(device() & 0xffffffU));
  return text;
}

bool is_chosen(const Row& row, const std::vector<std::string>& filter) {
  return filter.empty() || std::any_of(filter.begin(), filter.end(), [&](const std::string& part) {
           return row.name.find(part) != std::string::npos || row.file.find(part) != std::string::npos;
         });
}

bool crashes_brokers(const Row& row) {
  for (const json::value& step : row.steps()) {
    const json::value* what = find(step, "do");
    if (what != nullptr && what->is_string() && view(what->get_string()) == "crash_broker") return true;
  }
  return false;
}

class Report {
 public:
  Report(const Settings& settings, MeantDifferences meant) : settings_(settings), meant_(std::move(meant)) {}

  void add(const Row& row, const RowResult& result) {
    std::size_t unexplained = 0;
    for (const StepDifference& found : result.differences) {
      const MeantDifference* why = meant_.explain(row.name, found.path());
      if (why == nullptr) ++unexplained;
      used_.insert(why);
    }
    ++(result.outcome == Outcome::kNotComparable ? not_comparable_
       : result.outcome == Outcome::kEqual       ? equal_
       : unexplained == 0                        ? explained_
                                                 : different_);
    settings_.as_json ? print_json(row, result) : print_text(row, result);
    std::fflush(stdout);
  }
  // With every row run, an explanation that explained nothing is out of date.
  int finish(bool is_everything) const {
    for (const MeantDifference& meant : meant_.list()) {
      if (!is_everything || used_.contains(&meant)) continue;
      std::fprintf(stderr, "conformance: not needed any more: `%s` `%s` in %s\n", meant.row.c_str(),
                   meant.field.c_str(), settings_.differences.c_str());
    }
    if (!settings_.as_json) {
      std::printf("%d equal, %d differ, %d differ as explained, %d not comparable\n", equal_, different_,
                  explained_, not_comparable_);
    }
    return different_ > 0 ? kDifferent : 0;
  }

 private:
  void print_text(const Row& row, const RowResult& result) const {
    if (result.outcome == Outcome::kNotComparable) {
      std::printf("%-52s not comparable (%s)\n", row.name.c_str(), result.reason.c_str());
    } else if (result.outcome == Outcome::kEqual) {
      std::printf("%-52s equal\n", row.name.c_str());
    }
    for (const StepDifference& found : result.differences) {
      const MeantDifference* why = meant_.explain(row.name, found.path());
      const std::string verdict =
          why == nullptr ? "differs" : absl::StrCat("differs (explained: ", why->reason, ")");
      std::printf("%-52s %s\n    %s\n    expected %.600s\n    got      %.600s\n", row.name.c_str(),
                  verdict.c_str(), found.path().c_str(), found.difference.expected.c_str(),
                  found.difference.got.c_str());
    }
  }
  void print_json(const Row& row, const RowResult& result) const {
    json::object out{{"name", row.name}};
    out["outcome"] = result.outcome == Outcome::kEqual           ? "equal"
                     : result.outcome == Outcome::kNotComparable ? "not comparable"
                                                                 : "differs";
    if (!result.reason.empty()) out["reason"] = result.reason;
    json::array differences;
    for (const StepDifference& found : result.differences) {
      json::object one{
          {"field", found.path()}, {"expected", found.difference.expected}, {"got", found.difference.got}};
      if (const MeantDifference* why = meant_.explain(row.name, found.path())) one["explained"] = why->reason;
      differences.push_back(std::move(one));
    }
    if (!differences.empty()) out["differences"] = std::move(differences);
    std::printf("%s\n", json::serialize(json::value(std::move(out))).c_str());
  }

  const Settings& settings_;
  MeantDifferences meant_;
  std::set<const MeantDifference*> used_;
  int equal_ = 0;
  int different_ = 0;
  int explained_ = 0;
  int not_comparable_ = 0;
};

class Program {
 public:
  explicit Program(Settings settings) : settings_(std::move(settings)) {}

  int run() {
    absl::StatusOr<std::vector<Row>> rows = load_rows(settings_.rows);
    if (!rows.ok()) return trouble(rows.status());
    rows_ = *std::move(rows);
    if (settings_.list) return list();
    if (settings_.check) return check();
    // A broken record of what is meant would hide or invent differences: it ends the run.
    absl::StatusOr<MeantDifferences> meant = MeantDifferences::read(settings_.differences);
    if (!meant.ok()) return trouble(meant.status());
    Report report(settings_, *std::move(meant));
    const absl::Status status = !settings_.bootstrap.empty()        ? run_bootstrap(report)
                                : settings_.against == "real-kafka" ? run_real(report)
                                                                    : run_double(report);
    if (!status.ok()) return trouble(status);
    if (settings_.record) {
      const absl::Status saved = save();
      if (!saved.ok()) return trouble(saved);
    }
    // Some explanations are about the program, not about the simulation in it.
    return report.finish(settings_.against == "sockets" && settings_.filter.empty());
  }

 private:
  int list() const {
    for (const Row& row : rows_) {
      if (!is_chosen(row, settings_.filter)) continue;
      std::string refs;
      if (const json::value* list = row.source.if_contains("refs"); list != nullptr && list->is_array()) {
        for (const json::value& ref : list->get_array()) {
          if (ref.is_string())
            absl::StrAppend(&refs, refs.empty() ? "" : " ", std::string(view(ref.get_string())));
        }
      }
      std::printf("%-52s %s\n", row.name.c_str(), refs.c_str());
    }
    return 0;
  }
  int check() const {
    int wrong = 0;
    for (const Row& row : rows_) {
      const absl::Status status = check_row(row);
      if (!status.ok()) {
        ++wrong;
        std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
      }
    }
    std::printf("%zu rows, %d of them wrong\n", rows_.size(), wrong);
    const absl::StatusOr<Matrix> matrix = Matrix::read(settings_.matrix);
    if (!matrix.ok()) return trouble(matrix.status());
    const std::vector<std::string> problems = matrix->problems(rows_);
    for (const std::string& problem : problems) std::fprintf(stderr, "%s\n", problem.c_str());
    std::printf("%zu entries of the matrix, %zu problems\n", matrix->entries().size(), problems.size());
    return wrong > 0 || !problems.empty() ? kDifferent : 0;
  }

  absl::Status run_bootstrap(Report& report) {
    absl::StatusOr<std::vector<Address>> addresses = parse_addresses(settings_.bootstrap);
    if (!addresses.ok()) return addresses.status();
    SocketTarget target(*std::move(addresses),
                        settings_.control.empty() ? nullptr : control_by_command(settings_.control));
    const ClusterSpec running{target.broker_count(), settings_.with};
    for (Row* row : chosen()) {
      if (row->cluster == running) {
        run_one(*row, target, report);
      } else {
        report.add(*row, {Outcome::kNotComparable, "needs " + row->cluster.text(), {}});
      }
    }
    return absl::OkStatus();
  }

  // Each row in a cluster of its own: Wavetank is there at once.
  absl::Status run_double(Report& report) {
    for (Row* row : chosen()) {
      if (settings_.against == "simulation") {
        absl::StatusOr<std::unique_ptr<SimTarget>> target = SimTarget::start(row->cluster, 1);
        run_in(*row, target, report);
      } else {
        absl::StatusOr<std::unique_ptr<DoubleTarget>> target = DoubleTarget::start(row->cluster);
        run_in(*row, target, report);
      }
    }
    return absl::OkStatus();
  }
  template <class Started>
  void run_in(Row& row, const absl::StatusOr<std::unique_ptr<Started>>& target, Report& report) {
    if (!target.ok()) {
      report.add(row, {Outcome::kNotComparable, std::string(target.status().message()), {}});
      return;
    }
    RowResult result = run_row(row, **target, {.run = random_run(), .record = settings_.record});
    if (const std::string finding = (*target)->finding(); !finding.empty()) {
      result.outcome = Outcome::kDiffers;
      result.differences.push_back({0, {"(finding)", "none", finding}});
    }
    report.add(row, result);
  }

  // Rows in groups that want the same cluster; rows that crash brokers come last in their group.
  absl::Status run_real(Report& report) {
    std::vector<Row*> left = chosen();
    std::stable_partition(left.begin(), left.end(), [](const Row* row) { return !crashes_brokers(*row); });
    const std::string folder = absl::StrCat("/tmp/wavetank-conformance-", getpid());
    while (!left.empty()) {
      const ClusterSpec spec = left.front()->cluster;
      auto cluster = RealCluster::start(settings_.starter, folder, settings_.port, spec);
      if (!cluster.ok()) return cluster.status();
      std::vector<Row*> others;
      for (Row* row : left) {
        if (row->cluster == spec) {
          run_one(*row, (*cluster)->target(), report);
        } else {
          others.push_back(row);
        }
      }
      left = std::move(others);
    }
    return absl::OkStatus();
  }

  void run_one(Row& row, Target& target, Report& report) {
    const RunOptions options{.run = random_run(), .record = settings_.record};
    report.add(row, run_row(row, target, options));
  }
  std::vector<Row*> chosen() {
    std::vector<Row*> out;
    for (Row& row : rows_) {
      if (is_chosen(row, settings_.filter)) out.push_back(&row);
    }
    return out;
  }
  absl::Status save() const {
    std::set<std::string> files;
    for (const Row& row : rows_) {
      if (is_chosen(row, settings_.filter)) files.insert(row.file);
    }
    for (const std::string& file : files) {
      absl::Status status = save_rows(file, rows_);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  Settings settings_;
  std::vector<Row> rows_;
};

}  // namespace
}  // namespace wt::conformance

int main(int argc, char** argv) {
  wt::conformance::Settings settings;
  CLI::App app("Runs conformance rows: requests by field name, and the answers a real Kafka gave.");
  app.footer(wt::conformance::kExamples);
  app.add_option("--rows", settings.rows, "folder of the row files")->capture_default_str();
  app.add_option("--filter", settings.filter,
                 "only rows whose name or file contains this (or another, when repeated)");
  app.add_option("--against", settings.against, "what answers: simulation, sockets or real-kafka")
      ->check(CLI::IsMember({"simulation", "sockets", "real-kafka"}))
      ->capture_default_str();
  app.add_option("--bootstrap", settings.bootstrap, "host:port of brokers 1, 2, …, separated by commas");
  app.add_option("--control", settings.control, "command to which 'crash N' or 'restart N' is added");
  app.add_option("--with", settings.with,
                 "key=value of server.properties that the brokers of --bootstrap have");
  app.add_option("--real-kafka", settings.starter, "program that starts a real Kafka")->capture_default_str();
  app.add_option("--port", settings.port, "first port of the real Kafka")->capture_default_str();
  app.add_option("--matrix", settings.matrix, "the situations that rows refer to")->capture_default_str();
  app.add_option("--differences", settings.differences, "where meant differences are explained")
      ->capture_default_str();
  app.add_flag("--record", settings.record, "write what the target answers into the row files");
  app.add_flag("--list", settings.list, "print the rows' names");
  app.add_flag("--check", settings.check, "only build every request, and look at the matrix");
  app.add_flag("--json", settings.as_json, "one JSON object a row");
  CLI11_PARSE(app, argc, argv);
  return wt::conformance::Program(settings).run();
}
