#include "parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace mha::parallel_test {

#ifdef MHA_THREADS
/// Runs all tests on several threads; in native builds on more than there may be processors.
class Threads : public testing::Environment {
 public:
  void SetUp() override {
#ifdef __EMSCRIPTEN__
    startThreads(2);
#else
    startThreads(4);
#endif
    while (runningThreads() < threadCount()) std::this_thread::yield();
  }
};
[[maybe_unused]] const testing::Environment* const threads = testing::AddGlobalTestEnvironment(new Threads);
#endif

/// How often each index was visited.
std::vector<int> visits(std::size_t count) {
  std::vector<int> visits(count);
  parallelFor(count, [&](std::size_t index, std::size_t) { ++visits[index]; });
  return visits;
}

TEST(Parallel, VisitsEveryIndexOnce) {
  for (const std::size_t count : {0, 1, 2, 3, 1000}) {
    EXPECT_EQ(visits(count), std::vector<int>(count, 1)) << count;
  }
}

TEST(Parallel, VisitsEveryIndexOnceInManyShortLoops) {
  for (std::size_t loop = 0; loop < 100'000; ++loop) {
    const std::size_t count = loop % 7;
    ASSERT_EQ(visits(count), std::vector<int>(count, 1)) << loop;
  }
}

TEST(Parallel, EachLoopSeesTheWritesOfThePreviousOne) {
  constexpr std::size_t kSize = 5;
  std::vector<std::size_t> values(kSize);
  std::vector<std::size_t> shifted(kSize);
  for (std::size_t loop = 0; loop < 50'000; ++loop) {
    parallelFor(kSize, [&](std::size_t i, std::size_t) { shifted[i] = values[(i + 1) % kSize] + 1; });
    parallelFor(kSize, [&](std::size_t i, std::size_t) { values[i] = shifted[(i + 1) % kSize]; });
  }
  EXPECT_EQ(values, std::vector<std::size_t>(kSize, 50'000));
}

TEST(Parallel, ThreadNumbersOfConcurrentCallsDiffer) {
  constexpr std::size_t kCount = 100'000;
  std::vector<std::size_t> sums(threadCount());
  parallelFor(kCount, [&](std::size_t index, std::size_t thread) { sums.at(thread) += index; });
  std::size_t total = 0;
  for (const std::size_t sum : sums) total += sum;
  EXPECT_EQ(total, kCount * (kCount - 1) / 2);
}

#ifdef MHA_THREADS
/// A loop that ends only if each thread takes one index.
void meet() {
  std::vector<int> came(threadCount());
  std::atomic<std::size_t> present = 0;
  parallelFor(threadCount(), [&](std::size_t, std::size_t thread) {
    ++came[thread];
    ++present;
    while (present < threadCount()) std::this_thread::yield();
  });
  ASSERT_EQ(came, std::vector<int>(threadCount(), 1));
}

TEST(Parallel, RunsOnAllThreadsAtOnce) {
  EXPECT_GT(threadCount(), 1);
  for (int loop = 0; loop < 100; ++loop) meet();
}

/// A loop in which `thrower` throws while all other threads are inside and need some time to finish.
void throwOn(std::size_t thrower, std::atomic<std::size_t>& inside) {
  std::atomic<std::size_t> present = 0;
  parallelFor(1000, [&](std::size_t, std::size_t thread) {
    ++inside;
    ++present;
    while (present < threadCount()) std::this_thread::yield();
    if (thread != thrower) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --inside;
    if (thread == thrower) throw std::out_of_range("thread " + std::to_string(thread));
  });
}

TEST(Parallel, RethrowsAnExceptionOfAnyThreadAfterAllHaveLeft) {
  for (int round = 0; round < 20; ++round) {
    for (std::size_t thrower = 0; thrower < threadCount(); ++thrower) {
      std::atomic<std::size_t> inside = 0;
      std::string message;
      try {
        throwOn(thrower, inside);
      } catch (const std::out_of_range& error) {
        message = error.what();
      }
      ASSERT_EQ(inside, 0U);
      ASSERT_EQ(message, "thread " + std::to_string(thrower));
      ASSERT_FALSE(threadsAreLost());
      meet();
    }
  }
}

TEST(Parallel, WakesEveryThreadThatFellAsleep) {
  for (int loop = 0; loop < 100; ++loop) {
    // Up to 100 µs: about as long as threads spin before they sleep.
    std::this_thread::sleep_for(std::chrono::microseconds(loop));
    meet();
  }
}
#endif

}  // namespace mha::parallel_test
