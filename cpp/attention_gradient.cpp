#include "attention_gradient.hpp"

#include <algorithm>
#include <cassert>

#include "softmax.hpp"
#include "tensor.hpp"

namespace mha {
namespace {

/// Copies the rows (L,dim) of `count` heads to `to` (count·L,dim).
void gather(const Heads<const float>& heads, std::size_t b, std::size_t first, std::size_t count,
            std::size_t rows, std::size_t dim, float* to) {
  for (std::size_t h = first; h < first + count; ++h) {
    for (std::size_t i = 0; i < rows; ++i) to = std::copy_n(heads.at(b, h) + i * heads.row, dim, to);
  }
}

/// Copies the rows back from `from` (count·L,dim) to the heads: the reverse of gather().
void scatter(const float* from, const Heads<float>& heads, std::size_t b, std::size_t first,
             std::size_t count, std::size_t rows, std::size_t dim) {
  for (std::size_t h = first; h < first + count; ++h) {
    for (std::size_t i = 0; i < rows; ++i, from += dim) {
      std::copy_n(from, dim, heads.at(b, h) + i * heads.row);
    }
  }
}

/// Zeroes the rows of `rows` (keys,dim) whose key has weight 0 for all queries of `weights` (queries,keys).
void zeroUnattended(const float* weights, std::size_t queries, std::size_t keys, std::size_t dim,
                    float* rows) {
  for (std::size_t j = 0; j < keys; ++j) {
    bool attended = false;
    for (std::size_t i = 0; i < queries && !attended; ++i) attended = weights[i * keys + j] != 0.0F;
    if (!attended) std::fill_n(rows + j * dim, dim, 0.0F);
  }
}

/// Multiplies `grad` by the derivative of the soft cap at the capped scores `scaled`.
void softcapGradient(const float* scaled, std::size_t keys, float softcap, float* grad) {
  for (std::size_t j = 0; j < keys; ++j) {
    const float tanh = scaled[j] / softcap;
    if (grad[j] != 0.0F) grad[j] *= 1.0F - tanh * tanh;
  }
}

}  // namespace

void AttentionGradient::operator()(const AttentionSizes& sizes, const AttentionGradientInputs& from,
                                   const AttentionGradients& to) {
  const auto& [batch, heads, kvHeads, queries, keys, headDim, valueHeadDim] = sizes;
  assert(kvHeads > 0 && heads % kvHeads == 0);
  const std::size_t group = heads / kvHeads;
  const std::size_t rows = group * queries;
  float* query = query_.ensure(sizeOf({rows, headDim}));
  float* key = key_.ensure(sizeOf({keys, headDim}));
  float* value = value_.ensure(sizeOf({keys, valueHeadDim}));
  float* gradContext = gradContext_.ensure(sizeOf({rows, valueHeadDim}));
  float* gradQuery = gradQuery_.ensure(sizeOf({rows, headDim}));
  float* gradScores = gradScores_.ensure(sizeOf({rows, keys}));
  for (std::size_t b = 0; b < batch; ++b) {
    for (std::size_t kvHead = 0; kvHead < kvHeads; ++kvHead) {
      const std::size_t first = kvHead * group;
      const std::size_t map = (b * heads + first) * queries * keys;
      const float* softmaxWeights = from.softmaxWeights + map;
      const float* droppedWeights = from.droppedWeights + map;
      gather(from.inputs.query, b, first, group, queries, headDim, query);
      gather(from.gradContext, b, first, group, queries, valueHeadDim, gradContext);
      gather(from.inputs.key, b, kvHead, 1, keys, headDim, key);
      gather(from.inputs.value, b, kvHead, 1, keys, valueHeadDim, value);
      zeroUnattended(softmaxWeights, rows, keys, headDim, key);
      zeroUnattended(softmaxWeights, rows, keys, valueHeadDim, value);

      product_(keys, rows, valueHeadDim, {droppedWeights, keys, true}, {gradContext, valueHeadDim},
               to.value.at(b, kvHead), to.value.row);
      product_(rows, valueHeadDim, keys, {gradContext, valueHeadDim}, {value, valueHeadDim, true}, gradScores,
               keys);
      for (std::size_t i = 0; i < rows; ++i) {
        const std::size_t row = i * keys;
        softmaxGradientRow(softmaxWeights + row, droppedWeights + row, keys, from.scale, gradScores + row);
        if (from.scaled != nullptr) {
          softcapGradient(from.scaled + map + row, keys, from.softcap, gradScores + row);
        }
      }
      product_(rows, keys, headDim, {gradScores, keys}, {key, headDim}, gradQuery, headDim);
      scatter(gradQuery, to.query, b, first, group, queries, headDim);
      product_(keys, rows, headDim, {gradScores, keys, true}, {query, headDim}, to.key.at(b, kvHead),
               to.key.row);
    }
  }
}

}  // namespace mha
