/// Work that several threads share.
#pragma once

#include <cstddef>

namespace mha {

inline std::size_t threadCount() { return 1; }

template <class Body>
void parallelFor(std::size_t count, const Body& body) {
  for (std::size_t index = 0; index < count; ++index) body(index, std::size_t{0});
}

}  // namespace mha
