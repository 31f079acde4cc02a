// manual.hpp -- manual pages of the commands, from the same table as their help.
#pragma once

#include <CLI/App.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::host {

/// The first argument that makes the program write them into a folder: `senteval __manual DIR`.
inline constexpr std::string_view manual_command = "__manual";

struct ManualPage {
    std::string name; ///< "senteval-data-fetch"; the file is NAME.1
    std::string text; ///< in the macros of man(7)
};

/// The pages of `app` and of all commands below it.
std::vector<ManualPage> manual_pages(const CLI::App& app);

/// Writes them, and the completion scripts, where an installation has them below share/:
/// man/man1/, bash-completion/completions/, zsh/vendor-completions/, fish/vendor_completions.d/.
void write_manual(const CLI::App& app, const std::filesystem::path& share);

} // namespace senteval::host
