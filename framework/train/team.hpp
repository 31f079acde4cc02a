// team.hpp -- a few threads that go through one piece of work in step.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace senteval::train {

/// Threads that live as long as it does. run() is called by one thread.
class Team {
public:
    explicit Team(unsigned threads);
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;
    Team(Team&&) = delete;
    Team& operator=(Team&&) = delete;
    ~Team();

    /// How many take part in run().
    [[nodiscard]] unsigned size() const noexcept { return size_; }

    /// How many there are.
    [[nodiscard]] unsigned capacity() const noexcept
    {
        return static_cast<unsigned>(threads_.size()) + 1;
    }

    /// So many take part in what is run from now on, 1 to capacity(). Not within run().
    void use(unsigned members) noexcept { size_ = members; }

    /// Calls work(0) ... work(size() - 1), each on a thread of its own, the caller's among them, and
    /// returns when all are done. `work` throws nothing but what ends the program.
    void run(const std::function<void(unsigned member)>& work);

    /// Within run(): waits for all members.
    void sync() noexcept;

private:
    void begin(const std::function<void(unsigned)>* work) noexcept;
    void serve(unsigned member);

    unsigned size_;
    std::vector<std::thread> threads_;
    const std::function<void(unsigned)>* work_ = nullptr; ///< null: the end
    /// Counts the calls of run(), times 256, and says how many take part in the last one.
    std::atomic<std::uint32_t> round_{0};
    std::atomic<unsigned> waiting_{0};
    std::atomic<std::uint32_t> phase_{0};
};

} // namespace senteval::train
