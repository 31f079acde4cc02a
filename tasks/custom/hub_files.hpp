// hub_files.hpp -- the files of a folder of the hub, as its README.md and their names say.
#pragma once

#include "base/json.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::tasks {

/// The value of `configs` in the YAML with which a README.md begins, null where there is none. Understood is what `datasets`
/// writes: lists and mappings in block style, of texts in one line, with or without quotes; comments at the beginning of a
/// line. Throws base::UsageError with file and line for anything else within `configs`.
base::Json configs_in(std::string_view readme, const std::string& name);

/// Finds files by the configs of README.md, where it has them, and by the names that `datasets` gives and takes.
class HubFiles {
public:
    explicit HubFiles(std::filesystem::path folder);

    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }

    /// Names of the configs, as README.md has them.
    [[nodiscard]] std::vector<std::string> configs() const;

    [[nodiscard]] bool has(const std::string& config) const { return configs_.contains(config); }

    /// The file of a split of a config below the folder, of several shards the first; of split "" whichever there is. Empty
    /// where there is none. Throws base::UsageError where it has several files that are no shards, or names one that is not
    /// there.
    [[nodiscard]] std::string in(const std::string& config, const std::string& split) const;

    /// The file of that name, whatever its form: "test.jsonl", "data/test-00000-of-00002.parquet".
    [[nodiscard]] std::string called(const std::string& stem) const;

    /// The first Parquet file of a split in a folder of the folder.
    [[nodiscard]] std::string shards(const std::string& inside, const std::string& split) const;

private:
    std::filesystem::path folder_;
    base::Json configs_;
};

} // namespace senteval::tasks
