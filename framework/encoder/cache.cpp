#include "encoder/cache.hpp"

#include "base/error.hpp"
#include "base/fingerprint.hpp"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <iterator>
#include <memory>
#include <new>
#include <system_error>
#include <utility>

namespace senteval::encoder {
namespace {

namespace fs = std::filesystem;

using Hash = std::array<unsigned char, 16>; ///< big-endian, so that memcmp orders it as < does

/// 0 for tokens without a role, whose vectors earlier versions kept.
unsigned kind_of(const text::Sentence& sentence)
{
    return static_cast<unsigned>(sentence.role) * 2 + (sentence.verbatim ? 1 : 0);
}

Hash hash_of(const text::Sentence& sentence)
{
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(
        &canonical,
        XXH3_128bits_withSeed(sentence.text.data(), sentence.text.size(), kind_of(sentence)));
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

/// The header of a file of that dimension; one with count 0 where it is none.
Header header_of(std::string_view bytes, std::size_t dimension)
{
    Header header;
    if (bytes.size() < sizeof header)
        return {};
    std::memcpy(&header, bytes.data(), sizeof header);
    const std::size_t row = sizeof(Hash) + dimension * sizeof(float);
    const std::size_t content = bytes.size() - sizeof header;
    if (header.magic != Header{}.magic || header.dimension != dimension ||
        content / row != header.count || content % row != 0)
        return {};
    return header;
}

bool is_intact(std::string_view bytes)
{
    Header header;
    std::memcpy(&header, bytes.data(), sizeof header);
    const std::string_view content = bytes.substr(sizeof header);
    return header.checksum == XXH3_64bits(content.data(), content.size());
}

/// Entries in the order of a file, given to take() in pieces, so that there is no second copy of all
/// vectors.
class SortedEntries {
public:
    SortedEntries(std::size_t dimension, std::span<const CacheEntry> entries)
        : dimension_(dimension)
    {
        rows_.reserve(entries.size());
        for (const CacheEntry& entry : entries)
            rows_.emplace_back(hash_of(entry.sentence), entry.vector);
        std::sort(rows_.begin(), rows_.end());
    }

    template <typename Take>
    void pieces(const Take& take) const
    {
        for (const auto& [hash, vector] : rows_)
            take({reinterpret_cast<const char*>(hash.data()), hash.size()});
        for (const auto& [hash, vector] : rows_)
            take({reinterpret_cast<const char*>(vector), dimension_ * sizeof(float)});
    }

    [[nodiscard]] Header header() const
    {
        const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(
            XXH3_createState(), XXH3_freeState);
        if (state == nullptr)
            throw std::bad_alloc();
        XXH3_64bits_reset(state.get());
        pieces([&](std::string_view piece) {
            XXH3_64bits_update(state.get(), piece.data(), piece.size());
        });
        Header header;
        header.dimension = dimension_;
        header.count = rows_.size();
        header.checksum = XXH3_64bits_digest(state.get());
        return header;
    }

private:
    std::size_t dimension_;
    std::vector<std::pair<Hash, const float*>> rows_;
};

/// Whether a file is the temporary file of a process that was killed.
bool is_left_over(const fs::path& path, fs::file_time_type written)
{
    const std::string name = path.filename().string();
    return name.ends_with(".tmp") && name.find(".vectors.") != std::string::npos &&
           fs::file_time_type::clock::now() - written > std::chrono::hours(1);
}

} // namespace

std::string cache_key(const Identity& encoder,
                      bool has_prepare,
                      std::string_view task,
                      std::span<const text::Sentence> samples)
{
    if (!has_prepare)
        return encoder.fingerprint;
    // Sizes go first, so that no two lists of texts are joined to one.
    std::string all = fmt::format("{} {} {}", encoder.fingerprint, task.size(), task);
    for (const text::Sentence& sample : samples)
        fmt::format_to(std::back_inserter(all), " {}{} {}", sample.text.size(),
                       sample.verbatim ? " as written" : "", sample.text);
    return base::fingerprint(all);
}

bool CachedVectors::find(const text::Sentence& sentence, std::span<float> out) const
{
    const Hash wanted = hash_of(sentence);
    for (const auto& segment : segments_) {
        const std::span hashes(reinterpret_cast<const Hash*>(segment->hashes), segment->count);
        const auto at = std::ranges::lower_bound(hashes, wanted);
        if (at == hashes.end() || *at != wanted)
            continue;
        const auto place = static_cast<std::size_t>(at - hashes.begin());
        std::memcpy(out.data(), segment->vectors + place * out.size_bytes(), out.size_bytes());
        return true;
    }
    return false;
}

EmbeddingCache::EmbeddingCache(fs::path folder, std::uint64_t max_bytes)
    : folder_(std::move(folder)), max_bytes_(max_bytes)
{
}

std::shared_ptr<const CachedVectors::Segment> EmbeddingCache::segment_of(const fs::path& path,
                                                                         std::size_t dimension)
{
    if (path.extension() != ".vectors")
        return nullptr;
    try {
        base::MappedFile file(path);
        const Header header = header_of(file.bytes(), dimension);
        if (header.count == 0 || !is_intact(file.bytes()))
            return nullptr;
        const char* hashes = file.bytes().data() + sizeof(Header);
        return std::make_shared<const CachedVectors::Segment>(CachedVectors::Segment{
            std::move(file), header.count, hashes, hashes + header.count * sizeof(Hash)});
    } catch (const base::Error&) { // removed by another process in between
        return nullptr;
    }
}

CachedVectors EmbeddingCache::open(const std::string& key, std::size_t dimension) const
{
    const std::lock_guard lock(opening_);
    CachedVectors vectors;
    std::error_code error;
    for (fs::directory_iterator at(folder_ / key, error), end; !error && at != end;
         at.increment(error)) {
        auto& segment = opened_[at->path()];
        if (segment == nullptr)
            segment = segment_of(at->path(), dimension);
        if (segment == nullptr)
            continue;
        vectors.segments_.push_back(segment);
        std::error_code ignored; // the time is only for make_room()
        fs::last_write_time(at->path(), fs::file_time_type::clock::now(), ignored);
    }
    return vectors;
}

void EmbeddingCache::add(const std::string& key,
                         std::size_t dimension,
                         std::span<const CacheEntry> entries) const
{
    constexpr std::size_t enough = std::size_t{1} << 20U; // for one write
    const SortedEntries content(dimension, entries);
    const Header header = content.header();
    std::string buffer(reinterpret_cast<const char*>(&header), sizeof header);
    base::Replacement file(folder_ / key / (base::fingerprint(buffer) + ".vectors"));
    content.pieces([&](std::string_view piece) {
        if (buffer.size() >= enough) {
            file.write(buffer);
            buffer.clear();
        }
        buffer += piece;
    });
    file.write(buffer);
    file.commit();
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
