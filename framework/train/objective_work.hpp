// objective_work.hpp -- what the members of a team compute an objective with.
#pragma once

#include "train/objective.hpp"

namespace senteval::train {

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
        for (auto* numbers : {&pulled_by, &next})
            numbers->resize(sentences);
        shares.resize(sentences);
        negative.resize(sentences);
        is_active.resize(sentences);
    }

    std::vector<T> shares;                  ///< of each sentence: of a word in the mean
    std::vector<OtherSentence<T>> negative; ///< of each sentence
    std::vector<std::uint8_t> is_active;    ///< the term is above 0
    /// The first active sentence with this negative, and the next one with the same; or none.
    std::vector<std::uint32_t> pulled_by;
    std::vector<std::uint32_t> next;

    /// The sentences that some are pulled to or pushed from, and how strongly; and by which factor all of it.
    std::vector<std::uint32_t> others;
    std::vector<T> factors;
    std::vector<std::uint32_t> begin; ///< of each of these sentences, in others; and the end
    std::vector<T> scales;
};

} // namespace senteval::train
