// child_process.hpp -- a program in a process of its own, which does not outlive this one.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace senteval::core {

/// An open descriptor of this process, and the number that the child knows it by.
struct PassedDescriptor {
    int here = -1;
    int there = -1;
};

struct ChildCommand {
    /// Program and arguments. A program without a slash is looked for along PATH.
    std::vector<std::string> words;

    /// What the child finds open; every other descriptor is closed to it. Where 0 is not among them,
    /// it is /dev/null; where 1 or 2 are not, they lead to this process's standard error.
    std::vector<PassedDescriptor> descriptors = {};

    std::vector<std::string> environment =
        {}; ///< "NAME=value", added to this process's or replacing

    std::uint64_t address_space = 0; ///< most bytes; 0: as this process. Nothing under a sanitizer,
                                     ///< whose runtime reserves terabytes.
    std::uint64_t memory = 0;        ///< most bytes that it may allocate or map to write; as above
    std::uint64_t open_files = 0;    ///< most descriptors; 0: as this process
};

/// How a child ended.
struct ChildEnding {
    int status = 0;    ///< as waitpid() tells it
    bool known = true; ///< false where something else in this process took the status
    std::optional<std::chrono::milliseconds> limit = {}; ///< it was ended at this limit

    /// "was killed by SIGSEGV (Segmentation fault)", "ended with status 3", "was ended at the limit of
    /// 5 s": what follows the child's name in a sentence.
    [[nodiscard]] std::string text() const;

    /// The signal that ended it by itself or from outside, or 0.
    [[nodiscard]] int signal() const noexcept;
};

/// A running child. It leads a process group of its own, writes no core file, has default signal
/// handlers and an empty signal mask, and is killed when this object is destroyed, with its group and all
/// that stems from it (see lineage.hpp); where this process dies, however that happens, the child is killed,
/// too (the child: what it started itself must notice that nobody speaks to it any more). Movable. A thread waits beside
/// each child, since the system ties a child's life to the thread that started it. Calls on one
/// object do not overlap.
class ChildProcess {
public:
    /// Returns as soon as the program runs. Throws Error that names the program where it cannot be
    /// started.
    explicit ChildProcess(const ChildCommand& command);
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;
    ChildProcess(ChildProcess&&) noexcept;
    ChildProcess& operator=(ChildProcess&&) noexcept;
    ~ChildProcess();

    [[nodiscard]] int id() const noexcept;

    /// Whether it, or what stems from it, was found out by Lineage::accuse(). From any thread.
    [[nodiscard]] bool is_accused() const noexcept;

    /// For poll(): readable once the child has ended. Owned by this object.
    [[nodiscard]] int descriptor() const noexcept;

    /// How the child ended, if it does so within this time. What it has started may still run.
    std::optional<ChildEnding> wait(std::chrono::milliseconds at_most);

    /// Kills the child, its group and all that stems from it, whether or not the child itself has ended before,
    /// and says how the child ended. Again: says it again.
    ChildEnding kill();

    /// kill() of a child that took longer than it may: the ending names the limit, unless the child has
    /// ended by itself meanwhile.
    ChildEnding kill_at_limit(std::chrono::milliseconds limit);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace senteval::core
