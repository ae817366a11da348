"""Who may include whom: layers downwards only, public headers stand alone."""
import re

# A folder of sim/ may include folders of a smaller rank, and itself.
RANKS = {
    "kernel": 0, "faults": 1, "formats": 2, "network": 3,
    "metadata": 4, "objects": 4, "ledgers": 4,
    "stream": 5, "controller": 6, "broker": 7,
    "registry": 8, "kafka": 8, "pulsar": 8, "clients": 8,
    "cluster": 9,
}
# Within a rank: nobody includes a neighbour, except these.
NEIGHBOURS = {"clients": {"kafka", "pulsar", "registry"}, "kafka": {"registry"}, "pulsar": {"registry"}}

STD_CPP = set("""algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat charconv chrono
cinttypes climits clocale cmath codecvt compare complex concepts condition_variable coroutine csetjmp csignal
cstdarg cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype deque exception execution filesystem
format forward_list fstream functional future initializer_list iomanip ios iosfwd iostream istream iterator
latch limits list locale map memory memory_resource mutex new numbers numeric optional ostream queue random
ranges ratio regex scoped_allocator semaphore set shared_mutex source_location span sstream stack stdexcept
stop_token streambuf string string_view strstream syncstream system_error thread tuple type_traits typeindex
typeinfo unordered_map unordered_set utility valarray variant vector version
stddef.h stdint.h stdbool.h stdlib.h string.h""".split())
# Standard headers that C++17 does not have: a public header is read by C++17 compilers.
CPP20 = set("""barrier bit compare concepts coroutine format latch numbers ranges semaphore source_location span
stop_token syncstream version""".split())


def _layer(path):
    """("sim", folder), ("harness", folder), ("include", "") or None for tests and the rest."""
    parts = path.split("/")
    if parts[0] in ("sim", "harness") and len(parts) > 2:
        return parts[0], parts[1]
    if parts[0] == "include":
        return "include", ""
    return None


def _check_sim(folder, name):
    target = _layer(name)
    if name.startswith(("wavetank/", "include/")):
        return "sim/ does not know the public API; translate in harness/embed"
    if target is None:
        return None
    if target[0] == "harness":
        return "sim/ never includes harness/; let harness pass the value or the callback in"
    own, other = RANKS.get(folder), RANKS.get(target[1])
    if own is None or other is None:
        unknown = folder if own is None else target[1]
        return f"sim/{unknown} has no place among the layers; give it a rank in tests/source/rules/layers.py"
    if folder == target[1] or other < own or target[1] in NEIGHBOURS.get(folder, ()):
        return None
    if other == own:
        return f"sim/{folder} and sim/{target[1]} are neighbours and do not include each other; move what both need below"
    return f"sim/{folder} lies below sim/{target[1]}; turn the dependency round or move the shared part down"


def _check_public(path, quote, name):
    if name in STD_CPP:
        if name in CPP20:
            return f"<{name}> is not in C++17, which public headers keep to"
        return None
    if name.startswith("wavetank/") or (quote == '"' and "/" not in name):
        return None
    return "a public header includes only standard and public headers; hide the rest behind the pimpl"


def check(source):
    layer = _layer(source.path)
    if layer is None:
        return
    for line, quote, name in source.includes:
        message = None
        if layer[0] == "include":
            message = _check_public(source.path, quote, name)
        elif layer[0] == "sim":
            message = _check_sim(layer[1], name)
        if message:
            yield line, "layers", f"includes {name}: {message}"
        elif quote == '"' and name.startswith(("../", "./")):
            yield line, "layers", f"includes {name}: write the path from the root of the repository"
