#include "parallel.hpp"

#include <pthread.h>

#include <cstdint>
#include <exception>
#include <stdexcept>
#include <utility>

#ifdef __EMSCRIPTEN__
#include <emscripten/em_js.h>
#include <emscripten/emscripten.h>

#include <algorithm>
#endif

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

/// The first exception that a thread of the pool met in this loop.
std::exception_ptr failure;
std::atomic<bool> failed = false;

/// A thread of the pool ended: set for good, as nobody knows what it left half done.
std::atomic<bool> lost = false;

/// Whether this thread of the pool is inside a loop.
thread_local bool inside = false;

using Function = void (*)();

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

/// Calls `serve`, and `end` if that traps, which only JavaScript sees. The error goes on to whoever listens
/// to the worker.
// clang-format off
EM_JS_DEPS(parallel, "$getWasmTableEntry");
EM_JS(void, callToTheEnd, (Function serve, Function end), {
  try {
    getWasmTableEntry(serve)();
  } catch (error) {
    getWasmTableEntry(end)();
    throw error;
  }
});
// clang-format on

/// How long threads that are at their last index are waited for, in milliseconds: the largest tensors that
/// fit into memory take seconds per index.
constexpr double kLongestWait = 60'000;

/// Waits until no thread is inside the closed gate; false if that takes too long. A worker that was
/// terminated says nothing, and a page's thread that waits hears nothing.
bool othersLeave() {
  double last = 0;
  double waited = 0;
  for (std::uint32_t looks = 1; gate != kClosed; ++looks) {
    if (looks % 4096 != 0) continue;
    const double now = emscripten_get_now();
    // A machine that slept, or a page that was frozen, held the others up for as long.
    waited += std::min(now - last, 100.0);
    last = now;
    if (waited > kLongestWait) return false;
  }
  return true;
}
#else
void waitWhile(std::atomic<std::uint32_t>& word, std::uint32_t value) { word.wait(value); }
void wakeAll(std::atomic<std::uint32_t>& word) { word.notify_all(); }

/// A thread that ends against its will takes the program with it.
void callToTheEnd(Function serve, Function /*end*/) { serve(); }

bool othersLeave() {
  while (gate != kClosed) {
  }
  return true;
}
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

[[noreturn]] void serve() {
  const std::size_t thread = running++;
  for (std::uint32_t seen = 0;;) {
    seen = nextOpened(seen);
    if (!enter()) continue;
    inside = true;
    try {
      current->run(*current, thread);
    } catch (...) {
      if (!failed.exchange(true)) failure = std::current_exception();
      current->next = current->count;
    }
    inside = false;
    --gate;
  }
}

/// What is left to do for a thread that ends: others wait for it.
void end() {
  lost = true;
  if (std::exchange(inside, false)) --gate;
}

void* start(void* /*unused*/) {
  callToTheEnd(serve, end);
  return nullptr;
}

/// While it lives, the loop stands open to all threads. Errors end it too: C++ exceptions, and JavaScript's
/// when the calling thread hands results over.
class OpenLoop {
 public:
  explicit OpenLoop(SharedLoop& loop) {
    failed = false;
    failure = nullptr;
    current = &loop;
    gate = 0;
    ++opened;
    // Ordered after the count: a thread that falls asleep without having seen it is seen here.
    if (sleeping != 0) wakeAll(opened);
  }
  OpenLoop(const OpenLoop&) = delete;
  OpenLoop& operator=(const OpenLoop&) = delete;

  ~OpenLoop() {
    current->next = current->count;
    // Those inside are at their last. Not to be waited for asleep: a page's thread must not.
    gate |= kClosed;
    if (!othersLeave()) lost = true;
    current = nullptr;
  }
};

}  // namespace

std::size_t threadCount() { return started; }

std::size_t runningThreads() { return running; }

void startThreads(std::size_t count) {
  // std::thread would bring a table of system errors, 12 KB compressed.
  for (pthread_t thread{}; started < count; ++started) {
    if (pthread_create(&thread, nullptr, start, nullptr) != 0) return;
    pthread_detach(thread);
  }
}

bool threadsAreLost() { return lost || current != nullptr; }

void requireThreads() {
  if (threadsAreLost()) {
    throw std::runtime_error(
        "a thread of this module ended in the middle of its work: load() gives a new module");
  }
}

void runOnAllThreads(SharedLoop& loop) {
  {
    const OpenLoop open(loop);
    loop.run(loop, 0);
  }
  requireThreads();
  if (failed) std::rethrow_exception(failure);
}

}  // namespace mha
