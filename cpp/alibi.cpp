#include "alibi.hpp"

#include <bit>
#include <cmath>
#include <numbers>

namespace mha {
namespace {

/// Returns 2^(−8·rank/n); powers of two are exact in float32. std::exp2 would take more bytes of the binary.
float slope(std::size_t rank, std::size_t n) {
  return static_cast<float>(
      std::exp(-8.0 * std::numbers::ln2 * static_cast<double>(rank) / static_cast<double>(n)));
}

}  // namespace

std::vector<float> alibiSlopes(std::size_t heads) {
  const std::size_t power = std::bit_floor(heads);
  std::vector<float> slopes;
  slopes.reserve(heads);
  for (std::size_t h = 0; h < power; ++h) slopes.push_back(slope(h + 1, power));
  for (std::size_t h = 0; h < heads - power; ++h) slopes.push_back(slope(2 * h + 1, 2 * power));
  return slopes;
}

void addAlibi(float* scores, std::size_t begin, std::size_t end, float slope, std::ptrdiff_t position) {
  const auto here = static_cast<float>(position);
  for (std::size_t j = begin; j < end; ++j) *scores++ -= slope * std::abs(here - static_cast<float>(j));
}

}  // namespace mha
