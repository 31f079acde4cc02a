// index_cache.hpp -- the index of a vectors file, kept on disk for the next start.
//
// One file per vectors file and format asked for, named by a hash of both. It is used only while the
// vectors file is in the state it was in (mapped_file.hpp), and checked by a hash of its own: a stale or
// damaged one is made anew. None is kept of a file that has just changed and could change again without a
// new time. Processes may write at the same time, since each writes a file of its own
// and renames it into place. The content is this machine's (byte order, struct layout): not for
// exchange.
#pragma once

#include "word_vectors/index.hpp"
#include "word_vectors/mapped_file.hpp"

#include <filesystem>
#include <optional>

namespace senteval::word_vectors {

/// Where the index of `file`, opened as `format`, is kept below `folder`.
std::filesystem::path
cache_path(const std::filesystem::path& folder, const std::filesystem::path& file, Format format);

/// The index in the cache file `path`, or nothing where it is missing, damaged, or made of another
/// state of `vectors`. Never throws over the content.
std::optional<Index> load_index(const std::filesystem::path& path, const MappedFile& vectors);

/// Writes the cache file, making its folder. Throws std::system_error.
void save_index(const std::filesystem::path& path, const MappedFile& vectors, const Index& index);

} // namespace senteval::word_vectors
