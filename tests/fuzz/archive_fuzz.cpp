// Any bytes as an archive: read or refused, within the limits; and in the place of a data file.
#include "base/disguise.hpp"
#include "base/error.hpp"
#include "data/archive.hpp"
#include "fuzz.hpp"

using namespace senteval;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    (void)base::disguise_of(fuzz::text(bytes, size), base::Wanted::anything);
    const fuzz::MemoryFile file(fuzz::text(bytes, size));
    constexpr data::ArchiveLimits limits{
        .max_entries = 100, .max_bytes = 1 << 20, .max_ratio = 100};
    std::uint64_t received = 0;
    try {
        data::read_archive_member(
            file.path(), "wanted", [&](std::string_view piece) { received += piece.size(); },
            limits);
    } catch (const base::Error&) {
    }
    fuzz::require(received <= limits.max_bytes);
    try {
        data::check_archive(file.path(), limits);
    } catch (const base::Error&) {
    }
    return 0;
}
