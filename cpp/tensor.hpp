/// Row-major tensors (xtensor), owned or viewed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>

#include "sizes.hpp"

namespace mha {

using Shape = xt::dynamic_shape<std::size_t>;

/// An owned tensor of float32.
using Tensor = xt::xarray<float>;

/// A read-only buffer that xtensor does not own. The allocator is named because the default would be
/// std::allocator<const T>, which the C++ standard does not allow.
template <class T>
using Borrowed = xt::xbuffer_adaptor<const T*, xt::no_ownership, std::allocator<T>>;

/// A read-only view of a tensor.
template <class T>
using View = xt::xarray_adaptor<Borrowed<T>, xt::layout_type::row_major, Shape>;
using TensorView = View<float>;

/// An uninitialised tensor. @throws std::length_error, std::bad_alloc
Tensor allocate(const Shape& shape);

/// Views `data` as a tensor of `shape`; `data` must outlive the view.
template <class T>
View<T> viewOf(const T* data, const Shape& shape) {
  return {Borrowed<T>(data, sizeOf(shape)), shape};
}

inline TensorView viewOf(const Tensor& tensor) { return viewOf(tensor.data(), tensor.shape()); }

/// "(2, 10, 512)", for error messages.
std::string toText(const Shape& shape);

/// Throws WrongArgument "`name` must …, got shape (…)".
[[noreturn]] void throwShape(const std::string& name, const std::string& expectation, const Shape& got);

}  // namespace mha
