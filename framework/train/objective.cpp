#include "train/objective.hpp"

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
    std::vector<T> outputs;
    std::vector<T> output_gradient;
};

/// Every member lists those of all sentences: that is cheaper than waiting for one that does.
template <typename T>
struct Objective<T>::Terms {
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    void resize(std::size_t sentences)
    {
        for (auto* numbers : {&negative, &pulled_by, &next})
            numbers->resize(sentences);
        cosine.resize(sentences);
        is_active.resize(sentences);
    }

    std::vector<std::uint32_t> negative; ///< of each sentence
    std::vector<T> cosine;               ///< with it
    std::vector<std::uint8_t> is_active; ///< the term is above 0
    /// The first active sentence with this negative, and the next one with the same; or none.
    std::vector<std::uint32_t> pulled_by;
    std::vector<std::uint32_t> next;
    /// The sentences that one is pulled to or pushed from, and how strongly.
    std::vector<std::uint32_t> others;
    std::vector<T> factors;
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
      stride_(architecture.kind == paragram::Kind::word ? core::padded(architecture.inputs)
                                                        : architecture.inputs),
      comparison_(architecture.outputs, team.capacity())
{
    for (unsigned member = 0; member < team.capacity(); ++member)
        terms_.push_back(std::make_unique<Terms>());
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
    const auto at_least = [](auto& values, std::size_t size) {
        if (values.size() < size)
            values.resize(size);
    };
    at_least(inputs_, batch.slots * stride_);
    at_least(slot_gradient_, batch.slots * stride_);
    at_least(inverse_norms_, batch.sentences());
    comparison_.reserve(batch.pairs);
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
    embed(member, batch, words, parameters);
    team_.sync();
    Terms& terms = *terms_[member];
    if (head_) {
        if (member == 0)
            compute_head(batch, parameters);
        team_.sync();
    } else {
        comparison_.compare(member, team_.size(), batch.pairs);
        team_.sync();
        find_terms(batch, coin, terms);
        if (member == 0)
            sum_loss(batch, terms);
    }
    for (std::size_t number = member; number < batch.shards.size(); number += team_.size())
        backward(batch, number, terms, parameters);
    team_.sync();
}

// ---- forward --------------------------------------------------------------------------------------

template <typename T>
void Objective<T>::embed(unsigned member,
                         const Batch& batch,
                         const WordMatrix<T>& words,
                         std::span<const T> parameters)
{
    for (std::size_t number = member; number < batch.shards.size(); number += team_.size())
        embed_shard(batch, number, words, parameters);
}

template <typename T>
void Objective<T>::embed_shard(const Batch& batch,
                               std::size_t number,
                               const WordMatrix<T>& words,
                               std::span<const T> parameters)
{
    const Shard& shard = batch.shards[number];
    const std::size_t count = shard.end - shard.begin;
    if (architecture_.kind == paragram::Kind::word) {
        for (std::uint32_t sentence = shard.begin; sentence < shard.end; ++sentence) {
            read_mean(batch, sentence, words, comparison_.unit(sentence));
            normalise(sentence, comparison_.unit(sentence));
        }
    } else {
        Work& work = *work_[number];
        T* const inputs = inputs_.data() + shard.slot * stride_;
        work.outputs.resize(count * architecture_.outputs);
        read_inputs(batch, shard, words, inputs);
        work.composition.forward(parameters, inputs, shard.packing, work.outputs.data());
        for (std::size_t i = 0; i < count; ++i)
            normalise(static_cast<std::uint32_t>(shard.begin + i),
                      work.outputs.data() + i * architecture_.outputs);
    }
    comparison_.add(shard.begin, count);
}

template <typename T>
void Objective<T>::read_inputs(const Batch& batch,
                               const Shard& shard,
                               const WordMatrix<T>& words,
                               T* inputs) const
{
    const std::size_t width = architecture_.inputs;
    for (std::uint32_t sentence = shard.begin; sentence < shard.end; ++sentence) {
        if (!architecture_.is_recurrent()) {
            read_mean(batch, sentence, words, inputs + (sentence - shard.begin) * stride_);
            continue;
        }
        const auto tokens = batch.sentence(sentence);
        for (std::size_t step = 0; step < tokens.size(); ++step)
            std::copy_n(words.row(tokens[step]), width,
                        inputs + shard.packing.row(sentence - shard.begin, step) * stride_);
    }
}

template <typename T>
void Objective<T>::read_mean(const Batch& batch,
                             std::uint32_t sentence,
                             const WordMatrix<T>& words,
                             T* mean) const
{
    constexpr std::size_t ahead = 8;
    const std::size_t end =
        std::min<std::size_t>(batch.begin[sentence + 1] + ahead, batch.tokens.size());
    for (std::size_t token = batch.begin[sentence] + ahead; token < end; ++token)
        prefetch(words.row(batch.tokens[token]), architecture_.inputs);
    const auto tokens = batch.sentence(sentence);
    kernels_.combine(
        {words.values, words.stride, tokens.data(), tokens.size(), architecture_.inputs}, nullptr,
        T{1} / static_cast<T>(tokens.size()), mean);
}

template <typename T>
void Objective<T>::normalise(std::uint32_t sentence, const T* output)
{
    const std::size_t width = architecture_.outputs;
    const T sum = head_ ? 1 : kernels_.square(output, width); // a head reads vectors as they are
    const T inverse = sum > 0 ? 1 / std::sqrt(sum) : 0;
    inverse_norms_[sentence] = inverse;
    kernels_.scale(output, width, inverse, comparison_.unit(sentence));
}

// ---- loss -----------------------------------------------------------------------------------------

template <typename T>
std::uint32_t
Objective<T>::negative_of(const Batch& batch, std::uint32_t sentence, std::uint64_t coin) const
{
    const std::uint64_t number = scrambled(coin + sentence);
    if (negatives_ == Negatives::max || (number & 1U) == 0)
        return comparison_.nearest(sentence);
    const auto low = static_cast<std::uint32_t>(sentence % batch.pairs); // itself and its partner
    const auto high = static_cast<std::uint32_t>(low + batch.pairs);
    auto other = static_cast<std::uint32_t>((number >> 32U) % (batch.sentences() - 2));
    other += other >= low ? 1 : 0;
    return other + (other >= high ? 1 : 0);
}

template <typename T>
void Objective<T>::find_terms(const Batch& batch, std::uint64_t coin, Terms& terms) const
{
    const auto sentences = static_cast<std::uint32_t>(batch.sentences());
    terms.resize(sentences);
    std::ranges::fill(terms.pulled_by, Terms::none);
    for (std::uint32_t sentence = sentences; sentence-- > 0;) { // so that lists ascend
        const std::uint32_t negative = negative_of(batch, sentence, coin);
        const T cosine = comparison_.cosine(sentence, negative);
        const T same = comparison_.partner_cosine(sentence % batch.pairs);
        terms.negative[sentence] = negative;
        terms.cosine[sentence] = cosine;
        terms.is_active[sentence] = margin_ - same + cosine > 0 ? 1 : 0;
        if (terms.is_active[sentence] == 0)
            continue;
        terms.next[sentence] = terms.pulled_by[negative];
        terms.pulled_by[negative] = sentence;
    }
}

template <typename T>
void Objective<T>::sum_loss(const Batch& batch, const Terms& terms)
{
    loss_ = 0;
    separation_ = 0;
    for (std::size_t sentence = 0; sentence < batch.sentences(); ++sentence) {
        const T same = comparison_.partner_cosine(sentence % batch.pairs);
        const T term = margin_ - same + terms.cosine[sentence];
        loss_ += term > 0 ? static_cast<double>(term) : 0.0;
        separation_ += static_cast<double>(same - terms.cosine[sentence]);
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
                           {comparison_.unit(0), stride, batch.pairs}, batch.scores,
                           {sentence_gradient_.data(), stride, batch.pairs}, head_gradient_);
}

// ---- backward -------------------------------------------------------------------------------------

/// The gradient with respect to a sentence's vector, times `scale`. Each active term moves its sentence towards the
/// partner and away from the negative, and both back.
template <typename T>
void Objective<T>::pull(
    const Batch& batch, std::uint32_t sentence, T scale, Terms& terms, T* gradient) const
{
    if (head_)
        return kernels_.scale(sentence_gradient_.data() + sentence * comparison_.stride(),
                              architecture_.outputs, scale, gradient);
    const T share = T{1} / static_cast<T>(batch.pairs);
    terms.others.clear();
    terms.factors.clear();
    T along = 0; // d cos(a, b) / d a = (b - cos(a, b) a) / |a|, for a and b of length 1
    const auto add = [&](std::uint32_t other, T factor, T cosine) {
        terms.others.push_back(other);
        terms.factors.push_back(factor);
        along += factor * cosine;
    };
    const auto partner = static_cast<std::uint32_t>((sentence + batch.pairs) % batch.sentences());
    if (const int active = terms.is_active[sentence] + terms.is_active[partner]; active > 0)
        add(partner, -share * static_cast<T>(active),
            comparison_.partner_cosine(sentence % batch.pairs));
    if (terms.is_active[sentence] != 0)
        add(terms.negative[sentence], share, terms.cosine[sentence]);
    for (std::uint32_t other = terms.pulled_by[sentence]; other != Terms::none;
         other = terms.next[other])
        add(other, share, terms.cosine[other]);
    add(sentence, -along, 0);
    kernels_.combine({comparison_.unit(0), comparison_.stride(), terms.others.data(),
                      terms.others.size(), architecture_.outputs},
                     terms.factors.data(), scale * inverse_norms_[sentence], gradient);
}

template <typename T>
void Objective<T>::backward(const Batch& batch,
                            std::size_t number,
                            Terms& terms,
                            std::span<const T> parameters)
{
    const Shard& shard = batch.shards[number];
    T* const slot_gradient = slot_gradient_.data() + shard.slot * stride_;
    const auto share_of_word = [&](std::uint32_t sentence) { // of the mean
        return T{1} / static_cast<T>(batch.sentence(sentence).size());
    };
    if (architecture_.kind == paragram::Kind::word) {
        for (std::uint32_t sentence = shard.begin; sentence < shard.end; ++sentence)
            pull(batch, sentence, share_of_word(sentence), terms,
                 slot_gradient + (sentence - shard.begin) * stride_);
        return;
    }
    Work& work = *work_[number];
    work.output_gradient.resize(work.outputs.size());
    for (std::uint32_t sentence = shard.begin; sentence < shard.end; ++sentence)
        pull(batch, sentence, T{1}, terms,
             work.output_gradient.data() + (sentence - shard.begin) * architecture_.outputs);
    work.composition.backward(parameters, inputs_.data() + shard.slot * stride_, shard.packing,
                              work.output_gradient.data(), slot_gradient, work.parameter_gradient);
    for (std::uint32_t sentence = shard.begin;
         sentence < shard.end && !architecture_.is_recurrent(); ++sentence) {
        T* const gradient = slot_gradient + (sentence - shard.begin) * stride_;
        kernels_.scale(gradient, architecture_.inputs, share_of_word(sentence), gradient);
    }
}

template <typename T>
void Objective<T>::word_gradient(const Batch& batch, std::size_t place, T* out) const
{
    const std::uint32_t begin = batch.occurrence_begin[place];
    kernels_.combine({slot_gradient_.data(), stride_, batch.occurrences.data() + begin,
                      batch.occurrence_begin[place + 1] - begin, architecture_.inputs},
                     nullptr, T{1}, out);
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

} // namespace senteval::train
