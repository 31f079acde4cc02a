// row_settings.hpp -- rows of an encoder: one for each choice of settings.
#pragma once

#include "results/store.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace senteval::compare {

using Settings = std::map<std::string, std::string>; ///< path of a setting -> its value

/// The protocol's settings without the seed, which rows do not differ by, and the projection or variant, which
/// makes another encoder of it. A limit holds for every task: its absence is a value, too. So is that of doubts
/// about the data.
Settings settings_of(const results::Cell& cell);

/// Key of a setting -> whether to have none of it is a value of its own.
using SettingKeys = std::map<std::string, bool>;

/// The settings that distinguish results of one task, for some task of the encoder.
SettingKeys varying_settings(const std::vector<const results::Cell*>& cells);

/// The cell's settings that distinguish rows.
Settings restricted(const results::Cell& cell, const SettingKeys& keys);

/// Whether the whole has all settings of the part.
bool agrees(const Settings& part, const Settings& whole);

/// The signatures that are in no other row, the plainest first: it has the results that concern all.
std::vector<Settings> row_signatures(const std::vector<const results::Cell*>& cells,
                                     const SettingKeys& keys);

/// "classifier=mlp, normalise=z"
std::string describe(const Settings& settings);

/// Label of a row; "none" is left out beside rows with another value.
std::string label_of(const std::string& encoder, Settings settings);

} // namespace senteval::compare
