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

/// Iterations of the spin loop in which a thread waits for the next loop before it sleeps: about 0.1 ms. The
/// loops of a layer follow each other closely, and waking a thread costs the calling one 10 to 20 µs.
constexpr int kSpinIterations = 50'000;

/// This bit of `gate` is set while no thread may enter the current loop.
constexpr std::uint32_t kClosed = 1U << 31;

/// The current loop. `gate` counts the threads inside it. Threads enter by incrementing the gate while it is
/// open, so the loop is not destroyed while one of them uses it, and a thread that comes too late is not
/// waited for: it finds the gate closed, or open for the next loop.
SharedLoop* current = nullptr;
std::atomic<std::uint32_t> gate = kClosed;

/// The number of loops so far: sleeping threads wait until it changes.
std::atomic<std::uint32_t> loopCount = 0;
std::atomic<std::uint32_t> sleeping = 0;

std::size_t started = 1;
std::atomic<std::size_t> running = 1;

/// The first exception that a thread of the pool met in the current loop.
std::exception_ptr failure;
std::atomic<bool> failed = false;

/// Whether a thread of the pool died. Never reset: its unfinished writes cannot be repaired.
std::atomic<bool> lost = false;

/// Whether this thread of the pool is inside a loop.
thread_local bool insideLoop = false;

using Function = void (*)();

#ifdef __EMSCRIPTEN__
// Emscripten's std::atomic::wait() polls: an idle pool would use processor time all the while.
void waitOnce(std::atomic<std::uint32_t>& word, std::uint32_t value) {
  __builtin_wasm_memory_atomic_wait32(reinterpret_cast<int*>(&word), static_cast<int>(value), -1);
}
/// Called through a volatile pointer so that it is never inlined: V8's baseline compiler in Node 20 loses the
/// local variables of a function that contains memory.atomic.wait32.
void (*volatile waitWhileEqual)(std::atomic<std::uint32_t>& word, std::uint32_t value) = waitOnce;
void wakeAll(std::atomic<std::uint32_t>& word) {
  __builtin_wasm_memory_atomic_notify(reinterpret_cast<int*>(&word), UINT32_MAX);
}

/// Calls `serve`, and `onExit` if that traps, which only JavaScript can catch. The error is rethrown to the
/// worker's error handlers.
// clang-format off
EM_JS_DEPS(parallel, "$getWasmTableEntry");
EM_JS(void, callWithExitHandler, (Function serve, Function onExit), {
  try {
    getWasmTableEntry(serve)();
  } catch (error) {
    getWasmTableEntry(onExit)();
    throw error;
  }
});
// clang-format on

/// How long to wait for threads that still compute their last index of a loop, in milliseconds. The largest
/// tensors that fit into memory take seconds per index.
constexpr double kLongestWait = 60'000;

/// Waits until no thread is inside the closed gate; false after kLongestWait. The time limit is needed
/// because a terminated worker sends no event, and a blocked main thread would not receive it.
bool waitUntilEmpty() {
  double last = 0;
  double waited = 0;
  for (std::uint32_t iterations = 1; gate != kClosed; ++iterations) {
    if (iterations % 4096 != 0) continue;
    const double now = emscripten_get_now();
    // At most 100 ms per check: the time that the machine slept or the page was frozen does not count.
    waited += std::min(now - last, 100.0);
    last = now;
    if (waited > kLongestWait) return false;
  }
  return true;
}
#else
void waitWhileEqual(std::atomic<std::uint32_t>& word, std::uint32_t value) { word.wait(value); }
void wakeAll(std::atomic<std::uint32_t>& word) { word.notify_all(); }

/// In native builds, a trap ends the whole program.
void callWithExitHandler(Function serve, Function /*onExit*/) { serve(); }

bool waitUntilEmpty() {
  while (gate != kClosed) {
  }
  return true;
}
#endif

/// Waits until loopCount differs from `seen`, and returns it: first spins, then sleeps.
std::uint32_t waitForLoop(std::uint32_t seen) {
  for (int iteration = 0; iteration < kSpinIterations; ++iteration) {
    if (const std::uint32_t now = loopCount.load(std::memory_order_relaxed); now != seen) return now;
  }
  ++sleeping;
  std::uint32_t now = 0;
  while ((now = loopCount) == seen) waitWhileEqual(loopCount, seen);
  --sleeping;
  return now;
}

/// Enters the current loop, unless it is closed.
bool tryEnter() {
  std::uint32_t threads = gate.load(std::memory_order_relaxed);
  while ((threads & kClosed) == 0) {
    if (gate.compare_exchange_weak(threads, threads + 1)) return true;
  }
  return false;
}

[[noreturn]] void serve() {
  const std::size_t thread = running++;
  for (std::uint32_t seen = 0;;) {
    seen = waitForLoop(seen);
    if (!tryEnter()) continue;
    insideLoop = true;
    try {
      current->run(*current, thread);
    } catch (...) {
      if (!failed.exchange(true)) failure = std::current_exception();
      current->next = current->count;
    }
    insideLoop = false;
    --gate;
  }
}

/// Marks the pool as lost and leaves the loop, so that the calling thread does not wait for this one.
void onExit() {
  lost = true;
  if (std::exchange(insideLoop, false)) --gate;
}

void* start(void* /*unused*/) {
  callWithExitHandler(serve, onExit);
  return nullptr;
}

/// Opens the loop to all threads; closes it in the destructor, also after exceptions: those of C++, and those
/// of JavaScript that a WeightsSink raises on the calling thread.
class OpenLoop {
 public:
  explicit OpenLoop(SharedLoop& loop) {
    failed = false;
    failure = nullptr;
    current = &loop;
    gate = 0;
    ++loopCount;
    // Both operations are sequentially consistent: a thread that has missed the new count is in `sleeping`.
    if (sleeping != 0) wakeAll(loopCount);
  }
  OpenLoop(const OpenLoop&) = delete;
  OpenLoop& operator=(const OpenLoop&) = delete;

  ~OpenLoop() {
    current->next = current->count;
    // Threads inside the loop finish their last index. Wait by spinning: a page's main thread must not sleep.
    gate |= kClosed;
    if (!waitUntilEmpty()) lost = true;
    current = nullptr;
  }
};

}  // namespace

std::size_t threadCount() { return started; }

std::size_t runningThreads() { return running; }

void startThreads(std::size_t count) {
  // std::thread would link a table of system errors, 12 KB compressed.
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
