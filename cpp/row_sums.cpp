#include "row_sums.hpp"

#include <algorithm>
#include <array>

namespace mha {
namespace {

/// The number of columns summed at a time: their sums fit into the L1 cache.
constexpr std::size_t kColumns = 64;

/// Adds Σ term(i, j) over i < rows to sums[j], for j < width.
template <class Term>
void addTerms(std::size_t rows, std::size_t width, float* sums, const Term& term) {
  for (std::size_t first = 0; first < width; first += kColumns) {
    const std::size_t count = std::min(kColumns, width - first);
    std::array<double, kColumns> totals{};
    std::copy_n(sums + first, count, totals.begin());
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < count; ++j) totals[j] += term(i, first + j);
    }
    for (std::size_t j = 0; j < count; ++j) sums[first + j] = static_cast<float>(totals[j]);
  }
}

}  // namespace

void addRows(std::size_t rows, std::size_t width, const float* x, std::size_t stride, float* sums) {
  addTerms(rows, width, sums, [=](std::size_t i, std::size_t j) -> double { return x[i * stride + j]; });
}

void addRowProducts(std::size_t rows, std::size_t width, const float* x, const float* y, float* sums) {
  addTerms(rows, width, sums, [=](std::size_t i, std::size_t j) {
    return static_cast<double>(x[i * width + j]) * y[i * width + j];
  });
}

}  // namespace mha
