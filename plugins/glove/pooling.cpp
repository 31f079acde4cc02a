#include "glove/pooling.hpp"

#include <algorithm>
#include <cmath>

namespace senteval::glove {

namespace {

using word_vectors::Token;
using Tokens = std::span<const Token>;
using Values = std::span<double>;

constexpr std::size_t pmeans_parts = 4;

/// out = combine(combine(first, second), third) ... over the vectors of the known tokens.
template <typename Combine>
void fold(Tokens tokens, Values out, Combine&& combine)
{
    bool first = true;
    for (const Token& token : tokens) {
        if (token.vector == nullptr)
            continue;
        if (first)
            std::copy_n(token.vector, out.size(), out.begin());
        else
            for (std::size_t i = 0; i < out.size(); ++i)
                out[i] = combine(out[i], token.vector[i]);
        first = false;
    }
}

void sum(Tokens tokens, Values out)
{
    fold(tokens, out, [](double total, double value) { return total + value; });
}

void mean(Unknown unknown, Tokens tokens, Values out)
{
    sum(tokens, out);
    const auto n = static_cast<double>(count_tokens(unknown, tokens));
    for (double& value : out)
        value /= n;
}

/// The largest or smallest value; `choose` picks one of two.
template <typename Choose>
void extreme(Unknown unknown, Tokens tokens, Values out, Choose&& choose)
{
    fold(tokens, out, choose);
    if (unknown == Unknown::zero && count_tokens(Unknown::skip, tokens) < tokens.size())
        for (double& value : out)
            value = choose(value, 0.0);
}

void max(Unknown unknown, Tokens tokens, Values out)
{
    extreme(unknown, tokens, out, [](double a, double b) { return a < b ? b : a; });
}

void min(Unknown unknown, Tokens tokens, Values out)
{
    extreme(unknown, tokens, out, [](double a, double b) { return b < a ? b : a; });
}

void cubic_mean(Unknown unknown, Tokens tokens, Values out)
{
    for (const Token& token : tokens)
        if (token.vector != nullptr)
            for (std::size_t i = 0; i < out.size(); ++i)
                out[i] += token.vector[i] * token.vector[i] * token.vector[i];
    const auto n = static_cast<double>(count_tokens(unknown, tokens));
    for (double& value : out)
        value = std::cbrt(value / n);
}

} // namespace

std::size_t count_tokens(Unknown unknown, Tokens tokens)
{
    if (unknown == Unknown::zero)
        return tokens.size();
    return static_cast<std::size_t>(
        std::ranges::count_if(tokens, [](const Token& token) { return token.vector != nullptr; }));
}

std::size_t pooled_dimension(Pooling pooling, std::size_t dimension)
{
    return pooling == Pooling::pmeans ? pmeans_parts * dimension : dimension;
}

void pool(Pooling pooling, Unknown unknown, Tokens tokens, Values out)
{
    std::ranges::fill(out, 0.0);
    if (count_tokens(unknown, tokens) == 0)
        return;
    switch (pooling) {
    case Pooling::mean:
        return mean(unknown, tokens, out);
    case Pooling::max:
        return max(unknown, tokens, out);
    case Pooling::min:
        return min(unknown, tokens, out);
    case Pooling::sum:
        return sum(tokens, out);
    case Pooling::pmeans:
        break;
    }
    const std::size_t part = out.size() / pmeans_parts;
    mean(unknown, tokens, out.subspan(0, part));
    max(unknown, tokens, out.subspan(part, part));
    min(unknown, tokens, out.subspan(2 * part, part));
    cubic_mean(unknown, tokens, out.subspan(3 * part, part));
}

} // namespace senteval::glove
