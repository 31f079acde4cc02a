#include "model_files/piece_model.hpp"

#include "model_files/trie.hpp"
#include "model_files/unicode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace senteval::model_files {
namespace {

/// From the left the longest piece, from the second on one with the prefix (`##`); a word of which a part has no piece,
/// or that is too long, is unknown as a whole.
class WordPiece : public PieceModel {
public:
    explicit WordPiece(const Json& spec)
        : most_characters_(spec.value("max_input_chars_per_word", std::size_t{100}))
    {
        for (const auto& [piece, id] : spec.at("vocab").items()) {
            trie_.insert(piece, id_from(id));
            pieces_.push_back(piece);
            largest_id_ = std::max(largest_id_, id.get<Id>());
        }
        const std::string name = spec.value("unk_token", "[UNK]");
        const Trie::Node unknown = trie_.find(name);
        if (unknown == Trie::none || trie_.value(unknown) == Trie::no_value)
            throw std::invalid_argument("a vocabulary without its unk_token " + name);
        unknown_ = trie_.value(unknown);
        continued_ = trie_.find(spec.value("continuing_subword_prefix", "##"));
    }

    void append(std::string_view word, std::vector<Id>& ids) const override
    {
        const std::size_t before = ids.size();
        if (word.size() > most_characters_ && count_characters(word) > most_characters_)
            return ids.push_back(*unknown_);
        for (std::size_t at = 0; at < word.size();) {
            Trie::Node node = at == 0 ? Trie::root : continued_;
            Id longest = Trie::no_value;
            std::size_t end = at;
            for (std::size_t i = at; i < word.size() && node != Trie::none; ++i) {
                node = trie_.child(node, word[i]);
                if (node != Trie::none && trie_.value(node) != Trie::no_value) {
                    longest = trie_.value(node);
                    end = i + 1;
                }
            }
            if (longest == Trie::no_value) {
                ids.resize(before);
                return ids.push_back(*unknown_);
            }
            ids.push_back(longest);
            at = end;
        }
    }

    [[nodiscard]] bool names_unknown() const noexcept override { return true; }

private:
    std::size_t most_characters_;
    Trie trie_;
    Trie::Node continued_; ///< behind the prefix; none where no piece has it
};

/// The path of pieces over the whole word with the largest sum of scores. A character without a piece costs ten more
/// than the worst piece; neighbours of that kind are one unknown.
class Unigram : public PieceModel {
public:
    explicit Unigram(const Json& spec)
    {
        const Json& vocabulary = spec.at("vocab");
        double worst = 0.0;
        for (const Json& entry : vocabulary) {
            const std::string piece = entry.at(0);
            trie_.insert(piece, static_cast<Id>(scores_.size()));
            pieces_.push_back(piece);
            scores_.push_back(entry.at(1));
            worst = std::min(worst, scores_.back());
        }
        largest_id_ = std::max<Id>(static_cast<Id>(scores_.size()) - 1, 0);
        unknown_score_ = worst - 10.0;
        unknown_ = member<Id>(spec, "unk_id");
        if (unknown_ && (*unknown_ < 0 || static_cast<std::size_t>(*unknown_) >= scores_.size()))
            throw std::invalid_argument(
                fmt::format("an unk_id of {} among {} pieces", *unknown_, scores_.size()));
        if (spec.value("byte_fallback", false))
            throw std::invalid_argument("a Unigram model with byte_fallback");
    }

    void append(std::string_view word, std::vector<Id>& ids) const override
    {
        const std::vector<Step> best = best_path(word);
        const std::size_t before = ids.size();
        for (std::size_t end = word.size(); end > 0;) {
            Step step = best[end];
            while (step.piece == unknown_piece && step.begin > 0 &&
                   best[step.begin].piece == unknown_piece)
                step.begin = best[step.begin].begin;
            if (step.piece != unknown_piece)
                ids.push_back(step.piece);
            else if (unknown_)
                ids.push_back(*unknown_);
            end = step.begin;
        }
        std::reverse(ids.begin() + static_cast<std::ptrdiff_t>(before), ids.end());
    }

private:
    static constexpr Id unknown_piece = -1;
    /// The best path that ends at a place: its sum, and its last piece.
    struct Step {
        double score = -std::numeric_limits<double>::infinity();
        std::size_t begin = 0;
        Id piece = unknown_piece;
    };

    [[nodiscard]] std::vector<Step> best_path(std::string_view word) const
    {
        std::vector<Step> best(word.size() + 1);
        best[0].score = 0.0;
        const auto offer = [&best](std::size_t begin, std::size_t end, double score, Id piece) {
            if (best[begin].score + score > best[end].score) // of equals the first stays
                best[end] = {best[begin].score + score, begin, piece};
        };
        for (std::size_t begin = 0; begin < word.size();) {
            const std::size_t next = std::min(begin + bytes_from(word[begin]), word.size());
            bool is_known = false;
            Trie::Node node = Trie::root;
            for (std::size_t end = begin; end < word.size();) {
                node = trie_.child(node, word[end++]);
                if (node == Trie::none)
                    break;
                if (const Id piece = trie_.value(node); piece != Trie::no_value) {
                    is_known = is_known || end == next;
                    offer(begin, end, scores_[static_cast<std::size_t>(piece)],
                          piece == unknown_ ? unknown_piece : piece);
                }
            }
            if (!is_known)
                offer(begin, next, unknown_score_, unknown_piece);
            begin = next;
        }
        return best;
    }

    Trie trie_;
    std::vector<double> scores_;
    double unknown_score_ = 0.0;
};

} // namespace

std::unique_ptr<PieceModel> piece_model_of(const Json& spec)
{
    const std::string type = member<std::string>(spec, "type")
                                 .value_or(spec.contains("merges")        ? "BPE"
                                           : spec.at("vocab").is_object() ? "WordPiece"
                                                                          : "Unigram");
    if (type == "WordPiece")
        return std::make_unique<WordPiece>(spec);
    if (type == "Unigram")
        return std::make_unique<Unigram>(spec);
    throw std::invalid_argument("the model " + type);
}

} // namespace senteval::model_files
