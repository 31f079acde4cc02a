// checkpoint.hpp -- a training in the middle, on disk: a line of JSON that says which and where, then the bytes of its
// state and their XXH3 (64 bits, little-endian).
#pragma once

#include "core/json.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace senteval::train {

struct Checkpoint {
    core::Json about;
    std::string state;
};

/// Replaces the file at once; `write` hands over the bytes of the state. Throws core::Error.
void write_checkpoint(
    const std::filesystem::path& file,
    const core::Json& about,
    const std::function<void(const std::function<void(std::string_view)>& sink)>& write);

/// Nothing where there is no file. Throws core::Error where it is damaged or no checkpoint.
std::optional<Checkpoint> read_checkpoint(const std::filesystem::path& file);

} // namespace senteval::train
