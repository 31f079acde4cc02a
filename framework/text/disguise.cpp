#include "text/disguise.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <string>

namespace senteval::text {
namespace {

constexpr std::size_t head_size = 512;

std::string lower_head(std::string_view bytes)
{
    std::string head(bytes.substr(0, head_size));
    std::ranges::transform(head, head.begin(), base::ascii_lower);
    return head;
}

bool is_list_of_objects(std::string_view bytes)
{
    const std::size_t object = bytes.find_first_not_of(" \t\r\n", 1);
    return bytes.starts_with('[') && object < bytes.size() && bytes[object] == '{';
}

} // namespace

std::optional<Disguise> disguise_of(std::string_view bytes)
{
    using namespace std::string_view_literals;
    constexpr std::string_view packed = "it was put in its place without being unpacked";
    const std::string head = lower_head(bytes);
    constexpr std::size_t near_the_start = 64; // after a mark, blank lines or a comment
    if (head.find("<!doctype html") < near_the_start || head.find("<html") < near_the_start)
        return Disguise{"is an HTML page", "a server sent its error page in place of the data", ""};
    if (bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06"))
        return Disguise{"is a zip archive", packed, "Unpack it with: unzip FILE", true};
    if (bytes.starts_with("\x1f\x8b"))
        return Disguise{"is compressed (gzip)", packed, "Unpack it with: gzip -d FILE", true};
    if (bytes.starts_with("BZh"))
        return Disguise{"is compressed (bzip2)", packed, "Unpack it with: bzip2 -d FILE", true};
    if (bytes.starts_with("\xfd"
                          "7zXZ"))
        return Disguise{"is compressed (xz)", packed, "Unpack it with: xz -d FILE", true};
    if (bytes.starts_with("\x28\xb5\x2f\xfd"))
        return Disguise{"is compressed (zstd)", packed, "Unpack it with: zstd -d FILE", true};
    if (bytes.starts_with("\xff\xfe"sv) || bytes.starts_with("\xfe\xff"sv))
        return Disguise{"is UTF-16", "text is read as UTF-8",
                        "Convert it with: iconv -f utf-16 -t utf-8 FILE > NEW"};
    if (bytes.starts_with("PAR1"))
        return Disguise{"is Parquet", "text is read here",
                        "Convert it with: python3 -c 'import pandas; "
                        "pandas.read_parquet(\"FILE\").to_json(\"FILE.jsonl\", "
                        "orient=\"records\", lines=True)'"};
    if (head.starts_with("version https://git-lfs"))
        return Disguise{"is a Git LFS pointer", "the repository holds only a reference to the data",
                        ""};
    return std::nullopt;
}

std::optional<Disguise> disguise_of_text(std::string_view bytes)
{
    if (const auto disguise = disguise_of(bytes))
        return disguise;
    if (const std::size_t zero = bytes.substr(0, head_size).find('\0'); zero != std::string::npos)
        return Disguise{"has bytes that are 0, as UTF-16 has", "text is read as UTF-8",
                        zero % 2 == 1 ? "Convert it with: iconv -f utf-16le -t utf-8 FILE > NEW"
                                      : "Convert it with: iconv -f utf-16be -t utf-8 FILE > NEW"};
    if (is_list_of_objects(bytes))
        return Disguise{"is one JSON list", "a line is one object here",
                        "Convert it with: python3 -c 'import json,sys; [print(json.dumps(o)) for o "
                        "in json.load(sys.stdin, parse_float=str)]' < FILE > FILE.jsonl"};
    return std::nullopt;
}

std::string_view disguise_of_line(std::string_view line)
{
    if (line.starts_with('{'))
        return "this line looks like JSON, and columns are separated by TABs (of a task of your "
               "own, format = "
               "\"jsonl\" reads JSON lines)";
    if (line.find_first_of(",;|") != std::string_view::npos)
        return "this line has no TAB and looks like CSV, and columns are separated by TABs (of a "
               "task of your own, "
               "format = \"csv\" reads CSV)";
    return {};
}

} // namespace senteval::text
