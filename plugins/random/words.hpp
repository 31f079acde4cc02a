// words.hpp -- sentences as sequences of word vectors: the input of the random encoders; and
// from the vectors of the tokens to that of the sentence.
#pragma once

#include "word_vectors/table.hpp"
#include "word_vectors/word_vectors.hpp"

#include <senteval/encoder.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace senteval::random {

/// The vector of a token that has none.
enum class Unknown {
    zero,   ///< zeros, and it counts as a token
    normal, ///< a standard normal vector of its own, drawn from the seed and the token's bytes
    skip,   ///< nothing: the sentence goes on without it
    omit    ///< the same, and a sentence of nothing else is an error
};

/// Word vectors with a policy for unknown words. Several threads may read from it.
class Words {
public:
    /// Reads the parameters `vectors`, `format`, `malformed`, `case`, `unknown` and `seed`.
    explicit Words(const sdk::Setup& setup);
    /// Reads `vectors`, `format` and `malformed`.
    Words(const sdk::Setup& setup, word_vectors::CasePolicy casing, Unknown unknown);

    [[nodiscard]] std::size_t dimension() const noexcept { return table_.dimension(); }
    void prepare(const sdk::Call& call, sdk::Batch samples) { table_.fill(call, samples); }
    void count_known(sdk::Batch batch,
                     std::span<std::uint32_t> tokens,
                     std::span<std::uint32_t> known) const
    {
        table_.count_known(batch, tokens, known);
    }

    /// Reads one sentence after the other; one per thread.
    class Reader {
    public:
        explicit Reader(const Words& words) : words_(words), reader_(words.table_) {}

        /// Appends the vectors of the sentence's tokens to `out`, one after the other, and returns
        /// their number. A sentence without any becomes one zero vector.
        std::size_t append(std::string_view sentence, std::vector<float>& out);

    private:
        const Words& words_;
        word_vectors::SentenceReader reader_;
    };

private:
    void append_unknown(std::string_view token, std::vector<float>& out) const;

    word_vectors::WordVectors vectors_;
    word_vectors::Table table_;
    Unknown unknown_;
    std::uint64_t seed_;
};

enum class Pooling { mean, max, min, sum };

/// True where pooling and a linear map may change places.
constexpr bool is_linear(Pooling pooling)
{
    return pooling == Pooling::mean || pooling == Pooling::sum;
}

/// Pools the vectors of one sentence, in double.
class Pool {
public:
    Pool(Pooling pooling, std::size_t dimension) : pooling_(pooling), values_(dimension) {}

    /// Begins another sentence.
    void clear() noexcept { count_ = 0; }
    void add(std::span<const float> vector);
    /// The pooled vector; zeros where nothing was added.
    void write(std::span<float> out) const;

private:
    Pooling pooling_;
    std::size_t count_ = 0;
    std::vector<double> values_;
};

/// Applied to each element of a vector.
enum class Activation { none, relu, tanh, sigmoid };

void apply(Activation activation, std::span<float> vector);

} // namespace senteval::random
