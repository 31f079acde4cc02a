// option_text.hpp -- what help, manual pages and completion read of an option: one source for all.
//
// A placeholder tells what kind of value stands for it: ENCODER an encoder's name or library, TASKS tasks and
// groups separated by commas, TASK one of them, DATASET a dataset, task or group of tasks, KEY=VALUE a
// parameter of an encoder, FILE and MODEL a file, DIR and STORE a folder; FILE|TASK either. LIST is a
// list of values separated by commas. Any other is just a word for the reader.
#pragma once

#include <CLI/App.hpp>

#include <string>
#include <vector>

namespace senteval::host {

/// "FILE" of CLI11's "FILE:PATH(existing)"; "NAME" of "NAME:{a,b}".
std::string kind_of_value(const CLI::Option& option);

/// Whether it takes several words.
bool takes_several(const CLI::Option& option);

/// The values that an option takes; none where they are not a few words.
std::vector<std::string> choices_of(const CLI::Option& option);

/// Tells choices_of() the values that an option takes. They are not checked: what reads them does.
CLI::Validator known_choices(const std::vector<std::string>& choices);

/// Refuses "nan", which CLI::Range lets through.
CLI::Validator a_number();

} // namespace senteval::host
