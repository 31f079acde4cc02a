#include "word_vectors/mapped_file.hpp"

#include <senteval/encoder.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace senteval::word_vectors {

namespace {

[[noreturn]] void fail(senteval_status status, const std::filesystem::path& path, int error)
{
    throw sdk::Error(status,
                     path.string() + ": cannot be read: " + std::generic_category().message(error));
}

/// A file descriptor that is closed with its scope.
struct Descriptor {
    explicit Descriptor(const std::filesystem::path& path)
        : number(::open(path.c_str(), O_RDONLY | O_CLOEXEC))
    {
        if (number < 0)
            fail(SENTEVAL_NOT_FOUND, path, errno);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { ::close(number); }

    int number;
};

} // namespace

MappedFile::MappedFile(const std::filesystem::path& path)
{
    const Descriptor file(path);
    struct stat status = {};
    if (::fstat(file.number, &status) != 0)
        fail(SENTEVAL_INTERNAL, path, errno);
    if (!S_ISREG(status.st_mode))
        throw sdk::Error(SENTEVAL_INVALID_ARGUMENT, path.string() + ": is not a regular file");
    changed_ = status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec;
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size == 0)
        return;
    void* const data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number, 0);
    if (data == MAP_FAILED)
        fail(SENTEVAL_INTERNAL, path, errno);
    bytes_ = {static_cast<const char*>(data), size};
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : bytes_(std::exchange(other.bytes_, {})), changed_(other.changed_)
{
}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept
{
    std::swap(bytes_, other.bytes_);
    std::swap(changed_, other.changed_);
    return *this;
}

MappedFile::~MappedFile()
{
    if (!bytes_.empty())
        ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

void MappedFile::forget(std::string_view part) const noexcept
{
    // Whole pages inside the part only: those at its ends may be in use by a neighbour.
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = (reinterpret_cast<std::uintptr_t>(part.data()) + page - 1) / page * page;
    const auto end = reinterpret_cast<std::uintptr_t>(part.data() + part.size()) / page * page;
    if (begin < end)
        ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

} // namespace senteval::word_vectors
