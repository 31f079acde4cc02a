#include "data/archive.hpp"

#include "base/error.hpp"
#include "base/files.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>

namespace senteval::data {
namespace {

namespace fs = std::filesystem;

using Reader = std::unique_ptr<archive, decltype(&archive_read_free)>;

std::string_view or_empty(const char* text)
{
    return text == nullptr ? std::string_view() : std::string_view(text);
}

/// Empty where the name is in no encoding that can be read: such an entry cannot be asked for.
std::string_view name_of(archive_entry* entry)
{
    const char* name = archive_entry_pathname(entry);
    return or_empty(name != nullptr ? name : archive_entry_pathname_utf8(entry));
}

std::string without_dot(std::string_view path)
{
    return fs::path(path).lexically_normal().string();
}

/// A Windows Installer file is a small file system whose largest file is a cabinet, in one piece as the
/// installers of datasets have it; other archives are themselves.
std::string_view cabinet_in(std::string_view bytes)
{
    constexpr std::string_view installer = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";
    constexpr std::string_view cabinet("MSCF\0\0\0\0", 8);
    const std::size_t at = bytes.starts_with(installer) ? bytes.find(cabinet) : 0;
    return at == std::string_view::npos ? bytes : bytes.substr(at);
}

/// One pass over an archive.
class Walk {
public:
    Walk(const fs::path& path, const ArchiveLimits& limits)
        : path_(path), limits_(limits), file_(path), reader_(archive_read_new(), &archive_read_free)
    {
        archive_read_support_filter_all(reader_.get());
        archive_read_support_format_zip(reader_.get());
        archive_read_support_format_tar(reader_.get());
        archive_read_support_format_cab(reader_.get());
        const std::string_view bytes = cabinet_in(file_.bytes());
        if (archive_read_open_memory(reader_.get(), bytes.data(), bytes.size()) != ARCHIVE_OK)
            fail("is not an archive that can be read");
    }

    /// The next entry, nullptr after the last.
    archive_entry* next()
    {
        count(skipped_);
        archive_entry* entry = nullptr;
        const int status = archive_read_next_header(reader_.get(), &entry);
        if (status == ARCHIVE_EOF)
            return nullptr;
        if (status < ARCHIVE_WARN || entry == nullptr)
            fail(or_empty(archive_error_string(reader_.get())));
        if (++entries_ > limits_.max_entries)
            fail(fmt::format("has more than {} entries", limits_.max_entries));
        const la_int64_t size = archive_entry_size(entry);
        skipped_ = size > 0 ? static_cast<std::uint64_t>(size) : 0;
        return entry;
    }

    /// The next entry that is `member`, nullptr where there is none.
    archive_entry* find(std::string_view member)
    {
        const std::string wanted = without_dot(member);
        archive_entry* entry = next();
        while (entry != nullptr && without_dot(name_of(entry)) != wanted)
            entry = next();
        return entry;
    }

    void read(const ByteSink& sink)
    {
        skipped_ = 0;
        std::array<char, std::size_t{1} << 16> buffer{};
        for (;;) {
            const la_ssize_t size = archive_read_data(reader_.get(), buffer.data(), buffer.size());
            if (size < 0)
                fail(or_empty(archive_error_string(reader_.get())));
            if (size == 0)
                return;
            count(static_cast<std::uint64_t>(size));
            sink({buffer.data(), static_cast<std::size_t>(size)});
        }
    }

    [[noreturn]] void fail(std::string_view problem) const
    {
        throw base::Error("archive '{}' {}", path_.string(),
                          problem.empty() ? "is damaged" : problem);
    }

private:
    void count(std::uint64_t bytes)
    {
        unpacked_ += std::min(bytes, limits_.max_bytes + 1);
        const std::uint64_t packed = std::max<std::uint64_t>(file_.bytes().size(), 1024);
        if (unpacked_ > limits_.max_bytes || unpacked_ / packed > limits_.max_ratio)
            fail(fmt::format("is refused: it unpacks to more than {} bytes",
                             std::min(limits_.max_bytes, packed * limits_.max_ratio)));
    }

    fs::path path_;
    ArchiveLimits limits_;
    base::MappedFile file_;
    Reader reader_;
    std::uint64_t entries_ = 0;
    std::uint64_t unpacked_ = 0;
    std::uint64_t skipped_ = 0; ///< what the current entry says it has, until it is read
};

} // namespace

void read_archive_member(const fs::path& archive,
                         std::string_view member,
                         const ByteSink& sink,
                         const ArchiveLimits& limits)
{
    Walk walk(archive, limits);
    archive_entry* entry = walk.find(member);
    if (entry == nullptr)
        walk.fail(fmt::format("has no file '{}'", member));
    if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry) != nullptr)
        walk.fail(fmt::format("has no regular file '{}', but something else", member));
    walk.read(sink);
}

bool has_archive_member(const fs::path& archive,
                        std::string_view member,
                        const ArchiveLimits& limits)
{
    return Walk(archive, limits).find(member) != nullptr;
}

void check_archive(const fs::path& archive, const ArchiveLimits& limits)
{
    Walk walk(archive, limits);
    while (walk.next() != nullptr) {
    }
}

} // namespace senteval::data
