#include "parallel.hpp"

#include <pthread.h>

#include <cstdint>

namespace mha {

namespace {

/// How often a thread looks for the next loop before it sleeps: for some 0.1 ms. Within a layer loop follows
/// loop, and to wake a thread takes the one that computes 10 to 20 µs.
constexpr int kLooksBeforeSleep = 50'000;

/// The number of threads inside the loop, and this bit while no other may come in.
constexpr std::uint32_t kClosed = 1U << 31;

/// The loop that stands open. A thread enters it through `gate`, so that neither is it taken away while a
/// thread reads it, nor need anybody wait for threads that come late: they find it closed, or the next one
/// open.
SharedLoop* current = nullptr;
std::atomic<std::uint32_t> gate = kClosed;

/// Counts the loops that were opened: what sleeping threads wait for.
std::atomic<std::uint32_t> opened = 0;
std::atomic<std::uint32_t> sleeping = 0;

std::size_t started = 1;
std::atomic<std::size_t> running = 1;

#ifdef __EMSCRIPTEN__
// std::atomic's wait() polls here, so that a pool without work would cost time for ever.
void waitOnce(std::atomic<std::uint32_t>& word, std::uint32_t value) {
  __builtin_wasm_memory_atomic_wait32(reinterpret_cast<int*>(&word), static_cast<int>(value), -1);
}
/// Through a pointer that no optimiser may look through: the baseline compiler of Node 20 forgets the local
/// variables of a function that holds this instruction, so it must not be inlined into one that has any.
void (*volatile waitWhile)(std::atomic<std::uint32_t>& word, std::uint32_t value) = waitOnce;
void wakeAll(std::atomic<std::uint32_t>& word) {
  __builtin_wasm_memory_atomic_notify(reinterpret_cast<int*>(&word), UINT32_MAX);
}
#else
void waitWhile(std::atomic<std::uint32_t>& word, std::uint32_t value) { word.wait(value); }
void wakeAll(std::atomic<std::uint32_t>& word) { word.notify_all(); }
#endif

/// Returns the number of opened loops when it is no longer `seen`.
std::uint32_t nextOpened(std::uint32_t seen) {
  for (int look = 0; look < kLooksBeforeSleep; ++look) {
    if (const std::uint32_t now = opened.load(std::memory_order_relaxed); now != seen) return now;
  }
  ++sleeping;
  std::uint32_t now = 0;
  while ((now = opened) == seen) waitWhile(opened, seen);
  --sleeping;
  return now;
}

/// Whether this thread is now inside the loop that stands open.
bool enter() {
  std::uint32_t inside = gate.load(std::memory_order_relaxed);
  while ((inside & kClosed) == 0) {
    if (gate.compare_exchange_weak(inside, inside + 1)) return true;
  }
  return false;
}

[[noreturn]] void* serve(void* /*unused*/) {
  const std::size_t thread = running++;
  for (std::uint32_t seen = 0;;) {
    seen = nextOpened(seen);
    if (!enter()) continue;
    current->run(*current, thread);
    --gate;
  }
}

}  // namespace

std::size_t threadCount() { return started; }

std::size_t runningThreads() { return running; }

void startThreads(std::size_t count) {
  // std::thread would bring a table of system errors, 12 KB compressed.
  for (pthread_t thread{}; started < count; ++started) {
    if (pthread_create(&thread, nullptr, serve, nullptr) != 0) return;
    pthread_detach(thread);
  }
}

void runOnAllThreads(SharedLoop& loop) {
  current = &loop;
  gate = 0;
  ++opened;
  // Ordered after the count: a thread that falls asleep without having seen it is seen here.
  if (sleeping != 0) wakeAll(opened);
  loop.run(loop, 0);
  // Every index is drawn; those inside are at their last. Not to be waited for asleep: a page's thread must
  // not.
  gate |= kClosed;
  while (gate != kClosed) {
  }
}

}  // namespace mha
