#include "text/sentence.hpp"

#include "base/unicode.hpp"

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

Sentence make_sentence(std::string_view text, Arena& arena)
{
    std::string joined;
    joined.reserve(text.size());
    std::uint32_t tokens = 0;
    for (auto word = base::take_word(text); !word.empty(); word = base::take_word(text), ++tokens) {
        if (tokens > 0)
            joined += ' ';
        joined += word;
    }
    return {arena.store(joined), tokens};
}

Sentence verbatim_sentence(std::string_view text, Arena& arena)
{
    Sentence sentence{arena.store(text)};
    sentence.verbatim = true;
    while (!base::take_word(text).empty())
        ++sentence.tokens;
    return sentence;
}

} // namespace senteval::text
