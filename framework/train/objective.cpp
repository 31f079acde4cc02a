#include "train/objective.hpp"

#include "paragram/model/gemm.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace senteval::train {

namespace {

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): numbers that look random from a counter.
std::uint64_t scrambled(std::uint64_t value)
{
    value += 0x9e3779b97f4a7c15U;
    value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
    value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
    return value ^ (value >> 31U);
}

/// In several lanes, which the compiler keeps in vectors.
template <typename T>
T largest(const T* at, const T* end, T most)
{
    constexpr std::ptrdiff_t lanes = 16;
    if (end - at >= lanes) {
        T lane[lanes];
        std::copy_n(at, lanes, lane);
        for (at += lanes; end - at >= lanes; at += lanes)
            for (std::ptrdiff_t i = 0; i < lanes; ++i)
                lane[i] = lane[i] < at[i] ? at[i] : lane[i];
        for (const T value : lane)
            most = most < value ? value : most;
    }
    for (; at < end; ++at)
        most = most < *at ? *at : most;
    return most;
}

/// Rows are read in random order: the processor is told some of them ahead.
template <typename T>
void prefetch(const T* row, std::size_t width)
{
    constexpr std::size_t line = 64 / sizeof(T);
    for (std::size_t i = 0; i < width; i += line)
        __builtin_prefetch(row + i);
}

} // namespace

template <typename T>
struct Objective<T>::Work {
    explicit Work(const paragram::Architecture& architecture)
        : composition(architecture), parameter_gradient(paragram::parameter_count(architecture))
    {
    }
    paragram::Composition<T> composition;
    std::vector<T> parameter_gradient;
    std::vector<T> cosines; ///< of the shard's sentences with all
    std::vector<T> output_gradient;
};

/// cos(sentence, other) enters the loss with this factor.
template <typename T>
struct Objective<T>::Pull {
    std::uint32_t other = 0;
    T factor = 0;
    T cosine = 0;
};

/// Those of each sentence, one sentence after the other.
template <typename T>
struct Objective<T>::Pulls {
    std::vector<Pull> all;
    std::vector<std::uint32_t> begin;
};

template <typename T>
Objective<T>::Objective(const paragram::Architecture& architecture,
                        double margin,
                        Negatives negatives,
                        Team& team)
    : architecture_(architecture),
      margin_(static_cast<T>(margin)),
      negatives_(negatives),
      team_(team)
{
    for (unsigned member = 0; member < team.size(); ++member)
        pulls_.push_back(std::make_unique<Pulls>());
}

template <typename T>
Objective<T>::~Objective() = default;

template <typename T>
void Objective<T>::begin(const Batch& batch)
{
    while (work_.size() < batch.shards.size())
        work_.push_back(std::make_unique<Work>(architecture_));
    const std::size_t sentences = batch.sentences();
    const auto at_least = [](auto& values, std::size_t size) {
        if (values.size() < size)
            values.resize(size);
    };
    at_least(inputs_, batch.slots * architecture_.inputs);
    at_least(slot_gradient_, batch.slots * architecture_.inputs);
    at_least(outputs_, sentences * architecture_.outputs);
    at_least(units_, sentences * architecture_.outputs);
    for (auto* values : {&inverse_norms_, &partner_cosine_, &negative_cosine_})
        at_least(*values, sentences);
    at_least(negative_, sentences);
}

template <typename T>
void Objective<T>::compute(unsigned member,
                           const Batch& batch,
                           const WordMatrix<T>& words,
                           std::span<const T> parameters,
                           std::uint64_t coin)
{
    const auto for_my_shards = [&](const auto& work) {
        for (std::size_t number = member; number < batch.shards.size(); number += team_.size())
            work(number);
    };
    for_my_shards([&](std::size_t number) { embed(batch, number, words, parameters); });
    team_.sync();
    for_my_shards([&](std::size_t number) { find_negatives(batch, number, coin); });
    team_.sync();
    Pulls& pulls = *pulls_[member];
    list_pulls(batch, pulls); // the same for every member: cheaper than waiting for one
    if (member == 0)
        sum_loss(batch);
    for_my_shards([&](std::size_t number) { backward(batch, number, pulls, parameters); });
    team_.sync();
}

template <typename T>
void Objective<T>::read_inputs(const Batch& batch,
                               const Shard& shard,
                               const WordMatrix<T>& words,
                               T* inputs) const
{
    constexpr std::size_t ahead = 8;
    const std::size_t width = architecture_.inputs;
    for (std::uint32_t sentence = shard.begin; sentence < shard.end; ++sentence) {
        const auto tokens = batch.sentence(sentence);
        for (std::size_t token = batch.begin[sentence] + ahead;
             token < std::min<std::size_t>(batch.begin[sentence + 1] + ahead, batch.tokens.size());
             ++token)
            prefetch(words.row(batch.tokens[token]), width);
        if (architecture_.is_recurrent()) {
            for (std::size_t step = 0; step < tokens.size(); ++step)
                std::copy_n(words.row(tokens[step]), width,
                            inputs + shard.packing.row(sentence - shard.begin, step) * width);
            continue;
        }
        T* const mean = inputs + (sentence - shard.begin) * width;
        std::copy_n(words.row(tokens.front()), width, mean);
        for (const Word word : tokens.subspan(1)) {
            const T* const vector = words.row(word);
            for (std::size_t i = 0; i < width; ++i)
                mean[i] += vector[i];
        }
        const T factor = T{1} / static_cast<T>(tokens.size());
        for (std::size_t i = 0; i < width; ++i)
            mean[i] *= factor;
    }
}

