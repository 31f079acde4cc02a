#include "text/text_file.hpp"

#include "base/disguise.hpp"
#include "base/lines.hpp"
#include "base/unicode.hpp"
#include "text/parquet.hpp"

#include <unicode/unistr.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>

namespace senteval::text {
namespace {

bool is_newline(char c) noexcept
{
    return c == '\n' || c == '\r';
}

std::size_t newline_length(std::string_view text) noexcept
{
    return text.starts_with("\r\n") ? 2 : 1;
}

/// Offset of the line's end in `text`, or its size.
std::size_t find_line_end(std::string_view text, LineEnds ends) noexcept
{
    const auto ends_line = [&](const char& c) {
        if (is_newline(c))
            return true;
        return ends == LineEnds::unicode &&
               base::leading_line_end(text.substr(static_cast<std::size_t>(&c - text.data()))) != 0;
    };
    return static_cast<std::size_t>(std::find_if(text.begin(), text.end(), ends_line) -
                                    text.begin());
}

std::size_t count_newlines(std::string_view text) noexcept
{
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); ++at)
        if (is_newline(text[at])) {
            ++count;
            at += newline_length(text.substr(at)) - 1;
        }
    return count;
}

constexpr std::string_view gzip_mark = "\x1f\x8b";

/// All members of a gzip file, one behind the other.
std::string gunzip(const std::string& name, std::string_view bytes)
{
    constexpr int gzip_alone = 15 + 16;
    constexpr std::size_t most_at_once = std::size_t{1} << 30;
    z_stream stream{};
    if (inflateInit2(&stream, gzip_alone) != Z_OK)
        throw std::bad_alloc();
    const std::unique_ptr<z_stream, decltype(&inflateEnd)> owner(&stream, inflateEnd);
    std::string text;
    std::array<char, 1U << 16U> block{};
    while (bytes.starts_with(
        gzip_mark)) { // other bytes behind a member are padding, as for the program gzip
        int state = inflateReset(&stream);
        while (state == Z_OK) {
            const std::size_t given = std::min(bytes.size(), most_at_once);
            stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
            stream.avail_in = static_cast<uInt>(given);
            stream.next_out = reinterpret_cast<Bytef*>(block.data());
            stream.avail_out = static_cast<uInt>(block.size());
            state = inflate(&stream, Z_NO_FLUSH);
            bytes.remove_prefix(given - stream.avail_in);
            text.append(block.data(), block.size() - stream.avail_out);
        }
        if (state != Z_STREAM_END)
            throw base::Error("{}: the gzip file is damaged or cut off", name);
    }
    return text;
}

template <typename Number>
bool parse(std::string_view text, Number& value) noexcept
{
    text = base::strip(text);
    if (text.starts_with('+') && !text.starts_with("+-"))
        text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

} // namespace

TextFile::TextFile(std::string name,
                   base::MappedFile file,
                   Encoding encoding,
                   LineEnds ends,
                   Counts* counts,
                   bool unpacks)
    : name_(std::move(name)), file_(std::move(file)), ends_(ends), counts_(counts)
{
    rest_ = file_.bytes();
    if (unpacks)
        unpack();
    if (const auto disguise = base::disguise_of(rest_, base::Wanted::text))
        throw base::Error("{} {}", name_, disguise->message());
    rest_ = base::without_mark(rest_); // no text begins so, in Latin-1 neither
    if (encoding == Encoding::utf8) {
        require_valid_utf8();
        return;
    }
    decode(encoding == Encoding::latin1 ? "ISO-8859-1" : "windows-1252");
}

/// What is Parquet, compressed with gzip, in UTF-16 or UTF-32 with a byte-order mark, or both.
void TextFile::unpack()
{
    using namespace std::string_view_literals;
    if (rest_.starts_with(parquet_mark))
        rest_ = decoded_ = json_lines_of_parquet(name_);
    else if (name_.ends_with(".parquet") && !base::disguise_of(rest_, base::Wanted::text))
        throw base::Error("{}: it is no Parquet file", name_);
    if (rest_.starts_with(gzip_mark))
        rest_ = decoded_ = gunzip(name_, rest_);
    if (rest_.starts_with("\xff\xfe\0\0"sv) || rest_.starts_with("\0\0\xfe\xff"sv))
        decode("UTF-32");
    else if (rest_.starts_with("\xff\xfe") || rest_.starts_with("\xfe\xff"))
        decode("UTF-16");
}

