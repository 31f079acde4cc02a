// wire.hpp -- what processes say to each other, as bytes.
//
// A request is {"kind": ..., ...}, in CBOR (RFC 8949). Kinds: "hello", "next", "find", "save",
// "vectors" (files of a cache, from the process that made them or to the one that needs them), "take", "give"
// and "gather" (jobs of the cell at hand, as of learn::SharedJobs), "event" (what an observer is told), "line",
// "goodbye".
#pragma once

#include "core/json.hpp"
#include "run/store.hpp"

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::team {

[[nodiscard]] std::string to_bytes(const core::Json& message);

/// Throws core::Error where the bytes are no message.
[[nodiscard]] core::Json from_bytes(std::string_view bytes);

[[nodiscard]] core::Json to_message(const run::Cell& cell);
[[nodiscard]] run::Cell cell_from(const core::Json& message);

/// The files that come into a folder while something is at work.
class FolderChanges {
public:
    /// An empty path is no folder: nothing comes into it.
    explicit FolderChanges(std::filesystem::path folder) : folder_(std::move(folder)) {}

    void begin() { before_ = files(); }

    /// Since begin(), by their paths in the folder.
    [[nodiscard]] std::vector<std::filesystem::path> made() const;

private:
    [[nodiscard]] std::set<std::filesystem::path> files() const;

    std::filesystem::path folder_;
    std::set<std::filesystem::path> before_;
};

/// Some of the files in a folder as an object, path -> content; and back. Files that are gone are left
/// out. Throws core::Error where a path leads out of the folder.
[[nodiscard]] core::Json files_message(const std::filesystem::path& folder,
                                       const std::vector<std::filesystem::path>& files);
void write_files(const std::filesystem::path& folder, const core::Json& files);

} // namespace senteval::team
