"""What may not appear in sim/: everything there is a pure function of options, seed and journal."""
import re

# rule, pattern on the stripped code, what to do instead
BANS = [(rule, re.compile(pattern), advice) for rule, pattern, advice in [
    ("clock", r"\b(?:system_clock|steady_clock|high_resolution_clock|gettimeofday|clock_gettime|timespec_get"
              r"|localtime(?:_r)?|gmtime(?:_r)?|mktime)\b|(?<![\w.>:])(?:std\s*::\s*)?(?:time|clock)\s*\(\s*(?:nullptr|NULL|0|&|\))"
              r"|\babsl\s*::\s*(?:Now|GetCurrentTimeNanos)\b", "ask the kernel for virtual time"),
    ("thread", r"\bstd\s*::\s*(?:j?thread|this_thread|async|promise|packaged_task|(?:shared_)?future)\b|\bpthread_\w+|\bthread_local\b"
               r"|\b(?:usleep|nanosleep)\b",
     "spawn a Task on the process; there is one thread"),
    ("lock", r"\bstd\s*::\s*(?:(?:recursive_|shared_|timed_|recursive_timed_|shared_timed_)?mutex|lock_guard|unique_lock"
             r"|scoped_lock|shared_lock|condition_variable(?:_any)?|call_once|once_flag|counting_semaphore"
             r"|binary_semaphore|latch|barrier)\b|\babsl\s*::\s*(?:Mutex|MutexLock|CondVar|Notification)\b",
     "nothing runs at the same time here; await an event of the kernel"),
    ("atomic", r"\bstd\s*::\s*atomic\w*\b|\b__(?:atomic|sync)_\w+", "a plain variable: there is one thread"),
    ("stream", r"\bstd\s*::\s*(?:cout|cerr|clog|cin|o?stringstream|istringstream|[io]?fstream|ostream|istream|filesystem)\b"
               r"|\b(?:f?printf|fopen|fwrite|fread|fputs|puts|putchar)\s*\(|(?<![\w>:])::\s*open\s*\(",
     "emit a trace event, or return the value and let harness/ write it"),
    ("socket", r"(?<![\w.>:])(?:::\s*)?(?:socket|bind|listen|accept4?|connect|recv|recvmsg|sendmsg|epoll_\w+|poll|select|setsockopt)"
               r"\s*\(\s*(?:AF_|PF_|fd\b|sock\w*_?fd\b|epoll)|\bAF_INET6?\b|\bboost\s*::\s*(?:asio|beast)\b",
     "use a byte stream of sim/network"),
    ("environment", r"\b(?:secure_)?getenv\b|\b(?:set|put|unset)env\b|\bgetpid\b|\bgethostname\b|(?<![\w:.])environ\b",
     "make it an option of the cluster"),
    ("locale", r"\bstd\s*::\s*locale\b|\bsetlocale\b|\bstd\s*::\s*(?:sto[fd]|stold)\b|\bstrto(?:d|f|ld)\b|\bstd\s*::\s*(?:regex|wregex|put_time)\b",
     "use std::to_chars and std::from_chars, which know no locale"),
    ("random", r"\brandom_device\b|\bstd\s*::\s*(?:mt19937(?:_64)?|minstd_rand0?|default_random_engine|ranlux\w+|knuth_b)\b"
               r"|\b(?:s?rand|[del]rand48|random_r?)\s*\(\s*\)|\bsrand\s*\(|\babsl\s*::\s*(?:BitGen|InsecureBitGen|Uniform)\b",
     "draw from a named random stream of the kernel"),
    ("distribution", r"\bstd\s*::\s*\w+_distribution\b|\bstd\s*::\s*(?:generate_canonical|sample)\b",
     "standard distributions differ between libraries; use the draws of the kernel's random stream"),
    ("shuffle", r"\bstd\s*::\s*(?:ranges\s*::\s*)?(?:shuffle|random_shuffle)\b",
     "std::shuffle differs between libraries; use the shuffle of the kernel's random stream"),
    ("float", r"(?<![\w])(?:float|double|_Float\w+)(?!\w)|(?<![\w.'])(?:\d[\d']*\.\d+|\d[\d']*\.(?![\w.])|\d+[eE][-+]?\d+)(?![\w]*[xX])",
     "count in integers (ns, bytes, ppm); a protocol's double field says `// float-ok: reason`"),
    ("unordered", r"\bunordered_(?:multi)?(?:map|set)\b|\babsl\s*::\s*(?:flat|node)_hash_(?:map|set)\b|\bboost\s*::\s*unordered\w*",
     "use wt::LookupMap (sim/kernel/lookup_map.h) for look-ups, an ordered container to iterate"),
    ("hash", r"\bstd\s*::\s*hash\b|\babsl\s*::\s*Hash(?:Of)?\b|\babsl\s*::\s*hash_internal\b|\bboost\s*::\s*hash\w*\b|\bhash_value\b",
     "use the fixed hash of the kernel"),
    ("sort", r"\bstd\s*::\s*(?:ranges\s*::\s*)?(?:sort|partial_sort|nth_element|partial_sort_copy)\b|\babsl\s*::\s*c_sort\b",
     "equal elements end in any order; use std::stable_sort, or say `// sort-ok: keys are unique`"),
    ("pointer", r"\bu?intptr_t\b", "an address is different in every run; use an id"),
]]

