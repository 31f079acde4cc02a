#include "data/part_file.hpp"

#include "core/error.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace senteval::data {

namespace fs = std::filesystem;

PartFile::PartFile(fs::path destination)
    : destination_(std::move(destination)), path_(destination_.string() + ".part")
{
    std::error_code error;
    fs::create_directories(destination_.parent_path(), error);
    if (error)
        throw core::Error("cannot create folder '{}': {}", destination_.parent_path().string(),
                          error.message());
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (descriptor_ < 0)
        fail(errno);
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
        ::close(descriptor_);
        throw core::Error("'{}' is being downloaded by another process", destination_.string());
    }
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0)
        fail(errno);
    size_ = static_cast<std::uint64_t>(status.st_size);
}

PartFile::~PartFile()
{
    ::close(descriptor_);
}

void PartFile::append(std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            fail(errno);
        size_ += static_cast<std::uint64_t>(written);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

void PartFile::clear()
{
    if (::ftruncate(descriptor_, 0) != 0)
        fail(errno);
    size_ = 0;
}

void PartFile::commit()
{
    if (::fsync(descriptor_) != 0 || ::rename(path_.c_str(), destination_.c_str()) != 0)
        fail(errno);
}

void PartFile::discard()
{
    ::unlink(path_.c_str());
}

void PartFile::fail(int code) const
{
    throw core::Error("cannot write '{}': {}", path_.string(),
                      std::generic_category().message(code));
}

} // namespace senteval::data
