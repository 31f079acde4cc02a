// data_command.hpp -- what the subcommands of `senteval data` share.
#pragma once

#include "data/manifest.hpp"

#include <CLI/App.hpp>

#include <stop_token>
#include <string>
#include <vector>

namespace senteval::host {

struct DataOptions {
    std::vector<std::string> names;
    std::string dir;
    bool json = false;
};

/// The datasets that are named, or all.
std::vector<const data::Dataset*> selected(const data::Manifest& manifest,
                                           const DataOptions& options);

/// The datasets selected among those that this program knows.
std::vector<const data::Dataset*> selected(const DataOptions& options);

/// Completes `dir`, or throws base::UsageError; what is wrong with the names is said before what is missing beside them.
void require_dir(DataOptions& options);

void add_dir(CLI::App& command, DataOptions& options);
void add_names(CLI::App& command, DataOptions& options, bool required);

/// Adds `fetch` and `prepare`.
void add_data_fetch_commands(CLI::App& data, const std::stop_token& stop, int& exit_code);

} // namespace senteval::host
