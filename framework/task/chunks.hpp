// chunks.hpp -- how the documents of a search are cut.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>

namespace senteval::task {

/// Windows of `size` words, `overlap` of which are those of the window before; 0: documents are whole.
struct Chunks {
    std::size_t size = 0;
    std::size_t overlap = 0;

    /// "64:16"; empty: whole.
    [[nodiscard]] std::string text() const
    {
        return size == 0 ? "" : fmt::format("{}:{}", size, overlap);
    }
    friend bool operator==(const Chunks&, const Chunks&) = default;
};

} // namespace senteval::task
