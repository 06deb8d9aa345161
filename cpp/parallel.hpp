/// Loops whose indices the threads of a pool share.
#pragma once

#include <cstddef>

#ifdef MHA_THREADS
#include <atomic>
#endif

namespace mha {

#ifdef MHA_THREADS

/// Threads that compute, the calling one included.
std::size_t threadCount();

/// Starts threads until `count` compute, the calling one included, or the system has no more. They sleep when
/// there is nothing to do and end with the program.
void startThreads(std::size_t count);

/// As threadCount(), but without the threads that the system has not brought up yet.
std::size_t runningThreads();

/// Whether a thread of the pool, or the calling one within an earlier loop, ended before its work was done.
/// Then nothing that this program holds can be relied on.
bool threadsAreLost();

/// @throws std::runtime_error when threads are lost
void requireThreads();

/// A loop under way: each thread draws the next index until none is left.
struct SharedLoop {
  /// Draws indices on thread number `thread` and calls `body` with them.
  void (*run)(SharedLoop& loop, std::size_t thread);
  const void* body;
  std::size_t count;
  std::atomic<std::size_t> next = 0;
};

/// Runs the loop on all threads, this one included, until every index is done. @throws what a body has thrown
/// on any of them, std::runtime_error when a thread was lost
void runOnAllThreads(SharedLoop& loop);

#else

/// Threads that compute.
constexpr std::size_t threadCount() { return 1; }

inline void requireThreads() {}

#endif

/// Calls body(index, thread) once for every index in [0, count), in any order, on up to threadCount()
/// threads, and returns when all are done. `thread` in [0, threadCount()) tells concurrent calls apart: what
/// they write apart from their own index's results, they write to memory of their own thread. What `body`
/// throws on any thread ends the loop and is thrown here. To be called from one thread at a time, and never
/// from within a body.
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
