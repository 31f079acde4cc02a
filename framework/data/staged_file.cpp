#include "data/staged_file.hpp"

#include "core/error.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>

namespace senteval::data {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, int code)
{
    throw core::Error("cannot write '{}': {}", path.string(),
                      std::generic_category().message(code));
}

fs::path temporary_for(const fs::path& destination)
{
    static std::atomic<unsigned> counter{0}; // only makes names differ
    return destination.parent_path() /
           fmt::format(".{}.{}.{}.part", destination.filename().string(), ::getpid(), counter++);
}

} // namespace

StagedFile::StagedFile(fs::path destination)
    : destination_(std::move(destination)),
      temporary_(temporary_for(destination_)),
      file_(nullptr, &std::fclose)
{
    std::error_code error;
    if (destination_.has_parent_path())
        fs::create_directories(destination_.parent_path(), error);
    if (error)
        throw core::Error("cannot create folder '{}': {}", destination_.parent_path().string(),
                          error.message());
    file_.reset(std::fopen(temporary_.c_str(), "wbxe"));
    if (file_ == nullptr)
        fail(temporary_, errno);
}

StagedFile::~StagedFile()
{
    if (committed_)
        return;
    file_.reset();
    std::error_code ignored;
    fs::remove(temporary_, ignored);
}

void StagedFile::write(std::string_view bytes)
{
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size())
        fail(temporary_, errno);
}

void StagedFile::flush()
{
    if (std::fflush(file_.get()) != 0)
        fail(temporary_, errno);
}

void StagedFile::commit()
{
    flush();
    if (::fsync(::fileno(file_.get())) != 0)
        fail(temporary_, errno);
    std::error_code error;
    fs::rename(temporary_, destination_, error);
    if (error)
        fail(destination_, error.value());
    committed_ = true;
    file_.reset();
}

} // namespace senteval::data
