#include "models/parameters.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "wrong_argument.hpp"

namespace mha::models {
namespace {

/// IEEE 754 binary16 → float32. A subnormal is an integer times 2⁻²⁴.
float fromHalf(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16U;
  const std::uint32_t exponent = (half >> 10U) & 0x1FU;
  const std::uint32_t fraction = half & 0x3FFU;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
  }
  const std::uint32_t wide = exponent == 0x1F ? 0xFFU : exponent + 112;
  return std::bit_cast<float>(sign | (wide << 23U) | (fraction << 13U));
}

std::uint16_t halfAt(const std::uint8_t* bytes, std::size_t i) {
  std::uint16_t half = 0;
  std::memcpy(&half, bytes + 2 * i, 2);
  return half;
}

}  // namespace

std::size_t bytesOf(ElementType type) {
  if (type == ElementType::i8) return 1;
  return type == ElementType::f32 ? 4 : 2;
}

void widen(ElementType type, const std::uint8_t* bytes, std::size_t count, float* values) {
  switch (type) {
    case ElementType::f32:
      std::memcpy(values, bytes, 4 * count);
      return;
    case ElementType::f16:
      for (std::size_t i = 0; i < count; ++i) values[i] = fromHalf(halfAt(bytes, i));
      return;
    case ElementType::bf16:
      for (std::size_t i = 0; i < count; ++i) {
        values[i] = std::bit_cast<float>(static_cast<std::uint32_t>(halfAt(bytes, i)) << 16U);
      }
      return;
    case ElementType::i8:
      for (std::size_t i = 0; i < count; ++i) values[i] = std::bit_cast<std::int8_t>(bytes[i]);
      return;
  }
}

void Parameters::addLinear(const std::string& name, LinearMap& linear) {
  targets_[name + ".weight"] = {.linear = &linear};
  targets_[name + ".bias"] = {.linear = &linear, .part = Part::bias};
  targets_[name + ".scale"] = {.linear = &linear, .part = Part::scale};
}

void Parameters::addVector(const std::string& name, std::vector<float>& vector, float offset) {
  targets_[name] = {.vector = &vector, .offset = offset};
}

void Parameters::addMatrix(const std::string& name, std::vector<float>& matrix, std::size_t columns) {
  targets_[name] = {.vector = &matrix, .columns = columns};
}

std::map<std::string, Shape> Parameters::shapes() const {
  std::map<std::string, Shape> shapes;
  for (const auto& [name, target] : targets_) {
    if (target.columns > 0) {
      shapes[name] = {target.vector->size() / target.columns, target.columns};
    } else if (target.vector != nullptr) {
      shapes[name] = {target.vector->size()};
    } else if (target.part == Part::weight) {
      shapes[name] = {target.linear->outFeatures(), target.linear->inFeatures()};
    } else {
      shapes[name] = {target.linear->outFeatures()};
    }
  }
  return shapes;
}

Tensor Parameters::read(const std::string& name) const {
  const auto found = targets_.find(name);
  if (found == targets_.end() || found->second.part == Part::scale) {
    throw WrongArgument(name, "be a parameter of this model");
  }
  const Target& target = found->second;
  Tensor values = allocate(shapes().at(name));
  if (target.vector != nullptr) {
    std::ranges::transform(*target.vector, values.data(), [&](float value) { return value - target.offset; });
  } else if (target.part == Part::bias) {
    target.linear->copyBias(values.data());
  } else {
    const std::size_t columns = target.linear->inFeatures();
    for (std::size_t o = 0; o < target.linear->outFeatures(); ++o) {
      target.linear->copyWeightRow(o, values.data() + o * columns);
    }
  }
  return values;
}

void Parameters::write(const std::string& name, const Piece& piece) {
  const auto found = targets_.find(name);
  if (found == targets_.end()) throw WrongArgument(name, "be a parameter of this model");
  const Target& target = found->second;
  const Shape shape = shapes().at(name);
  const bool isMatrix = shape.size() == 2;
  // What a row of the piece holds of the parameter: a row of a matrix, a column of a transposed one, all of a
  // vector.
  const std::size_t across = isMatrix ? shape[piece.transposed ? 0 : 1] : shape[0];
  const std::size_t down = isMatrix ? shape[piece.transposed ? 1 : 0] : 1;
  if (target.columns > 0 && piece.transposed) throw WrongArgument(name, "be stored as it is used");
  if (piece.firstColumn + across > piece.columns || piece.firstRow + piece.rows > down) {
    throw WrongArgument(name, "hold " + toText(shape) + " values, got a piece that does not fit");
  }
  std::vector<float> values(sizeOf({piece.rows, piece.columns}));
  widen(piece.type, piece.bytes, values.size(), values.data());
  const float* first = values.data() + piece.firstColumn;
  if (target.vector != nullptr) {
    float* rows = target.vector->data() + piece.firstRow * across;
    for (std::size_t i = 0; i < piece.rows; ++i) {
      for (std::size_t j = 0; j < across; ++j) {
        rows[i * across + j] = first[i * piece.columns + j] + target.offset;
      }
    }
  } else if (target.part == Part::bias) {
    target.linear->writeBias(first);
  } else if (target.part == Part::scale) {
    target.linear->writeScale(first);
  } else if (piece.transposed) {
    target.linear->writeWeight(piece.type, {0, across}, {piece.firstRow, piece.rows}, first, 1,
                               piece.columns);
  } else {
    target.linear->writeWeight(piece.type, {piece.firstRow, piece.rows}, {0, across}, first, piece.columns,
                               1);
  }
}

}  // namespace mha::models
