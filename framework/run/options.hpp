// options.hpp -- every option of a run, once: its name, its help, and what it sets.
//
// The command line spells option `epoch_size` as --epoch-size, a run file as `epoch_size = 4` in the
// section the table gives. Adding an option is adding a row.
#pragma once

#include "core/value.hpp"
#include "run/config.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::run {

struct Option {
    std::string key;
    std::string section;     ///< of a run file: "run" or "classifier"
    std::string placeholder; ///< "N", "DIR", ... (see host/help.hpp); empty for a switch
    std::string help;
    std::function<void(Config&, const core::Value&)> apply;
    std::string alias = {};                ///< another spelling of the key; empty: none
    std::vector<std::string> choices = {}; ///< the values there are, where few are
    std::string letter = {};               ///< of the command line: "o" for -o; empty: none
    std::string implied = {}; ///< the value of an option that is given without; empty: none

    /// Whether it takes a list: several words of the command line, or the option several times.
    [[nodiscard]] bool is_list() const { return placeholder == "LIST" || placeholder == "TASKS"; }
};

/// All options. `profile` is the first: it sets several of the others, which then override it.
std::span<const Option> options();

/// The option of that section and key, or nullptr.
const Option* find_option(std::string_view section, std::string_view key);

} // namespace senteval::run
