#include "word_vectors/blocks.hpp"

#include <senteval/encoder.hpp>

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace senteval::word_vectors {

static_assert(std::endian::native == std::endian::little, "blocks are little-endian");

namespace {

constexpr std::size_t tag_bytes = 16;
constexpr std::string_view block_mark = "SEVBLOCK";
constexpr std::size_t footer_bytes = tag_bytes + 2 * sizeof(std::uint64_t) + block_mark.size();

std::uint64_t number_at(std::string_view bytes, std::size_t at)
{
    std::uint64_t number = 0;
    std::memcpy(&number, bytes.data() + at, sizeof number);
    return number;
}

} // namespace

Blocks::Blocks(std::string_view file) : body_(file)
{
    while (body_.size() >= footer_bytes && body_.ends_with(block_mark)) {
        const std::string_view footer = body_.substr(body_.size() - footer_bytes);
        const std::string_view rest = body_.substr(0, body_.size() - footer_bytes);
        const std::uint64_t size = number_at(footer, tag_bytes);
        if (size > rest.size())
            return;
        const std::string_view tag = footer.substr(0, tag_bytes);
        blocks_.push_back({tag.substr(0, tag.find_last_not_of('\0') + 1),
                           rest.substr(rest.size() - size),
                           number_at(footer, tag_bytes + sizeof(std::uint64_t))});
        body_ = rest.substr(0, rest.size() - size);
    }
}

std::optional<std::string_view> Blocks::find(std::string_view tag,
                                             const std::filesystem::path& path) const
{
    const auto at = std::ranges::find(blocks_, tag, &Block::tag);
    if (at == blocks_.end())
        return std::nullopt;
    if (XXH3_64bits(at->content.data(), at->content.size()) != at->hash)
        throw sdk::Error(
            SENTEVAL_INVALID_ARGUMENT,
            fmt::format("{}: is damaged: the bytes of its part '{}' are not those that "
                        "were written",
                        path.string(), tag));
    return at->content;
}

bool has_block(std::string_view bytes)
{
    return bytes.find(block_mark) != bytes.npos;
}

std::string block_footer(std::string_view tag, std::string_view content)
{
    std::string footer(tag);
    footer.resize(tag_bytes, '\0');
    for (const std::uint64_t number :
         {std::uint64_t{content.size()},
          std::uint64_t{XXH3_64bits(content.data(), content.size())}}) {
        char bytes[sizeof number];
        std::memcpy(bytes, &number, sizeof number);
        footer.append(bytes, sizeof number);
    }
    return footer.append(block_mark);
}

} // namespace senteval::word_vectors
