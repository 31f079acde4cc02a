// command_line.hpp -- where on a command line one stands that is not finished.
#pragma once

#include <CLI/App.hpp>

#include <string>

namespace senteval::host {

/// Reads the finished words one by one, as CLI11 would, but complains of nothing.
class CommandLine {
public:
    explicit CommandLine(const CLI::App& app) : command_(&app) {}

    void read(const std::string& word);

    /// The innermost command that was given.
    [[nodiscard]] const CLI::App& command() const { return *command_; }

    /// The option that the next word may be a value of, or nullptr.
    [[nodiscard]] const CLI::Option* open_option() const { return open_; }

    /// Whether it must be one.
    [[nodiscard]] bool wants_value() const { return open_ != nullptr && values_ == 0; }

    /// The argument without a name that the next word may be, or nullptr.
    [[nodiscard]] const CLI::Option* positional() const;

    /// Whether "--" was read: no options follow.
    [[nodiscard]] bool is_past_options() const { return is_past_options_; }

    /// The encoder that was named last; empty: none.
    [[nodiscard]] const std::string& encoder() const { return encoder_; }

    /// Options of one and the same command may be spelled in several ways; nullptr where there is none.
    [[nodiscard]] const CLI::Option* option(const std::string& name) const;

private:
    void read_option(const std::string& word);
    void take_value(const CLI::Option& option, const std::string& value);

    const CLI::App* command_;
    const CLI::Option* open_ = nullptr;
    int values_ = 0; ///< of open_
    int positionals_ = 0;
    bool is_past_options_ = false;
    std::string encoder_;
};

} // namespace senteval::host
