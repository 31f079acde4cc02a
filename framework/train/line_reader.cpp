#include "train/line_reader.hpp"

#include "core/error.hpp"

#include <zlib.h>

#include <cerrno>
#include <cstring>

namespace senteval::train {

namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 18U;

} // namespace

struct LineReader::File {
    gzFile handle = nullptr;
    File() = default;
    File(const File&) = delete;
    File(File&&) = delete;
    File& operator=(const File&) = delete;
    File& operator=(File&&) = delete;
    ~File()
    {
        if (handle != nullptr)
            gzclose(handle);
    }
};

LineReader::LineReader(const std::filesystem::path& path)
    : path_(path), file_(std::make_unique<File>())
{
    if (std::filesystem::is_directory(path))
        throw core::Error("cannot read '{}': it is a folder", path.string());
    errno = 0;
    file_->handle = gzopen(path.c_str(), "rb");
    if (file_->handle == nullptr)
        throw core::Error("cannot read '{}': {}", path.string(),
                          errno == 0 ? "out of memory" : std::strerror(errno));
}

LineReader::~LineReader() = default;

std::string LineReader::where() const
{
    return fmt::format("{}:{}", path_.string(), number_);
}

void LineReader::fail(const std::string& why) const
{
    throw core::Error("{}:{}: {}", path_.string(), number_ + 1, why);
}

bool LineReader::fill()
{
    if (at_end_)
        return false;
    buffer_.erase(0, at_);
    at_ = 0;
    const std::size_t kept = buffer_.size();
    buffer_.resize(kept + piece_bytes);
    const int read =
        gzread(file_->handle, buffer_.data() + kept, static_cast<unsigned>(piece_bytes));
    int code = Z_OK;
    const char* const message = gzerror(file_->handle, &code);
    if (read < 0 || (code != Z_OK && code != Z_STREAM_END))
        fail(code == Z_BUF_ERROR ? "the compressed data end early: the file was cut short"
                                 : fmt::format("the compressed data are damaged ({})", message));
    buffer_.resize(kept + static_cast<std::size_t>(read));
    at_end_ = read == 0;
    return !at_end_;
}

bool LineReader::next()
{
    std::size_t searched = 0;
    std::size_t end = 0;
    while ((end = buffer_.find('\n', at_ + searched)) == std::string::npos) {
        searched = buffer_.size() - at_;
        if (fill())
            continue;
        if (at_ == buffer_.size())
            return false;
        end = buffer_.size();
        break;
    }
    line_ = std::string_view(buffer_).substr(at_, end - at_);
    at_ = end < buffer_.size() ? end + 1 : end;
    if (line_.ends_with('\r'))
        line_.remove_suffix(1);
    if (number_++ == 0 && line_.starts_with("\xEF\xBB\xBF"))
        line_.remove_prefix(3);
    return true;
}

} // namespace senteval::train
