// command.hpp -- a command line as a program, its arguments, and the files that they name.
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

/// A command, ready to be started; without words the client is at the other end of the standard input, a socket.
struct Command {
    std::string text;                         ///< as it was given, for messages
    std::vector<std::string> words;           ///< the program, an absolute path, and its arguments
    std::filesystem::path folder;             ///< where it runs
    std::map<std::string, std::string> files; ///< word -> hash of the file that it names
};

/// The program of that name along PATH, or from `folder` where the name has a slash. Throws sdk::Error.
std::filesystem::path find_program(const std::string& name, const std::filesystem::path& folder);

/// Splits a command, finds its program, and hashes the files that its words name, also behind a '=' (as in
/// --vectors=FILE). With `shell` the command is left to /bin/sh -c. Of "-" there are no words. Throws sdk::Error.
Command make_command(const std::string& text, const std::filesystem::path& folder, bool shell);

} // namespace senteval::process
