// cache.hpp -- vectors kept on disk, so that a second run with another classifier encodes nothing.
//
// A folder per key (what the vectors depend on), in it one file per task that added something. Files
// are written whole, beside, and renamed: they are complete or absent, and never change. A file that
// fails its checksum is ignored. Several processes may use one cache.
#pragma once

#include "base/files.hpp"
#include "encoder/encoder.hpp"
#include "text/sentence.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::encoder {

/// The key of an encoder's vectors: what they depend on. Where prepare() matters, that is all it is
/// shown, too.
std::string cache_key(const Identity& encoder,
                      bool has_prepare,
                      std::string_view task,
                      std::span<const text::Sentence> samples);

/// A sentence and its vector.
struct CacheEntry {
    text::Sentence sentence;
    const float* vector = nullptr;
};

/// The vectors that the cache holds for one key.
class CachedVectors {
public:
    /// Copies the vector of a sentence to `out` (of the dimension the cache was opened for), or
    /// returns false.
    [[nodiscard]] bool find(const text::Sentence& sentence, std::span<float> out) const;

private:
    friend class EmbeddingCache;

    struct Segment {
        base::MappedFile file;
        std::size_t count = 0;
        const char* hashes = nullptr;  ///< count x 16 bytes, ascending
        const char* vectors = nullptr; ///< count x dimension floats, in that order
    };
    std::vector<std::shared_ptr<const Segment>> segments_;
};

class EmbeddingCache {
public:
    /// Files beyond `max_bytes` in all are removed, least recently used first, whenever one is added.
    EmbeddingCache(std::filesystem::path folder, std::uint64_t max_bytes);

    [[nodiscard]] CachedVectors open(const std::string& key, std::size_t dimension) const;

    /// Throws base::Error when the folder cannot be written.
    void
    add(const std::string& key, std::size_t dimension, std::span<const CacheEntry> entries) const;

private:
    void make_room() const;
    /// A file of vectors that are whole; nullptr where it is none.
    [[nodiscard]] static std::shared_ptr<const CachedVectors::Segment>
    segment_of(const std::filesystem::path& file, std::size_t dimension);

    std::filesystem::path folder_;
    std::uint64_t max_bytes_;
    mutable std::mutex opening_;
    mutable std::map<std::filesystem::path, std::shared_ptr<const CachedVectors::Segment>>
        opened_; ///< files never change: each is checked once
};

} // namespace senteval::encoder
