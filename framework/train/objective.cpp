#include "train/objective.hpp"

#include "train/objective_gradient.hpp"
#include "train/objective_work.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

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

} // namespace

template <typename T>
Objective<T>::Objective(const paragram::Architecture& architecture,
                        double margin,
                        Negatives negatives,
                        Team& team)
    : Objective(architecture, margin, negatives, team, team.capacity())
{
}

/// A head reads whole vectors.
template <typename T>
Objective<T>::Objective(const paragram::Architecture& architecture,
                        const SimilarityHead<T>& head,
                        Team& team)
    : Objective(architecture, 0.0, Negatives::max, team, 1)
{
    head_ = head;
    head_gradient_.resize(head.parameter_count());
}

template <typename T>
Objective<T>::Objective(const paragram::Architecture& architecture,
                        double margin,
                        Negatives negatives,
                        Team& team,
                        std::size_t parts)
    : architecture_(architecture),
      margin_(static_cast<T>(margin)),
      negatives_(negatives),
      team_(team),
      parts_(parts_of(architecture.inputs, is_by_parts() ? parts : 1)),
      comparison_(architecture.outputs,
                  is_by_parts() ? parts_ : parts_of(architecture.outputs, 1),
                  team.capacity(),
                  negatives != Negatives::max),
      slot_gradient_(parts_.size())
{
    for (unsigned member = 0; member < team.capacity(); ++member)
        terms_.push_back(std::make_unique<Terms>());
}

template <typename T>
Objective<T>::~Objective() = default;

template <typename T>
void Objective<T>::reserve(const Batch& batch)
{
    while (work_.size() < batch.shards.size())
        work_.push_back(std::make_unique<Work>(architecture_));
    const auto at_least = [](auto& values, std::size_t size) {
        if (values.size() < size)
            values.resize(size);
    };
    at_least(inputs_, is_by_parts() ? 0 : batch.slots * architecture_.inputs);
    for (std::size_t part = 0; part < parts_.size(); ++part)
        at_least(slot_gradient_[part], batch.slots * stride_of(part));
    comparison_.reserve(batch.pairs);
    for (auto& terms : terms_)
        terms->resize(std::max(terms->negative.size(), batch.sentences()));
    if (head_)
        at_least(sentence_gradient_, batch.sentences() * comparison_.stride());
}

template <typename T>
void Objective<T>::compute(unsigned member,
                           const Batch& batch,
                           std::span<const WordMatrix<T>> words,
                           std::span<const T> parameters,
                           std::uint64_t coin)
{
    const Sentences all{0, static_cast<std::uint32_t>(batch.sentences())};
    for (std::size_t part = 0; part < parts_.size(); ++part)
        if (owns(member, part))
            read_means(member, batch, all, words[part], part, comparison_.vectors(part),
                       stride_of(part));
    for (std::size_t number = member; number < batch.shards.size(); number += team_.size())
        embed_shard(member, batch, number, words.front(), parameters);
    team_.sync();
    find_loss(member, batch, parameters, coin);
    if (is_by_parts()) {
        list_pulls(member, batch, all);
        for (std::size_t part = 0; part < parts_.size(); ++part)
            if (owns(member, part))
                pull(member, all, parts_[part], slot_gradient_[part].data(), stride_of(part));
        return;
    }
    for (std::size_t number = member; number < batch.shards.size(); number += team_.size())
        backward(member, batch, number, parameters);
    team_.sync();
}

// ---- forward --------------------------------------------------------------------------------------

template <typename T>
void Objective<T>::embed_shard(unsigned member,
                               const Batch& batch,
                               std::size_t number,
                               const WordMatrix<T>& words,
                               std::span<const T> parameters)
{
    const Shard& shard = batch.shards[number];
    Work& work = *work_[number];
    T* const inputs = inputs_.data() + shard.slot * architecture_.inputs;
    if (architecture_.is_recurrent())
        read_tokens(batch, shard, words, inputs);
    else
        read_means(member, batch, {shard.begin, shard.end}, words, 0, inputs, architecture_.inputs);
    const std::size_t outputs = architecture_.outputs;
    work.outputs.resize((shard.end - shard.begin) * outputs);
    work.composition.forward(parameters, inputs, shard.packing, work.outputs.data());
    for (std::uint32_t sentence = shard.begin; sentence < shard.end; ++sentence)
        std::copy_n(work.outputs.data() + (sentence - shard.begin) * outputs, outputs,
                    comparison_.vectors(0) + sentence * comparison_.stride());
}

