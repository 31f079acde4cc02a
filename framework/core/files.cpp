#include "core/files.hpp"

#include "core/error.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

namespace senteval::core {
namespace {

std::string reason(int code)
{
    return std::generic_category().message(code);
}

/// Owns a file descriptor.
class Descriptor {
public:
    explicit Descriptor(int fd) noexcept : fd_(fd) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor(Descriptor&&) = delete;
    Descriptor& operator=(Descriptor&&) = delete;
    ~Descriptor()
    {
        if (fd_ >= 0)
            ::close(fd_);
    }

    [[nodiscard]] int get() const noexcept { return fd_; }
    [[nodiscard]] bool valid() const noexcept { return fd_ >= 0; }

private:
    int fd_;
};

bool write_all(int fd, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

std::filesystem::path temporary_beside(const std::filesystem::path& path)
{
    static std::atomic<unsigned> counter{0}; // only makes names differ
    return path.parent_path() /
           fmt::format(".{}.{}.{}.tmp", path.filename().string(), ::getpid(), counter++);
}

/// Writes the bytes to a new file beside `path` and returns its name.
std::filesystem::path write_beside(const std::filesystem::path& path, std::string_view bytes)
{
    std::filesystem::path temporary;
    int fd = -1;
    do { // a killed process of the same number may have left one
        temporary = temporary_beside(path);
        fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    } while (fd < 0 && errno == EEXIST);
    const Descriptor file(fd);
    if (!file.valid() || !write_all(file.get(), bytes) || ::fsync(file.get()) != 0) {
        const int code = errno;
        if (file.valid())
            ::unlink(temporary.c_str());
        throw Error("cannot write '{}': {}", path.string(), reason(code));
    }
    return temporary;
}

} // namespace

MappedFile::MappedFile(const std::filesystem::path& path)
{
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status))
        throw Error("file '{}' does not exist", path.string());
    if (!std::filesystem::is_regular_file(status))
        throw Error("'{}' is not a regular file", path.string());
    const auto size = std::filesystem::file_size(path, error);
    if (!error && size == 0)
        return; // an empty file cannot be mapped
    try {
        namespace ipc = boost::interprocess;
        const ipc::file_mapping file(path.c_str(), ipc::read_only);
        region_ = ipc::mapped_region(file, ipc::read_only);
    } catch (const boost::interprocess::interprocess_exception& e) {
        throw Error("cannot read '{}': {}", path.string(), e.what());
    }
}

std::string_view MappedFile::bytes() const noexcept
{
    return {static_cast<const char*>(region_.get_address()), region_.get_size()};
}

std::string read_file(const std::filesystem::path& path)
{
    return std::string(MappedFile(path).bytes());
}

void write_file_atomically(const std::filesystem::path& path, std::string_view bytes)
{
    std::error_code error;
    const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    std::filesystem::create_directories(folder, error);
    if (error)
        throw Error("cannot create folder '{}': {}", folder.string(), error.message());

    const auto temporary = write_beside(path, bytes);
    std::filesystem::rename(temporary, path, error);
    if (error) {
        ::unlink(temporary.c_str());
        throw Error("cannot replace '{}': {}", path.string(), error.message());
    }
    // Without this the new name itself may be lost with the power; some file systems refuse it.
    const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.valid())
        (void)::fsync(directory.get());
}

} // namespace senteval::core
