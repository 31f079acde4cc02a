#include "word_vectors/index_cache.hpp"

#include <fcntl.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <system_error>
#include <type_traits>

namespace senteval::word_vectors {

namespace {

namespace fs = std::filesystem;

/// Begins a cache file; words, slots and messages follow. Another version of anything in it or in
/// hash_of() needs another magic.
struct CacheHeader {
    std::array<char, 8> magic = {'S', 'E', 'V', 'E', 'C', 'I', 'X', '3'};
    FileState vectors;
    Layout layout;
    std::uint64_t malformed = 0;
    std::uint64_t repeated = 0;
    std::uint64_t word_count = 0;
    std::uint64_t slot_count = 0;
    std::uint64_t message_bytes = 0;
    std::uint64_t check = 0; ///< XXH3 of the header with 0 here, then of all behind it
};
static_assert(std::is_trivially_copyable_v<CacheHeader> && sizeof(CacheHeader) % 8 == 0);
static_assert(sizeof(WordEntry) == 16 && sizeof(Slot) == 8 && sizeof(Layout) == 24 &&
              sizeof(FileState) == 40);

std::uint64_t check_of(CacheHeader header, std::string_view behind)
{
    header.check = XXH3_64bits(behind.data(), behind.size());
    return XXH3_64bits(&header, sizeof header);
}

template <typename T>
std::string_view bytes_of(std::span<const T> values)
{
    return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

template <typename T>
std::span<const T> take(std::string_view& bytes, std::uint64_t count)
{
    const std::span<const T> values(reinterpret_cast<const T*>(bytes.data()), count);
    bytes.remove_prefix(count * sizeof(T));
    return values;
}

[[noreturn]] void fail(const fs::path& path)
{
    throw std::system_error(errno, std::generic_category(), path.string());
}

/// A file that replaces `path` by commit(), or disappears. It has no name before it is whole, where the file
/// system knows such files: one that is killed meanwhile leaves nothing.
class Replacement {
public:
    explicit Replacement(const fs::path& path)
        : path_(path),
          file_(::open(path.parent_path().c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600))
    {
        if (file_ < 0 || ::access("/proc/self/fd", X_OK) != 0)
            open_named();
    }
    Replacement(const Replacement&) = delete;
    Replacement& operator=(const Replacement&) = delete;
    ~Replacement()
    {
        ::close(file_);
        if (!named_.empty())
            ::unlink(named_.c_str());
    }

    void write(std::string_view bytes)
    {
        while (!bytes.empty()) {
            const ssize_t written = ::write(file_, bytes.data(), bytes.size());
            if (written < 0 && errno != EINTR)
                fail(path_);
            bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
        }
    }

    void commit()
    {
        if (named_.empty())
            give_name();
        if (::rename(named_.c_str(), path_.c_str()) != 0)
            fail(path_);
        named_.clear();
    }

private:
    void open_named()
    {
        if (file_ >= 0)
            ::close(file_);
        std::string name = path_.string() + ".XXXXXX";
        file_ = ::mkostemp(name.data(), O_CLOEXEC);
        if (file_ < 0)
            fail(path_);
        named_ = name;
    }

    /// rename() wants one.
    void give_name()
    {
        const std::string nameless = fmt::format("/proc/self/fd/{}", file_);
        const std::string name = fmt::format("{}.{}.{}", path_.string(), ::getpid(), file_);
        ::unlink(name.c_str()); // of a process of this number that was killed just here
        if (::linkat(AT_FDCWD, nameless.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0)
            fail(path_);
        named_ = name;
    }

    fs::path path_;
    std::string named_; ///< the temporary name that it has; empty: none
    int file_;
};

} // namespace

fs::path cache_path(const fs::path& folder, const fs::path& file, Format format)
{
    const std::string key =
        fmt::format("{}\n{}", fs::weakly_canonical(file).string(), static_cast<unsigned>(format));
    return folder / fmt::format("{}-{:016x}.index", file.stem().string(),
                                XXH3_64bits(key.data(), key.size()));
}

std::optional<Index> load_index(const fs::path& path, const MappedFile& vectors)
try {
    MappedFile cache(path);
    std::string_view bytes = cache.bytes();
    CacheHeader header;
    const CacheHeader expected;
    if (bytes.size() < sizeof header)
        return std::nullopt;
    std::memcpy(&header, bytes.data(), sizeof header);
    bytes.remove_prefix(sizeof header);
    if (header.magic != expected.magic || header.vectors != vectors.state() ||
        header.check != check_of(header, bytes))
        return std::nullopt;

    Index index{header.layout, {header.malformed, header.repeated, {}}, {}, {}, {}};
    index.words = take<WordEntry>(bytes, header.word_count);
    index.slots = take<Slot>(bytes, header.slot_count);
    index.findings.messages = bytes;
    index.memory = std::move(cache);
    return index;
} catch (const std::exception&) {
    return std::nullopt;
}

void save_index(const fs::path& path, const MappedFile& vectors, const Index& index)
{
    CacheHeader header;
    header.vectors = vectors.state();
    header.layout = index.layout;
    header.malformed = index.findings.malformed;
    header.repeated = index.findings.repeated;
    header.word_count = index.words.size();
    header.slot_count = index.slots.size();
    header.message_bytes = index.findings.messages.size();
    std::string body;
    body.reserve(index.words.size_bytes() + index.slots.size_bytes() + header.message_bytes);
    body += bytes_of(index.words);
    body += bytes_of(index.slots);
    body += index.findings.messages;
    header.check = check_of(header, body);

    fs::create_directories(path.parent_path());
    Replacement replacement(path);
    replacement.write(bytes_of(std::span<const CacheHeader>(&header, 1)));
    replacement.write(body);
    replacement.commit();
}

} // namespace senteval::word_vectors
