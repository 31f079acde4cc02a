// lineage.hpp -- the processes that stem from one, wherever they have gone.
#pragma once

#include <cstdint>

namespace senteval::core {

/// A mark that a process passes on to whatever it starts, and these to theirs: also where they lead a session
/// of their own (setsid), have lost their parent, or clear their environment. It is the hard limit of a resource
/// that nothing here uses (RLIMIT_RTTIME), set to a number of its own, which is inherited, outlasts exec, and is
/// not raised again without privileges. No other process has the number: nobody else's is ever touched.
class Lineage {
public:
    /// A mark of its own; none where this process stems from a marked one, to whose end it is left, or has
    /// been given such a limit.
    Lineage();

    /// Marks this process: call it before exec. Safe between fork and exec.
    void begin() const noexcept;

    /// Kills all that carry the mark, again until none is left that runs; gives up after two seconds on what
    /// cannot be killed. What has ended and was not waited for yet is left as it is.
    void end() const noexcept;

    /// Whether a process carries a mark, and one that this process does not carry itself; is_accused() holds from
    /// then on. Safe in a signal handler.
    static bool accuse(int process) noexcept;

    /// Whether one of these did what it was accused of.
    [[nodiscard]] bool is_accused() const noexcept;

private:
    std::uint64_t mark_ = 0; ///< 0: none
};

} // namespace senteval::core
