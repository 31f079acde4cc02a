// pages.hpp -- memory between two pages that nobody may touch.
#pragma once

#include <cstddef>
#include <span>

namespace senteval::check {

/// `bytes` bytes that end where a forbidden page begins; or, with `at_front`, that begin where one ends.
class GuardedMemory {
public:
    explicit GuardedMemory(std::size_t bytes, bool at_front = false);
    GuardedMemory(const GuardedMemory&) = delete;
    GuardedMemory& operator=(const GuardedMemory&) = delete;
    GuardedMemory(GuardedMemory&& other) noexcept;
    GuardedMemory& operator=(GuardedMemory&&) = delete;
    ~GuardedMemory();

    [[nodiscard]] std::span<std::byte> bytes() const noexcept { return bytes_; }

    /// From here on it can be read, but not written.
    void forbid_writing() noexcept;

    /// From here on nothing can be done to it.
    void forbid() noexcept;

private:
    void protect(int protection) noexcept;

    void* region_ = nullptr;
    std::size_t size_ = 0; ///< of the region, forbidden pages included
    std::span<std::byte> bytes_;
};

} // namespace senteval::check
