/// Compares scaledDotProductAttention() for arbitrary shapes with the reference.

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "bytes.hpp"
#include "compared_layer.hpp"
#include "scaled_dot_product_attention.hpp"

namespace {

using mha::Shape;
using mha::Tensor;
using mha::toText;
using mha::fuzz::Block;
using mha::fuzz::blockOf;
using mha::fuzz::Bytes;
using mha::fuzz::misshape;
using mha::fuzz::refused;
using mha::fuzz::require;
using mha::test::kTolerance;
using mha::test::MaskKind;
using mha::test::Numbers;
using mha::test::ReferenceRules;
using mha::test::ReferenceTrace;
using mha::test::Rows;

constexpr float kForbidden = -std::numeric_limits<float>::infinity();

struct Shapes {
  Shape query;
  Shape key;
  Shape value;
  Shape mask;
  Shape slopes;
};

struct Sizes {
  std::size_t batch;
  std::size_t heads;
  std::size_t kvHeads;
  std::size_t queries;
  std::size_t keys;
};

/// An independent implementation of the shape rules: the sizes of a call, or nothing if it must be refused.
std::optional<Sizes> sizesOf(const Shapes& shapes, bool gqa, MaskKind mask, bool slopes) {
  const auto& [q, k, v, m, s] = shapes;
  const std::size_t rank = q.size();
  if (rank < 2 || k.size() != rank || v.size() != rank) return std::nullopt;
  Sizes sizes{.batch = 1,
              .heads = rank > 2 ? q[rank - 3] : 1,
              .kvHeads = rank > 2 ? k[rank - 3] : 1,
              .queries = q[rank - 2],
              .keys = k[rank - 2]};
  if (sizes.heads == 0 || sizes.kvHeads == 0 || q[rank - 1] == 0) return std::nullopt;
  for (std::size_t d = 0; d + 3 < rank; ++d) {
    if (k[d] != q[d] || v[d] != q[d]) return std::nullopt;
    sizes.batch *= q[d];
  }
  if (rank > 2 && v[rank - 3] != sizes.kvHeads) return std::nullopt;
  if (gqa ? sizes.heads % sizes.kvHeads != 0 : sizes.heads != sizes.kvHeads) return std::nullopt;
  if (k[rank - 1] != q[rank - 1] || v[rank - 2] != sizes.keys) return std::nullopt;
  if (slopes && s != Shape{sizes.heads}) return std::nullopt;
  if (mask == MaskKind::none) return sizes;
  Shape target(q.begin(), q.end() - 2);
  if (rank == 2) target.push_back(1);
  target.insert(target.end(), {sizes.queries, sizes.keys});
  if (m.size() > target.size()) return std::nullopt;
  for (std::size_t back = 1; back <= m.size(); ++back) {
    const std::size_t length = m[m.size() - back];
    if (length != 1 && length != target[target.size() - back]) return std::nullopt;
  }
  return sizes;
}

/// The element of a mask of `shape` at (b,h,i,j); b is the flattened index of the leading dimensions.
template <class T>
T at(const Block<T>& mask, const Shape& query, std::size_t b, std::size_t h, std::size_t i, std::size_t j) {
  std::vector<std::size_t> place{h, i, j};
  for (std::size_t d = query.size(); d-- > 3;) {
    const std::size_t length = query[d - 3];
    place.insert(place.begin(), b % length);
    b /= length;
  }
  const std::size_t skipped = place.size() - mask.shape.size();
  std::size_t index = 0;
  for (std::size_t d = 0; d < mask.shape.size(); ++d) {
    index = index * mask.shape[d] + (mask.shape[d] == 1 ? 0 : place[skipped + d]);
  }
  return mask.values[index];
}

/// The heads of batch item b, concatenated.
Rows<double> sideBySide(const Block<float>& x, std::size_t b, std::size_t heads) {
  const std::size_t width = x.shape.back();
  const std::size_t rows = x.shape[x.shape.size() - 2];
  Rows<double> result(rows, heads * width);
  const float* next = x.values.data() + b * heads * rows * width;
  for (std::size_t h = 0; h < heads; ++h) {
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t p = 0; p < width; ++p) result(i, h * width + p) = static_cast<double>(*next++);
    }
  }
  return result;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  Numbers numbers(bytes.next());
  mha::ScaledDotProductOptions options;
  options.enableGqa = bytes.flag();
  options.isCausal = bytes.flag();
  options.needWeights = bytes.flag();
  options.softcap = bytes.pick(std::array{0.0F, 2.0F, 50.0F});
  if (bytes.flag()) options.scale = bytes.pick(std::array{0.5F, 0.3F, -0.5F, 1.0F, 2.0F});
  if (bytes.flag()) options.window = {.left = bytes.between(0, 8), .right = bytes.between(0, 8)};
  options.dropout = options.needWeights ? bytes.pick(std::array{0.0, 0.0, 0.25, 1.0}) : 0.0;
  options.seed = bytes.next();
  const MaskKind mask = bytes.pick(std::array{MaskKind::none, MaskKind::allowed, MaskKind::added});
  const bool hasSlopes = bytes.flag();
  const bool plain = !bytes.oneIn(8);

  Shape leading;
  for (std::size_t n = bytes.between(0, 2); n > 0; --n) leading.push_back(bytes.between(1, 2));
  const std::size_t kvHeads = bytes.between(1, 3);
  const std::size_t heads = kvHeads * (options.enableGqa ? bytes.between(1, 3) : 1);
  const std::size_t queries = bytes.oneIn(16) ? bytes.between(45, 52) : bytes.between(1, 12);
  const bool streams = bytes.oneIn(32);  // beyond a tile of 512 keys, without weights
  const std::size_t keys = streams ? bytes.between(508, 530) : bytes.between(1, 20);
  if (streams) leading.clear();
  const std::size_t headDim = bytes.between(1, 18);
  const std::size_t valueHeadDim = bytes.between(1, 18);
  const auto shapeOf = [&](std::size_t count, std::size_t rows, std::size_t width) {
    Shape shape = leading;
    shape.insert(shape.end(), {count, rows, width});
    return shape;
  };
  Shapes shapes{.query = shapeOf(heads, queries, headDim),
                .key = shapeOf(kvHeads, keys, headDim),
                .value = shapeOf(kvHeads, keys, valueHeadDim),
                .mask = shapeOf(heads, queries, keys),
                .slopes = {heads}};
  const auto dropped = static_cast<std::ptrdiff_t>(bytes.between(0, shapes.mask.size()));
  shapes.mask.erase(shapes.mask.begin(), shapes.mask.begin() + dropped);
  for (std::size_t& length : shapes.mask) length = bytes.oneIn(3) ? 1 : length;
  const std::array<Shape*, 5> all{&shapes.query, &shapes.key, &shapes.value, &shapes.mask, &shapes.slopes};
  for (std::size_t n = bytes.oneIn(4) ? bytes.between(1, 2) : 0; n > 0; --n)
    misshape(bytes, *bytes.pick(all));

  const auto signs = blockOf<float>({valueHeadDim}, [&] { return numbers.sign(); });
  std::size_t next = 0;
  const auto draw = [&] { return plain ? numbers.eighths(-8, 8) : bytes.anyFloat(); };
  const auto query = blockOf<float>(shapes.query, draw);
  const auto key = blockOf<float>(shapes.key, draw);
  const auto value = blockOf<float>(shapes.value, [&] {
    return plain ? signs.values[next++ % valueHeadDim] * numbers.eighths(0, 8) : bytes.anyFloat();
  });
  const auto allowed =
      blockOf<std::uint8_t>(shapes.mask, [&] { return static_cast<std::uint8_t>(numbers.below(2)); });
  const auto added = blockOf<float>(shapes.mask, [&] {
    if (!plain) return bytes.anyFloat();
    return numbers.chance(60) ? numbers.eighths(-16, 16) : kForbidden;
  });
  const auto slopes = blockOf<float>(shapes.slopes, [&] { return numbers.eighths(0, 4); });
  if (mask == MaskKind::allowed) options.mask = allowed.view();
  if (mask == MaskKind::added) options.mask = added.view();
  if (hasSlopes) options.alibiSlopes.emplace(slopes.view());

  const std::optional<Sizes> sizes = sizesOf(shapes, options.enableGqa, mask, hasSlopes);
  mha::AttentionResult result;
  const bool wasRefused = refused(
      [&] { result = mha::scaledDotProductAttention(query.view(), key.view(), value.view(), options); });
  const std::string shown = "query " + toText(shapes.query) + ", key " + toText(shapes.key) + ", value " +
                            toText(shapes.value) + ", mask " + toText(shapes.mask) + ", slopes " +
                            toText(shapes.slopes);
  require(wasRefused != sizes.has_value(), std::string(wasRefused ? "refused " : "took ") + shown);
  if (wasRefused) return 0;
  Shape expected = shapes.query;
  expected.back() = shapes.value.back();
  require(Shape(result.output.shape()) == expected, "another shape of the output for " + shown);
  // If the widths differ from the intended ones, a column of values does not keep its sign.
  if (!plain || shapes.value.back() != valueHeadDim) return 0;

  for (std::size_t b = 0; b < sizes->batch; ++b) {
    ReferenceRules rules{.causal = options.isCausal, .window = options.window};
    rules.softcap = static_cast<double>(options.softcap);
    rules.scale = options.scale ? static_cast<double>(*options.scale)
                                : 1.0 / std::sqrt(static_cast<double>(shapes.query.back()));
    if (hasSlopes) rules.slopes.assign(slopes.values.begin(), slopes.values.end());
    if (mask != MaskKind::none) {
      rules.added = [&](std::size_t h, std::size_t i, std::size_t j) -> double {
        if (mask == MaskKind::added) return static_cast<double>(at(added, shapes.query, b, h, i, j));
        const bool allows = at(allowed, shapes.query, b, h, i, j) != 0;
        return allows ? 0.0 : -std::numeric_limits<double>::infinity();
      };
    }
    const std::size_t map = sizes->queries * sizes->keys;
    if (options.dropout > 0.0) {
      rules.kept = [&](std::size_t h, std::size_t i, std::size_t j) {
        const float weight = result.weights->data()[(b * sizes->heads + h) * map + i * sizes->keys + j];
        return weight == 0.0F ? 0.0 : 1.0 / (1.0 - options.dropout);
      };
    }
    ReferenceTrace<double> trace{.q = sideBySide(query, b, sizes->heads),
                                 .k = sideBySide(key, b, sizes->kvHeads),
                                 .v = sideBySide(value, b, sizes->kvHeads)};
    mha::test::attend(trace, sizes->heads, sizes->kvHeads, rules);
    // Scores are exact until they are scaled: their largest possible value bounds the error of a weight. The
    // terms of a long sum may all be rounded in the same direction.
    const double reach = static_cast<double>(shapes.query.back()) * std::abs(rules.scale);
    const double steepness = std::max({1.0, reach / 8, static_cast<double>(sizes->keys) / 64});
    const double limit = kTolerance * steepness / (1.0 - (options.dropout < 1.0 ? options.dropout : 0.0));
    const std::size_t width = shapes.value.back();
    for (std::size_t h = 0; h < sizes->heads; ++h) {
      const std::size_t head = b * sizes->heads + h;
      for (std::size_t n = 0; n < map && result.weights; ++n) {
        const double error = std::abs(static_cast<double>(result.weights->data()[head * map + n]) -
                                      trace.weights[h].values[n]);
        require(error <= limit, "a weight differs by " + std::to_string(error) + " for " + shown);
      }
      for (std::size_t n = 0; n < sizes->queries * width; ++n) {
        const auto got = static_cast<double>(result.output.data()[head * sizes->queries * width + n]);
        const double error = std::abs(got - trace.context(n / width, h * width + n % width));
        require(error <= limit, "the output differs by " + std::to_string(error) + " for " + shown);
      }
    }
  }
  return 0;
}
