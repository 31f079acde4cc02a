#include "random/words.hpp"

#include "base/refuse.hpp"
#include "random/parameters.hpp"
#include "word_vectors/parameters.hpp"

#include <algorithm>
#include <cmath>

namespace senteval::random {
namespace {

/// FNV-1a, 64 bit.
std::uint64_t hash_of(std::string_view text)
{
    std::uint64_t hash = 14695981039346656037U;
    for (const char byte : text)
        hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211U;
    return hash;
}

word_vectors::CasePolicy case_policy(const sdk::Params& params)
{
    using word_vectors::CasePolicy;
    return params.choice<CasePolicy>(
        "case", {{"fallback", CasePolicy::fallback}, {"exact", CasePolicy::exact}});
}

Unknown unknown_policy(const sdk::Params& params)
{
    return params.choice<Unknown>(
        "unknown", {{"zero", Unknown::zero}, {"skip", Unknown::skip}, {"normal", Unknown::normal}});
}

} // namespace

Words::Words(const sdk::Setup& setup)
    : Words(setup, case_policy(setup.params), unknown_policy(setup.params))
{
}

Words::Words(const sdk::Setup& setup, word_vectors::CasePolicy casing, Unknown unknown)
    : vectors_(word_vectors::source_from(setup.params), setup.host, setup.call),
      table_(vectors_, word_vectors::resolve_by(vectors_, casing), setup.host),
      unknown_(unknown),
      seed_(seed_from(setup.params))
{
}

void Words::append_unknown(std::string_view token, std::vector<float>& out) const
{
    if (unknown_ != Unknown::normal) {
        out.resize(out.size() + dimension(), 0.0F);
        return;
    }
    RandomStream random(seed_, hash_of(token));
    for (std::size_t k = 0; k < dimension(); ++k)
        out.push_back(static_cast<float>(random.normal()));
}

std::size_t Words::Reader::append(std::string_view sentence, std::vector<float>& out)
{
    const std::size_t dimension = words_.dimension();
    std::size_t count = 0;
    for (const word_vectors::Token& token : reader_.read(sentence)) {
        if (token.vector == nullptr && words_.unknown_ >= Unknown::skip)
            continue;
        if (token.vector == nullptr)
            words_.append_unknown(token.text, out);
        else
            for (std::size_t k = 0; k < dimension; ++k)
                out.push_back(static_cast<float>(token.vector[k]));
        ++count;
    }
    if (count == 0 && words_.unknown_ == Unknown::omit)
        base::refuse(words_.vectors_.file(), "has a vector of none of the words '{}'", sentence);
    if (count == 0)
        out.resize(out.size() + dimension, 0.0F);
    return count == 0 ? 1 : count;
}

void Pool::add(std::span<const float> vector)
{
    if (count_++ == 0) {
        std::copy(vector.begin(), vector.end(), values_.begin());
        return;
    }
    for (std::size_t k = 0; k < values_.size(); ++k) {
        const double value = vector[k];
        switch (pooling_) {
        case Pooling::mean:
        case Pooling::sum:
            values_[k] += value;
            break;
        case Pooling::max:
            values_[k] = std::max(values_[k], value);
            break;
        case Pooling::min:
            values_[k] = std::min(values_[k], value);
            break;
        }
    }
}

void Pool::write(std::span<float> out) const
{
    if (count_ == 0) {
        std::fill(out.begin(), out.end(), 0.0F);
        return;
    }
    const double divisor = pooling_ == Pooling::mean ? static_cast<double>(count_) : 1.0;
    for (std::size_t k = 0; k < values_.size(); ++k)
        out[k] = static_cast<float>(values_[k] / divisor);
}

void apply(Activation activation, std::span<float> vector)
{
    switch (activation) {
    case Activation::none:
        break;
    case Activation::relu:
        for (float& value : vector)
            value = std::max(value, 0.0F);
        break;
    case Activation::tanh:
        for (float& value : vector)
            value = std::tanh(value);
        break;
    case Activation::sigmoid:
        for (float& value : vector)
            value = 1 / (1 + std::exp(-value));
        break;
    }
}

} // namespace senteval::random
