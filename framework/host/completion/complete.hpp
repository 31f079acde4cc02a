// complete.hpp -- what may stand next on a command line, for the shells' completion.
#pragma once

#include <CLI/App.hpp>

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace senteval::host {

struct Candidate {
    std::string text; ///< the whole word
    std::string help; ///< may be empty
};

struct Completion {
    enum class Paths { none, files, folders };

    std::vector<Candidate> candidates = {};
    Paths paths = Paths::none; ///< what the shell is to offer beside these
    std::string prefix = {};   ///< of the word, in front of the path: "--output=", "vectors="
};

/// A parameter of an encoder.
struct KnownParameter {
    std::string key;
    std::string help;
    bool is_switch = false;
    bool is_path = false;
};

/// Names that are no part of the command line's table; asked for only where they are wanted.
struct KnownNames {
    std::function<std::vector<Candidate>()> encoders;
    std::function<std::vector<Candidate>()> tasks; ///< and their groups
    std::function<std::vector<Candidate>()> datasets;
    std::function<std::vector<KnownParameter>(const std::string& encoder)> parameters;
};

/// What the last of `words` may become, behind the name of the program `app` and the other words (none:
/// an empty word). Nothing of the line is checked or carried out.
Completion
complete(const CLI::App& app, std::span<const std::string> words, const KnownNames& known);

} // namespace senteval::host
