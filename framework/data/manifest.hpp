// manifest.hpp -- what is known of every dataset: where it comes from, what becomes of it, and what
// the result must look like. Parsed from data/manifest.toml.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::data {

/// A place to download from: a file, or one member of an archive (written URL#member).
struct Source {
    std::string url;
    std::string member; ///< path inside the archive, empty for a plain file

    /// Path of its copy below a mirror or a download folder: "host/path".
    [[nodiscard]] std::string mirror_path() const;
};

/// A download that holds several originals.
struct Archive {
    std::string url;
    std::uint64_t bytes = 0; ///< 0 where unknown
    std::string sha256;      ///< empty where unknown
};

/// A file as its authors, or a mirror named by exact commit, distribute it.
struct Original {
    std::string name;
    std::uint64_t bytes = 0;     ///< 0 where unknown
    std::string sha256;          ///< empty where unknown
    std::vector<Source> sources; ///< in order of preference
    /// The largest size that the file can have, where its size is unknown.
    std::uint64_t at_most = std::uint64_t{1} << 30U;

    [[nodiscard]] std::uint64_t most_bytes() const { return bytes != 0 ? bytes : at_most; }
};

/// One way to make a file: a conversion and the originals it takes.
struct Recipe {
    std::string conversion;
    std::vector<std::string> from; ///< names of originals of the same dataset
    bool prepared = false;         ///< the original is prepared text already: no use to --raw
};

enum class Encoding { utf8, latin1 };

/// A file that a task or an encoder reads, below the data folder.
struct File {
    std::string path;
    Encoding encoding = Encoding::utf8;
    std::uint64_t lines = 0;       ///< 0 where unknown
    std::uint64_t least_lines = 0; ///< with fewer it is a part of the set
    std::uint64_t bytes = 0;       ///< 0 where unknown
    std::string sha256;            ///< of the standard preparation, empty where unknown
    std::string aligned_with;      ///< path of a file that must have as many lines
    std::map<std::string, std::uint64_t> labels; ///< how often each occurs, empty where not counted
    std::vector<Recipe> recipes;                 ///< in order of preference
};

struct Dataset {
    std::string name;
    std::string group; ///< "transfer", "probing" or "vectors"
    std::vector<std::string> tasks;
    std::string title;
    std::string licence;
    std::string citation;
    std::uint64_t empty = 0; ///< sentences that are empty as published
    std::string note; ///< what must be known before fetching: no redistribution, how to obtain it
    std::vector<Original> originals;
    std::vector<File> files;

    [[nodiscard]] const Original& original(std::string_view original_name) const;
};

struct Manifest {
    std::string data_warning; ///< why none of its data are the published sets; empty: they may be
    std::vector<Dataset> datasets;
    std::vector<Archive> archives;

    /// The dataset named, or that has the task named, or every dataset of a group or "all"; case
    /// does not matter. Throws base::UsageError with the nearest name.
    [[nodiscard]] std::vector<const Dataset*> select(const std::vector<std::string>& names) const;

    /// The dataset a task reads, nullptr where none is known.
    [[nodiscard]] const Dataset* for_task(std::string_view task) const;
};

/// Throws base::UsageError "NAME:LINE: ..." for what is wrong with the text.
Manifest parse_manifest(std::string_view toml, std::string_view name);

/// The manifest this program was built with.
const Manifest& builtin_manifest();

/// The manifest that a data folder is verified by: its own manifest.toml where it has one (data that
/// bears the names of known datasets without being them, such as the samples), else the built-in.
/// Throws as parse_manifest does.
Manifest manifest_for(const std::filesystem::path& data);

} // namespace senteval::data
