// settings.hpp -- settings as they are written into result files.
#pragma once

#include "core/json.hpp"
#include "embedding/normalise.hpp"
#include "learn/settings.hpp"

#include <cstddef>
#include <span>

namespace senteval::tasks {

/// Those settings of the classifier that have an effect on it.
core::Json to_json(const learn::Settings& settings);

/// The name of one normalisation, a list of the names of several.
core::Json to_json(std::span<const embedding::Normalisation> normalisations);

/// Which of several normalisations was chosen, for the details; says nothing where there is no choice.
void add_choice(core::Json& details,
                std::span<const embedding::Normalisation> normalisations,
                std::size_t chosen);

} // namespace senteval::tasks
