// objective_gradient.hpp -- the way back from the loss to the gradient; a part of objective.cpp.
#pragma once

#include "train/objective_work.hpp"

namespace senteval::train {

/// Lists what moves some sentences. Where it is by parts, vectors are means, and what is wanted is the
/// gradient with respect to one of their words.
template <typename T>
void Objective<T>::list_pulls(unsigned member, const Batch& batch, const Sentences& some)
{
    Terms& terms = *terms_[member];
    terms.others.clear();
    terms.factors.clear();
    terms.begin.assign(1, 0);
    terms.scales.clear();
    for (std::uint32_t sentence = some.first; sentence < some.last; ++sentence) {
        const T share = is_by_parts() ? terms.shares[sentence] : T{1};
        if (head_) {
            terms.scales.push_back(share);
            continue;
        }
        list_pulls_of(batch, sentence, terms);
        terms.begin.push_back(static_cast<std::uint32_t>(terms.others.size()));
        terms.scales.push_back(share * comparison_.inverse_length(member, sentence));
    }
}

/// Each active term moves its sentence towards the partner and away from the negative, and both back.
template <typename T>
void Objective<T>::list_pulls_of(const Batch& batch, std::uint32_t sentence, Terms& terms) const
{
    const T share = T{1} / static_cast<T>(batch.pairs);
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
        add(terms.negative[sentence].sentence, share, terms.negative[sentence].cosine);
    for (std::uint32_t other = terms.pulled_by[sentence]; other != Terms::none;
         other = terms.next[other])
        add(other, share, terms.negative[other].cosine);
    add(sentence, -along, 0);
}

/// The gradient of what is listed, in some columns, to rows of `stride`.
template <typename T>
void Objective<T>::pull(unsigned member,
                        const Sentences& some,
                        const Columns& columns,
                        T* gradient,
                        std::size_t stride) const
{
    const Terms& terms = *terms_[member];
    const std::size_t count = some.last - some.first;
    const std::size_t width = columns.within(architecture_.outputs);
    const std::size_t row = comparison_.stride();
    if (head_) {
        const T* const from = sentence_gradient_.data() + some.first * row + columns.first;
        for (std::size_t i = 0; i < count; ++i)
            kernels_.scale(from + i * row, width, terms.scales[i], gradient + i * stride);
        return;
    }
    kernels_.sum_rows({.table = comparison_.units(member) + columns.first,
                       .stride = row,
                       .width = width,
                       .numbers = terms.others.data(),
                       .begin = terms.begin.data(),
                       .factors = terms.factors.data(),
                       .scales = terms.scales.data(),
                       .last = count,
                       .out = gradient,
                       .out_stride = stride});
}

template <typename T>
void Objective<T>::backward(unsigned member,
                            const Batch& batch,
                            std::size_t number,
                            std::span<const T> parameters)
{
    const Shard& shard = batch.shards[number];
    const Sentences some{shard.begin, shard.end};
    const std::size_t inputs = architecture_.inputs;
    T* const slot_gradient = slot_gradient_.front().data() + shard.slot * inputs;
    Work& work = *work_[number];
    work.output_gradient.resize(work.outputs.size());
    list_pulls(member, batch, some);
    pull(member, some, comparison_.parts().front(), work.output_gradient.data(),
         architecture_.outputs);
    work.composition.backward(parameters, inputs_.data() + shard.slot * inputs, shard.packing,
                              work.output_gradient.data(), slot_gradient, work.parameter_gradient);
    for (std::uint32_t sentence = shard.begin;
         sentence < shard.end && !architecture_.is_recurrent(); ++sentence) {
        T* const gradient = slot_gradient + (sentence - shard.begin) * inputs;
        kernels_.scale(gradient, inputs, terms_[member]->shares[sentence], gradient);
    }
}

template <typename T>
void Objective<T>::word_gradients(const Batch& batch,
                                  std::size_t first,
                                  std::size_t last,
                                  std::size_t part,
                                  T* out,
                                  std::size_t stride) const
{
    kernels_.sum_rows({.table = slot_gradient_[part].data(),
                       .stride = stride_of(part),
                       .width = parts_[part].within(architecture_.inputs),
                       .numbers = batch.occurrences.data(),
                       .begin = batch.occurrence_begin.data(),
                       .first = first,
                       .last = last,
                       .out = out,
                       .out_stride = stride});
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

} // namespace senteval::train