void TextFile::decode(const char* encoding)
{
    constexpr std::string_view replacement = "\xEF\xBF\xBD";
    if (rest_.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        throw base::Error("{}: {} of {} bytes cannot be read", name_, encoding, rest_.size());
    const icu::UnicodeString text(rest_.data(), static_cast<std::int32_t>(rest_.size()), encoding);
    decoded_.clear();
    rest_ = text.toUTF8String(decoded_);
    if (rest_.find(replacement) != rest_.npos)
        throw base::Error("{}: it is not valid {}", name_, encoding);
}

void TextFile::require_valid_utf8() const
{
    const std::size_t at = base::find_invalid_utf8(rest_);
    if (at == std::string_view::npos)
        return;
    throw base::Error(
        "{}:{}: the byte 0x{:02X} is not valid UTF-8. Excel on Windows writes cp1252: "
        "encoding = \"cp1252\" in a [[task]], --encoding cp1252 of inspect; or iconv "
        "-f cp1252 -t utf-8 FILE > NEW",
        name_, 1 + count_newlines(rest_.substr(0, at)), static_cast<unsigned char>(rest_[at]));
}

bool TextFile::next()
{
    line_number_ = next_number_;
    if (rest_.empty())
        return false;
    if (counts_ != nullptr)
        ++counts_->lines;
    const std::size_t length = find_line_end(rest_, ends_);
    line_ = rest_.substr(0, length);
    rest_.remove_prefix(length);
    if (!rest_.empty()) {
        const bool newline = is_newline(rest_.front());
        next_number_ += newline ? 1 : 0;
        rest_.remove_prefix(newline ? newline_length(rest_) : base::leading_line_end(rest_));
    }
    return true;
}

std::span<const std::string_view> TextFile::columns(std::string_view text, std::size_t at_least)
{
    columns_.clear();
    for (std::size_t tab = 0; tab != std::string_view::npos;) {
        tab = text.find('\t');
        columns_.push_back(text.substr(0, tab));
        text.remove_prefix(tab == std::string_view::npos ? text.size() : tab + 1);
    }
    if (columns_.size() == 1 && at_least > 1)
        if (const std::string_view why = base::disguise_of_line(line_); !why.empty())
            fail("{}", why);
    if (columns_.size() < at_least)
        fail("expected {} columns separated by tabs, found {}", at_least, columns_.size());
    return columns_;
}

void TextFile::count(std::string_view label) const
{
    if (counts_ == nullptr)
        return;
    if (const auto known = counts_->labels.find(label); known != counts_->labels.end())
        ++known->second;
    else
        counts_->labels.emplace(label, 1);
}

double TextFile::number(std::string_view text, std::string_view what) const
{
    double value = 0;
    if (!parse(text, value) || !std::isfinite(value))
        fail("{} is not a number, and a {} is expected here{}", quote(text), what,
             text.find(',') == text.npos
                 ? ""
                 : " (a decimal comma? decimal = \",\" in a [[task]], --decimal , of inspect)");
    constexpr double largest = 1e30;
    if (std::abs(value) > largest)
        fail("{} is no {}: it is beyond any scale", quote(text), what);
    return value;
}

int TextFile::integer(std::string_view text, std::string_view what) const
{
    int value = 0;
    if (!parse(text, value))
        fail("{} is not a whole number, and a {} is expected here", quote(text), what);
    return value;
}

void TextFile::fail_with(const std::string& message) const
{
    throw base::Error("{}:{}: {}", name_, line_number_, message);
}

std::string quote(std::string_view text)
{
    constexpr std::size_t longest = 40;
    return fmt::format("'{}{}'", base::first_characters(text, longest),
                       text.size() <= longest ? "" : "...");
}

std::string spelled(std::string_view text)
{
    std::string characters;
    for (std::size_t at = 0; at < text.size();)
        if (const char32_t c = base::next_or_replacement(text, at); c >= U' ' && c < 0x7F)
            characters += static_cast<char>(c);
        else
            characters += fmt::format(" U+{:04X} ", static_cast<std::uint32_t>(c));
    return characters == text ? quote(text)
                              : fmt::format("{} ({})", quote(text), base::strip(characters));
}

} // namespace senteval::text
