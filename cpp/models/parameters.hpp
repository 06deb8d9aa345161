/// Parameters of a model by name, written piece by piece as a file arrives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/linear_map.hpp"
#include "tensor.hpp"

namespace mha::models {

std::size_t bytesOf(ElementType type);

/// `count` numbers as float32, exactly.
void widen(ElementType type, const std::uint8_t* bytes, std::size_t count, float* values);

/// Some rows of a matrix (…,columns) of a file, of which the columns from `firstColumn` on are read.
struct Piece {
  ElementType type = ElementType::f32;
  const std::uint8_t* bytes = nullptr;  // (rows,columns)
  std::size_t rows = 1;
  std::size_t columns = 0;
  std::size_t firstColumn = 0;
  std::size_t firstRow = 0;  // where row 0 belongs in the parameter
  bool transposed = false;   // the file stores a weight as (in,out), as GPT-2 does
};

class Parameters {
 public:
  /// Adds `name`.weight (out,in), `name`.bias (out,) and `name`.scale (out,), which weights in i8 have. The
  /// map must outlive this object, as all below.
  void addLinear(const std::string& name, LinearMap& linear);

  /// Adds `name` (n,). `offset` is added to what is written: Gemma stores norm weights without their 1.
  void addVector(const std::string& name, std::vector<float>& vector, float offset = 0.0F);

  /// Adds `name` (rows,columns).
  void addMatrix(const std::string& name, std::vector<float>& matrix, std::size_t columns);

  [[nodiscard]] std::map<std::string, Shape> shapes() const;

  /// The values of a parameter as they are kept: those of a weight times its scale, which is not read by
  /// itself. @throws WrongArgument for an unknown name
  [[nodiscard]] Tensor read(const std::string& name) const;

  /// Writes a piece. @throws WrongArgument for an unknown name or a piece that does not fit; std::bad_alloc
  void write(const std::string& name, const Piece& piece);

 private:
  enum class Part : std::uint8_t { weight, bias, scale };

  struct Target {
    LinearMap* linear = nullptr;
    Part part = Part::weight;
    std::vector<float>* vector = nullptr;
    float offset = 0.0F;
    std::size_t columns = 0;  // of a matrix in `vector`
  };

  std::map<std::string, Target> targets_;
};

}  // namespace mha::models
