#include "models/linear_map.hpp"

#include <array>
#include <utility>

#include "parallel.hpp"
#include "wrong_argument.hpp"

namespace mha::models {
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
  if (linear_ || storage_ != WeightStorage::automatic || type == ElementType::f32) return false;
  if (half_ == nullptr) {
    const bool isHalf = type == ElementType::f16;
    half_ = std::make_unique<HalfMatrix>(isHalf ? HalfFormat::float16 : HalfFormat::bfloat16, in_, out_);
  }
  return half_->write(outputs, inputs, weight, outStride, inStride);
}

void LinearMap::writeWeight(ElementType type, const Linear::Features& outputs, const Linear::Features& inputs,
                            const float* weight, std::size_t outStride, std::size_t inStride) {
  if (writeHalves(type, outputs, inputs, weight, outStride, inStride)) return;
  Linear& linear = floats();
  linear.writeWeight(outputs, inputs, weight, outStride, inStride);
  unwritten_ -= std::min(unwritten_, outputs.count * inputs.count);
  if (storage_ == WeightStorage::int8 && unwritten_ == 0) {
    quantized_ = std::make_unique<QuantizedMatrix>(in_, out_, linear.packed());
    linear_.reset();
  }
}

void LinearMap::writeBias(const float* bias) {
  std::copy_n(bias, out_, bias_.data());
  if (linear_) linear_->writeBias(bias);
}

const CompressedMatrix& LinearMap::compressed() const {
  if (half_ != nullptr) return *half_;
  if (quantized_ != nullptr) return *quantized_;
  throw WrongArgument("weight", "be written before it is used");
}

void LinearMap::apply(std::size_t rows, const float* packedX, float* y) const {
  if (linear_) {
    linear_->apply(rows, packedX, y);
    return;
  }
  const CompressedMatrix& weight = compressed();
  parallelFor(bias_.size() / kGroupColumns, [&](std::size_t group, std::size_t /*thread*/) {
    const std::size_t column = group * kGroupColumns;
    gemm(rows, std::min(kGroupColumns, out_ - column), packedX, {weight, in_, group, bias_.data() + column},
         y + column, out_);
  });
}

void LinearMap::copyWeightRow(std::size_t output, float* row) const {
  if (linear_) {
    linear_->copyWeightRow(output, row);
    return;
  }
  const std::size_t column = output % kGroupColumns;
  std::array<float, kGroupColumns> values{};
  for (std::size_t i = 0; i < in_; ++i) {
    compressed().unpack(output / kGroupColumns, i, 1, values.data());
    row[i] = values[column];
  }
}

}  // namespace mha::models
