/// A packed weight in 8 bits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mha::models {

/// B (k,n) as gemm() takes it, in a quarter of the memory: column c is whole numbers times its largest
/// |value| / 127. Rounding changes a value by at most half that factor; the bias stays float32.
class QuantizedPanels {
 public:
  /// Takes a packed B. Its bias is left out. @throws std::bad_alloc
  void quantize(std::size_t k, std::size_t n, const float* packed);

  /// `bias` (n,). May be called before quantize(). @throws std::bad_alloc
  void setBias(std::size_t n, const float* bias);

  /// Writes `count` panels from panel `first` on as gemm() takes them.
  void unpack(std::size_t first, std::size_t count, float* packed) const;

  /// Writes column `column` (k,) of B.
  void copyColumn(std::size_t column, float* values) const;
  void copyBias(std::size_t n, float* bias) const { std::copy_n(bias_.data(), n, bias); }

 private:
  std::size_t k_ = 0;
  std::vector<std::int8_t> values_;  // panel by panel, each (k,kPanelColumns)
  std::vector<float> factors_;       // (n,), filled up to whole panels, as the bias
  std::vector<float> bias_;
};

}  // namespace mha::models
