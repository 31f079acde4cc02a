// state_trial.hpp -- what calls of a plugin do to the process.
#pragma once

#include "check/reporter.hpp"
#include "encoder/process_state.hpp"

#include <sys/stat.h>

#include <array>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <thread>

namespace senteval::check {

/// From its construction on stdout goes to memory, and the state of the process and of this thread is
/// compared after each call that the thread makes, and put back.
class StateTrial {
public:
    explicit StateTrial(Reporter& reporter);

    [[nodiscard]] bool is_of_this_thread() const noexcept
    {
        return std::this_thread::get_id() == thread_id_;
    }

    /// `shown`: the call. Tells each rule once.
    void after(std::string_view shown);

private:
    static constexpr int streams = 3;

    /// In place of stdout; made before the others look at the descriptors.
    struct Memory {
        Memory();
    };

    void broken(std::string_view rule, std::string_view shown, std::string_view detail);

    Reporter& reporter_;
    Memory stdout_;
    std::thread::id thread_id_ = std::this_thread::get_id();
    std::set<std::string, std::less<>> told_;
    encoder::ThreadState thread_;
    encoder::ProcessState process_;
    std::array<struct stat, streams> streams_{};
};

} // namespace senteval::check
