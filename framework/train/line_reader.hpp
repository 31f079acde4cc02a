// line_reader.hpp -- the lines of a text file, plain or compressed by gzip, one after the other.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace senteval::train {

/// A file that begins as gzip files do is unpacked on the way.
class LineReader {
public:
    /// Throws core::Error naming the file where it cannot be read.
    explicit LineReader(const std::filesystem::path& path);
    LineReader(const LineReader&) = delete;
    LineReader& operator=(const LineReader&) = delete;
    LineReader(LineReader&&) = delete;
    LineReader& operator=(LineReader&&) = delete;
    ~LineReader();

    /// Goes to the next line; false at the end. Throws core::Error naming file and line where compressed
    /// data are damaged or end early.
    bool next();

    /// Without its end (LF or CR LF) and, in the first line, without a byte-order mark; valid until next().
    [[nodiscard]] std::string_view line() const noexcept { return line_; }
    [[nodiscard]] std::size_t number() const noexcept { return number_; } ///< from 1
    [[nodiscard]] std::string where() const;                              ///< "file:number"

private:
    struct File;
    bool fill();
    [[noreturn]] void fail(const std::string& why) const;

    std::filesystem::path path_;
    std::unique_ptr<File> file_;
    std::string buffer_;
    std::size_t at_ = 0; ///< in the buffer, the first byte that has not been read
    bool at_end_ = false;
    std::string_view line_;
    std::size_t number_ = 0;
};

} // namespace senteval::train
