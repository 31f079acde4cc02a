#include "base/files.hpp"

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/home.hpp"
#include "base/system_error.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace senteval::base {
namespace {

std::string reason(int code)
{
    return std::generic_category().message(code);
}

[[noreturn]] void fail(const std::filesystem::path& path, int code)
{
    throw Error("cannot write '{}': {}", path.string(), reason(code));
}

std::filesystem::path folder_of(const std::filesystem::path& path)
{
    return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

constexpr int most_attempts = 100;
constexpr int most_links = 40; // as Linux has it

/// Follows symbolic links, also where nothing is there yet: a file would take the place of the link.
std::filesystem::path followed(std::filesystem::path path)
{
    std::error_code error;
    for (int links = 0; std::filesystem::is_symlink(path, error); ++links) {
        const auto folder = std::filesystem::weakly_canonical(path.parent_path(), error);
        if (folder.native().starts_with("/proc/")) // also "/dev/fd"
            throw Error(
                "cannot write '{}': it is the open file of a process, and would be replaced",
                path.string());
        const auto target = std::filesystem::read_symlink(path, error);
        if (error || links == most_links)
            fail(path, error ? error.value() : ELOOP);
        path = path.parent_path() / target;
    }
    return path;
}

/// The path of a file that replaces `path`. Throws Error where something else is there: a device or a pipe is for
/// whoever reads from it, and is gone when a file is moved to its name.
std::filesystem::path place_of(std::filesystem::path path)
{
    if (path.native().find('\0') != std::string::npos)
        throw Error("cannot write a file whose name has a NUL byte: '{}'", path.c_str());
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (std::filesystem::is_directory(status) || !path.has_filename())
        throw Error("cannot write '{}': it is a folder, not a file", path.string());
    if (std::filesystem::is_other(status))
        throw Error("cannot write '{}': it is a {}, which a file would replace", path.string(),
                    std::filesystem::is_fifo(status)     ? "pipe"
                    : std::filesystem::is_socket(status) ? "socket"
                                                         : "device");
    return followed(std::move(path));
}

/// Some file systems refuse it, and do without.
void sync_folder(const std::filesystem::path& path)
{
    const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    (void)::fsync(folder.number());
}

std::filesystem::path temporary_beside(const std::filesystem::path& path)
{
    static std::atomic<unsigned> counter{0}; // only makes names differ
    return path.parent_path() /
           fmt::format(".{}.{}.{}.tmp", path.filename().string(), ::getpid(), counter++);
}

} // namespace

MappedFile::MappedFile(const std::filesystem::path& path)
{
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    const auto refused = [&](int code) {
        return SystemError(fmt::format("cannot read '{}'", path.string()), code);
    };
    if (error && status.type() != std::filesystem::file_type::not_found)
        throw refused(error.value());
    if (!std::filesystem::exists(status))
        throw Error("file '{}' does not exist", path.string());
    if (std::filesystem::is_directory(status))
        throw Error("'{}' is a folder, not a file", path.string());
    if (!std::filesystem::is_regular_file(status))
        throw Error("'{}' is not a regular file", path.string());
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat opened = {};
    if (file.number() < 0 || ::fstat(file.number(), &opened) != 0)
        throw refused(errno);
    const auto size = static_cast<std::size_t>(opened.st_size);
    if (size == 0)
        return; // an empty file cannot be mapped
    void* const data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number(), 0);
    if (data == MAP_FAILED)
        throw refused(errno);
    bytes_ = {static_cast<const char*>(data), size};
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept
{
    std::swap(bytes_, other.bytes_);
    return *this;
}

MappedFile::~MappedFile()
{
    if (!bytes_.empty())
        ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

std::string read_file(const std::filesystem::path& path)
{
    return std::string(MappedFile(path).bytes());
}

void create_folders(const std::filesystem::path& folder)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        throw SystemError(fmt::format("cannot create folder '{}'", folder.string()), error.value());
}

int open_without_name(const std::filesystem::path& folder)
{
    const int without = ::open(folder.c_str(), O_RDWR | O_TMPFILE | O_EXCL | O_CLOEXEC, 0600);
    if (without >= 0)
        return without;
    std::string name = (folder / ".unnamed-XXXXXX").string(); // the file system knows no such files
    const int named = ::mkostemp(name.data(), O_CLOEXEC);
    if (named >= 0)
        ::unlink(name.c_str());
    return named;
}

void check_folder(const std::filesystem::path& folder)
{
    std::error_code error;
    auto there = std::filesystem::absolute(folder);
    while (!std::filesystem::exists(there, error) && there.has_relative_path())
        there = there.parent_path();
    if (const Descriptor file(open_without_name(there)); file.number() < 0)
        throw Error("cannot write into '{}': {}", there.string(), reason(errno));
}

void check_replaceable(const std::filesystem::path& path)
{
    check_folder(folder_of(place_of(path)));
}

Replacement::Replacement(std::filesystem::path path) : path_(place_of(std::move(path)))
{
    std::error_code error;
    const auto folder = folder_of(path_);
    for (auto at = folder; !at.empty() && !std::filesystem::exists(at, error);
         at = at.parent_path())
        made_.push_back(at);
    create_folders(folder);
    // The file has no name until it is whole, so that a killed process leaves nothing.
    const char* const descriptors = "/proc/self/fd"; // by which it gets its name
    if (::access(descriptors, X_OK) == 0)
        descriptor_ = ::open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0644);
    if (descriptor_ >= 0)
        temporary_ = fmt::format("{}/{}", descriptors, descriptor_);
    else
        open_named();
}

