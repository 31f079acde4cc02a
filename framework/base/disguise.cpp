#include "base/disguise.hpp"

#include "base/ascii.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace senteval::base {
namespace {

using namespace std::string_view_literals;

enum class Holds { text, packed, table, numbers, object };

struct Kind {
    std::string_view magic;
    std::string_view problem;
    Holds holds;
    std::string_view reader;      ///< a command of the shell; of tables and numbers Python
    std::string_view inside = {}; ///< what a zip archive has in it, too
    std::size_t at = 0;           ///< where the magic stands
    std::optional<Wanted> right = std::nullopt; ///< the reader for whom it is no disguise
};

/// The first that fits counts.
constexpr Kind kinds[] = {
    {"\x93NUMPY", "is of numpy.save", Holds::numbers, "", "", 0, Wanted::vectors},
    {"\0{\""sv, "is safetensors", Holds::numbers, "safetensors.numpy.load_file(\"FILE\")[\"NAME\"]",
     "", 7, Wanted::model},
    {"\xff\xfe\0\0"sv, "is UTF-32", Holds::text, "iconv -f utf-32 -t utf-8 FILE > NEW"},
    {"\0\0\xfe\xff"sv, "is UTF-32", Holds::text, "iconv -f utf-32 -t utf-8 FILE > NEW"},
    {"\xff\xfe", "is UTF-16", Holds::text, "iconv -f utf-16 -t utf-8 FILE > NEW"},
    {"\xfe\xff", "is UTF-16", Holds::text, "iconv -f utf-16 -t utf-8 FILE > NEW"},
    {"\x1f\x8b", "is compressed (gzip)", Holds::packed, "gzip -d FILE"},
    {"BZh", "is compressed (bzip2)", Holds::packed, "bzip2 -d FILE"},
    {"\xfd\x37zXZ", "is compressed (xz)", Holds::packed, "xz -d FILE"},
    {"\x28\xb5\x2f\xfd", "is compressed (zstd)", Holds::packed, "zstd -d FILE"},
    {"PAR1", "is Parquet", Holds::table, "pandas.read_parquet(\"FILE\")"},
    {"ARROW1", "is Arrow (Feather)", Holds::table, "pandas.read_feather(\"FILE\")"},
    {"PK\x03\x04", "is an Excel workbook (Excel saves CSV, too)", Holds::table,
     "pandas.read_excel(\"FILE\")", "xl/workbook.xml"},
    {"PK\x03\x04", "is of torch.save", Holds::numbers, "torch.load(\"FILE\")", "/data.pkl"},
    {"PK\x03\x04", "is of numpy.savez", Holds::numbers, "numpy.load(\"FILE\")[\"NAME\"]", ".npy"},
    {"PK\x03\x04", "is a zip archive", Holds::packed, "unzip FILE"},
    {"\x80\x02", "is a pickle", Holds::object, "pandas.read_pickle(\"FILE\")"},
    {"\x80\x03", "is a pickle", Holds::object, "pandas.read_pickle(\"FILE\")"},
    {"\x80\x04\x95", "is a pickle", Holds::object, "pandas.read_pickle(\"FILE\")"},
    {"\x80\x05\x95", "is a pickle", Holds::object, "pandas.read_pickle(\"FILE\")"}};

bool is(std::string_view bytes, const Kind& kind)
{
    constexpr std::size_t names = std::size_t{1} << 20U; // of an archive are at its end
    const std::size_t end = bytes.size() - std::min(bytes.size(), names);
    return bytes.substr(std::min(kind.at, bytes.size())).starts_with(kind.magic) &&
           bytes.find(kind.inside, end) != bytes.npos;
}

std::string to_lines(std::string_view table)
{
    return fmt::format("In Python: {}.to_json(\"FILE.jsonl\", orient=\"records\", lines=True)",
                       table);
}

std::string advice_for(const Kind& kind, Wanted wanted)
{
    if (kind.holds == Holds::text || kind.holds == Holds::packed)
        return fmt::format("Type: {}", kind.reader);
    if (wanted == Wanted::model)
        return "In Python: safetensors.torch.save_file(torch.load(\"FILE\"), "
               "\"model.safetensors\")";
    if (wanted == Wanted::vectors)
        return fmt::format("In Python: numpy.save(\"FILE.npy\", {}{})", kind.reader,
                           kind.holds == Holds::table ? "[\"COLUMN\"].tolist()" : "");
    return kind.holds == Holds::numbers ? "It holds numbers, and no text" : to_lines(kind.reader);
}

Disguise disguise(std::string_view problem, std::string advice)
{
    return {problem, "another form is read here", std::move(advice)};
}

/// What may be right where no lines are asked for. `head`: the first bytes.
std::optional<Disguise> disguise_of_lines(std::string_view bytes, std::string_view head)
{
    const auto has_zeros = [&](std::size_t first) { // at every second place, and nowhere else
        std::size_t at = first;
        return std::ranges::all_of(head, [&](char c) { return (c == '\0') == (at++ % 2 == 0); });
    };
    if (head.find('\0') != head.npos && bytes.size() % 2 == 0 && (has_zeros(0) || has_zeros(1)))
        return disguise("is UTF-16", fmt::format("Type: iconv -f utf-16{} -t utf-8 FILE > NEW",
                                                 has_zeros(0) ? "be" : "le"));
    if (head.find('\0') != head.npos)
        return disguise("has bytes that are 0", "Type: tr -d '\\000' < FILE > NEW");
    const std::size_t second = std::min(bytes.find_first_not_of(" \t\r\n", 1), bytes.size());
    if (bytes.starts_with('[') && bytes.substr(second).starts_with('{'))
        return disguise("is one JSON list",
                        "Type: python3 -c 'import json,sys; [print(json.dumps(o)) for o in "
                        "json.load(sys.stdin, parse_float=str)]' < FILE > FILE.jsonl");
    if (bytes.starts_with('{') &&
        (head.find("{\"0\":") != head.npos || bytes.substr(0, second).find('\n') != bytes.npos))
        return disguise("is one JSON object", to_lines("pandas.read_json(\"FILE\")"));
    return std::nullopt;
}

} // namespace

