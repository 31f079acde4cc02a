// gemm.hpp -- BLAS's matrix product on row-major matrices, in single and in double precision.
#pragma once

#include <cstddef>

namespace senteval::paragram {

enum class Form { plain, transposed };

/// c = scale_c * c + op(a) op(b), where op(a) is m x k, op(b) k x n and c m x n. Strides are the values from
/// one row of the stored matrix to the next. Nothing is done where m, n or k is 0.
template <typename T>
struct Product {
    Form form_a = Form::plain;
    Form form_b = Form::plain;
    std::size_t m = 0;
    std::size_t n = 0;
    std::size_t k = 0;
    const T* a = nullptr;
    std::size_t stride_a = 0;
    const T* b = nullptr;
    std::size_t stride_b = 0;
    T* c = nullptr;
    std::size_t stride_c = 0;
    T scale_c = 0;
};

void multiply(const Product<float>& product);
void multiply(const Product<double>& product);

} // namespace senteval::paragram
