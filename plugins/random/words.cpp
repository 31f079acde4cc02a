#include "random/words.hpp"

#include "random/parameters.hpp"
#include "random/random_stream.hpp"
#include "word_vectors/parameters.hpp"

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
    : vectors_(word_vectors::source_from(setup.params), setup.host, setup.call),
      table_(vectors_, word_vectors::resolve_by(vectors_, case_policy(setup.params)), setup.host),
      unknown_(unknown_policy(setup.params)),
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
        if (token.vector == nullptr && words_.unknown_ == Unknown::skip)
            continue;
        if (token.vector == nullptr)
            words_.append_unknown(token.text, out);
        else
            for (std::size_t k = 0; k < dimension; ++k)
                out.push_back(static_cast<float>(token.vector[k]));
        ++count;
    }
    if (count == 0)
        out.resize(out.size() + dimension, 0.0F);
    return count == 0 ? 1 : count;
}

} // namespace senteval::random
