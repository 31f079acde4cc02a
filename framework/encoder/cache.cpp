#include "encoder/cache.hpp"

#include "core/error.hpp"
#include "core/fingerprint.hpp"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <system_error>
#include <utility>

namespace senteval::encoder {
namespace {

namespace fs = std::filesystem;

using Hash = std::array<unsigned char, 16>; ///< big-endian, so that memcmp orders it as < does

Hash hash_of(std::string_view sentence)
{
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(sentence.data(), sentence.size()));
    Hash hash{};
    std::memcpy(hash.data(), canonical.digest, hash.size());
    return hash;
}

/// A file is this header, the hashes, the vectors.
struct Header {
    std::array<char, 8> magic{'S', 'E', 'V', 'E', 'C', 'S', '0', '1'};
    std::uint64_t dimension = 0;
    std::uint64_t count = 0;
    std::uint64_t checksum = 0; ///< XXH3, 64 bits, of everything behind the header
};
static_assert(sizeof(Header) == 32);

/// The header of an intact file of that dimension; one with count 0 otherwise.
Header intact_header(std::string_view bytes, std::size_t dimension)
{
    Header header;
    if (bytes.size() < sizeof header)
        return {};
    std::memcpy(&header, bytes.data(), sizeof header);
    const std::size_t row = sizeof(Hash) + dimension * sizeof(float);
    const std::string_view content = bytes.substr(sizeof header);
    if (header.magic != Header{}.magic || header.dimension != dimension ||
        content.size() / row != header.count || content.size() % row != 0 ||
        header.checksum != XXH3_64bits(content.data(), content.size()))
        return {};
    return header;
}

std::string file_content(std::size_t dimension, std::span<const CacheEntry> entries)
{
    std::vector<std::pair<Hash, const float*>> rows;
    rows.reserve(entries.size());
    for (const CacheEntry& entry : entries)
        rows.emplace_back(hash_of(entry.sentence), entry.vector);
    std::sort(rows.begin(), rows.end());

    std::string content(sizeof(Header), '\0');
    content.reserve(sizeof(Header) + rows.size() * (sizeof(Hash) + dimension * sizeof(float)));
    for (const auto& row : rows)
        content.append(reinterpret_cast<const char*>(row.first.data()), row.first.size());
    for (const auto& row : rows)
        content.append(reinterpret_cast<const char*>(row.second), dimension * sizeof(float));

    Header header;
    header.dimension = dimension;
    header.count = rows.size();
    header.checksum = XXH3_64bits(content.data() + sizeof header, content.size() - sizeof header);
    std::memcpy(content.data(), &header, sizeof header);
    return content;
}

/// What a process left that was killed while it wrote a file of vectors.
bool is_left_over(const fs::path& path, fs::file_time_type written)
{
    const std::string name = path.filename().string();
    return name.ends_with(".tmp") && name.find(".vectors.") != std::string::npos &&
           fs::file_time_type::clock::now() - written > std::chrono::hours(1);
}

} // namespace

bool CachedVectors::find(std::string_view sentence, std::span<float> out) const
{
    const Hash wanted = hash_of(sentence);
    for (const Segment& segment : segments_) {
        std::size_t low = 0;
        std::size_t high = segment.count;
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            const int order =
                std::memcmp(segment.hashes + middle * sizeof(Hash), wanted.data(), sizeof(Hash));
            if (order == 0) {
                std::memcpy(out.data(), segment.vectors + middle * out.size_bytes(),
                            out.size_bytes());
                return true;
            }
            (order < 0 ? low : high) = order < 0 ? middle + 1 : middle;
        }
    }
    return false;
}

EmbeddingCache::EmbeddingCache(fs::path folder, std::uint64_t max_bytes)
    : folder_(std::move(folder)), max_bytes_(max_bytes)
{
}

CachedVectors EmbeddingCache::open(const std::string& key, std::size_t dimension) const
{
    CachedVectors vectors;
    std::error_code error;
    for (fs::directory_iterator at(folder_ / key, error), end; !error && at != end;
         at.increment(error)) {
        const fs::directory_entry& entry = *at;
        if (entry.path().extension() != ".vectors")
            continue;
        try {
            core::MappedFile file(entry.path());
            const Header header = intact_header(file.bytes(), dimension);
            if (header.count == 0)
                continue;
            const char* hashes = file.bytes().data() + sizeof(Header);
            vectors.segments_.push_back(
                {std::move(file), header.count, hashes, hashes + header.count * sizeof(Hash)});
            std::error_code ignored; // the time is only for make_room()
            fs::last_write_time(entry.path(), fs::file_time_type::clock::now(), ignored);
        } catch (const core::Error&) { // removed by another process in between
            continue;
        }
    }
    return vectors;
}

void EmbeddingCache::add(const std::string& key,
                         std::size_t dimension,
                         std::span<const CacheEntry> entries) const
{
    const std::string content = file_content(dimension, entries);
    core::write_file_atomically(folder_ / key / (core::fingerprint(content) + ".vectors"), content);
    make_room();
}

void EmbeddingCache::make_room() const
{
    struct File {
        fs::file_time_type used;
        std::uint64_t size;
        fs::path path;
    };
    std::vector<File> files;
    std::uint64_t total = 0;
    std::error_code error;
    for (fs::recursive_directory_iterator at(folder_, error), end; !error && at != end;
         at.increment(error)) {
        std::error_code gone; // another process may be making room too
        const File file{at->last_write_time(gone), at->file_size(gone), at->path()};
        if (gone || (file.path.extension() != ".vectors" && !is_left_over(file.path, file.used)))
            continue;
        total += file.size;
        files.push_back(file);
    }
    std::sort(files.begin(), files.end(),
              [](const File& a, const File& b) { return a.used < b.used; });
    for (const File& file : files) {
        if (total <= max_bytes_)
            return;
        total -= file.size;
        fs::remove(file.path, error);
    }
}

} // namespace senteval::encoder
