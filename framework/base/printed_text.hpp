// printed_text.hpp -- what foreign code prints, made fit for a log.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace senteval::base {

/// Turns bytes as they come into lines: nothing in them moves a cursor (sdk::printable()), none is longer than
/// `longest_line` bytes, and all together are not much more than `most`. Repeated lines are counted, with the number
/// at the end. Says where it leaves something out. Not thread-safe.
class PrintedText {
public:
    static constexpr std::size_t longest_line = 1000;
    static constexpr std::size_t most = std::size_t{64} * 1024;

    /// `show` is given each line, without its end.
    using Show = std::function<void(std::string_view line)>;
    explicit PrintedText(Show show) : show_(std::move(show)) {}
    PrintedText(const PrintedText&) = delete;
    PrintedText& operator=(const PrintedText&) = delete;
    ~PrintedText();

    void add(std::string_view bytes);

    /// Shows a line that has not ended.
    void end();

private:
    void end_line();
    void show(const std::string& line);

    Show show_;
    std::string line_;      ///< as far as it came, and is kept
    std::uint64_t cut_ = 0; ///< bytes of this line that are not kept
    std::size_t shown_ = 0; ///< bytes of all lines
    std::map<std::string, std::uint64_t, std::less<>>
        again_; ///< lines that were shown: how often since
};

} // namespace senteval::base
