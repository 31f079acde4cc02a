// child_launch.hpp -- how a child comes to execute its program.
#pragma once

#include "core/child_process.hpp"
#include "core/lineage.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

namespace senteval::core {

/// Everything the child needs between vfork and exec, where nothing may be allocated.
class ChildLaunch {
public:
    ChildLaunch(const ChildCommand& command, const Lineage& lineage);

    /// Starts the child, whose parent is the calling thread with its signals blocked. Returns its process, or
    /// below 0 why not (errno).
    pid_t start();

private:
    pid_t start_in_borrowed_memory(int problem);

    /// In the child. Writes why to `problem` (errno) where the program cannot be executed.
    [[noreturn]] void execute(int problem) noexcept;
    [[nodiscard]] bool become_child() const noexcept;
    bool place_descriptors() noexcept;
    [[nodiscard]] bool set_limits() const noexcept;

    Lineage lineage_;
    std::vector<std::string> words_;
    std::vector<std::string> environment_;
    std::vector<char*> argv_;
    std::vector<char*> envp_;
    std::vector<PassedDescriptor> descriptors_;
    std::uint64_t address_space_;
    std::uint64_t memory_;
    std::uint64_t open_files_;
    pid_t parent_;
    bool needs_input_ = false;
    int above_ = 0; ///< higher than every number that is passed
};

} // namespace senteval::core
