#include "isolation/texts.hpp"

#include "core/error.hpp"
#include "isolation/shared_buffer.hpp"

#include <cstdint>
#include <cstring>

namespace senteval::isolation {

std::size_t write_texts(std::span<const text::Sentence> sentences, SharedBuffer& buffer)
{
    std::size_t used = sentences.size() * sizeof(std::uint64_t);
    for (const text::Sentence& sentence : sentences)
        used += sentence.text.size();
    buffer.grow(used);
    auto* sizes = reinterpret_cast<std::uint64_t*>(buffer.data());
    std::byte* bytes = buffer.data() + sentences.size() * sizeof(std::uint64_t);
    for (const text::Sentence& sentence : sentences) {
        *sizes++ = sentence.text.size();
        if (!sentence.text.empty())
            std::memcpy(bytes, sentence.text.data(), sentence.text.size());
        bytes += sentence.text.size();
    }
    return used;
}

std::size_t write_text(std::string_view text, SharedBuffer& buffer)
{
    const text::Sentence one{text};
    return write_texts({&one, 1}, buffer);
}

void read_texts(const SharedBuffer& buffer,
                std::size_t used,
                std::size_t count,
                std::vector<text::Sentence>& texts)
{
    const auto broken = [] { throw core::Error("a list of texts is longer than its memory"); };
    if (used > buffer.size() || count > used / sizeof(std::uint64_t))
        broken();
    texts.clear();
    texts.reserve(count);
    const auto* sizes = reinterpret_cast<const std::uint64_t*>(buffer.data());
    std::size_t at = count * sizeof(std::uint64_t);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t size = sizes[i];
        if (size > used - at)
            broken();
        texts.push_back({{reinterpret_cast<const char*>(buffer.data()) + at, size}});
        at += size;
    }
}

} // namespace senteval::isolation