template <typename T>
void Objective<T>::embed(const Batch& batch,
                         std::size_t number,
                         const WordMatrix<T>& words,
                         std::span<const T> parameters)
{
    const Shard& shard = batch.shards[number];
    const std::size_t width = architecture_.outputs;
    T* const outputs = outputs_.data() + shard.begin * width;
    if (architecture_.kind == paragram::Kind::word) {
        read_inputs(batch, shard, words, outputs);
    } else {
        T* const inputs = inputs_.data() + shard.slot * architecture_.inputs;
        read_inputs(batch, shard, words, inputs);
        work_[number]->composition.forward(parameters, inputs, shard.packing, outputs);
    }
    for (std::uint32_t sentence = shard.begin; sentence < shard.end; ++sentence) {
        const T* const output = outputs_.data() + sentence * width;
        T squares[8] = {}; // in eight sums, which the compiler keeps in vectors
        std::size_t i = 0;
        for (; i + 8 <= width; i += 8)
            for (std::size_t lane = 0; lane < 8; ++lane)
                squares[lane] += output[i + lane] * output[i + lane];
        for (; i < width; ++i)
            squares[i % 8] += output[i] * output[i];
        T sum = 0;
        for (const T square : squares)
            sum += square;
        const T inverse = sum > 0 ? 1 / std::sqrt(sum) : 0;
        inverse_norms_[sentence] = inverse;
        for (i = 0; i < width; ++i)
            units_[sentence * width + i] = output[i] * inverse;
    }
}

template <typename T>
void Objective<T>::find_negatives(const Batch& batch, std::size_t number, std::uint64_t coin)
{
    const Shard& shard = batch.shards[number];
    const std::size_t sentences = batch.sentences();
    const std::size_t width = architecture_.outputs;
    std::vector<T>& cosines = work_[number]->cosines;
    cosines.resize((shard.end - shard.begin) * sentences);
    paragram::multiply(paragram::Product<T>{.form_b = paragram::Form::transposed,
                                            .m = shard.end - shard.begin,
                                            .n = sentences,
                                            .k = width,
                                            .a = units_.data() + shard.begin * width,
                                            .stride_a = width,
                                            .b = units_.data(),
                                            .stride_b = width,
                                            .c = cosines.data(),
                                            .stride_c = sentences});
    for (std::uint32_t sentence = shard.begin; sentence < shard.end; ++sentence) {
        const T* const row = cosines.data() + (sentence - shard.begin) * sentences;
        const std::uint32_t negative = negative_of(batch, sentence, row, coin);
        negative_[sentence] = negative;
        negative_cosine_[sentence] = row[negative];
        partner_cosine_[sentence] = row[(sentence + batch.pairs) % sentences];
    }
}

template <typename T>
std::uint32_t Objective<T>::negative_of(const Batch& batch,
                                        std::uint32_t sentence,
                                        const T* cosines,
                                        std::uint64_t coin) const
{
    const auto sentences = static_cast<std::uint32_t>(batch.sentences());
    const auto pairs = static_cast<std::uint32_t>(batch.pairs);
    const std::uint32_t low = sentence % pairs; // itself and its partner, in order
    const std::uint32_t high = low + pairs;
    const std::uint64_t number = scrambled(coin + sentence);
    if (negatives_ == Negatives::mix && (number & 1U) == 1) {
        auto other = static_cast<std::uint32_t>((number >> 32U) % (sentences - 2));
        other += other >= low ? 1 : 0;
        return other + (other >= high ? 1 : 0);
    }
    // With two pairs at least there are others: before the sentence, between the two, or behind.
    T most = -std::numeric_limits<T>::infinity();
    most = largest(cosines, cosines + low, most);
    most = largest(cosines + low + 1, cosines + high, most);
    most = largest(cosines + high + 1, cosines + sentences, most);
    for (std::uint32_t other = 0; other < sentences; ++other)
        if (cosines[other] == most && other != low && other != high)
            return other;
    return low == 0 ? 1 : 0; // no number is largest among NaNs
}

