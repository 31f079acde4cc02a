// Any bytes as a line: no newline and no double space comes out, and no word is lost.
#include "base/error.hpp"
#include "data/characters.hpp"
#include "data/conversions.hpp"
#include "data/moses_tokeniser.hpp"
#include "data/ptb_tokeniser.hpp"
#include "fuzz.hpp"

#include <algorithm>
#include <string>

using namespace senteval;

namespace {

/// Tabs as well: the rules drop those that end a line.
std::string without_spaces(std::string text)
{
    std::erase_if(text, [](char c) { return c == ' ' || c == '\t'; });
    return text;
}

void check_moses(std::string_view line, data::LastWord last_word)
{
    std::string tokens = data::tokenise_moses(line, last_word);
    const bool blank = tokens == line;
    if (tokens.ends_with(" . ' ")) // the one place where the rules leave spaces behind
        tokens.resize(tokens.size() - 5);
    fuzz::require(blank || tokens.find("  ") == std::string::npos);
    (void)data::lower_case(tokens);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    const std::string_view whole = fuzz::text(bytes, size);
    const std::string line(whole.substr(0, whole.find('\n')));
    const std::string tokens = data::tokenise_ptb(line);
    fuzz::require(tokens.find("  ") == std::string::npos);
    if (line.find('"') == std::string::npos)
        fuzz::require(without_spaces(tokens) == without_spaces(line));

    for (const char c : data::visible_ascii(line))
        fuzz::require((c >= 0x20 && c < 0x7F) || c == '\t');
    try {
        check_moses(line, data::LastWord::always_split);
        check_moses(line, data::LastWord::like_others);
    } catch (const base::Error&) {
    }
    return 0;
}