std::string Disguise::message() const
{
    return fmt::format("{}: {}. {}", problem, meaning, advice.empty() ? "Fetch it again" : advice);
}

std::optional<Disguise> disguise_of(std::string_view bytes, Wanted wanted)
{
    if (bytes.empty() && wanted == Wanted::anything)
        return Disguise{"is empty", "a download failed without a word", ""};
    std::string head(bytes.substr(0, 512));
    std::ranges::transform(head, head.begin(), ascii_lower);
    constexpr std::size_t near_the_start = 64; // after a mark, blank lines or a comment
    if (head.find("<!doctype html") < near_the_start || head.find("<html") < near_the_start)
        return Disguise{"is an HTML page", "a server sent its error page in place of the data", ""};
    if (head.starts_with("version https://git-lfs"))
        return Disguise{"is a Git LFS pointer", "it holds only a reference to the file",
                        wanted == Wanted::anything ? "" : "Type: git lfs pull"};
    const auto* const kind =
        std::ranges::find_if(kinds, [&](const Kind& one) { return is(bytes, one); });
    if (kind != std::end(kinds)) {
        if (kind->right == wanted || (wanted == Wanted::anything && kind->holds == Holds::numbers))
            return std::nullopt;
        Disguise found = disguise(kind->problem, advice_for(*kind, wanted));
        found.archive = kind->holds == Holds::packed;
        return found;
    }
    if (wanted == Wanted::vectors && bytes.starts_with("{\""))
        return disguise("is JSON",
                        "In Python: numpy.save(\"FILE.npy\", [json.loads(line)[\"NAME\"] "
                        "for line in open(\"FILE\")])");
    return wanted == Wanted::text ? disguise_of_lines(bytes, head) : std::nullopt;
}

std::string_view disguise_of_line(std::string_view line)
{
    if (line.starts_with('{'))
        return "this line looks like JSON, and columns are separated by TABs (of a task of your "
               "own, format = "
               "\"jsonl\" reads JSON lines)";
    if (line.find_first_of(",;|") != std::string_view::npos)
        return "this line has not the separator that is expected, and looks like CSV (format = "
               "\"csv\" reads it; separator = \";\" is for columns that are separated so)";
    return {};
}

} // namespace senteval::base
