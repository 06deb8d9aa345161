/// Parallel loops over a pool of threads.
#pragma once

#include <cstddef>

#ifdef MHA_THREADS
#include <atomic>
#endif

namespace mha {

#ifdef MHA_THREADS

/// The size of the pool, the calling thread included.
std::size_t threadCount();

/// Starts threads until the pool, the calling thread included, has `count` or the system refuses another.
/// They sleep while there is no loop, and end with the program.
void startThreads(std::size_t count);

/// The size of the pool without the threads that were started but do not run yet.
std::size_t runningThreads();

/// Whether a thread died inside a loop: one of the pool, or the calling one in an earlier loop. The state of
/// the program is then undefined.
bool threadsAreLost();

/// @throws std::runtime_error if threadsAreLost()
void requireThreads();

/// A running loop: each thread takes the next index until none is left.
struct SharedLoop {
  /// Takes indices and calls `body` with them, on thread number `thread`.
  void (*run)(SharedLoop& loop, std::size_t thread);
  const void* body;
  std::size_t count;
  std::atomic<std::size_t> next = 0;
};

/// Runs the loop on all threads, this one included, and returns when every index is done. @throws the first
/// exception of a body on any thread; std::runtime_error if a thread died
void runOnAllThreads(SharedLoop& loop);

#else

constexpr std::size_t threadCount() { return 1; }

inline void requireThreads() {}

#endif

/// Calls body(index, thread) once for every index in [0, count), in any order, on up to threadCount()
/// threads, and returns when all calls have. Concurrent calls have different `thread` numbers, from 0 to
/// threadCount() − 1, by which a body picks its own scratch buffers. An exception of `body` on any thread
/// ends the loop and is rethrown here. Must not be called from two threads at once, nor from a body.
template <class Body>
void parallelFor(std::size_t count, const Body& body) {
#ifdef MHA_THREADS
  if (count > 1 && threadCount() > 1) {
    SharedLoop loop = {.run =
                           [](SharedLoop& shared, std::size_t thread) {
                             const auto& call = *static_cast<const Body*>(shared.body);
                             for (std::size_t index = 0; (index = shared.next++) < shared.count;) {
                               call(index, thread);
                             }
                           },
                       .body = &body,
                       .count = count};
    runOnAllThreads(loop);
    return;
  }
#endif
  for (std::size_t index = 0; index < count; ++index) body(index, std::size_t{0});
}

}  // namespace mha
