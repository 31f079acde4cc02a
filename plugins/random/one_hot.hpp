// one_hot.hpp -- the baseline of the STS shared tasks: which words a sentence has.
#pragma once

#include "base/string_map.hpp"

#include <senteval/encoder.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace senteval::random {

/// Binary bag of words (Agirre et al. 2016, section 6.3): a dimension per token of the task, 1 where
/// the sentence has the token, else 0; tokens stand between spaces. With the cosine, this is the
/// baseline of SemEval 2016 task 1.
///
/// The vectors are dense: the host keeps 4 bytes x vocabulary for each different sentence of a
/// task, so 10 000 sentences with 15 000 different tokens take 600 MB.
/// (Classifiers are trained on the nonzero values alone.) `limit` stops before that gets out of hand,
/// and `dimension` hashes the tokens into fewer numbers: tokens that share one count as the same, so
/// the cosine is then an approximation.
class OneHot {
public:
    static constexpr sdk::Descriptor descriptor{
        .id = "senteval.onehot",
        .name = "One-hot",
        .version = "1.0",
        .description =
            "Binary vector of the words of a sentence: the baseline of SemEval-2016 task "
            "1 (Agirre et al. 2016).",
        .license = "MIT",
        .capabilities = SENTEVAL_CAP_CONCURRENT_BATCHER | SENTEVAL_CAP_BATCH_INVARIANT |
                        SENTEVAL_CAP_DETERMINISTIC,
    };
    static constexpr senteval_param_spec params[] = {
        sdk::param("dimension",
                   0,
                   "Length of hashed vectors, 1 to 1048576; 0: no hashing, a number for each token "
                   "of the task."),
        sdk::param(
            "limit",
            65536,
            "Most different tokens of a task without hashing, 1 to 1048576; a sentence takes "
            "4 bytes for each."),
    };

    explicit OneHot(const sdk::Setup& setup);

    /// Throws sdk::Error before the first prepare() where tokens are not hashed.
    std::size_t dimension() const;
    void prepare(sdk::Call& call, const sdk::Task& task, sdk::Batch samples);
    /// A token that prepare() has not seen has no dimension and is left out.
    void encode(sdk::Call& call, sdk::Batch batch, sdk::Matrix out) const;
    void count_known(sdk::Batch batch,
                     std::span<std::uint32_t> tokens,
                     std::span<std::uint32_t> known) const;

private:
    [[nodiscard]] bool hashed() const noexcept { return dimension_ > 0; }
    /// The dimension of a token, or dimension() where it has none.
    [[nodiscard]] std::size_t index(std::string_view token) const;

    std::size_t dimension_; ///< 0: that of the vocabulary
    std::size_t limit_;
    bool prepared_ = false;
    base::StringMap<std::size_t> vocabulary_;
};

} // namespace senteval::random
