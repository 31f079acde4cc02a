#include "same/texts.hpp"

#include "base/files.hpp"
#include "base/json.hpp"
#include "base/lines.hpp"
#include "base/unicode.hpp"
#include "same/nasty_texts_text.hpp"
#include "text/records.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace senteval::same {
namespace {

/// A text of so many words: those of the texts from a place on.
std::string long_text(const std::vector<std::string>& texts, std::size_t first, std::size_t words)
{
    std::string result;
    for (std::size_t count = 0; count < words; ++first)
        base::for_each_word(texts[first % texts.size()], [&](std::string_view word) {
            if (count++ < words)
                result.append(result.empty() ? "" : " ").append(word);
        });
    return result;
}

} // namespace

std::vector<std::string> nasty_texts()
{
    constexpr std::array<std::size_t, 14> words{60,  90,  120, 150, 180,  240,  300,
                                                380, 450, 600, 900, 1300, 1800, 2600};
    std::vector<std::string> texts;
    std::string_view lines = nasty_texts_text;
    while (!lines.empty())
        texts.push_back(base::parse_json(base::take_line(lines)).at("text").get<std::string>());
    const std::vector<std::string> short_ones = texts;
    for (std::size_t i = 0; i < words.size(); ++i)
        texts.push_back(long_text(short_ones, 5 * i, words[i]));
    return texts;
}

std::vector<std::string>
texts_of(const std::filesystem::path& file, std::string_view column, std::size_t count)
{
    std::vector<std::string> texts;
    std::set<std::string> seen;
    const auto add = [&](std::string text) {
        if (texts.size() < count && seen.insert(text).second)
            texts.push_back(std::move(text));
    };
    text::TextFile lines(file.string(), base::MappedFile(file), text::Encoding::utf8,
                         text::LineEnds::newlines, nullptr, true);
    if (file.extension() == ".txt") {
        while (texts.size() < count && lines.next())
            add(std::string(lines.line()));
        return texts;
    }
    text::Records records(lines, text::record_form_of(file.filename().string()), true);
    while (texts.size() < count && records.next()) {
        const auto& header = records.header();
        const auto place = [&](std::string_view name) {
            return static_cast<std::size_t>(std::ranges::find(header, name) - header.begin());
        };
        if (place(column) == header.size())
            records.fail("there is no column '{}': --text names it", column);
        std::string text(records.field(place(column)));
        const text::Field title = records.value(place("title"));
        if (const auto* const said = std::get_if<std::string>(&title); said && !said->empty())
            text = std::string(base::strip(*said + " " + text));
        add(std::move(text));
    }
    return texts;
}

} // namespace senteval::same
