#include "train/batch.hpp"

#include <algorithm>

namespace senteval::train {

namespace {

constexpr std::size_t most_shards = 16;

/// Enough for a matrix product; for a mean, the sentences that share cache lines of their transpose, so that
/// threads have even work.
constexpr std::size_t shard_sentences(bool is_mean)
{
    return is_mean ? 16 : 48;
}

} // namespace

BatchMaker::BatchMaker(std::size_t words, const paragram::Architecture& architecture)
    : is_recurrent_(architecture.is_recurrent()),
      is_mean_(architecture.kind == paragram::Kind::word),
      place_(words, 0)
{
}

void BatchMaker::make(const Corpus& corpus, std::span<const std::uint32_t> pairs, Batch& batch)
{
    batch.pairs = pairs.size();
    batch.tokens.clear();
    batch.begin.assign(1, 0);
    for (const std::size_t side : {0U, 1U})
        for (const std::uint32_t pair : pairs) {
            const auto phrase = corpus.phrase(pair, side);
            batch.tokens.insert(batch.tokens.end(), phrase.begin(), phrase.end());
            batch.begin.push_back(static_cast<std::uint32_t>(batch.tokens.size()));
        }
    batch.scores.clear();
    for (const std::uint32_t pair : pairs)
        batch.scores.push_back(corpus.scores[pair]);
    make_shards(batch);
    list_words(batch);
}

void BatchMaker::make_shards(Batch& batch)
{
    const std::size_t sentences = batch.sentences();
    const std::size_t some = shard_sentences(is_mean_);
    const std::size_t count = std::clamp<std::size_t>(sentences / some, 1, most_shards);
    const auto edge = [&](std::size_t number) {
        const std::size_t begin = number * sentences / count;
        return static_cast<std::uint32_t>(is_mean_ && number < count ? begin / some * some : begin);
    };
    batch.shards.resize(count);
    batch.slot_of_token.resize(batch.tokens.size());
    batch.slots = 0;
    for (std::size_t number = 0; number < count; ++number) {
        Shard& shard = batch.shards[number];
        shard.begin = edge(number);
        shard.end = edge(number + 1);
        shard.slot = static_cast<std::uint32_t>(batch.slots);
        lengths_.assign(shard.end - shard.begin, 1);
        for (std::uint32_t i = shard.begin; is_recurrent_ && i < shard.end; ++i)
            lengths_[i - shard.begin] = batch.begin[i + 1] - batch.begin[i];
        shard.packing.assign(lengths_);
        for (std::uint32_t i = shard.begin; i < shard.end; ++i)
            for (std::uint32_t token = batch.begin[i]; token < batch.begin[i + 1]; ++token)
                batch.slot_of_token[token] = static_cast<std::uint32_t>(
                    shard.slot + (is_recurrent_
                                      ? shard.packing.row(i - shard.begin, token - batch.begin[i])
                                      : i - shard.begin));
        batch.slots += is_recurrent_ ? shard.packing.rows() : shard.packing.sentences();
    }
}

void BatchMaker::list_words(Batch& batch)
{
    batch.words.clear();
    batch.occurrence_begin.clear();
    for (const Word word : batch.tokens) {
        std::uint32_t& place = place_[word];
        if (place >= batch.words.size() || batch.words[place] != word) {
            place = static_cast<std::uint32_t>(batch.words.size());
            batch.words.push_back(word);
            batch.occurrence_begin.push_back(0);
        }
        ++batch.occurrence_begin[place];
    }
    std::uint32_t sum = 0; // from counts to the end of each word's slots
    for (std::uint32_t& end : batch.occurrence_begin)
        end = sum += end;
    batch.occurrence_begin.push_back(sum);
    batch.occurrences.resize(batch.tokens.size());
    for (std::size_t token = batch.tokens.size(); token-- > 0;)
        batch.occurrences[--batch.occurrence_begin[place_[batch.tokens[token]]]] =
            batch.slot_of_token[token];
}

} // namespace senteval::train
