// texts.hpp -- lists of texts in shared memory: their sizes, then their bytes.
#pragma once

#include "text/sentence.hpp"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace senteval::isolation {

class SharedBuffer;

/// Makes the buffer large enough and writes the sentences. Returns the bytes used.
std::size_t write_texts(std::span<const text::Sentence> sentences, SharedBuffer& buffer);
std::size_t write_text(std::string_view text, SharedBuffer& buffer);

/// Views of `count` texts in the first `used` bytes of the buffer. Throws core::Error where they are not
/// there. They know no token counts.
void read_texts(const SharedBuffer& buffer,
                std::size_t used,
                std::size_t count,
                std::vector<text::Sentence>& texts);

} // namespace senteval::isolation
