// annex.hpp -- the commands that a program of its own carries out: senteval-annex, which is not in every installation.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace senteval::host {

struct AnnexCommand {
    const char* name;
    const char* help;
};

inline constexpr AnnexCommand analyse_command{"analyse", "The analyses of Wieting et al. (2016)"};
inline constexpr AnnexCommand neighbours_command{
    "neighbours", "The nearest words in a model of 'train', before and after training"};
inline constexpr AnnexCommand train_command{"train", "Train a sentence encoder"};

inline constexpr std::array annex_commands{analyse_command, neighbours_command, train_command};

[[nodiscard]] bool is_annex_command(std::string_view name);

/// Whether the program's arguments are one of these commands, or ask for its help or completion.
[[nodiscard]] bool is_for_annex(std::span<char* const> arguments);

/// Becomes senteval-annex, with the same arguments. Returns the exit code where it cannot be started, and says why.
int become_annex(std::span<char* const> arguments);

} // namespace senteval::host
