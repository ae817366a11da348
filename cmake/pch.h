// The standard and Abseil headers that nearly every file needs, compiled once.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <coroutine>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
