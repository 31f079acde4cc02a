#include "data/part_file.hpp"

#include "core/error.hpp"
#include "core/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace senteval::data {

namespace fs = std::filesystem;

namespace {

int open_part(const fs::path& destination)
{
    core::create_folders(destination.parent_path());
    return ::open((destination.string() + ".part").c_str(),
                  O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
}

} // namespace

PartFile::PartFile(fs::path destination)
    : destination_(std::move(destination)),
      path_(destination_.string() + ".part"),
      file_(open_part(destination_))
{
    if (file_.number() < 0)
        fail(errno);
    if (::flock(file_.number(), LOCK_EX | LOCK_NB) != 0)
        throw core::Error("'{}' is being downloaded by another process", destination_.string());
    struct stat status {};
    if (::fstat(file_.number(), &status) != 0)
        fail(errno);
    size_ = static_cast<std::uint64_t>(status.st_size);
}

void PartFile::append(std::string_view bytes)
{
    if (const int problem = core::write_all(file_.number(), bytes); problem != 0)
        fail(problem);
    size_ += bytes.size();
}

void PartFile::clear()
{
    if (::ftruncate(file_.number(), 0) != 0)
        fail(errno);
    size_ = 0;
}

void PartFile::commit()
{
    if (::fsync(file_.number()) != 0 || ::rename(path_.c_str(), destination_.c_str()) != 0)
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
