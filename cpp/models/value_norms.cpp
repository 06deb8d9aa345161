#include "models/value_norms.hpp"

#include <cmath>

#include "sizes.hpp"

namespace mha::models {

void ValueNorms::operator()(const AttentionSizes& sizes, const Heads<const float>& values,
                            const std::vector<float>& weight, float* norms) {
  const std::size_t dim = sizes.valueHeadDim;
  const std::size_t width = sizes.heads * dim;
  const std::size_t out = weight.size() / width;
  vectors_.resize(sizeOf({sizes.keys, out}));
  for (std::size_t b = 0; b < sizes.batch; ++b) {
    for (std::size_t h = 0; h < sizes.heads; ++h) {
      const std::size_t kvHead = h / (sizes.heads / sizes.kvHeads);
      product_(sizes.keys, dim, out, {values.at(b, kvHead), values.row},
               {weight.data() + h * dim, width, true}, vectors_.data(), out);
      for (std::size_t j = 0; j < sizes.keys; ++j) {
        double squares = 0.0;
        for (std::size_t e = 0; e < out; ++e) {
          const double value = vectors_[j * out + e];
          squares += value * value;
        }
        *norms++ = static_cast<float>(std::sqrt(squares));
      }
    }
  }
}

}  // namespace mha::models
