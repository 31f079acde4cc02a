#include "text/parquet.hpp"

#include "base/error.hpp"
#include "base/python.hpp"
#include "base/unicode.hpp"
#include "text/parquet_lines_text.hpp"

#include <fmt/format.h>

#include <regex>

namespace senteval::text {

std::vector<std::string> parquet_shards(const std::string& name)
{
    static const std::regex first("([^]*-)00000(-of-([0-9]{5})\\.parquet)");
    std::smatch found;
    if (!std::regex_match(name, found, first))
        return {name};
    std::vector<std::string> names;
    for (int number = 0; number < std::stoi(found[3]); ++number)
        names.push_back(fmt::format("{}{:05}{}", found[1].str(), number, found[2].str()));
    return names;
}

std::string json_lines_of_parquet(const std::string& path)
{
    std::string lines;
    const int status =
        base::run_python({.text = parquet_lines_text, .arguments = parquet_shards(path)},
                         [&](std::string_view some) { lines += some; });
    if (status == 0)
        return lines;
    const std::string_view said = base::strip(lines); // the last line says why
    throw base::Error("{}{}", status == 2 ? path + " is Parquet: " : "",
                      said.substr(said.rfind('\n') + 1));
}

} // namespace senteval::text
