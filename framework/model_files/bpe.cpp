#include "base/unicode.hpp"
#include "model_files/piece_model.hpp"
#include "model_files/trie.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace senteval::model_files {
namespace {

/// Byte pair encoding: characters are joined two by two, in the order in which the pairs were learned; the time of a word
/// is that of sorting its characters. Pieces are numbers in the order of the file until the ids are asked for.
class Bpe : public PieceModel {
public:
    explicit Bpe(const Json& spec)
        : whole_words_(spec.value("ignore_merges", false)), fuses_(spec.value("fuse_unk", false))
    {
        for (const char* const key : {"continuing_subword_prefix", "end_of_word_suffix"})
            if (!member<std::string>(spec, key).value_or("").empty())
                throw std::invalid_argument(std::string("a BPE model with ") + key);
        if (member<double>(spec, "dropout").value_or(0.0) != 0.0)
            throw std::invalid_argument("a BPE model with dropout, which chooses at random");
        for (const auto& [piece, id] : spec.at("vocab").items()) {
            trie_.insert(piece, static_cast<Id>(ids_.size()));
            pieces_.push_back(piece);
            ids_.push_back(id_from(id));
            largest_id_ = std::max(largest_id_, ids_.back());
        }
        unknown_piece_ = trie_.value_of(member<std::string>(spec, "unk_token").value_or(""));
        if (unknown_piece_ != Trie::no_value)
            unknown_ = ids_[static_cast<std::size_t>(unknown_piece_)];
        if (spec.value("byte_fallback", false))
            bytes_ = ByteFallback(trie_);
        read_merges(spec.at("merges"));
    }

    void append(std::string_view word, std::vector<Id>& ids) const override
    {
        if (const Id piece = whole_words_ ? trie_.value_of(word) : Trie::no_value;
            piece != Trie::no_value)
            return ids.push_back(ids_[static_cast<std::size_t>(piece)]);
        std::vector<Id> pieces = pieces_of(word);
        join(pieces);
        for (const Id piece : pieces)
            if (piece != Trie::no_value)
                ids.push_back(ids_[static_cast<std::size_t>(piece)]);
    }

private:
    struct Merge {
        Id left;
        Id right;
        std::uint32_t rank; ///< of equal pairs the last
        Id joined;
    };
    struct Neighbours {
        std::uint32_t before;
        std::uint32_t next;
        const Merge* merge; ///< with the next one
    };

    [[nodiscard]] Id piece_of(const std::string& name) const
    {
        const Id piece = trie_.value_of(name);
        if (piece == Trie::no_value)
            throw std::invalid_argument("a merge with '" + name + "' that is not in its vocab");
        return piece;
    }

    void read_merges(const Json& list)
    {
        for (const Json& entry : list) {
            std::string left;
            std::string right;
            if (entry.is_string()) {
                const std::string pair = entry;
                const std::size_t blank = std::min(pair.find(' '), pair.size());
                left = pair.substr(0, blank);
                right = pair.substr(std::min(blank + 1, pair.size()));
            } else {
                left = entry.at(0);
                right = entry.at(1);
            }
            merges_.push_back({piece_of(left), piece_of(right),
                               static_cast<std::uint32_t>(merges_.size()), piece_of(left + right)});
        }
        std::ranges::sort(merges_, [](const Merge& a, const Merge& b) {
            return std::tuple(a.left, a.right, b.rank) < std::tuple(b.left, b.right, a.rank);
        });
        first_merge_.assign(ids_.size() + 1, 0);
        for (const Merge& merge : merges_)
            ++first_merge_[static_cast<std::size_t>(merge.left) + 1];
        for (std::size_t i = 1; i < first_merge_.size(); ++i)
            first_merge_[i] += first_merge_[i - 1];
    }

    [[nodiscard]] const Merge* merge_of(Id left, Id right) const
    {
        const auto at = static_cast<std::size_t>(left);
        const Merge* const end = merges_.data() + first_merge_[at + 1];
        const Merge* const found =
            std::lower_bound(merges_.data() + first_merge_[at], end, right,
                             [](const Merge& merge, Id wanted) { return merge.right < wanted; });
        return found != end && found->right == right ? found : nullptr;
    }

    /// One for each character, or each byte of it. An unknown is written down only when a character with a piece
    /// follows, as the library does it, so that bytes may pass it.
    [[nodiscard]] std::vector<Id> pieces_of(std::string_view word) const
    {
        std::vector<Id> pieces;
        pieces.reserve(word.size());
        bool is_pending = false;
        const auto write_pending = [&] {
            if (is_pending)
                pieces.push_back(unknown_piece_);
        };
        for (std::size_t at = 0; at < word.size();) {
            const std::string_view character = word.substr(at, base::bytes_from(word[at]));
            at += character.size();
            if (const Id piece = trie_.value_of(character); piece != Trie::no_value) {
                write_pending();
                is_pending = false;
                pieces.push_back(piece);
            } else if (!bytes_.append(character, pieces) && unknown_) {
                if (!fuses_)
                    write_pending();
                is_pending = true;
            }
        }
        write_pending();
        return pieces;
    }

    /// Always the pair with the lowest rank, of equals the leftmost. The first of two becomes the joined piece, the other
    /// none.
    void join(std::vector<Id>& pieces) const
    {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> queue; // rank, place; or out of date
        std::vector<Neighbours> all(pieces.size());
        const auto look_up = [&](std::uint32_t place) {
            const std::uint32_t next = all[place].next;
            const Merge* const merge =
                next < all.size() ? merge_of(pieces[place], pieces[next]) : nullptr;
            all[place].merge = merge;
            if (merge != nullptr)
                queue.emplace_back(merge->rank, place);
            return merge != nullptr;
        };
        for (std::uint32_t place = 0; place < all.size(); ++place) {
            all[place] = {place - 1, place + 1, nullptr};
            look_up(place);
        }
        std::ranges::make_heap(queue, std::greater());
        while (!queue.empty()) {
            std::ranges::pop_heap(queue, std::greater());
            const auto [rank, place] = queue.back();
            queue.pop_back();
            Neighbours& here = all[place];
            if (here.merge == nullptr || here.merge->rank != rank)
                continue;
            pieces[place] = here.merge->joined;
            pieces[here.next] = Trie::no_value;
            all[here.next].merge = nullptr;
            here.next = all[here.next].next;
            if (here.next < all.size())
                all[here.next].before = place;
            if (look_up(place))
                std::ranges::push_heap(queue, std::greater());
            if (place > 0 && look_up(here.before))
                std::ranges::push_heap(queue, std::greater());
        }
    }

    bool whole_words_;
    bool fuses_;
    Trie trie_;
    std::vector<Id> ids_; ///< by piece
    Id unknown_piece_ = Trie::no_value;
    ByteFallback bytes_;
    std::vector<Merge> merges_;            ///< in the order of left and right
    std::vector<std::size_t> first_merge_; ///< by the left piece
};

} // namespace

std::unique_ptr<PieceModel> bpe_of(const Json& spec)
{
    return std::make_unique<Bpe>(spec);
}

} // namespace senteval::model_files
