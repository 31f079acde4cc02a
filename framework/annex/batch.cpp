#include "annex/batch.hpp"

#include <algorithm>

namespace senteval::annex {

namespace {

constexpr std::size_t most_shards = 16;

constexpr std::size_t shard_sentences = 48; ///< enough for a matrix product

} // namespace

BatchMaker::BatchMaker(std::size_t words, const paragram::Architecture& architecture)
    : is_recurrent_(architecture.is_recurrent()), place_(words, 0)
{
}

void BatchMaker::make(const Corpus& corpus, std::span<const std::uint32_t> pairs, Batch& batch)
{
    batch.pairs = pairs.size();
    batch.begin.resize(2 * pairs.size() + 1);
    phrases_.resize(2 * pairs.size());
    batch.begin.front() = 0;
    // Pairs are random ones: the processor is told of them ahead.
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        __builtin_prefetch(
            &corpus.begin[std::size_t{2} * pairs[std::min(i + 16, pairs.size() - 1)]]);
        for (const std::size_t side : {0U, 1U})
            phrases_[side * pairs.size() + i] = corpus.phrase(pairs[i], side);
        __builtin_prefetch(phrases_[i].data());
    }
    for (std::size_t i = 0; i < phrases_.size(); ++i)
        batch.begin[i + 1] = batch.begin[i] + static_cast<std::uint32_t>(phrases_[i].size());
    batch.tokens.resize(batch.begin.back());
    for (std::size_t i = 0; i < phrases_.size(); ++i)
        std::ranges::copy(phrases_[i], batch.tokens.begin() + batch.begin[i]);
    batch.scores.clear();
    for (const std::uint32_t pair : pairs)
        batch.scores.push_back(corpus.scores[pair]);
    make_shards(batch);
    list_words(batch);
}

void BatchMaker::make_shards(Batch& batch)
{
    const std::size_t sentences = batch.sentences();
    const std::size_t count = std::clamp<std::size_t>(sentences / shard_sentences, 1, most_shards);
    batch.shards.resize(count);
    batch.slots = 0;
    slot_of_token_.resize(batch.tokens.size());
    for (std::size_t number = 0; number < count; ++number) {
        Shard& shard = batch.shards[number];
        shard.begin = static_cast<std::uint32_t>(number * sentences / count);
        shard.end = static_cast<std::uint32_t>((number + 1) * sentences / count);
        shard.slot = static_cast<std::uint32_t>(batch.slots);
        lengths_.assign(shard.end - shard.begin, 1);
        for (std::uint32_t i = shard.begin; is_recurrent_ && i < shard.end; ++i)
            lengths_[i - shard.begin] = batch.begin[i + 1] - batch.begin[i];
        shard.packing.assign(lengths_);
        list_slots(batch, shard);
        batch.slots += is_recurrent_ ? shard.packing.rows() : shard.packing.sentences();
    }
}

void BatchMaker::list_slots(Batch& batch, const Shard& shard)
{
    for (std::uint32_t i = shard.begin; i < shard.end; ++i)
        for (std::uint32_t token = batch.begin[i]; token < batch.begin[i + 1]; ++token)
            slot_of_token_[token] = static_cast<std::uint32_t>(
                shard.slot + (is_recurrent_
                                  ? shard.packing.row(i - shard.begin, token - batch.begin[i])
                                  : i - shard.begin));
}

void BatchMaker::list_words(Batch& batch)
{
    const std::size_t tokens = batch.tokens.size();
    place_of_token_.resize(tokens);
    batch.words.resize(tokens);
    batch.occurrence_begin.assign(tokens + 1, 0);
    std::uint32_t words = 0;
    for (std::size_t token = 0; token < tokens; ++token) {
        const Word word = batch.tokens[token];
        std::uint32_t& place = place_[word];
        if (place >= words || batch.words[place] != word) {
            place = words;
            batch.words[words++] = word;
        }
        place_of_token_[token] = place;
        ++batch.occurrence_begin[place];
    }
    batch.words.resize(words);
    batch.occurrence_begin.resize(words + 1);
    std::uint32_t sum = 0; // from counts to the end of each word's slots
    for (std::uint32_t& end : batch.occurrence_begin)
        end = sum += end;
    batch.occurrences.resize(tokens);
    for (std::size_t token = tokens; token-- > 0;)
        batch.occurrences[--batch.occurrence_begin[place_of_token_[token]]] = slot_of_token_[token];
}

} // namespace senteval::annex
