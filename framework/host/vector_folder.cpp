#include "host/vector_folder.hpp"

#include "core/files.hpp"
#include "core/system_error.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

namespace senteval::host {
namespace {

namespace fs = std::filesystem;

const std::string folder_prefix = ".vectors-";
const std::string unnamed_prefix = ".new-vectors-";

fs::path make_folder(const fs::path& parent)
{
    core::create_folders(parent);
    std::string path = parent / (unnamed_prefix + "XXXXXX");
    if (::mkdtemp(path.data()) == nullptr)
        throw core::SystemError(
            fmt::format("no folder for vectors can be made in '{}'", parent.string()), errno);
    return path;
}

int open_folder(const fs::path& path)
{
    return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

bool lock_folder(const core::Descriptor& folder)
{
    return folder.number() >= 0 && ::flock(folder.number(), LOCK_EX | LOCK_NB) == 0;
}

bool is_own_folder(const core::Descriptor& folder)
{
    struct stat status {};
    return folder.number() >= 0 && ::fstat(folder.number(), &status) == 0 &&
           status.st_uid == ::geteuid();
}

/// Of this user, that no process has locked.
void remove_abandoned(const fs::path& parent)
{
    std::error_code error;
    for (fs::directory_iterator at(parent, error), end; !error && at != end; at.increment(error)) {
        if (!at->path().filename().native().starts_with(folder_prefix))
            continue;
        const core::Descriptor folder(open_folder(at->path()));
        std::error_code ignored;
        if (is_own_folder(folder) && lock_folder(folder))
            fs::remove_all(at->path(), ignored);
    }
}

} // namespace

/// It gets its name once it is locked: nobody takes it for abandoned before.
VectorFolder::VectorFolder(const fs::path& parent)
    : path_(make_folder(parent)), in_use_(open_folder(path_))
{
    (void)lock_folder(
        in_use_); // where the file system has no locks, others cannot remove it either
    remove_abandoned(parent);
    const fs::path named =
        parent / (folder_prefix + path_.filename().string().substr(unnamed_prefix.size()));
    fs::rename(path_, named);
    path_ = named;
}

VectorFolder::~VectorFolder()
{
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

} // namespace senteval::host