/// Opens a file with a name, where the file system knows none without.
void Replacement::open_named()
{
    int problem = EEXIST; // a killed process of the same number may have left one
    for (int attempt = 0; attempt < most_attempts && problem == EEXIST; ++attempt) {
        named_ = temporary_beside(path_);
        descriptor_ = ::open(named_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
        problem = descriptor_ < 0 ? errno : 0;
    }
    temporary_ = named_;
    if (problem != 0) {
        named_.clear();
        fail(path_, problem);
    }
}

/// rename() wants a name.
void Replacement::give_name()
{
    int problem = EEXIST;
    for (int attempt = 0; attempt < most_attempts && problem == EEXIST; ++attempt) {
        named_ = temporary_beside(path_);
        problem =
            ::linkat(AT_FDCWD, temporary_.c_str(), AT_FDCWD, named_.c_str(), AT_SYMLINK_FOLLOW) == 0
                ? 0
                : errno;
    }
    if (problem != 0) {
        named_.clear();
        fail(path_, problem);
    }
}

Replacement::~Replacement()
{
    ::close(descriptor_);
    if (!named_.empty())
        ::unlink(named_.c_str());
}

void Replacement::write(std::string_view bytes)
{
    if (const int problem = write_all(descriptor_, bytes); problem != 0)
        fail(path_, problem);
}

void Replacement::commit()
{
    if (::fsync(descriptor_) != 0)
        fail(path_, errno);
    if (named_.empty())
        give_name();
    if (::rename(named_.c_str(), path_.c_str()) != 0)
        throw Error("cannot replace '{}': {}", path_.string(), reason(errno));
    named_.clear();
    temporary_.clear();
    // Without this the new names themselves may be lost with the power.
    sync_folder(folder_of(path_));
    for (const std::filesystem::path& folder : made_)
        sync_folder(folder_of(folder));
}

void write_file_atomically(const std::filesystem::path& path, std::string_view bytes)
{
    Replacement file(path);
    file.write(bytes);
    file.commit();
}

std::filesystem::path expand_home(const std::filesystem::path& path)
{
    const char* home = std::getenv("HOME");
    if (home == nullptr || path.empty() || *path.begin() != "~")
        return path;
    return home / path.lexically_relative("~");
}

} // namespace senteval::base
