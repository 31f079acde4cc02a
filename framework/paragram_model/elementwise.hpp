// elementwise.hpp -- what a model does between its matrix products.
#pragma once

#include "paragram_model/architecture.hpp"

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace senteval::paragram {

template <typename T>
T sigmoid(T x)
{
    return 1 / (1 + std::exp(-x));
}

template <typename T>
void activate(Activation activation, std::span<T> values)
{
    if (activation == Activation::tanh)
        for (T& value : values)
            value = std::tanh(value);
    else if (activation == Activation::relu)
        for (T& value : values)
            value = value > 0 ? value : 0;
}

template <typename T>
void activate(Activation activation, std::vector<T>& values)
{
    activate(activation, std::span<T>(values));
}

template <typename T>
void add_to_rows(const T* row, std::size_t columns, std::span<T> matrix)
{
    for (std::size_t at = 0; at < matrix.size(); at += columns)
        for (std::size_t i = 0; i < columns; ++i)
            matrix[at + i] += row[i];
}

template <typename T>
void add_to_rows(const T* row, std::size_t columns, std::vector<T>& matrix)
{
    add_to_rows(row, columns, std::span<T>(matrix));
}

} // namespace senteval::paragram
