#include "same/changes.hpp"

#include "base/unicode.hpp"
#include "model_files/unicode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace senteval::same {
namespace {

std::string lower(std::string_view text)
{
    std::string result;
    base::append_lower_case(result, text);
    return result;
}

/// Words joined by one blank.
std::string collapsed(std::string_view text)
{
    std::string result;
    base::for_each_word(text, [&](std::string_view word) {
        result.append(result.empty() ? "" : " ").append(word);
    });
    return result;
}

std::string one_line(std::string_view text)
{
    std::string result;
    while (!text.empty()) {
        const std::size_t end = base::leading_line_end(text);
        result += end > 0 ? ' ' : text.front();
        text.remove_prefix(std::max<std::size_t>(end, 1));
    }
    return result;
}

std::string without_accents(std::string_view text)
{
    std::string result;
    for (std::size_t at = 0; at < text.size();)
        model_files::append_without_marks(result, base::next_or_replacement(text, at));
    return result;
}

auto form(const char* name)
{
    return [name](std::string_view text) { return model_files::unicode_form(text, name); };
}

} // namespace

std::vector<Change> text_changes()
{
    const auto stripped = [](std::string_view text) { return std::string(base::strip(text)); };
    return {
        {"case", "texts in lower case", {}, lower, "have upper-case letters"},
        {"white space", "texts without outer white space", {}, stripped, "have outer white space"},
        {"white space", "line ends as blanks", {}, one_line, "have line ends"},
        {"white space",
         "one blank for white space",
         {},
         collapsed,
         "have other white space than one blank"},
        {"accents", "texts without accents", {}, without_accents, "have accents"},
        {"normal form", "texts in the form NFC", {}, form("NFC"), "are not in the form NFC"},
        {"normal form", "texts in the form NFD", {}, form("NFD"), "are not in the form NFD"},
        {"normal form", "texts in the form NFKC", {}, form("NFKC"), "are not in the form NFKC"},
    };
}

std::vector<Change> changes_for(const std::function<bool(std::string_view key)>& has,
                                const std::vector<std::string>& prompts,
                                bool lengths_count)
{
    std::vector<Change> all;
    for (const int most : {64, 128, 256, 384, 512, 1024, 2048, 4096, 8192, 32768})
        all.push_back({"limit",
                       fmt::format("a limit of {} tokens", most),
                       {{"max_length", std::to_string(most)}}});
    for (const auto& [side, lost] : {std::pair("left", "start"), std::pair("right", "end")})
        all.push_back({"truncation",
                       fmt::format("long texts cut at the {}", lost),
                       {{"truncation_side", side}}});
    for (const char* pooling : {"cls", "mean", "max", "lasttoken", "weightedmean"})
        all.push_back({"pooling", fmt::format("pooling {}", pooling), {{"pooling", pooling}}});
    if (lengths_count)
        all.push_back(
            {"pooling", "pooling mean_sqrt_len_tokens", {{"pooling", "mean_sqrt_len_tokens"}}});
    for (const char* which : {"none", "start", "end"})
        all.push_back({"special tokens",
                       fmt::format("special tokens: {}", which),
                       {{"special_tokens", which}}});
    for (const char* which : {"drop", "keep"})
        all.push_back(
            {"unknown tokens", fmt::format("unknown tokens: {}", which), {{"unknown", which}}});
    all.push_back({"dense layers", "no dense layers", {{"dense", "none"}}});
    all.push_back({"case", "case kept", {{"case", "keep"}}});
    all.push_back({"case", "a tokenizer that lowers case", {{"case", "lower"}}});
    all.push_back({"precision", "products of bfloat16", {{"arithmetic", "bfloat16"}}});
    std::erase_if(all, [&](const Change& change) { return !has(change.settings.front().first); });

    std::set<std::string> prefixes{"",
                                   "query: ",
                                   "passage: ",
                                   "search_query: ",
                                   "search_document: ",
                                   "clustering: ",
                                   "classification: ",
                                   "Represent this sentence for searching relevant passages: "};
    prefixes.insert(prompts.begin(), prompts.end());
    for (const std::string& prefix : prefixes) {
        Change change{"prefix",
                      prefix.empty() ? "no prefix" : fmt::format("the prefix '{}'", prefix)};
        change.settings = {{"prefix", prefix}}; // the host's, of every encoder
        if (has("prompt_name"))
            change.settings.insert(change.settings.end(),
                                   {{"prompt_name", "none"}, {"prompt", ""}});
        all.push_back(std::move(change));
    }
    std::ranges::move(text_changes(), std::back_inserter(all));
    return all;
}

} // namespace senteval::same
