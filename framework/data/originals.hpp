// originals.hpp -- finding and reading original files in a folder somebody downloaded them to.
#pragma once

#include "data/archive.hpp"
#include "data/inspect.hpp"
#include "data/manifest.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace senteval::data {

/// The place of an original's bytes.
struct Location {
    std::filesystem::path path;
    std::string member; ///< path inside the archive `path`, empty for a plain file
};

/// A folder with originals: laid out as a mirror (host/path of the source's URL), or in any way, in
/// which case files are known by their names. What has a known checksum is taken only with it.
class Originals {
public:
    /// Throws base::UsageError where the folder does not exist.
    explicit Originals(std::filesystem::path folder);

    /// Returns nothing where the folder lacks it, or holds only files that are not it; then `rejected`, where given,
    /// says which files were looked at and what is wrong with each.
    [[nodiscard]] std::optional<Location> find(const Original& original,
                                               std::vector<std::string>* rejected = nullptr) const;

private:
    [[nodiscard]] std::vector<Location> candidates(const Original& original) const;

    std::filesystem::path folder_;
    std::multimap<std::string, std::filesystem::path> by_name_;
};

/// The files below `folder` that lie where a download of the dataset would have put them and are not
/// what they should be: an empty archive, an error page. Warnings only: what counts is what the
/// tasks read.
std::vector<Finding> inspect_originals(const std::filesystem::path& folder, const Dataset& dataset);

/// Says why the bytes at `location` are not `original`; empty where they are.
std::string mismatch(const Location& location, const Original& original);

/// Hands on the bytes, piece by piece. Throws base::Error, also where an archive holds more than
/// `original` may have.
void read_original(const Location& location, const Original& original, const ByteSink& sink);

/// All of them.
std::string read_original(const Location& location, const Original& original);

} // namespace senteval::data
