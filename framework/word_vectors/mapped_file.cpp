#include "word_vectors/mapped_file.hpp"

#include <senteval/encoder.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace senteval::word_vectors {

namespace {

[[noreturn]] void fail(senteval_status status, const std::filesystem::path& path, int error)
{
    throw sdk::Error(status, error == ENOENT || error == ENOTDIR
                                 ? "file '" + path.string() + "' does not exist"
                                 : "cannot read '" + path.string() +
                                       "': " + std::generic_category().message(error));
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
    if (S_ISDIR(status.st_mode))
        throw sdk::Error(SENTEVAL_INVALID_ARGUMENT,
                         "'" + path.string() + "' is a folder, and a file is wanted");
    if (!S_ISREG(status.st_mode))
        throw sdk::Error(SENTEVAL_INVALID_ARGUMENT,
                         "'" + path.string() + "' is not a regular file");
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size == 0)
        return;
    void* const data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number, 0);
    if (data == MAP_FAILED)
        fail(SENTEVAL_INTERNAL, path, errno);
    bytes_ = {static_cast<const char*>(data), size};
}

MappedFile::~MappedFile()
{
    if (!bytes_.empty())
        ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

} // namespace senteval::word_vectors
