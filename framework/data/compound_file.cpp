#include "data/compound_file.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace senteval::data {
namespace {

constexpr std::string_view signature = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";
constexpr std::uint32_t last_regular_sector = 0xFFFFFFFA;

std::uint32_t read_number(std::string_view from, std::size_t at, std::size_t width)
{
    if (at + width > from.size())
        throw core::Error("the compound file is cut short");
    std::uint32_t result = 0;
    for (std::size_t i = width; i-- > 0;)
        result = result << 8 | static_cast<unsigned char>(from[at + i]);
    return result;
}

/// Little-endian throughout.
class CompoundFile {
public:
    explicit CompoundFile(std::string_view bytes) : bytes_(bytes)
    {
        const std::uint32_t shift = number(30, 2);
        if (shift != 9 && shift != 12)
            throw core::Error("the compound file has sectors of an unknown size");
        sector_size_ = std::size_t{1} << shift;
        read_allocation_table();
    }

    /// The bytes of the chain that starts at `sector`, at most `size` of them.
    [[nodiscard]] std::string chain(std::uint32_t sector, std::uint64_t size) const
    {
        std::string result;
        for (std::size_t visited = 0; sector <= last_regular_sector && result.size() < size;
             ++visited) {
            if (visited > table_.size() || sector >= table_.size())
                throw core::Error("the compound file has a damaged sector chain");
            result += sector_bytes(sector);
            sector = table_[sector];
        }
        result.resize(std::min<std::uint64_t>(result.size(), size));
        return result;
    }

    [[nodiscard]] std::string directory() const { return chain(number(48, 4), bytes_.size()); }

private:
    [[nodiscard]] std::uint32_t number(std::size_t at, std::size_t width) const
    {
        return read_number(bytes_, at, width);
    }

    [[nodiscard]] std::string_view sector_bytes(std::uint32_t sector) const
    {
        const std::size_t at = (std::size_t{sector} + 1) * sector_size_;
        if (at >= bytes_.size())
            throw core::Error("the compound file is cut short");
        return bytes_.substr(at, sector_size_);
    }

    /// The header names the first 109 sectors of the table; chained sectors name the others.
    void read_allocation_table()
    {
        for (std::size_t i = 0; i < 109; ++i)
            append_to_table(number(76 + 4 * i, 4));
        std::uint32_t list = number(68, 4);
        const std::size_t per_sector = sector_size_ / 4 - 1;
        for (std::size_t lists = 0; list <= last_regular_sector; ++lists) {
            if (lists > bytes_.size() / sector_size_)
                throw core::Error("the compound file has a damaged sector list");
            const std::string_view sector = sector_bytes(list);
            for (std::size_t i = 0; i < per_sector; ++i)
                append_to_table(read_number(sector, 4 * i, 4));
            list = read_number(sector, 4 * per_sector, 4);
        }
    }

    void append_to_table(std::uint32_t sector)
    {
        if (sector > last_regular_sector || table_.size() * sector_size_ > 4 * bytes_.size())
            return;
        const std::string_view part = sector_bytes(sector);
        for (std::size_t i = 0; i + 4 <= part.size(); i += 4)
            table_.push_back(read_number(part, i, 4));
    }

    std::string_view bytes_;
    std::size_t sector_size_ = 0;
    std::vector<std::uint32_t> table_; ///< the sector that follows each
};

} // namespace

bool is_compound_file(std::string_view bytes)
{
    return bytes.starts_with(signature);
}

std::string cabinet_of(std::string_view bytes)
{
    constexpr std::size_t entry_size = 128;
    constexpr unsigned char stream = 2;
    const CompoundFile file(bytes);
    const std::string directory = file.directory();
    for (std::size_t at = 0; at + entry_size <= directory.size(); at += entry_size) {
        const std::string_view entry = std::string_view(directory).substr(at, entry_size);
        const std::uint32_t start = read_number(entry, 116, 4);
        const std::uint32_t size = read_number(entry, 120, 4);
        // Small streams lie elsewhere, and no cabinet is as small as that.
        if (static_cast<unsigned char>(entry[66]) != stream || size < 4096)
            continue;
        if (file.chain(start, 4) == "MSCF")
            return file.chain(start, size);
    }
    throw core::Error("the compound file holds no cabinet");
}

} // namespace senteval::data