template <typename T>
void Objective<T>::list_pulls(const Batch& batch, Pulls& pulls) const
{
    const std::size_t sentences = batch.sentences();
    const T share = T{1} / static_cast<T>(batch.pairs);
    // Each active term moves its sentence towards the partner and away from the negative, and both back.
    const auto for_each_pull = [&](const auto& give) {
        for (std::uint32_t sentence = 0; sentence < sentences; ++sentence) {
            const auto partner = static_cast<std::uint32_t>((sentence + batch.pairs) % sentences);
            // One value of the pair's cosine for both sides, whatever the two products rounded.
            const T same = partner_cosine_[std::min(sentence, partner)];
            if (!(margin_ - same + negative_cosine_[sentence] > 0))
                continue;
            give(sentence, Pull{partner, -share, same});
            give(partner, Pull{sentence, -share, same});
            give(sentence, Pull{negative_[sentence], share, negative_cosine_[sentence]});
            give(negative_[sentence], Pull{sentence, share, negative_cosine_[sentence]});
        }
    };
    pulls.begin.assign(sentences + 1, 0);
    for_each_pull([&](std::uint32_t sentence, const Pull&) { ++pulls.begin[sentence + 1]; });
    for (std::size_t i = 0; i < sentences; ++i)
        pulls.begin[i + 1] += pulls.begin[i];
    pulls.all.resize(pulls.begin.back());
    for_each_pull([&](std::uint32_t sentence, const Pull& pull) {
        pulls.all[pulls.begin[sentence]++] = pull;
    });
    for (std::size_t i = sentences; i > 0; --i) // back to where each begins
        pulls.begin[i] = pulls.begin[i - 1];
    pulls.begin[0] = 0;
}

template <typename T>
void Objective<T>::backward(const Batch& batch,
                            std::size_t number,
                            const Pulls& pulls,
                            std::span<const T> parameters)
{
    const Shard& shard = batch.shards[number];
    Work& work = *work_[number];
    const std::size_t width = architecture_.outputs;
    const bool is_word = architecture_.kind == paragram::Kind::word;
    T* const slot_gradient = slot_gradient_.data() + shard.slot * architecture_.inputs;
    work.output_gradient.resize((shard.end - shard.begin) * width);
    T* const gradients = is_word ? slot_gradient : work.output_gradient.data();
    for (std::uint32_t sentence = shard.begin; sentence < shard.end; ++sentence) {
        T* const gradient = gradients + (sentence - shard.begin) * width;
        std::fill_n(gradient, width, T{0});
        T along = 0; // d cos(a, b) / d a = (b - cos(a, b) a) / |a|, for a and b of length 1
        for (std::uint32_t at = pulls.begin[sentence]; at < pulls.begin[sentence + 1]; ++at) {
            const Pull& pull = pulls.all[at];
            const T* const other = units_.data() + pull.other * width;
            for (std::size_t i = 0; i < width; ++i)
                gradient[i] += pull.factor * other[i];
            along += pull.factor * pull.cosine;
        }
        const T* const unit = units_.data() + sentence * width;
        for (std::size_t i = 0; i < width; ++i)
            gradient[i] = (gradient[i] - along * unit[i]) * inverse_norms_[sentence];
    }
    if (!is_word)
        work.composition.backward(parameters, inputs_.data() + shard.slot * architecture_.inputs,
                                  shard.packing, gradients, slot_gradient, work.parameter_gradient);
    if (architecture_.is_recurrent())
        return;
    for (std::uint32_t sentence = shard.begin; sentence < shard.end; ++sentence) {
        const T factor = T{1} / static_cast<T>(batch.sentence(sentence).size()); // of the mean
        T* const gradient = slot_gradient + (sentence - shard.begin) * architecture_.inputs;
        for (std::size_t i = 0; i < architecture_.inputs; ++i)
            gradient[i] *= factor;
    }
}

template <typename T>
void Objective<T>::sum_loss(const Batch& batch)
{
    loss_ = 0;
    separation_ = 0;
    for (std::size_t sentence = 0; sentence < batch.sentences(); ++sentence) {
        const T same = partner_cosine_[sentence % batch.pairs];
        const T term = margin_ - same + negative_cosine_[sentence];
        loss_ += term > 0 ? static_cast<double>(term) : 0.0;
        separation_ += static_cast<double>(same - negative_cosine_[sentence]);
    }
    loss_ /= static_cast<double>(batch.pairs);
    separation_ /= static_cast<double>(batch.pairs);
}

template <typename T>
void Objective<T>::word_gradient(const Batch& batch, std::size_t place, T* out) const
{
    const std::size_t width = architecture_.inputs;
    const std::uint32_t begin = batch.occurrence_begin[place];
    std::copy_n(slot_gradient_.data() + batch.occurrences[begin] * width, width, out);
    for (std::uint32_t at = begin + 1; at < batch.occurrence_begin[place + 1]; ++at) {
        const T* const gradient = slot_gradient_.data() + batch.occurrences[at] * width;
        for (std::size_t i = 0; i < width; ++i)
            out[i] += gradient[i];
    }
}

template <typename T>
void Objective<T>::parameter_gradient(const Batch& batch,
                                      std::size_t first,
                                      std::size_t last,
                                      T* out) const
{
    std::fill(out, out + (last - first), T{0});
    for (std::size_t number = 0; number < batch.shards.size(); ++number)
        for (std::size_t i = first; i < last; ++i)
            out[i - first] += work_[number]->parameter_gradient[i];
}

template class Objective<float>;
template class Objective<double>;

} // namespace senteval::train
