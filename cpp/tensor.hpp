/// The language of shapes: row-major xtensor arrays, owned or viewed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>

namespace mha {

using Shape = xt::dynamic_shape<std::size_t>;

/// An owned tensor of float32.
using Tensor = xt::xarray<float>;

/// A tensor in somebody else's memory, read only.
template <class T>
using View =
    xt::xarray_adaptor<xt::xbuffer_adaptor<const T*, xt::no_ownership>, xt::layout_type::row_major, Shape>;
using TensorView = View<float>;

/// The number of elements. @throws std::length_error when they would not fit the address space.
std::size_t sizeOf(const Shape& shape);

/// A tensor whose elements are not set yet. @throws std::length_error, std::bad_alloc
Tensor allocate(const Shape& shape);

template <class T>
View<T> viewOf(const T* data, const Shape& shape) {
  return {xt::xbuffer_adaptor<const T*, xt::no_ownership>(data, sizeOf(shape)), shape};
}

inline TensorView viewOf(const Tensor& tensor) { return viewOf(tensor.data(), tensor.shape()); }

/// "(2, 10, 512)", as error messages print it.
std::string toText(const Shape& shape);

/// Throws std::out_of_range "`name` must …, got shape (…)".
[[noreturn]] void throwShape(const std::string& name, const std::string& expectation, const Shape& got);

}  // namespace mha
