// plain_networks.hpp -- the recurrent networks once more: textbook formulas, in double, one element
// after the other.
#pragma once

#include "random/recurrent.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

namespace senteval::test {

using Values = std::vector<double>;
using Steps = std::vector<Values>; ///< one vector per token

/// weights * [x; h]
inline Values plain_product(const arma::fmat& weights, const Values& x, const Values& h)
{
    Values result(weights.n_rows);
    for (std::size_t row = 0; row < weights.n_rows; ++row) {
        for (std::size_t k = 0; k < x.size(); ++k)
            result[row] += double(weights(row, k)) * x[k];
        for (std::size_t k = 0; k < h.size(); ++k)
            result[row] += double(weights(row, x.size() + k)) * h[k];
    }
    return result;
}

inline double plain_sigmoid(double x)
{
    return 1 / (1 + std::exp(-x));
}

/// The states of an LSTM after each token.
inline Steps plain_lstm(const random::LstmCell& cell, const Steps& sentence)
{
    const std::size_t units = cell.units();
    const arma::fmat weights = cell.weights().matrix();
    Steps states;
    Values h(units);
    Values c(units);
    for (const Values& x : sentence) {
        Values gates = plain_product(weights, x, h);
        for (std::size_t row = 0; row < gates.size(); ++row)
            gates[row] += double(cell.bias()(row));
        for (std::size_t k = 0; k < units; ++k) {
            const double i = plain_sigmoid(gates[k]);
            const double f = plain_sigmoid(gates[units + k]);
            const double g = std::tanh(gates[2 * units + k]);
            const double o = plain_sigmoid(gates[3 * units + k]);
            c[k] = f * c[k] + i * g;
            h[k] = o * std::tanh(c[k]);
        }
        states.push_back(h);
    }
    return states;
}

/// The states of an echo state network after each token.
inline Steps
plain_esn(const arma::fmat& weights, double leak, bool with_tanh, const Steps& sentence)
{
    Steps states;
    Values h(weights.n_rows);
    for (const Values& x : sentence) {
        const Values next = plain_product(weights, x, h);
        for (std::size_t k = 0; k < h.size(); ++k)
            h[k] = (1 - leak) * (with_tanh ? std::tanh(next[k]) : next[k]) + leak * h[k];
        states.push_back(h);
    }
    return states;
}

} // namespace senteval::test
