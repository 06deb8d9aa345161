#include "models/linear_map.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "elementwise.hpp"
#include "parallel.hpp"
#include "wrong_argument.hpp"

namespace mha::models {
void MapInput::set(std::size_t rows, std::size_t width, const float* x) {
  rows_ = rows;
  width_ = width;
  x_ = x;
  packed_ = nullptr;
  isScaled_ = false;
  isQuantized_ = false;
}

const float* MapInput::packed() {
  if (packed_ == nullptr) packed_ = pack_(rows_, width_, x_);
  return packed_;
}

const float* MapInput::packedForHalves() {
  if (!isScaled_) {
    const float* x = packed();
    scaled_.assign(x, x + rows_ * width_);
    scaleBy(scaled_.data(), scaled_.size(), simd::kHalfUnit);
    isScaled_ = true;
    // What is not finite overflows, too.
    const bool fits = std::ranges::all_of(scaled_, [](float value) { return std::abs(value) < 0x1p127F; });
    if (!fits) scaled_.clear();
  }
  return scaled_.empty() ? nullptr : scaled_.data();
}

const QuantizedRows& MapInput::quantized() {
  if (!isQuantized_) quantizedRows_.quantize(rows_, width_, x_);
  isQuantized_ = true;
  return quantizedRows_;
}

LinearMap::LinearMap(std::size_t inFeatures, std::size_t outFeatures, WeightStorage storage)
    : in_(inFeatures),
      out_(outFeatures),
      storage_(storage),
      unwritten_(sizeOf({inFeatures, outFeatures})),
      bias_(wholeGroups(outFeatures)) {
  if (storage == WeightStorage::float32) linear_.emplace(in_, out_);
}

/// The weight in float32, with what has been written.
Linear& LinearMap::floats() {
  if (linear_) return *linear_;
  Linear floats(in_, out_);
  floats.writeBias(bias_.data());
  std::vector<float> row(in_);
  for (std::size_t o = 0; o < out_ && half_ != nullptr; ++o) {
    copyWeightRow(o, row.data());
    floats.writeWeight({o, 1}, {0, in_}, row.data(), in_, 1);
  }
  half_.reset();
  return linear_.emplace(std::move(floats));
}

/// Writes what may be kept in 16 bits; false if float32 is needed.
bool LinearMap::writeHalves(ElementType type, const Linear::Features& outputs, const Linear::Features& inputs,
                            const float* weight, std::size_t outStride, std::size_t inStride) {
  const bool isHalf = type == ElementType::f16 || type == ElementType::bf16;
  if (linear_ || storage_ != WeightStorage::automatic || !isHalf) return false;
  if (half_ == nullptr) {
    const HalfFormat format = type == ElementType::f16 ? HalfFormat::float16 : HalfFormat::bfloat16;
    half_ = std::make_unique<HalfMatrix>(format, in_, out_);
  }
  return half_->write(outputs, inputs, weight, outStride, inStride);
}

void LinearMap::writeWeight(ElementType type, const Linear::Features& outputs, const Linear::Features& inputs,
                            const float* weight, std::size_t outStride, std::size_t inStride) {
  if (writeHalves(type, outputs, inputs, weight, outStride, inStride)) return;
  floats().writeWeight(outputs, inputs, weight, outStride, inStride);
  unwritten_ -= std::min(unwritten_, outputs.count * inputs.count);
  isWhole_ = type == ElementType::i8;
  finish();
}

void LinearMap::writeScale(const float* scale) {
  scale_.assign(scale, scale + out_);
  finish();
}

/// Gives a weight that has been written as a whole the form in which it is kept.
void LinearMap::finish() {
  if (!linear_ || unwritten_ > 0 || (isWhole_ && scale_.empty())) return;
  if (storage_ == WeightStorage::int8 || (isWhole_ && storage_ == WeightStorage::automatic)) {
    quantized_ =
        std::make_unique<QuantizedMatrix>(in_, out_, linear_->packed(), isWhole_ ? scale_.data() : nullptr);
    linear_.reset();
  } else if (isWhole_) {
    std::vector<float> row(in_);
    for (std::size_t o = 0; o < out_; ++o) {
      linear_->copyWeightRow(o, row.data());
      scaleBy(row.data(), in_, scale_[o]);
      linear_->writeWeight({o, 1}, {0, in_}, row.data(), in_, 1);
    }
    isWhole_ = false;
  }
}

void LinearMap::writeBias(const float* bias) {
  std::copy_n(bias, out_, bias_.data());
  if (linear_) linear_->writeBias(bias);
}

void LinearMap::apply(MapInput& x, float* y) const {
  if (linear_) {
    linear_->apply(x.rows_, x.packed(), y);
    return;
  }
  const auto forGroups = [&](const auto& multiply) {
    parallelFor(bias_.size() / kGroupColumns, [&](std::size_t group, std::size_t /*thread*/) {
      const std::size_t column = group * kGroupColumns;
      multiply(group, column, std::min(kGroupColumns, out_ - column), bias_.data() + column);
    });
  };
  if (quantized_ != nullptr) {
    const QuantizedRows& rows = x.quantized();
    forGroups([&](std::size_t, std::size_t column, std::size_t, const float* bias) {
      quantized_->multiply(rows, column, bias, y);
    });
    return;
  }
  if (half_ == nullptr) throw WrongArgument("weight", "be written before it is used");
  const float* packed = x.packed();
  if (const float* a = half_->format() == HalfFormat::float16 ? x.packedForHalves() : packed; a != nullptr) {
    forGroups([&](std::size_t group, std::size_t column, std::size_t count, const float* bias) {
      gemm(x.rows_, count, a, half_->group(group, bias), y + column, out_);
    });
    return;
  }
  // Slow, for numbers that no trained model computes.
  forGroups([&](std::size_t, std::size_t column, std::size_t count, const float* bias) {
    std::vector<float> b(packedSize(in_, count));
    for (std::size_t j = 0; j < count; ++j) {
      b[packedIndex(in_, -1, j)] = bias[j];
      for (std::size_t i = 0; i < in_; ++i) {
        b[packedIndex(in_, static_cast<std::ptrdiff_t>(i), j)] = half_->at(i, column + j);
      }
    }
    gemm(x.rows_, count, packed, {b.data(), in_, 0, in_}, y + column, out_);
  });
}

void LinearMap::copyWeightRow(std::size_t output, float* row) const {
  if (linear_) {
    linear_->copyWeightRow(output, row);
    return;
  }
  for (std::size_t i = 0; i < in_; ++i) {
    row[i] = half_ != nullptr ? half_->at(i, output) : quantized_->at(i, output);
  }
}

}  // namespace mha::models