template <typename T>
void Objective<T>::read_tokens(const Batch& batch,
                               const Shard& shard,
                               const WordMatrix<T>& words,
                               T* inputs) const
{
    for (std::uint32_t sentence = shard.begin; sentence < shard.end; ++sentence) {
        const auto tokens = batch.sentence(sentence);
        for (std::size_t step = 0; step < tokens.size(); ++step)
            std::copy_n(words.row(tokens[step]), architecture_.inputs,
                        inputs +
                            shard.packing.row(sentence - shard.begin, step) * architecture_.inputs);
    }
}

template <typename T>
void Objective<T>::read_means(unsigned member,
                              const Batch& batch,
                              const Sentences& some,
                              const WordMatrix<T>& words,
                              std::size_t part,
                              T* means,
                              std::size_t stride) const
{
    std::vector<T>& shares = terms_[member]->shares;
    for (std::uint32_t sentence = some.first; sentence < some.last; ++sentence)
        shares[sentence] = T{1} / static_cast<T>(batch.begin[sentence + 1] - batch.begin[sentence]);
    kernels_.sum_rows({.table = words.values,
                       .stride = words.stride,
                       .width = parts_[part].within(architecture_.inputs),
                       .numbers = batch.tokens.data(),
                       .begin = batch.begin.data(),
                       .scales = shares.data(),
                       .first = some.first,
                       .last = some.last,
                       .out = means,
                       .out_stride = stride,
                       .fetched = batch.tokens.size()});
}

// ---- loss -----------------------------------------------------------------------------------------

/// By every member: what each needs of it, once all vectors are there.
template <typename T>
void Objective<T>::find_loss(unsigned member,
                             const Batch& batch,
                             std::span<const T> parameters,
                             std::uint64_t coin)
{
    if (head_) {
        if (member == 0)
            compute_head(batch, parameters);
        return team_.sync();
    }
    comparison_.compare(member, team_.size(), batch.pairs);
    team_.sync();
    find_terms(batch, coin, *terms_[member]);
    if (member == 0)
        sum_loss(batch, *terms_[member]);
}

template <typename T>
OtherSentence<T>
Objective<T>::negative_of(const Batch& batch, std::uint32_t sentence, std::uint64_t coin) const
{
    const std::uint64_t number = scrambled(coin + sentence);
    if (negatives_ == Negatives::max || (number & 1U) == 0)
        return comparison_.nearest(sentence);
    const auto low = static_cast<std::uint32_t>(sentence % batch.pairs); // itself and its partner
    const auto high = static_cast<std::uint32_t>(low + batch.pairs);
    auto other = static_cast<std::uint32_t>((number >> 32U) % (batch.sentences() - 2));
    other += other >= low ? 1 : 0;
    other += other >= high ? 1 : 0;
    return {other, comparison_.cosine(sentence, other)};
}

template <typename T>
void Objective<T>::find_terms(const Batch& batch, std::uint64_t coin, Terms& terms) const
{
    const auto sentences = static_cast<std::uint32_t>(batch.sentences());
    std::fill_n(terms.pulled_by.begin(), sentences, Terms::none);
    for (std::uint32_t sentence = sentences; sentence-- > 0;) { // so that lists ascend
        const OtherSentence<T> negative = negative_of(batch, sentence, coin);
        const T same = comparison_.partner_cosine(sentence % batch.pairs);
        terms.negative[sentence] = negative;
        terms.is_active[sentence] = margin_ - same + negative.cosine > 0 ? 1 : 0;
        if (terms.is_active[sentence] == 0)
            continue;
        terms.next[sentence] = terms.pulled_by[negative.sentence];
        terms.pulled_by[negative.sentence] = sentence;
    }
}

template <typename T>
void Objective<T>::sum_loss(const Batch& batch, const Terms& terms)
{
    loss_ = 0;
    separation_ = 0;
    for (std::size_t sentence = 0; sentence < batch.sentences(); ++sentence) {
        const T same = comparison_.partner_cosine(sentence % batch.pairs);
        const T cosine = terms.negative[sentence].cosine;
        const T term = margin_ - same + cosine;
        loss_ += term > 0 ? static_cast<double>(term) : 0.0;
        separation_ += static_cast<double>(same - cosine);
    }
    loss_ /= static_cast<double>(batch.pairs);
    separation_ /= static_cast<double>(batch.pairs);
}

/// Judged pairs are few: by one thread.
template <typename T>
void Objective<T>::compute_head(const Batch& batch, std::span<const T> parameters)
{
    const std::size_t stride = comparison_.stride();
    loss_ = head_->compute(parameters.last(head_->parameter_count()),
                           {comparison_.vectors(0), stride, batch.pairs}, batch.scores,
                           {sentence_gradient_.data(), stride, batch.pairs}, head_gradient_);
}

template class Objective<float>;
template class Objective<double>;

} // namespace senteval::train
