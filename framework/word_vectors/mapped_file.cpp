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

std::int64_t nanoseconds(const timespec& time)
{
    return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
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
    opened_ = std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
    const Descriptor file(path);
    struct stat status = {};
    if (::fstat(file.number, &status) != 0)
        fail(SENTEVAL_INTERNAL, path, errno);
    if (S_ISDIR(status.st_mode))
        throw sdk::Error(SENTEVAL_INVALID_ARGUMENT,
                         path.string() + ": is a folder, and a file is wanted");
    if (!S_ISREG(status.st_mode))
        throw sdk::Error(SENTEVAL_INVALID_ARGUMENT, path.string() + ": is not a regular file");
    const auto size = static_cast<std::size_t>(status.st_size);
    state_ = {size, status.st_dev, status.st_ino, nanoseconds(status.st_mtim),
              nanoseconds(status.st_ctim)};
    if (size == 0)
        return;
    void* const data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number, 0);
    if (data == MAP_FAILED)
        fail(SENTEVAL_INTERNAL, path, errno);
    bytes_ = {static_cast<const char*>(data), size};
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : bytes_(std::exchange(other.bytes_, {})), state_(other.state_), opened_(other.opened_)
{
}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept
{
    std::swap(bytes_, other.bytes_);
    std::swap(state_, other.state_);
    std::swap(opened_, other.opened_);
    return *this;
}

MappedFile::~MappedFile()
{
    if (!bytes_.empty())
        ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

void MappedFile::forget(std::string_view part) const noexcept
{
    constexpr std::size_t huge = std::size_t{64} << 20;
    if (bytes_.size() < huge)
        return;
    // Whole pages inside the part only: those at its ends may be in use by a neighbour.
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t first = (part.data() - bytes_.data() + page - 1) / page * page;
    const std::size_t end = (part.data() + part.size() - bytes_.data()) / page * page;
    if (first < end)
        ::madvise(const_cast<char*>(bytes_.data() + first), end - first, MADV_DONTNEED);
}

} // namespace senteval::word_vectors
