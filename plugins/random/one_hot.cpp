#include "random/one_hot.hpp"

#include "base/unicode.hpp"
#include "random/parameters.hpp"
#include "word_vectors/table.hpp"

#include <algorithm>

namespace senteval::random {
namespace {

constexpr std::int64_t most = 1 << 20;

/// FNV-1a, 64 bit, folded, so that every byte reaches the low bits.
std::size_t bucket_of(std::string_view token, std::size_t buckets)
{
    std::uint64_t hash = 14695981039346656037U;
    for (const char byte : token)
        hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211U;
    return static_cast<std::size_t>((hash ^ (hash >> 32)) % buckets);
}

} // namespace

OneHot::OneHot(const sdk::Setup& setup)
    : dimension_(setup.params.get("dimension", 0) == 0
                     ? 0
                     : size_from(setup.params, "dimension", 0, most)),
      limit_(size_from(setup.params, "limit", 65536, most))
{
}

std::size_t OneHot::dimension() const
{
    if (hashed())
        return dimension_;
    if (!prepared_)
        throw sdk::Error(
            SENTEVAL_UNSUPPORTED,
            "the dimension is the size of the task's vocabulary: prepare a task first, "
            "or set 'dimension' to hash the tokens");
    return std::max<std::size_t>(vocabulary_.size(), 1);
}

void OneHot::prepare(sdk::Call& call, const sdk::Task& task, sdk::Batch samples)
{
    if (hashed())
        return;
    prepared_ = false;
    vocabulary_.clear();
    for (const std::string_view sentence : samples) {
        call.check_cancelled();
        base::for_each_word(sentence, [&](std::string_view token) {
            if (vocabulary_.find(token) == vocabulary_.end())
                vocabulary_.emplace(token, vocabulary_.size());
        });
        if (vocabulary_.size() > limit_)
            throw sdk::Error(
                SENTEVAL_UNSUPPORTED,
                "task " + std::string(task.name) + " has more than " + std::to_string(limit_) +
                    " different tokens: raise 'limit' if the memory allows 4 bytes for "
                    "each in every sentence, or set 'dimension' to hash them");
    }
    prepared_ = true;
}

std::size_t OneHot::index(std::string_view token) const
{
    if (hashed())
        return bucket_of(token, dimension_);
    const auto found = vocabulary_.find(token);
    return found == vocabulary_.end() ? dimension() : found->second;
}

void OneHot::encode(sdk::Call& call, sdk::Batch batch, sdk::Matrix out) const
{
    for (std::size_t i = 0; i < batch.size(); ++i) {
        call.check_cancelled();
        const std::span<float> row = out.row(i);
        std::ranges::fill(row, 0.0F);
        base::for_each_word(batch[i], [&](std::string_view token) {
            if (const std::size_t at = index(token); at < row.size())
                row[at] = 1.0F;
        });
    }
}

void OneHot::count_known(sdk::Batch batch,
                         std::span<std::uint32_t> tokens,
                         std::span<std::uint32_t> known) const
{
    for (std::size_t i = 0; i < batch.size(); ++i) {
        tokens[i] = known[i] = 0;
        base::for_each_word(batch[i], [&](std::string_view token) {
            ++tokens[i];
            known[i] += hashed() || vocabulary_.contains(token) ? 1U : 0U;
        });
    }
}

} // namespace senteval::random
