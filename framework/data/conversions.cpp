#include "data/conversions.hpp"

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/lines.hpp"
#include "data/characters.hpp"
#include "data/moses_tokeniser.hpp"
#include "data/ptb_tokeniser.hpp"

#include <algorithm>
#include <charconv>

namespace senteval::data {
namespace {

/// Field `index` (from 0) of a line whose fields are separated by tabs; a line without any tab is
/// its own every field, as it is to cut(1). Empty where the line has fewer.
std::string_view field(std::string_view line, std::size_t index)
{
    if (line.find('\t') == std::string_view::npos)
        return line;
    for (; index > 0; --index) {
        const std::size_t tab = line.find('\t');
        if (tab == std::string_view::npos)
            return {};
        line.remove_prefix(tab + 1);
    }
    return line.substr(0, line.find('\t'));
}

using Bytes = std::string_view;

/// Appends convert_line(line, number) and a newline for every line.
template <typename ConvertLine>
std::string by_line(Bytes bytes, ConvertLine convert_line)
{
    std::string result;
    result.reserve(bytes.size() + bytes.size() / 8);
    std::size_t number = 0;
    base::for_each_line(bytes, [&](Bytes line) {
        ++number;
        try {
            result += convert_line(line, number);
        } catch (const base::Error& error) {
            throw base::Error("line {}: {}", number, error.what());
        }
        result += '\n';
    });
    return result;
}

/// A sentence's column: tokenised, or its text with white space that cannot be part of a column
/// taken off.
std::string lower_moses(Bytes sentence, Wording wording)
{
    return wording == Wording::original ? std::string(base::without_return(sentence))
                                        : lower_case(tokenise_moses(sentence));
}

std::string cased_moses(Bytes sentence, Wording wording, LastWord last_word)
{
    return wording == Wording::original ? std::string(base::without_return(sentence))
                                        : tokenise_moses(sentence, last_word);
}

std::string ptb(Bytes bytes, Wording wording)
{
    if (wording == Wording::original)
        return std::string(bytes);
    return by_line(bytes,
                   [](Bytes line, std::size_t) { return tokenise_ptb(visible_ascii(line)); });
}

std::string trec(Bytes bytes, Wording wording)
{
    std::string result(bytes);
    if (wording == Wording::prepared)
        std::erase_if(result, [](char c) { return c == '`' || c == '\''; });
    return result;
}

std::string sts_input(Bytes bytes, Wording wording)
{
    return by_line(bytes, [&](Bytes line, std::size_t) {
        return lower_moses(field(line, 0), wording) + '\t' + lower_moses(field(line, 1), wording);
    });
}

std::string stsbenchmark(Bytes bytes, Wording wording)
{
    return by_line(bytes, [&](Bytes line, std::size_t) {
        std::string result;
        for (std::size_t column = 0; column < 5; ++column)
            result.append(field(line, column)) += '\t';
        return result + lower_moses(field(line, 5), wording) + '\t' +
               lower_moses(field(line, 6), wording);
    });
}

std::string sick(Bytes bytes, Wording wording)
{
    return by_line(bytes, [&](Bytes line, std::size_t number) {
        if (number == 1)
            return std::string(line);
        const auto sentence = [&](std::size_t column) {
            return cased_moses(field(line, column), wording, LastWord::always_split);
        };
        return fmt::format("{}\t{}\t{}\t{}\t{}", field(line, 0), sentence(1), sentence(2),
                           field(line, 3), field(line, 4));
    });
}

std::string mrpc_line(Bytes line, Wording wording)
{
    const auto sentence = [&](std::size_t column) {
        return cased_moses(field(line, column), wording, LastWord::like_others);
    };
    return fmt::format("{}\t{}\t{}\t{}\t{}", field(line, 0), field(line, 1), field(line, 2),
                       sentence(3), sentence(4));
}

std::string mrpc(const std::vector<std::string>& files, Wording wording)
{
    std::string result;
    for (const std::string& file : files) {
        std::string converted = by_line(file, [&](Bytes line, std::size_t number) {
            line = base::without_return(line);
            return number == 1 ? std::string(line) : mrpc_line(line, wording);
        });
        const bool further = !result.empty();
        result += further ? converted.substr(converted.find('\n') + 1) : converted;
    }
    return result;
}

/// Column `column` of the SNLI distribution's table: 0 gold label, 5 and 6 the sentences.
std::string snli(Bytes bytes, Wording wording, std::size_t column)
{
    std::string result;
    std::size_t number = 0;
    base::for_each_line(bytes, [&](Bytes line) {
        if (++number == 1 || field(line, 0) == "-")
            return;
        const Bytes text = base::without_return(field(line, column));
        const bool keep = column == 0 || wording == Wording::original;
        result += keep ? std::string(text) : tokenise_ptb(text);
        result += '\n';
    });
    return result;
}

using Files = std::vector<std::string>;

std::string pair_row(Bytes first, Bytes second, Bytes score)
{
    double number = 0;
    const auto [end, error] = std::from_chars(score.data(), score.data() + score.size(), number);
    if (error != std::errc() || end != score.data() + score.size())
        throw base::Error("'{}' is no score", score);
    return base::to_text({{"sentence1", base::without_return(first)},
                          {"sentence2", base::without_return(second)},
                          {"score", number}}) +
           "\n";
}

/// Sentences and golds of one subset after the other; pairs without a gold are left out.
std::string sts_pairs(const Files& files)
{
    std::string rows;
    for (std::size_t file = 0; file + 1 < files.size(); file += 2) {
        std::vector<Bytes> golds;
        base::for_each_line(files[file + 1],
                            [&](Bytes line) { golds.push_back(base::without_return(line)); });
        std::size_t number = 0;
        base::for_each_line(files[file], [&](Bytes line) {
            const Bytes gold = number < golds.size() ? golds[number] : Bytes();
            ++number;
            if (!gold.empty())
                rows += pair_row(field(line, 0), field(line, 1), gold);
        });
    }
    return rows;
}

std::string sick_pairs(const Files& files)
{
    std::string rows;
    for (const std::string& file : files) {
        std::size_t number = 0;
        base::for_each_line(file, [&](Bytes line) {
            if (++number > 1)
                rows += pair_row(field(line, 1), field(line, 2), field(line, 3));
        });
    }
    return rows;
}

struct Conversion {
    std::string_view name;
    std::string (*convert)(const Files&, Wording);
};

constexpr Conversion conversions[] = {
    {"as-is", [](const Files& files, Wording) { return files.front(); }},
    {"ptb", [](const Files& files, Wording wording) { return ptb(files.front(), wording); }},
    {"trec", [](const Files& files, Wording wording) { return trec(files.front(), wording); }},
    {"sts-input",
     [](const Files& files, Wording wording) { return sts_input(files.front(), wording); }},
    {"stsbenchmark",
     [](const Files& files, Wording wording) { return stsbenchmark(files.front(), wording); }},
    {"sick", [](const Files& files, Wording wording) { return sick(files.front(), wording); }},
    {"mrpc", mrpc},
    {"sts-pairs", [](const Files& files, Wording) { return sts_pairs(files); }},
    {"sick-pairs", [](const Files& files, Wording) { return sick_pairs(files); }},
    {"snli-labels",
     [](const Files& files, Wording wording) { return snli(files.front(), wording, 0); }},
    {"snli-first",
     [](const Files& files, Wording wording) { return snli(files.front(), wording, 5); }},
    {"snli-second",
     [](const Files& files, Wording wording) { return snli(files.front(), wording, 6); }},
};

} // namespace

bool is_conversion(std::string_view name)
{
    return std::ranges::find(conversions, name, &Conversion::name) != std::end(conversions);
}

std::string
convert(std::string_view conversion, const std::vector<std::string>& originals, Wording wording)
{
    const auto found = std::ranges::find(conversions, conversion, &Conversion::name);
    if (found == std::end(conversions))
        throw base::UsageError("there is no conversion '{}'", conversion);
    if (originals.empty())
        throw base::UsageError("conversion '{}' needs an original file", conversion);
    return found->convert(originals, wording);
}

std::string visible_ascii(std::string_view bytes)
{
    std::string result;
    result.reserve(bytes.size());
    for (const char c : bytes) {
        auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x80) {
            result += "M-";
            byte = static_cast<unsigned char>(byte & 0x7F);
        } else if (c == '\n' || c == '\t') {
            result += c;
            continue;
        }
        if (byte < 0x20 || byte == 0x7F)
            result += '^';
        result += static_cast<char>(byte < 0x20 ? byte + 0x40 : byte == 0x7F ? '?' : byte);
    }
    return result;
}

} // namespace senteval::data
