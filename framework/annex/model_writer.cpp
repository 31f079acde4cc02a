#include "annex/model.hpp"
#include "base/files.hpp"
#include "base/names.hpp"
#include "paragram_model/model_file.hpp"
#include "word_vectors/word_vectors.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <string>

namespace senteval::annex {

namespace {

constexpr Word untrained = std::numeric_limits<Word>::max();

/// A word of the file.
struct FileWord {
    std::size_t row =
        0; ///< of the start vectors; their number for the unknown word where they lack it
    Word word = untrained;
};

std::vector<FileWord> file_words(const Vocabulary& vocabulary, const StartVectors& vectors)
{
    std::vector<FileWord> words;
    std::vector<Word> word_of(vectors.size() + 1, untrained);
    for (Word word = 0; word < vocabulary.size(); ++word)
        word_of[vocabulary.rows[word]] = word;
    for (std::size_t row = 0; row < vectors.size(); ++row)
        if (vectors.word(row).find(' ') == std::string_view::npos)
            words.push_back({row, word_of[row]});
    if (word_of.back() != untrained)
        words.push_back({vectors.size(), word_of.back()});
    return words;
}

template <typename T>
std::string_view bytes_of(const std::vector<T>& values)
{
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

template <typename T>
void append(std::string& text, T number)
{
    text.append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// A file whose bytes so far are counted and hashed.
class HashedFile {
public:
    explicit HashedFile(const std::filesystem::path& path) : file_(path)
    {
        XXH3_64bits_reset(state_.get());
    }

    void write(std::string_view bytes)
    {
        size_ += bytes.size();
        XXH3_64bits_update(state_.get(), bytes.data(), bytes.size());
        file_.write(bytes);
    }
    /// A content and its footer. The tag has 1 to 16 bytes.
    void write_block(std::string_view tag, std::string_view content)
    {
        std::string footer(tag);
        footer.resize(paragram::tag_bytes, '\0');
        append(footer, std::uint64_t{content.size()});
        append(footer, std::uint64_t{XXH3_64bits(content.data(), content.size())});
        file_.write(content);
        file_.write(footer.append(word_vectors::model_mark));
    }
    void commit() { file_.commit(); }

    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
    [[nodiscard]] std::uint64_t hash() const { return XXH3_64bits_digest(state_.get()); }

private:
    base::Replacement file_;
    std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state_{XXH3_createState(),
                                                                    &XXH3_freeState};
    std::uint64_t size_ = 0;
};

/// The words of a model, and what becomes of each.
class Words {
public:
    Words(const ModelState& model, const Vocabulary& vocabulary, const StartVectors& vectors)
        : model_(model),
          vocabulary_(vocabulary),
          vectors_(vectors),
          words_(file_words(vocabulary, vectors)),
          before_(vectors.dimension())
    {
    }

    [[nodiscard]] std::size_t size() const noexcept { return words_.size(); }

    void write(HashedFile& file)
    {
        constexpr std::size_t piece_bytes = std::size_t{1} << 20U;
        std::string piece = fmt::format("{} {}\n", words_.size(), before_.size());
        for (const FileWord& one : words_) {
            read_before(one);
            const float* const values = one.word == untrained ? before_.data() : after(one);
            piece.append(one.row < vectors_.size() ? vectors_.word(one.row)
                                                   : vocabulary_.words[unknown]);
            piece.append(" ").append(reinterpret_cast<const char*>(values),
                                     before_.size() * sizeof(float));
            piece.append("\n");
            if (piece.size() >= piece_bytes) {
                file.write(piece);
                piece.clear();
            }
        }
        file.write(piece);
    }

    [[nodiscard]] std::vector<std::uint32_t> counts() const
    {
        std::vector<std::uint32_t> counts;
        for (const FileWord& one : words_)
            counts.push_back(one.word == untrained ? 0 : vocabulary_.counts[one.word]);
        return counts;
    }

    /// The block "initial".
    std::string initial()
    {
        std::vector<std::uint32_t> rows;
        std::vector<float> values;
        for (std::size_t at = 0; at < words_.size(); ++at) {
            if (words_[at].word == untrained)
                continue;
            read_before(words_[at]);
            if (std::equal(before_.begin(), before_.end(), after(words_[at])))
                continue;
            rows.push_back(static_cast<std::uint32_t>(at));
            values.insert(values.end(), before_.begin(), before_.end());
        }
        std::string block;
        append(block, static_cast<std::uint32_t>(rows.size()));
        return block.append(bytes_of(rows)).append(bytes_of(values));
    }

private:
    void read_before(const FileWord& one)
    {
        if (one.word == unknown)
            std::ranges::copy(vectors_.unknown(), before_.begin());
        else
            vectors_.read(one.row, before_);
    }
    [[nodiscard]] const float* after(const FileWord& one) const
    {
        return model_.words.data() + one.word * before_.size();
    }

    const ModelState& model_;
    const Vocabulary& vocabulary_;
    const StartVectors& vectors_;
    std::vector<FileWord> words_;
    std::vector<float> before_; ///< the vector of a word before training
};

} // namespace

void write_model_file(const std::filesystem::path& path,
                      const paragram::Architecture& architecture,
                      const ModelState& model,
                      const Vocabulary& vocabulary,
                      const StartVectors& vectors,
                      const paragram::TrainingRecord& record)
{
    Words words(model, vocabulary, vectors);
    HashedFile file(path);
    words.write(file);
    file.write_block("initial", words.initial());
    file.write_block("counts", bytes_of(words.counts()));
    file.write_block("parameters", bytes_of(model.parameters));
    file.write_block("training", paragram::to_block(record));
    file.write_block(
        "model",
        fmt::format("version {}\nkind {}\nactivation {}\ninputs {}\noutputs {}\nlayers {}\n"
                    "words {}\nvectors_bytes {}\nvectors_xxh3 {:016x}\n",
                    paragram::model_version, base::name_in(paragram::kind_names, architecture.kind),
                    base::name_in(paragram::activation_names, architecture.activation),
                    architecture.inputs, architecture.outputs, architecture.layers, words.size(),
                    file.size(), file.hash()));
    file.commit();
}

} // namespace senteval::annex
