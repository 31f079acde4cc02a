// row_settings.hpp -- which results of an encoder stand in one row: those under the same settings.
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

/// The settings that tell results of one task apart, for some task of the encoder.
SettingKeys varying_settings(const std::vector<const results::Cell*>& cells);

/// The cell's settings that tell rows apart.
Settings restricted(const results::Cell& cell, const SettingKeys& keys);

/// Whether the whole has all settings of the part.
bool agrees(const Settings& part, const Settings& whole);

/// The signatures that do not stand in the row of another one, the plainest first: it has the results that
/// concern all.
std::vector<Settings> row_signatures(const std::vector<const results::Cell*>& cells,
                                     const SettingKeys& keys);

/// "classifier=mlp, normalise=z"
std::string describe(const Settings& settings);

/// What is "none" goes without saying beside rows where it is not.
std::string label_of(const std::string& encoder, Settings settings);

} // namespace senteval::compare
