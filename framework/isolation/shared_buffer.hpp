// shared_buffer.hpp -- memory that two processes see.
#pragma once

#include "base/descriptor.hpp"

#include <cstddef>

namespace senteval::isolation {

/// A file in memory and this process's view of it. Before and after the view lie pages that nobody may
/// touch, so that what runs out of it ends there. One side makes the file and lets it grow, the other
/// follows; it never shrinks. Errors are thrown as base::Error; where address space is short,
/// std::bad_alloc.
class SharedBuffer {
public:
    enum class Access { read, write };

    /// A new file of at least `size` bytes, all zero; they take memory when they are written.
    explicit SharedBuffer(std::size_t size);

    /// Takes over a descriptor that another process passed. Nothing is seen before follow().
    SharedBuffer(int descriptor, Access access);

    SharedBuffer(const SharedBuffer&) = delete;
    SharedBuffer& operator=(const SharedBuffer&) = delete;
    ~SharedBuffer();

    [[nodiscard]] int descriptor() const noexcept { return file_.number(); }
    [[nodiscard]] std::byte* data() const noexcept { return view_; }
    [[nodiscard]] std::byte* end() const noexcept
    {
        return view_ + size_;
    }                                                                 ///< where the guard begins
    [[nodiscard]] std::size_t size() const noexcept { return size_; } ///< a whole number of pages

    /// Makes file and view at least this large; what is in it stays.
    void grow(std::size_t at_least);

    /// Sees the whole file, which must be this large by now (0: whatever it is).
    void follow(std::size_t size = 0);

private:
    void map(std::size_t size);
    void unmap() noexcept;

    base::Descriptor file_;
    Access access_;
    std::byte* view_ = nullptr;
    std::size_t size_ = 0;
};

} // namespace senteval::isolation
