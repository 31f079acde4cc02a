#include "host/completion/command_line.hpp"

#include "host/option_text.hpp"

#include <algorithm>

namespace senteval::host {
namespace {

bool takes_value(const CLI::Option& option)
{
    return option.get_type_size() != 0;
}

} // namespace

void CommandLine::read(const std::string& word)
{
    if (wants_value())
        return take_value(*open_, word);
    if (!is_past_options_ && word == "--") {
        is_past_options_ = true;
        open_ = nullptr;
        return;
    }
    if (!is_past_options_ && word.size() > 1 && word.front() == '-')
        return read_option(word);
    if (open_ != nullptr)
        return take_value(*open_, word);
    for (const CLI::App* one : shown_commands(*command_))
        if (one->get_name() == word) {
            command_ = one;
            positionals_ = 0;
            return;
        }
    if (const CLI::Option* const argument = positional()) {
        ++positionals_;
        take_value(*argument, word);
    }
}

void CommandLine::read_option(const std::string& word)
{
    const bool is_long = word.starts_with("--");
    const std::size_t end = is_long ? std::min(word.find('='), word.size()) : 2;
    const CLI::Option* const found = option(word.substr(0, end));
    open_ = nullptr;
    if (found == nullptr || !takes_value(*found))
        return;
    if (end < word.size()) { // --output=DIR, -oFILE
        take_value(*found, word.substr(end + (is_long ? 1 : 0)));
        return;
    }
    open_ = found;
    values_ = found->get_items_expected_min() == 0 ? 1 : 0; // as if it had been given
}

void CommandLine::take_value(const CLI::Option& option, const std::string& value)
{
    if (kind_of_value(option) == "ENCODER")
        encoder_ = value;
    if (&option != open_)
        return;
    ++values_;
    if (!takes_several(option))
        open_ = nullptr;
}

const CLI::Option* CommandLine::positional() const
{
    int before = 0;
    for (const CLI::Option* option : shown_options(*command_)) {
        if (!option->get_positional())
            continue;
        if (positionals_ < before + option->get_items_expected_max())
            return option;
        before += option->get_items_expected_max();
    }
    return nullptr;
}

const CLI::Option* CommandLine::option(const std::string& name) const
{
    for (const CLI::Option* option : shown_options(*command_))
        if (option->nonpositional() && option->check_name(name))
            return option;
    return nullptr;
}

} // namespace senteval::host
