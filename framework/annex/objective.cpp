#include "annex/objective.hpp"

#include "annex/backward.hpp"
#include "annex/rows.hpp"

#include <algorithm>

namespace senteval::annex {

namespace {

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): numbers that look random from a counter.
std::uint64_t scrambled(std::uint64_t value)
{
    value += 0x9e3779b97f4a7c15U;
    value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
    value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
    return value ^ (value >> 31U);
}

/// The weight of a word in the mean of a sentence.
template <typename T>
T share_of(const Batch& batch, std::size_t sentence)
{
    return T{1} / static_cast<T>(batch.sentence(sentence).size());
}

void at_least(auto& values, std::size_t size)
{
    if (values.size() < size)
        values.resize(size);
}

} // namespace

template <typename T>
struct Objective<T>::Work {
    explicit Work(const paragram::Architecture& architecture)
        : composition(architecture),
          gradient(architecture),
          parameter_gradient(paragram::parameter_count(architecture))
    {
    }
    paragram::Composition<T> composition;
    Backward<T> gradient;
    std::vector<T> parameter_gradient;
    std::vector<T> outputs;
    std::vector<T> output_gradient;
};

/// Every member lists the terms of all sentences: that is cheaper than waiting for one that does.
template <typename T>
struct Objective<T>::Member {
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    explicit Member(std::size_t width) : row(core::padded(width)) {}

    void resize(std::size_t sentences)
    {
        at_least(pulled_by, sentences);
        at_least(next, sentences);
        at_least(negative, sentences);
        at_least(is_active, sentences);
    }

    void add(const T* other, T factor)
    {
        rows.push_back(other);
        factors.push_back(factor);
    }

    std::vector<OtherSentence<T>> negative; ///< of each sentence
    std::vector<std::uint8_t> is_active;    ///< the term is above 0
    /// The first active sentence with this negative, and the next one with the same; or none.
    std::vector<std::uint32_t> pulled_by;
    std::vector<std::uint32_t> next;

    std::vector<const T*> rows; ///< to be combined, with these factors
    std::vector<T> factors;
    learn::AlignedVector<T> row;
};

template <typename T>
Objective<T>::Objective(const paragram::Architecture& architecture,
                        double margin,
                        Negatives negatives,
                        Team& team)
    : architecture_(architecture),
      margin_(static_cast<T>(margin)),
      negatives_(negatives),
      team_(team),
      comparison_(architecture.outputs, team.size()),
      input_stride_(is_mean() ? core::padded(architecture.inputs) : architecture.inputs)
{
    for (unsigned member = 0; member < team.size(); ++member)
        members_.push_back(
            std::make_unique<Member>(std::max(architecture.inputs, architecture.outputs)));
}

template <typename T>
Objective<T>::Objective(const paragram::Architecture& architecture,
                        const SimilarityHead<T>& head,
                        Team& team)
    : Objective(architecture, 0.0, Negatives::max, team)
{
    head_ = head;
    head_gradient_.resize(head.parameter_count());
}

template <typename T>
Objective<T>::~Objective() = default;

template <typename T>
void Objective<T>::reserve(const Batch& batch)
{
    while (work_.size() < batch.shards.size())
        work_.push_back(std::make_unique<Work>(architecture_));
    at_least(inputs_, is_mean() ? 0 : batch.slots * input_stride_);
    at_least(slot_gradient_,
             batch.slots * input_stride_ + core::line_floats); // read in whole lines
    comparison_.reserve(batch.pairs);
    for (auto& member : members_)
        member->resize(batch.sentences());
    if (head_)
        at_least(sentence_gradient_, batch.sentences() * comparison_.stride());
}

template <typename T>
void Objective<T>::compute(unsigned member,
                           const Batch& batch,
                           const WordMatrix<T>& words,
                           std::span<const T> parameters,
                           std::uint64_t coin)
{
    const auto each_shard = [&](const auto& body) {
        for (std::size_t number = member; number < batch.shards.size(); number += team_.size())
            body(number);
        team_.sync();
    };
    each_shard([&](std::size_t number) { embed(member, batch, number, words, parameters); });
    if (head_) {
        if (member == 0)
            compute_head(batch, parameters);
        team_.sync();
    } else {
        comparison_.compare(member, team_.size(), batch.pairs);
        team_.sync();
        find_terms(batch, coin, *members_[member]);
        if (member == 0)
            sum_loss(batch, *members_[member]);
    }
    each_shard([&](std::size_t number) { backward(member, batch, number, parameters); });
}

