// random_words.cpp -- a whole encoder in C++: random word vectors, weighted by their rarity.
//
// A word's vector is a row of random signs drawn from a hash of its bytes (random indexing, Sahlgren
// 2005), so nothing is loaded; a sentence is the weighted mean of its words. The weight of a word is
// its inverse document frequency among the sentences of the task, which prepare() counts; in documents
// that are searched all words weigh the same, as in SMART's "lnc.ltc".
#include <senteval/encoder.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace {

namespace sdk = senteval::sdk;

/// Calls `use(word)` for every word of a sentence, separated by white space.
template <typename Use>
void for_each_word(std::string_view sentence, Use&& use)
{
    while (!sentence.empty()) {
        const std::size_t end = std::min(sentence.find_first_of(" \t\n\r"), sentence.size());
        if (end > 0)
            use(sentence.substr(0, end));
        sentence.remove_prefix(std::min(end + 1, sentence.size()));
    }
}

/// The SplitMix64 sequence (Steele, Lea, Flood 2014).
class RandomBits {
public:
    explicit RandomBits(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next()
    {
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15U;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31);
    }

private:
    std::uint64_t state_;
};

class RandomWords {
public:
    static constexpr sdk::Descriptor descriptor{
        .id = "org.example.random-words",
        .name = "Random word vectors",
        .version = "1.0",
        .description = "Mean of random word vectors, weighted by inverse document frequency.",
        .license = "MIT",
        .capabilities = SENTEVAL_CAP_CONCURRENT_BATCHER | SENTEVAL_CAP_BATCH_INVARIANT |
                        SENTEVAL_CAP_DETERMINISTIC,
    };
    static constexpr senteval_param_spec params[] = {
        sdk::param("dimension", 256, "Length of the vectors, 1 to 65536."),
        sdk::param("idf", true, "Weigh words by inverse document frequency within the task."),
        sdk::param("seed", 1, "Chooses the word vectors."),
    };

    explicit RandomWords(const sdk::Setup& setup)
        : idf_(setup.params.get("idf", true)),
          seed_(static_cast<std::uint64_t>(setup.params.get("seed", 1)))
    {
        const std::int64_t dimension = setup.params.get("dimension", 256);
        if (dimension < 1 || dimension > 65536)
            throw sdk::Error(SENTEVAL_INVALID_ARGUMENT,
                             "parameter 'dimension' must be 1 to 65536, not " +
                                 std::to_string(dimension));
        dimension_ = static_cast<std::size_t>(dimension);
    }

    std::size_t dimension() const { return dimension_; }

    void prepare(sdk::Call& call, const sdk::Task&, sdk::Batch samples)
    {
        sentences_with_.clear();
        sentences_ = samples.size();
        for (const std::string_view sentence : samples) {
            call.check_cancelled();
            std::unordered_set<std::string_view> words;
            for_each_word(sentence, [&](std::string_view word) { words.insert(word); });
            for (const std::string_view word : words)
                ++sentences_with_[std::string(word)];
        }
    }

    void encode(sdk::Call& call, sdk::Batch batch, sdk::Matrix out) const
    {
        encode_as(call, sdk::Role::as_is, batch, out);
    }

    /// Encodes texts that are queries or documents of a search.
    void encode_as(sdk::Call& call, sdk::Role role, sdk::Batch batch, sdk::Matrix out) const
    {
        const bool weighs = idf_ && role != sdk::Role::document;
        std::vector<double> sum(dimension_);
        for (std::size_t i = 0; i < batch.size(); ++i) {
            call.check_cancelled();
            sum.assign(dimension_, 0.0);
            double weights = 0;
            for_each_word(batch[i], [&](std::string_view word) {
                const double weight = weighs ? weight_of(word) : 1.0;
                add_word(word, weight, sum);
                weights += weight;
            });
            for (std::size_t k = 0; k < dimension_; ++k)
                out.row(i)[k] = weights > 0 ? static_cast<float>(sum[k] / weights) : 0.0F;
        }
    }

    /// A word is known when prepare() has seen it: others get the weight of the rarest.
    void count_known(sdk::Batch batch,
                     std::span<std::uint32_t> tokens,
                     std::span<std::uint32_t> known) const
    {
        for (std::size_t i = 0; i < batch.size(); ++i) {
            tokens[i] = known[i] = 0;
            for_each_word(batch[i], [&](std::string_view word) {
                ++tokens[i];
                known[i] += sentences_with_.contains(std::string(word)) ? 1U : 0U;
            });
        }
    }

private:
    double weight_of(std::string_view word) const
    {
        const auto found = sentences_with_.find(std::string(word));
        const double with = found == sentences_with_.end() ? 0.0 : double(found->second);
        return std::log((2.0 + double(sentences_)) / (1.0 + with));
    }

    /// Adds `weight` times the vector of `word`: one random bit, a sign, per dimension.
    void add_word(std::string_view word, double weight, std::vector<double>& sum) const
    {
        std::uint64_t hash = seed_;
        for (const unsigned char byte : word)
            hash = (hash ^ byte) * 1099511628211U; // FNV-1a's step
        RandomBits random(hash);
        std::uint64_t bits = 0;
        for (std::size_t k = 0; k < dimension_; ++k, bits >>= 1) {
            if (k % 64 == 0)
                bits = random.next();
            sum[k] += (bits & 1) != 0 ? weight : -weight;
        }
    }

    std::size_t dimension_ = 0;
    bool idf_;
    std::uint64_t seed_;
    std::size_t sentences_ = 0;                                   ///< of the prepared task
    std::unordered_map<std::string, std::size_t> sentences_with_; ///< word -> number of sentences
};

} // namespace

SENTEVAL_PLUGIN(RandomWords);
