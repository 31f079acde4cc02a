// Any bytes as an archive: read or refused, within the limits.
#include "core/error.hpp"
#include "data/archive.hpp"
#include "fuzz.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <string>

using namespace senteval;

namespace {

/// A file in memory, with a path.
class MemoryFile {
public:
    explicit MemoryFile(std::string_view bytes) : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC))
    {
        fuzz::require(::write(descriptor_, bytes.data(), bytes.size()) ==
                      static_cast<ssize_t>(bytes.size()));
    }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    MemoryFile(MemoryFile&&) = delete;
    MemoryFile& operator=(MemoryFile&&) = delete;
    ~MemoryFile() { ::close(descriptor_); }

    [[nodiscard]] std::string path() const
    {
        return "/proc/self/fd/" + std::to_string(descriptor_);
    }

private:
    int descriptor_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    const MemoryFile file(fuzz::text(bytes, size));
    constexpr data::ArchiveLimits limits{
        .max_entries = 100, .max_bytes = 1 << 20, .max_ratio = 100};
    std::uint64_t received = 0;
    try {
        data::read_archive_member(
            file.path(), "wanted", [&](std::string_view piece) { received += piece.size(); },
            limits);
    } catch (const core::Error&) {
    }
    fuzz::require(received <= limits.max_bytes);
    try {
        data::check_archive(file.path(), limits);
    } catch (const core::Error&) {
    }
    return 0;
}
