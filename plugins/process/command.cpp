#include "process/command.hpp"

#include "base/fingerprint.hpp"
#include "base/refuse.hpp"

#include <senteval/encoder.hpp>

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

namespace senteval::process {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(std::string_view command, const std::string& why)
{
    base::refuse("parameter 'command' is '{}': it {}", command, why);
}

bool is_program(const fs::path& path)
{
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

} // namespace

std::vector<std::string> split(std::string_view command)
{
    std::vector<std::string> words;
    std::optional<std::string> word;
    const auto add = [&](std::string_view text) {
        if (!word)
            word.emplace();
        word->append(text);
    };
    char quote = '\0';
    for (std::size_t at = 0; at < command.size(); ++at) {
        const char c = command[at];
        const std::string_view special = quote == '"' ? "`$" : quote == '\'' ? "" : "|&;<>()`$";
        if (special.find(c) != std::string_view::npos)
            refuse(command, fmt::format("has a {}, which means something to a shell only: put it "
                                        "in '...', or set shell=true",
                                        c));
        if (quote == '\0' && (c == ' ' || c == '\t' || c == '\n')) {
            if (word)
                words.push_back(*std::exchange(word, std::nullopt));
        } else if (c == quote || (quote == '\0' && (c == '\'' || c == '"'))) {
            quote = c == quote ? '\0' : c;
            add("");
        } else if (c == '\\' && quote != '\'') {
            const std::string_view next = command.substr(at + 1, 1);
            if (next.empty())
                refuse(command, "ends in a backslash");
            if (quote == '"' && std::string_view("\\\"$`").find(next) == std::string_view::npos)
                add("\\");
            add(next);
            ++at;
        } else {
            add(command.substr(at, 1));
        }
    }
    if (quote != '\0')
        refuse(command, fmt::format("has a {} without its pair", quote));
    if (word)
        words.push_back(*word);
    if (words.empty() || words.front().empty())
        refuse(command, "names no program");
    return words;
}

fs::path find_program(const std::string& name, const fs::path& folder)
{
    if (name.find('/') != std::string::npos) {
        fs::path path = folder / name;
        std::error_code ignored;
        if (!fs::exists(path, ignored))
            throw sdk::Error(SENTEVAL_NOT_FOUND,
                             fmt::format("there is no program {}", path.string()));
        if (!is_program(path))
            base::refuse("{} cannot be executed: make it executable, or name the program that runs "
                         "it (python3 {})",
                         path.string(), name);
        return path;
    }
    const char* variable = std::getenv("PATH");
    const std::string_view all = variable == nullptr ? "/usr/bin:/bin" : variable;
    for (std::size_t at = 0; at <= all.size();) {
        const std::size_t end = std::min(all.find(':', at), all.size());
        fs::path path = folder / fs::path(all.substr(at, end - at)) / name;
        if (is_program(path))
            return path;
        at = end + 1;
    }
    throw sdk::Error(SENTEVAL_NOT_FOUND, fmt::format("there is no program '{}' on PATH", name));
}

Command make_command(const std::string& text, const fs::path& folder, bool shell)
{
    if (text == "-")
        return {"the program that started this one", {}, folder, {}};
    std::error_code ignored;
    if (text.find('\0') != std::string::npos)
        refuse("...", "holds a NUL byte");
    if (!fs::is_directory(folder, ignored))
        throw sdk::Error(SENTEVAL_NOT_FOUND,
                         fmt::format("parameter 'folder': there is no folder {}", folder.string()));
    Command command{
        text, shell ? std::vector<std::string>{"/bin/sh", "-c", text} : split(text), folder, {}};
    command.words.front() = find_program(command.words.front(), folder);
    for (const std::string& word : command.words)
        for (const std::string& name : {word, word.substr(word.find('=') + 1)})
            if (!command.files.contains(name) && fs::is_regular_file(folder / name, ignored))
                command.files[name] = base::fingerprint_file(folder / name);
    return command;
}

} // namespace senteval::process
