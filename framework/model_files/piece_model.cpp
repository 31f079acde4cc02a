#include "model_files/piece_model.hpp"

#include "base/unicode.hpp"
#include "model_files/trie.hpp"

#include <algorithm>
#include <stdexcept>

namespace senteval::model_files {
namespace {

/// The longest pieces from the left, from the second on with the prefix (`##`); a word with a part that has no piece,
/// or that is too long, is unknown as a whole.
class WordPiece : public PieceModel {
public:
    explicit WordPiece(const Json& spec)
        : most_characters_(spec.contains("max_input_chars_per_word")
                               ? count_of(spec, "max_input_chars_per_word")
                               : 100)
    {
        for (const auto& [piece, id] : spec.at("vocab").items()) {
            trie_.insert(piece, id_from(id));
            pieces_.push_back(piece);
            largest_id_ = std::max(largest_id_, id.get<Id>());
        }
        const std::string name = spec.value("unk_token", "[UNK]");
        unknown_ = trie_.value_of(name);
        if (unknown_ == Trie::no_value)
            throw std::invalid_argument("a vocabulary without its unk_token " + name);
        continued_ = trie_.find(spec.value("continuing_subword_prefix", "##"));
    }

    void append(std::string_view word, std::vector<Id>& ids) const override
    {
        const std::size_t before = ids.size();
        if (word.size() > most_characters_ && base::count_characters(word) > most_characters_)
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

} // namespace

std::unique_ptr<PieceModel> piece_model_of(const Json& spec)
{
    const std::string type = member<std::string>(spec, "type")
                                 .value_or(spec.contains("merges")        ? "BPE"
                                           : spec.at("vocab").is_object() ? "WordPiece"
                                                                          : "Unigram");
    Json settings = Json::object();
    for (const auto& [key, value] : spec.items())
        if (key != "vocab" && key != "merges")
            settings[key] = value;
    settings["type"] = type;
    allow_step(settings);
    if (type == "WordPiece")
        return std::make_unique<WordPiece>(spec);
    if (type == "Unigram")
        return unigram_of(spec);
    if (type == "BPE")
        return bpe_of(spec);
    throw std::invalid_argument("the model " + type);
}

} // namespace senteval::model_files
