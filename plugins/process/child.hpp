// child.hpp -- a running program with pipes to its standard streams.
#pragma once

#include "process/command.hpp"

#include <memory>
#include <optional>
#include <string>

namespace senteval::process {

/// A program that leads a process group of its own (Ctrl-C at a terminal does not reach it) and dies with
/// this object, as does all that stems from it (core/lineage.hpp), or with this process, however that ends. The three pipes do not block, and no other child
/// inherits them. Calls on one object do not overlap.
class Child {
public:
    /// Throws sdk::Error where the program cannot be started.
    explicit Child(const Command& command);
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child(); ///< kills what still runs

    /// Descriptors to write to and read from, owned by this object; below 0 once closed.
    [[nodiscard]] int input() const noexcept;
    [[nodiscard]] int output() const noexcept;
    [[nodiscard]] int errors() const noexcept;
    void close_input() noexcept;
    void close_errors() noexcept;

    /// Waits for the end of the program, at most so long; true once it has ended.
    bool wait(int milliseconds);

    /// Ends the program, its group and all that stems from it.
    void kill() noexcept;

    /// "ended with exit code 3", "was ended by signal 11 (Segmentation fault)"; only after it has ended.
    [[nodiscard]] std::string ending() const;

private:
    void kill_group() noexcept;

    struct State;
    std::unique_ptr<State> state_;
};

} // namespace senteval::process
