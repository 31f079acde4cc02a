#include "core/files.hpp"

#include "core/descriptor.hpp"
#include "core/error.hpp"

#include <fcntl.h>

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

[[noreturn]] void fail(const std::filesystem::path& path, int code)
{
    throw Error("cannot write '{}': {}", path.string(), reason(code));
}

std::filesystem::path folder_of(const std::filesystem::path& path)
{
    return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
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
    if (!std::filesystem::exists(status))
        throw Error("file '{}' does not exist", path.string());
    if (std::filesystem::is_directory(status))
        throw Error("'{}' is a folder, and a file is wanted", path.string());
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

Replacement::Replacement(std::filesystem::path path) : path_(std::move(path))
{
    std::error_code error;
    const auto folder = folder_of(path_);
    std::filesystem::create_directories(folder, error);
    if (error)
        throw Error("cannot create folder '{}': {}", folder.string(), error.message());
    do { // a killed process of the same number may have left one
        temporary_ = temporary_beside(path_);
        descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    } while (descriptor_ < 0 && errno == EEXIST);
    if (descriptor_ < 0)
        fail(path_, errno);
}

Replacement::~Replacement()
{
    ::close(descriptor_);
    if (!temporary_.empty())
        ::unlink(temporary_.c_str());
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
    if (::rename(temporary_.c_str(), path_.c_str()) != 0)
        throw Error("cannot replace '{}': {}", path_.string(), reason(errno));
    temporary_.clear();
    // Without this the new name itself may be lost with the power; some file systems refuse it.
    const Descriptor folder(::open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    (void)::fsync(folder.number());
}

void write_file_atomically(const std::filesystem::path& path, std::string_view bytes)
{
    Replacement file(path);
    file.write(bytes);
    file.commit();
}

} // namespace senteval::core