// ---- forward --------------------------------------------------------------------------------------

template <typename T>
void Objective<T>::embed(unsigned member,
                         const Batch& batch,
                         std::size_t number,
                         const WordMatrix<T>& words,
                         std::span<const T> parameters)
{
    const Shard& shard = batch.shards[number];
    Member& own = *members_[member];
    T* const inputs = inputs_.data() + (is_mean() ? 0 : shard.slot * input_stride_);
    if (architecture_.is_recurrent())
        read_tokens(batch, shard, words, inputs);
    for (std::uint32_t sentence = shard.begin;
         sentence < shard.end && !architecture_.is_recurrent(); ++sentence) {
        read_mean(own, batch, sentence, words,
                  is_mean() ? comparison_.vector(sentence) : own.row.data());
        if (!is_mean())
            std::copy_n(own.row.data(), input_stride_,
                        inputs + (sentence - shard.begin) * input_stride_);
    }
    if (!is_mean()) {
        Work& work = *work_[number];
        const std::size_t outputs = architecture_.outputs;
        work.outputs.resize((shard.end - shard.begin) * outputs);
        work.composition.forward(parameters, inputs, shard.packing, work.outputs.data());
        for (std::uint32_t sentence = shard.begin; sentence < shard.end; ++sentence)
            std::copy_n(work.outputs.data() + (sentence - shard.begin) * outputs, outputs,
                        comparison_.vector(sentence));
    }
    if (!head_)
        comparison_.normalise(shard.begin, shard.end);
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
            std::copy_n(words.row(tokens[step]), input_stride_,
                        inputs + shard.packing.row(sentence - shard.begin, step) * input_stride_);
    }
}

/// Rows are random ones of a large table: the processor is told of those of a later sentence.
template <typename T>
void Objective<T>::read_mean(Member& member,
                             const Batch& batch,
                             std::uint32_t sentence,
                             const WordMatrix<T>& words,
                             T* mean) const
{
    constexpr std::size_t ahead = 3;
    const std::size_t width = core::padded(architecture_.inputs);
    if (sentence + ahead < batch.sentences())
        for (const Word word : batch.sentence(sentence + ahead))
            prefetch_row(words.row(word), width * sizeof(T));
    member.rows.clear();
    for (const Word word : batch.sentence(sentence))
        member.rows.push_back(words.row(word));
    member.factors.assign(member.rows.size(), share_of<T>(batch, sentence));
    combine(member.rows, member.factors, width, mean);
}

// ---- loss -----------------------------------------------------------------------------------------

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
void Objective<T>::find_terms(const Batch& batch, std::uint64_t coin, Member& member) const
{
    const auto sentences = static_cast<std::uint32_t>(batch.sentences());
    std::fill_n(member.pulled_by.begin(), sentences, Member::none);
    for (std::uint32_t sentence = sentences; sentence-- > 0;) { // so that lists ascend
        const OtherSentence<T> negative = negative_of(batch, sentence, coin);
        const T same = comparison_.partner_cosine(sentence % batch.pairs);
        member.negative[sentence] = negative;
        member.is_active[sentence] = margin_ - same + negative.cosine > 0 ? 1 : 0;
        if (member.is_active[sentence] == 0)
            continue;
        member.next[sentence] = member.pulled_by[negative.sentence];
        member.pulled_by[negative.sentence] = sentence;
    }
}

template <typename T>
void Objective<T>::sum_loss(const Batch& batch, const Member& member)
{
    loss_ = 0;
    separation_ = 0;
    for (std::size_t sentence = 0; sentence < batch.sentences(); ++sentence) {
        const T same = comparison_.partner_cosine(sentence % batch.pairs);
        const T cosine = member.negative[sentence].cosine;
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
                           {comparison_.vector(0), stride, batch.pairs}, batch.scores,
                           {sentence_gradient_.data(), stride, batch.pairs}, head_gradient_);
}

// ---- backward -------------------------------------------------------------------------------------

