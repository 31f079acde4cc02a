#include "model_files/unigram.hpp"

#include "base/unicode.hpp"
#include "model_files/piece_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace senteval::model_files {
namespace {

/// A character without a piece costs ten more than the worst piece; neighbours of that kind are one unknown.
class Unigram : public PieceModel {
public:
    explicit Unigram(const Json& spec)
    {
        double worst = 0.0;
        for (const Json& entry : spec.at("vocab")) {
            const std::string piece = entry.at(0);
            trie_.insert(piece, static_cast<Id>(scores_.size()));
            pieces_.push_back(piece);
            scores_.push_back(entry.at(1));
            worst = std::min(worst, scores_.back());
        }
        largest_id_ = std::max<Id>(static_cast<Id>(scores_.size()) - 1, 0);
        unknown_score_ = worst - 10.0;
        if (!spec.value("unk_id", Json()).is_null())
            unknown_ = static_cast<Id>(count_of(spec, "unk_id", 0));
        if (unknown_ && static_cast<std::size_t>(*unknown_) >= scores_.size())
            throw std::invalid_argument(
                fmt::format("an unk_id of {} among {} pieces", *unknown_, scores_.size()));
        if (spec.value("byte_fallback", false))
            bytes_ = ByteFallback(trie_);
    }

    void append(std::string_view word, std::vector<Id>& ids) const override
    {
        const auto best = best_paths(word, trie_, scores_, unknown_score_);
        const auto is_unknown = [&](Id piece) {
            return piece == UnigramStep::unknown || piece == unknown_;
        };
        const auto before = static_cast<std::ptrdiff_t>(ids.size());
        for (std::size_t end = word.size(), begin = 0; end > 0; end = begin) {
            begin = best[end].begin;
            if (!is_unknown(best[end].piece)) {
                ids.push_back(best[end].piece);
                continue;
            }
            while (begin > 0 && is_unknown(best[begin].piece))
                begin = best[begin].begin;
            const auto from = static_cast<std::ptrdiff_t>(ids.size());
            append_unknown(word.substr(begin, end - begin), ids);
            std::reverse(ids.begin() + from, ids.end());
        }
        std::reverse(ids.begin() + before, ids.end());
    }

private:
    void append_unknown(std::string_view text, std::vector<Id>& ids) const
    {
        if (const Id piece = trie_.value_of(text); piece != Trie::no_value)
            ids.push_back(piece);
        else if (!bytes_.append(text, ids) && unknown_)
            ids.push_back(*unknown_);
    }

    Trie trie_;
    std::vector<double> scores_;
    double unknown_score_ = 0.0;
    ByteFallback bytes_;
};

} // namespace

std::vector<UnigramStep> best_paths(std::string_view word,
                                    const Trie& pieces,
                                    std::span<const double> scores,
                                    double unknown_score)
{
    std::vector<UnigramStep> best(word.size() + 1);
    best[0].score = 0.0;
    const auto offer = [&best](std::size_t begin, std::size_t end, double score, Id piece) {
        if (best[begin].score + score > best[end].score) // of equals the first stays
            best[end] = {best[begin].score + score, begin, piece};
    };
    for (std::size_t begin = 0; begin < word.size();) {
        const std::size_t next = std::min(begin + base::bytes_from(word[begin]), word.size());
        bool is_known = false;
        Trie::Node node = Trie::root;
        for (std::size_t end = begin; end < word.size();) {
            node = pieces.child(node, word[end++]);
            if (node == Trie::none)
                break;
            if (const Id piece = pieces.value(node); piece != Trie::no_value) {
                is_known = is_known || end == next;
                offer(begin, end, scores[static_cast<std::size_t>(piece)], piece);
            }
        }
        if (!is_known)
            offer(begin, next, unknown_score, UnigramStep::unknown);
        begin = next;
    }
    return best;
}

std::unique_ptr<PieceModel> unigram_of(const Json& spec)
{
    return std::make_unique<Unigram>(spec);
}

} // namespace senteval::model_files
