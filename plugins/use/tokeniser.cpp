#include "use/model.hpp"

#include "base/unicode.hpp"
#include "model_files/files.hpp"
#include "model_files/unicode.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace senteval::use {
namespace {

using model_files::Id;
using model_files::Json;

constexpr std::size_t reserved = 6; ///< ids of no piece
constexpr std::string_view space_mark = "\u2581";

/// NFKC, a mark in front, and marks in place of blanks; other white space stays.
std::string marked(std::string_view text)
{
    std::string result(space_mark);
    for (const char c : model_files::unicode_form(text, "NFKC"))
        if (c == ' ')
            result += space_mark;
        else
            result += c;
    return result;
}

} // namespace

Tokeniser::Tokeniser(const std::filesystem::path& vocabulary)
{
    model_files::reading(vocabulary, [&] {
        const Json entries = model_files::read_json(vocabulary);
        try {
            for (const Json& entry : entries) {
                const std::string piece = entry.at(0);
                const Json& score = entry.at(1); // the file lacks some, and the program reads 0
                if (size() >= reserved)
                    trie_.insert(piece, static_cast<Id>(size()));
                lengths_.push_back(piece.size());
                scores_.push_back(score.is_null() ? 0.0 : score.get<double>());
            }
        } catch (const std::length_error& e) {
            base::refuse(vocabulary, "is damaged: {}", e.what());
        }
    });
    if (size() <= reserved)
        base::refuse(vocabulary, "has {} pieces, {} of them reserved", size(), reserved);
}

/// A path of pieces with the largest sum of scores, with two peculiarities of the program that every published vector was
/// made with, which model_files/unigram.hpp does not have: a sum of 0 counts as "no path yet" and gives way to whatever
/// comes, and of equal sums the last counts. An unknown character costs nothing.
std::vector<Id> Tokeniser::encode(std::string_view text) const
{
    if (text.empty())
        return {};
    struct Step {
        double sum = 0.0;
        Id piece = unknown; ///< the last of the path
    };
    const std::string all = marked(text);
    std::vector<Step> steps(all.size() + 1);
    for (std::size_t begin = 0, next = 0; begin < all.size(); begin = next) {
        next = std::min(begin + base::bytes_from(all[begin]), all.size());
        const auto arrive = [&](std::size_t end, Id piece, double score) {
            const double sum = score + steps[begin].sum;
            if (steps[end].sum == 0.0 || sum >= steps[end].sum)
                steps[end] = {sum, piece};
        };
        bool is_known = false;
        auto node = model_files::Trie::root;
        for (std::size_t end = begin; end < all.size();) {
            node = trie_.child(node, all[end++]);
            if (node == model_files::Trie::none)
                break;
            if (const Id piece = trie_.value(node); piece != model_files::Trie::no_value) {
                arrive(end, piece, scores_[static_cast<std::size_t>(piece)]);
                is_known = true;
            }
        }
        if (!is_known)
            arrive(next, unknown, 0.0);
    }
    std::vector<Id> ids;
    for (std::size_t end = all.size(); end > 0;) {
        const Id piece = steps[end].piece;
        if (piece != unknown || ids.empty() || ids.back() != unknown)
            ids.push_back(piece);
        end = piece != unknown ? end - lengths_[static_cast<std::size_t>(piece)]
                               : base::character_before(all, end);
    }
    std::reverse(ids.begin(), ids.end());
    return ids;
}

} // namespace senteval::use
