// home.hpp -- "~" in paths that no shell has seen.
#pragma once

#include <filesystem>

namespace senteval::base {

/// A path as a user wrote it, with $HOME for the "~" that begins it: the shell replaces that one only
/// where it begins a word, as in `--data ~/data` but not in `vectors=~/glove.txt`.
std::filesystem::path expand_home(const std::filesystem::path& path);

} // namespace senteval::base
