// tokeniser.hpp -- a Hugging Face tokenizer: text to the ids of its tokens.
#pragma once

#include "model_files/added_tokens.hpp"
#include "model_files/files.hpp"
#include "model_files/normaliser.hpp"
#include "model_files/pairs.hpp"
#include "model_files/piece_model.hpp"
#include "model_files/splitter.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace senteval::model_files {

/// How a folder's tokenizer is read.
struct TokeniserOptions {
    const sdk::Host* host = nullptr;     ///< told of what is not known
    bool is_alone = false;               ///< tokenizer.json without what stands beside it
    bool lowers = false;                 ///< all texts, before its own normaliser
    bool begins = true;                  ///< with the special tokens before a text
    bool ends = true;                    ///< with those behind it
    bool joins = false;                  ///< pairs of texts, by a template that the file must have
    bool keeps_case = false;             ///< whatever its normaliser says
    std::optional<bool> keeps_last = {}; ///< tokens of a text that is cut; else as the file says
};

/// Interprets a tokenizer.json: added tokens, normaliser, words, pieces, and the special tokens around them. Of its own
/// `truncation` the side holds, and the limit for who asks for it; `padding` changes no vector. Immutable.
class Tokeniser {
public:
    /// The tokeniser of the file that tokenizer_file() finds. Throws sdk::Error naming it and what is wrong, or not
    /// supported.
    explicit Tokeniser(const std::filesystem::path& folder, const TokeniserOptions& options = {});

    /// Appends the ids of a text, without special tokens.
    void append(std::string_view text, std::vector<Id>& ids) const;

    /// Keeps `most` ids, the first or the last ones, as the file says.
    void cut(std::vector<Id>& ids, std::size_t most) const;
    /// The limit of the file's own `truncation`.
    [[nodiscard]] std::optional<std::size_t> own_limit() const noexcept { return own_limit_; }

    /// The ids of a text between the special tokens, cut to at most `limit` in all. `length`, where wanted, is how many
    /// there were.
    [[nodiscard]] std::vector<Id>
    encode(std::string_view text, std::size_t limit, std::size_t* length = nullptr) const;

    /// Two texts by the ids of both between the special tokens of a pair, cut to at most `limit` in all. For who `joins`.
    [[nodiscard]] TypedIds
    join(std::vector<Id> first, std::vector<Id> second, std::size_t limit) const;
    [[nodiscard]] const PairTemplate& pair() const { return pair_.value(); }

    /// The special tokens before and behind a text.
    [[nodiscard]] const std::vector<Id>& before() const noexcept { return before_; }
    [[nodiscard]] const std::vector<Id>& after() const noexcept { return after_; }

    [[nodiscard]] const PieceModel& model() const noexcept { return *model_; }
    [[nodiscard]] Id largest_id() const noexcept { return largest_id_; }

    /// Counts for an encoder's count_known(): tokens without special ones, and those that are not unknown.
    void count_known(sdk::Batch batch,
                     std::span<std::uint32_t> tokens,
                     std::span<std::uint32_t> known) const;

    /// The texts of all tokens, each once.
    [[nodiscard]] std::vector<std::string> token_texts() const;

private:
    void read(const Json& document, const TokeniserOptions& options);
    void read_template(const Json& spec);
    void read_pair(const Json& spec);

    std::vector<AddedToken> added_;
    std::optional<AddedTokens> raw_;        ///< looked for before the normaliser
    std::optional<AddedTokens> normalised_; ///< and behind it
    Normaliser normalise_;
    Splitter split_;
    std::unique_ptr<PieceModel> model_;
    std::vector<Id> before_;
    std::vector<Id> after_;
    std::optional<PairTemplate> pair_;
    Id largest_id_ = 0;
    std::optional<std::size_t> own_limit_;
    bool keeps_last_ = false;
};

} // namespace senteval::model_files
