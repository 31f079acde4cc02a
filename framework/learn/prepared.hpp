// prepared.hpp -- a dataset as classifiers take it, under each normalisation of a search.
#pragma once

#include "embedding/normalise.hpp"
#include "learn/design_matrix.hpp"
#include "learn/validation.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace senteval::learn {

using Rows = std::span<const std::uint32_t>;
using SharedNormaliser = std::shared_ptr<const embedding::Normaliser>;

/// Fitted on those rows; nothing where nothing is to be done.
SharedNormaliser fit_normaliser(const Dataset& data, embedding::Treatment kind, Rows rows);

/// A dataset ready for the classifiers, under one normalisation. The dataset has to outlive it.
struct Prepared {
    Prepared(const Dataset& data, SharedNormaliser by);

    [[nodiscard]] Examples examples(Rows rows) const { return {&matrix, labels, rows}; }

    SharedNormaliser normaliser;
    DesignMatrix matrix;
    std::span<const Label> labels;
};

/// A dataset under each normalisation of a search. May be asked from several threads at once.
class Normalised {
public:
    /// Both have to outlive it.
    Normalised(const Dataset& data, std::span<const embedding::Treatment> kinds);

    /// All items under a normalisation that is fitted on those rows; the same object for all folds
    /// where nothing is fitted.
    [[nodiscard]] std::shared_ptr<const Prepared> fitted(std::size_t number, Rows rows) const;

    /// Whether no normalisation is fitted, so that all folds have the same objects.
    [[nodiscard]] bool fits_nothing() const;

private:
    [[nodiscard]] std::shared_ptr<const Prepared> prepare(embedding::Treatment kind,
                                                          Rows rows) const;

    const Dataset& data_;
    std::span<const embedding::Treatment> kinds_;
    std::vector<std::shared_ptr<const Prepared>> shared_;
};

} // namespace senteval::learn
