// Memory of coroutine frames: free lists by size, off under sanitizers so that they see every use
// after free.
#pragma once

#include <cstddef>

namespace wt {

void* allocate_frame(std::size_t size_bytes);
void free_frame(void* frame, std::size_t size_bytes) noexcept;

}  // namespace wt
