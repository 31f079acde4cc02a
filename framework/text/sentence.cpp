#include "text/sentence.hpp"

#include <algorithm>

namespace senteval::text {

std::string_view Arena::store(std::string_view bytes)
{
    constexpr std::size_t block_size = std::size_t{1} << 18;
    if (blocks_.empty() || blocks_.back().capacity() - blocks_.back().size() < bytes.size()) {
        blocks_.emplace_back();
        blocks_.back().reserve(std::max(block_size, bytes.size()));
    }
    std::string& block = blocks_.back();
    const std::size_t at = block.size();
    block.append(bytes);
    return std::string_view(block).substr(at, bytes.size());
}

} // namespace senteval::text
