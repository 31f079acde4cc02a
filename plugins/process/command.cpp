#include "process/command.hpp"

#include "process/content.hpp"

#include <senteval/encoder.hpp>

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace senteval::process {

namespace {

namespace fs = std::filesystem;

/// Reads a command character by character.
class Splitter {
public:
    explicit Splitter(std::string_view command) : command_(command) {}

    std::vector<std::string> words()
    {
        while (at_ < command_.size())
            take();
        finish_word();
        if (words_.empty() || words_.front().empty())
            refuse("names no program");
        return std::move(words_);
    }

private:
    void take()
    {
        const char c = command_[at_++];
        if (c == ' ' || c == '\t' || c == '\n')
            finish_word();
        else if (c == '\'')
            take_quoted();
        else if (c == '"')
            take_double_quoted();
        else if (c == '\\')
            word() += next("ends in a backslash");
        else
            word() += checked(c, "|&;<>()`$");
    }

    void take_quoted()
    {
        const std::size_t end = command_.find('\'', at_);
        if (end == std::string_view::npos)
            refuse("has a ' without its pair");
        word() += command_.substr(at_, end - at_);
        at_ = end + 1;
    }

    void take_double_quoted()
    {
        constexpr std::string_view escapable = "\\\"$`";
        word();
        for (;;) {
            const char c = next("has a \" without its pair");
            if (c == '"')
                return;
            if (c == '\\' && at_ < command_.size() &&
                escapable.find(command_[at_]) != std::string_view::npos)
                word() += command_[at_++];
            else
                word() += checked(c, "`$");
        }
    }

    char next(const char* problem)
    {
        if (at_ == command_.size())
            refuse(problem);
        return command_[at_++];
    }

    [[nodiscard]] char checked(char c, std::string_view special) const
    {
        if (special.find(c) != std::string_view::npos)
            refuse(fmt::format(
                "has a {}, which means something to a shell only: put it in '...', or set "
                "shell=true",
                c));
        return c;
    }

    std::string& word()
    {
        if (!word_)
            word_.emplace();
        return *word_;
    }

    void finish_word()
    {
        if (word_)
            words_.push_back(*std::move(word_));
        word_.reset();
    }

    [[noreturn]] void refuse(const std::string& why) const
    {
        throw sdk::Error(SENTEVAL_INVALID_ARGUMENT,
                         fmt::format("parameter 'command' is '{}': it {}", command_, why));
    }

    std::string_view command_;
    std::size_t at_ = 0;
    std::optional<std::string> word_;
    std::vector<std::string> words_;
};

bool is_program(const fs::path& path)
{
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

fs::path find_program(const std::string& name, const fs::path& folder)
{
    if (name.find('/') != std::string::npos) {
        fs::path path = folder / name;
        std::error_code ignored;
        if (!fs::exists(path, ignored))
            throw sdk::Error(
                SENTEVAL_NOT_FOUND,
                fmt::format("parameter 'command': there is no program {}", path.string()));
        if (!is_program(path))
            throw sdk::Error(
                SENTEVAL_INVALID_ARGUMENT,
                fmt::format(
                    "parameter 'command': {} cannot be executed: make it executable, or name "
                    "the program that runs it (python3 {})",
                    path.string(), name));
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
    throw sdk::Error(SENTEVAL_NOT_FOUND,
                     fmt::format("parameter 'command': there is no program '{}' on PATH", name));
}

/// Whether `folder` is `inner` or one of those around it.
bool holds(const fs::path& folder, const fs::path& inner)
{
    const auto [end, at] = std::mismatch(folder.begin(), folder.end(), inner.begin(), inner.end());
    return end == folder.end();
}

/// The file or folder that `word` names, if it is one that the encoder may depend on.
std::optional<fs::path> named_by(const std::string& word, const fs::path& folder)
{
    std::error_code error;
    if (word.empty())
        return std::nullopt;
    fs::path path = fs::canonical(folder / word, error);
    if (error)
        return std::nullopt;
    if (fs::is_regular_file(path, error))
        return path;
    const fs::path here = fs::canonical(folder, error);
    if (fs::is_directory(path, error) && !holds(path, here))
        return path;
    return std::nullopt;
}

/// As split(), but of what only a shell understands: good enough to see which files it names.
std::vector<std::string> rough_words(std::string_view text)
{
    constexpr std::string_view between = " \t\n'\"|&;<>()`";
    std::vector<std::string> words;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find_first_of(between, at), text.size());
        words.emplace_back(text.substr(at, end - at));
        at = end + 1;
    }
    return words;
}

void add_file(Command& command, const std::string& name)
{
    if (command.files.contains(name))
        return;
    if (const auto path = named_by(name, command.folder))
        command.files[name] = fingerprint(*path);
}

/// The module of `python3 -m NAME`, as far as it lies in the folder.
void add_module(Command& command, std::string name)
{
    std::ranges::replace(name, '.', '/');
    add_file(command, name + ".py");
    std::error_code ignored;
    if (fs::is_directory(command.folder / name, ignored))
        add_file(command, name);
}

void add_files(Command& command, const std::vector<std::string>& words)
{
    for (std::size_t at = 0; at < words.size(); ++at) {
        const std::string& word = words[at];
        add_file(command, word);
        add_file(command, word.substr(word.find('=') + 1)); // the word where there is no '='
        if (at > 0 && words[at - 1] == "-m")
            add_module(command, word);
        if (const auto inner = rough_words(word); inner.size() > 1) // of a shell's -c, perhaps
            add_files(command, inner);
    }
}

} // namespace

std::vector<std::string> split(std::string_view command)
{
    return Splitter(command).words();
}

Command make_command(const std::string& text, const fs::path& folder, bool shell)
{
    Command command;
    command.text = text;
    command.folder = folder;
    if (text.find('\0') != std::string::npos)
        throw sdk::Error(SENTEVAL_INVALID_ARGUMENT, "parameter 'command' holds a NUL byte");
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored))
        throw sdk::Error(SENTEVAL_NOT_FOUND,
                         fmt::format("parameter 'folder': there is no folder {}", folder.string()));
    command.words = shell ? std::vector<std::string>{"/bin/sh", "-c", text} : split(text);
    command.program = find_program(command.words.front(), folder);
    add_files(command, shell ? rough_words(text)
                             : std::vector(command.words.begin() + 1, command.words.end()));
    command.content = fingerprint(command.program);
    return command;
}

} // namespace senteval::process
