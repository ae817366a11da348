"""Tests of the rules: a bad snippet must be reported at its line, its good neighbour must pass.

Each row: path, rule, line of the finding, bad text, good text. Layout rules see the path, so the same
snippet may be good elsewhere. Text that the rules look for is put together here from pieces.
"""
H = "// What it is.\n#pragma once\n"
FN = "Task<void> f() {\n"

ROWS = [
    # layers
    ("sim/kafka/a.cc", "layers", 1, '#include "sim/pulsar/b.h"\n', '#include "sim/broker/b.h"\n'),
    ("sim/pulsar/a.cc", "layers", 1, '#include "sim/kafka/wire/b.h"\n', '#include "sim/registry/b.h"\n'),
    ("sim/kernel/a.cc", "layers", 2, '\n#include "sim/stream/b.h"\n', '\n// #include "sim/stream/b.h"\n'),
    ("sim/objects/a.cc", "layers", 1, '#include "sim/ledgers/b.h"\n', '#include "sim/network/b.h"\n'),
    ("sim/cluster/a.cc", "layers", 1, '#include "harness/journal/b.h"\n', '#include "sim/kafka/b.h"\n'),
    ("sim/cluster/a.cc", "layers", 1, '#include "include/wavetank/cluster.h"\n', '#include "sim/clients/b.h"\n'),
    ("sim/novel/a.cc", "layers", 1, '#include "sim/kernel/b.h"\n', '#include <vector>\n'),
    ("sim/kafka/a.cc", "layers", 1, '#include "../broker/b.h"\n', '#include "sim/broker/b.h"\n'),
    ("include/wavetank/a.h", "layers", 3, H + '#include "absl/status/status.h"\n', H + "#include <string>\n"),
    ("include/wavetank/a.h", "layers", 3, H + "#include <span>\n", H + '#include "wavetank/options.h"\n'),
    # determinism
    ("sim/a/a.cc", "clock", 1, "auto t = std::chrono::steady_clock::now();\n", "auto t = kernel.now_ns(); // steady_clock\n"),
    ("sim/a/a.cc", "clock", 1, "auto t = time(nullptr);\n", "auto t = entry.time(); process.time();\n"),
    ("sim/a/a.cc", "clock", 1, "#include <chrono>\n", "#include <array>\n"),
    ("sim/a/a.cc", "thread", 2, "\nstd::thread t(f);\n", "\nint thread = 1;\n"),
    ("sim/a/a.cc", "thread", 1, "auto x = std::async(f);\n", "auto async = f;\n"),
    ("sim/a/a.cc", "lock", 1, "std::mutex m;\n", 'auto m = "std::mutex";\n'),
    ("sim/a/a.cc", "atomic", 1, "std::atomic<int> n;\n", "// atomic-ok: read by the crash handler\nstd::atomic<int> n;\n"),
    ("sim/a/a.cc", "stream", 1, "#include <fstream>\n", "#include <string>\n"),
    ("sim/a/a.cc", "stream", 1, "std::cout << 1;\n", "stream.cout(1);\n"),
    ("sim/a/a.cc", "socket", 1, "int fd = socket(AF_INET, 1, 0);\n", "auto s = network.socket(id);\n"),
    ("sim/a/a.cc", "environment", 1, 'auto v = getenv("HOME");\n', "auto v = options.home;\n"),
    ("sim/a/a.cc", "locale", 1, "std::locale l;\n", "auto locale = name;\n"),
    ("sim/a/a.cc", "random", 1, "std::random_device d;\n", "stream.draw();\n"),
    ("sim/a/a.cc", "distribution", 1, "std::uniform_int_distribution<int> d(0, 1);\n", "int key_distribution = 1;\n"),
    ("sim/a/a.cc", "shuffle", 1, "std::ranges::shuffle(v, g);\n", "stream.shuffle(v);\n"),
    ("sim/a/a.cc", "float", 1, "double rate = 1;\n", "double rate = 1;  // float-ok: the field is a double\n"),
    ("sim/a/a.cc", "float", 1, "if (x > 0.5) return;\n", "if (x > 500'000) return; int y = 0x1e5; f(a...);\n"),
    ("sim/a/a.cc", "unordered", 1, "std::unordered_map<int, int> m;\n", "std::map<int, int> m;\n"),
    ("sim/a/a.cc", "unordered", 1, "absl::flat_hash_map<int, int> m;\n", "LookupMap<int, int> m;\n"),
    ("sim/a/a.cc", "hash", 1, "std::hash<int> h;\n", "auto h = wt::hash(x);\n"),
    ("sim/a/a.cc", "pointer", 1, "std::map<Node*, int> m;\n", "std::map<int, Node*> m;\n"),
    ("sim/a/a.cc", "pointer", 1, "std::set<const Node*> m;\n", "std::set<std::pair<int, int>> m;\n"),
    ("sim/a/a.cc", "sort", 1, "std::sort(v.begin(), v.end());\n", "std::stable_sort(v.begin(), v.end());\n"),
    ("sim/a/a.cc", "sort", 2, "\nstd::ranges::sort(v);\n", "// sort-ok: ids are unique\nstd::ranges::sort(v);\n"),
    # coroutines
    ("sim/a/a.cc", "coroutine", 2, FN + "  co_await g({.id = 1});\n}\n",
     FN + "  Request r{.id = 1};\n  co_await g(std::move(r));\n}\n"),
    ("sim/a/a.cc", "coroutine", 3, FN + "  auto x =\n      co_await g(Request{1, 2});\n}\n",
     FN + "  if (x) {\n    co_await g(r);\n  } else {\n    co_await g(s);\n  }\n  co_await g(r);\n}\n"),
    ("sim/a/a.cc", "coroutine", 2, FN + "  T t{co_await g()};\n}\n", FN + "  T t = co_await g();\n}\n"),
    ("sim/a/a.cc", "coroutine", 2, FN + "  co_await until([&] { return done; });\n}\n",
     FN + "  auto ready = [&] { return done; };\n  co_await until(ready);\n}\n"),
    ("sim/a/a.cc", "coroutine", 2, FN + "  auto x = ok ? co_await g() : 0;\n}\n",
     FN + "  auto id = ok ? 1 : 2;\n  auto x = co_await g(id);\n}\n"),
    ("sim/a/a.cc", "coroutine", 2, FN + "  co_await g(ok ? 1 : 2);\n}\n",
     FN + "  switch (kind) {\n    case Kind::kOne:\n      co_await g(1);\n      break;\n    default: co_await g(2);\n  }\n}\n"),
    ("sim/a/a.cc", "coroutine", 2, FN + "  switch (co_await g()) {\n    case 1: break;\n  }\n}\n",
     FN + "  auto kind = co_await g();\n  switch (kind) {\n    case 1: break;\n  }\n}\n"),
    ("sim/a/a.cc", "coroutine", 2, FN + "  h(co_await a(), co_await b());\n}\n",
     FN + "  if (co_await a()) co_await b();\n  while (co_await a()) {\n    co_await b();\n  }\n}\n"),
    ("sim/a/a.cc", "coroutine", 1, "auto f = [this]() -> Task<void> {\n  co_await g();\n};\n",
     "auto f = [](Kernel& k) -> Task<void> {\n  auto [a, b] = co_await g(k);\n  co_return;\n};\n"),
    ("tests/unit/a/a.cc", "coroutine", 1, "spawn([&](int n) { co_return; });\n", "spawn([&] { return n; });\n"),
    ("sim/a/a.cc", "coroutine", 2, FN + "  co_return Reply{co_await g()};\n}\n",
     FN + "  auto value = co_await g();\n  co_return Reply{value};\n}\n"),
    ("sim/a/a.cc", "coroutine", 2, FN + "  WT_ASSIGN_OR_RETURN(auto x, co_await g(Id{1}));\n}\n",
     FN + "  for (auto& x : items) co_await g(x);\n  do co_await g(y); while (more);\n}\n"),
    # files
    ("sim/a/a.cc", "size", 701, "int x;\n" * 701, "int x;\n" * 700),
    ("sim/a/a.h", "header", 1, "#pragma once\n// Late.\n", H),
    ("sim/a/a.h", "header", 1, "// No guard.\nint x;\n", H + "int x;\n"),
    ("docs/a.md", "forgotten", 2, "\nTO" + "DO: later\n", "\nTO" + "DO(#12): later\n"),
    ("docs/a.md", "product", 1, "see /wo" + "rk/main\n", "see docs/work/notes\n"),
    ("sim/a/a.cc", "product", 2, "\n// written by an AI assis" + "tant\n", "\n// a session helper\n"),
    ("tests/interop/x/pom.xml", "product", 1, "https://repo1.ma" + "ven.org/x\n", "https://kafka.apache.org/x\n"),
]


def run(check_text):
    failures = 0
    for number, (path, rule, line, bad, good) in enumerate(ROWS):
        found = check_text(path, bad)
        if not any(f[0] == line and f[1] == rule for f in found):
            failures += 1
            print(f"row {number} ({rule}): expected a finding at {path}:{line}, got {found}\n{bad}")
        unexpected = check_text(path, good)
        if unexpected:
            failures += 1
            print(f"row {number} ({rule}): expected nothing, got {unexpected}\n{good}")
    rules = sorted({row[1] for row in ROWS})
    print(f"{len(ROWS)} bad and {len(ROWS)} good snippets, {len(rules)} rules, {failures} failures")
    return 1 if failures else 0
