// manual.hpp -- manual pages of the commands, from the same table as their help.
#pragma once

#include <CLI/App.hpp>

#include <filesystem>
#include <string_view>

namespace senteval::host {

/// The first argument that makes the program write them into a folder: `senteval __manual DIR`.
inline constexpr std::string_view manual_command = "__manual";

/// Writes the pages of `app` and of all commands below it, and the completion scripts, where an installation has
/// them below share/: man/man1/, bash-completion/completions/, zsh/vendor-completions/, fish/vendor_completions.d/.
void write_manual(const CLI::App& app, const std::filesystem::path& share);

} // namespace senteval::host
