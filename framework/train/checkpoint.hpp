// checkpoint.hpp -- a training in the middle, on disk: a line of JSON that says which and where, then
// the bytes of its state and their XXH3 (64 bits, little-endian).
#pragma once

#include "core/json.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace senteval::train {

inline constexpr std::string_view checkpoint_member =
    "senteval_training"; ///< with the layout's version

struct Checkpoint {
    core::Json about;
    std::string state;
};

/// Whether the file begins as a checkpoint does: only such a file is ever replaced or removed.
bool is_checkpoint(const std::filesystem::path& file);

/// Replaces the file at once; `about` begins with the member checkpoint_member, and `write` hands over
/// the bytes of the state. Throws core::Error, also where the file is there and is no checkpoint.
void write_checkpoint(
    const std::filesystem::path& file,
    const core::Json& about,
    const std::function<void(const std::function<void(std::string_view)>& sink)>& write);

/// Of no more use, once the training is done. Does nothing where there is none, or another file.
void remove_checkpoint(const std::filesystem::path& file);

/// Nothing where there is no file. Throws core::Error where it is damaged or no checkpoint.
std::optional<Checkpoint> read_checkpoint(const std::filesystem::path& file);

} // namespace senteval::train
