// command.hpp -- a command line as a program and its arguments, and what it stands on.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::process {

/// The words of a command line, as a shell splits it: by white space, with '...', "..." and \ for words
/// that hold any. Nothing is expanded; what only a shell can do (| & ; < > ( ) ` $ outside of '...')
/// is refused. Throws sdk::Error that quotes the command.
std::vector<std::string> split(std::string_view command);

/// A command, ready to be started.
struct Command {
    std::string text;               ///< as it was given, for messages
    std::vector<std::string> words; ///< program and arguments
    std::string content;            ///< fingerprint of the program
    std::filesystem::path program;  ///< the file of the program, absolute
    std::filesystem::path folder;   ///< where it runs, absolute
    std::map<std::string, std::string>
        files; ///< word -> fingerprint of the file or folder it names
};

/// Finds the program along PATH, or from `folder` where it has a slash, and reads the files and folders
/// that the arguments name (also behind a '=', as in --model=FILE, as words of an argument, as in sh -c '...',
/// and as a module, as in python3 -m NAME), for their fingerprints. A folder in which
/// the command runs is none of them. With `shell` the command is left to /bin/sh -c. Throws sdk::Error.
Command make_command(const std::string& text, const std::filesystem::path& folder, bool shell);

} // namespace senteval::process