/// The gradient with respect to a sentence vector, times `scale`. Each active term moves its sentence towards
/// the partner and away from the negative, and both back.
template <typename T>
void Objective<T>::pull(
    Member& member, const Batch& batch, std::uint32_t sentence, T scale, T* out) const
{
    const std::size_t stride = comparison_.stride();
    if (head_) {
        const T* const from = sentence_gradient_.data() + sentence * stride;
        std::transform(from, from + stride, out, [scale](T value) { return scale * value; });
        return;
    }
    const T share = T{1} / static_cast<T>(batch.pairs);
    const T whole = scale * comparison_.inverse_length(sentence);
    T along = 0; // d cos(a, b) / d a = (b - cos(a, b) a) / |a|, for a and b of length 1
    member.rows.clear();
    member.factors.clear();
    const auto add = [&](std::uint32_t other, T factor, T cosine) {
        member.add(comparison_.vector(other), factor * whole);
        along += factor * cosine;
    };
    const auto partner = static_cast<std::uint32_t>((sentence + batch.pairs) % batch.sentences());
    if (const int active = member.is_active[sentence] + member.is_active[partner]; active > 0)
        add(partner, -share * static_cast<T>(active),
            comparison_.partner_cosine(sentence % batch.pairs));
    if (member.is_active[sentence] != 0)
        add(member.negative[sentence].sentence, share, member.negative[sentence].cosine);
    for (std::uint32_t other = member.pulled_by[sentence]; other != Member::none;
         other = member.next[other])
        add(other, share, member.negative[other].cosine);
    add(sentence, -along, 0);
    combine(member.rows, member.factors, stride, out);
}

template <typename T>
void Objective<T>::backward(unsigned member,
                            const Batch& batch,
                            std::size_t number,
                            std::span<const T> parameters)
{
    const Shard& shard = batch.shards[number];
    Member& own = *members_[member];
    T* const slot_gradient = slot_gradient_.data() + shard.slot * input_stride_;
    if (is_mean()) {
        for (std::uint32_t sentence = shard.begin; sentence < shard.end; ++sentence)
            pull(own, batch, sentence, share_of<T>(batch, sentence),
                 slot_gradient + (sentence - shard.begin) * input_stride_);
        return;
    }
    Work& work = *work_[number];
    const std::size_t outputs = architecture_.outputs;
    work.output_gradient.resize(work.outputs.size());
    for (std::uint32_t sentence = shard.begin; sentence < shard.end; ++sentence) {
        pull(own, batch, sentence, T{1}, own.row.data());
        std::copy_n(own.row.data(), outputs,
                    work.output_gradient.data() + (sentence - shard.begin) * outputs);
    }
    work.gradient.compute(work.composition, parameters, inputs_.data() + shard.slot * input_stride_,
                          shard.packing, work.output_gradient.data(), slot_gradient,
                          work.parameter_gradient);
    for (std::uint32_t sentence = shard.begin;
         sentence < shard.end && !architecture_.is_recurrent(); ++sentence)
        for (std::size_t i = 0; i < input_stride_; ++i)
            slot_gradient[(sentence - shard.begin) * input_stride_ + i] *=
                share_of<T>(batch, sentence);
}

template <typename T>
void Objective<T>::word_gradient(unsigned member, const Batch& batch, std::size_t place, T* out)
{
    Member& own = *members_[member];
    own.rows.clear();
    for (std::uint32_t i = batch.occurrence_begin[place]; i < batch.occurrence_begin[place + 1];
         ++i)
        own.rows.push_back(slot_gradient_.data() + batch.occurrences[i] * input_stride_);
    own.factors.assign(own.rows.size(), T{1});
    const std::size_t width = core::padded(architecture_.inputs);
    combine(own.rows, own.factors, width, out);
    std::fill(out + architecture_.inputs, out + width, T{0});
}

template <typename T>
void Objective<T>::parameter_gradient(const Batch& batch,
                                      std::size_t first,
                                      std::size_t last,
                                      T* out) const
{
    const std::size_t of_model = paragram::parameter_count(architecture_);
    for (std::size_t i = first; i < last; ++i) {
        T sum = i < of_model ? T{0} : head_gradient_[i - of_model];
        for (std::size_t number = 0; i < of_model && number < batch.shards.size(); ++number)
            sum += work_[number]->parameter_gradient[i];
        out[i - first] = sum;
    }
}

template class Objective<float>;
template class Objective<double>;

} // namespace senteval::annex