HEADERS = {
    "chrono": "clock", "ctime": "clock", "time.h": "clock", "sys/time.h": "clock",
    "thread": "thread", "future": "thread", "stop_token": "thread", "pthread.h": "thread",
    "mutex": "lock", "shared_mutex": "lock", "condition_variable": "lock", "semaphore": "lock", "latch": "lock",
    "barrier": "lock", "atomic": "atomic",
    "iostream": "stream", "fstream": "stream", "sstream": "stream", "ostream": "stream", "istream": "stream",
    "iomanip": "stream", "filesystem": "stream", "cstdio": "stream", "stdio.h": "stream", "fcntl.h": "stream",
    "syncstream": "stream", "unistd.h": "environment", "sys/socket.h": "socket", "netinet/in.h": "socket",
    "sys/epoll.h": "socket", "arpa/inet.h": "socket", "netdb.h": "socket", "poll.h": "socket",
    "locale": "locale", "clocale": "locale", "codecvt": "locale", "regex": "locale", "random": "random",
    "cmath": "float", "unordered_map": "unordered", "unordered_set": "unordered",
}
HEADER_PREFIXES = {
    "boost/asio": "socket", "boost/beast": "socket", "boost/unordered": "unordered", "boost/random": "random",
    "boost/thread": "thread", "boost/filesystem": "stream", "absl/container/flat_hash": "unordered",
    "absl/container/node_hash": "unordered", "absl/hash/": "hash", "absl/random/": "random",
    "absl/synchronization/": "lock", "absl/time/": "clock", "absl/flags/": "environment", "absl/log/": "stream",
    "google/protobuf": "stream", "openssl/rand": "random", "tbb/": "thread", "sys/": "environment",
}
ADVICE = {rule: advice for rule, _, advice in BANS}

_KEYED = re.compile(r"\b(?:std\s*::\s*(?:multi)?(?:map|set)|(?:absl\s*::\s*)?btree_(?:multi)?(?:map|set)"
                    r"|(?:wt\s*::\s*)?LookupMap|std\s*::\s*less)\s*<")


def first_argument(code, position):
    """The first template argument that begins at `position`, right behind the '<'."""
    depth = 0
    for index in range(position, min(len(code), position + 400)):
        char = code[index]
        if char in "<([{":
            depth += 1
        elif char in ")]}" or (char == ">" and code[index - 1] != "-"):
            if depth == 0:
                return code[position:index]
            depth -= 1
        elif char == "," and depth == 0:
            return code[position:index]
    return ""


def _pointer_keys(source):
    for match in _KEYED.finditer(source.code):
        key = first_argument(source.code, match.end()).strip()
        if key.endswith(("*", "* const")) or re.match(r"(std\s*::\s*)?(shared_ptr|unique_ptr|coroutine_handle)\b", key):
            yield (source.line_of(match.start()), "pointer",
                   f"a container keyed by {' '.join(key.split())}: addresses differ in every run; use an id as the key")


# Where a banned thing is wrapped once for everybody, as (rule, beginning of the path).
WRAPPERS = [
    ("unordered", "sim/kernel/lookup_map.h"),  # the map without iteration
    ("thread", "sim/kernel/frame_pool"),       # one pool for each driver thread, never observable
    ("pointer", "sim/kernel/"),                # contexts of events; never compared
    ("float", "sim/kafka/wire/"),              # carries float64 fields of the protocol, decides nothing
]


def check(source):
    if not source.path.startswith("sim/"):
        return
    for finding in _findings(source):
        if not any(finding[1] == rule and source.path.startswith(path) for rule, path in WRAPPERS):
            yield finding


def _findings(source):
    for line, _, name in source.includes:
        rule = HEADERS.get(name)
        for prefix, prefix_rule in HEADER_PREFIXES.items():
            if rule is None and name.startswith(prefix):
                rule = prefix_rule
        if rule:
            yield line, rule, f"includes <{name}>: {ADVICE[rule]}"
    seen = set()
    for rule, pattern, advice in BANS:
        for match in pattern.finditer(source.code):
            line = source.line_of(match.start())
            written = source.lines[line - 1].lstrip()
            if (line, rule) not in seen and not written.startswith("#include"):
                seen.add((line, rule))
                yield line, rule, f"`{' '.join(match.group(0).split())}` in sim/: {advice}"
    yield from _pointer_keys(source)
