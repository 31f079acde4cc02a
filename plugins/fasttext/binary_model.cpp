// Models with subwords, through the fastText library. FastText::getSentenceVector() reads a stream
// and is not const; what stands here does the same float operations in the same order with the
// const parts of the library, so that several threads may encode at a time.
#include "fasttext/encoder.hpp"

#include "base/refuse.hpp"
#include "base/string_map.hpp"

#include <fasttext/fasttext.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::fasttext {
namespace {

/// The library's model. It believes what it reads: a damaged file may end the process, which is therefore the
/// encoder's own (Encoder::own_process).
class Library : public ::fasttext::FastText {
public:
    void load(std::istream& in)
    {
        if (!checkModel(in))
            throw std::invalid_argument("it is of an unknown version");
        loadModel(in);
    }

    /// Adds input row `row` to `sum`. Safe on several threads: only `sum` changes.
    void add_row(std::int32_t row, ::fasttext::Vector& sum) const { addInputVector(sum, row); }
};

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why)
{
    base::refuse("the fastText model {} cannot be read: {}", file.string(), why);
}

std::unique_ptr<Library> load(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    in.exceptions(std::ios::failbit | std::ios::badbit | std::ios::eofbit);
    auto library = std::make_unique<Library>();
    try {
        library->load(in);
    } catch (const std::ios_base::failure&) {
        refuse(file, "it is truncated");
    } catch (const std::bad_alloc&) {
        refuse(file, "it is damaged, or larger than the memory");
    } catch (const std::exception& error) {
        refuse(file, error.what());
    }
    return library;
}

/// Calls `each` for the words of a sentence in order: what stands between the C locale's white space.
template <typename Each>
void for_each_word(std::string_view sentence, Each&& each)
{
    constexpr std::string_view space = " \t\n\v\f\r";
    std::size_t begin = 0;
    while ((begin = sentence.find_first_not_of(space, begin)) != std::string_view::npos) {
        const std::size_t end = std::min(sentence.find_first_of(space, begin), sentence.size());
        each(sentence.substr(begin, end - begin));
        begin = end;
    }
}

void write(const ::fasttext::Vector& vector, std::span<float> row)
{
    std::copy_n(vector.data(), row.size(), row.begin());
}

class BinaryModel : public Model {
public:
    explicit BinaryModel(std::unique_ptr<Library> library) : library_(std::move(library)) {}

    [[nodiscard]] std::size_t dimension() const noexcept override
    {
        return static_cast<std::size_t>(library_->getDimension());
    }

    void prepare(const sdk::Call& /*call*/, sdk::Batch /*samples*/) override {}

    void count_known(sdk::Batch batch,
                     std::span<std::uint32_t> tokens,
                     std::span<std::uint32_t> known) const override
    {
        for (std::size_t i = 0; i < batch.size(); ++i) {
            tokens[i] = known[i] = 0;
            for_each_word(batch[i], [&](std::string_view word) {
                ++tokens[i];
                known[i] += has_vector(std::string(word)) ? 1U : 0U;
            });
        }
    }

protected:
    [[nodiscard]] const Library& library() const noexcept { return *library_; }

private:
    [[nodiscard]] bool has_vector(const std::string& word) const
    {
        const auto dictionary = library_->getDictionary();
        const std::int32_t id = dictionary->getId(word);
        if (id >= 0)
            return dictionary->getType(id) == ::fasttext::entry_type::word;
        return !dictionary->getSubwords(word).empty();
    }

    std::unique_ptr<Library> library_;
};

/// Mean of the words' vectors, each of length 1.
class UnsupervisedModel : public BinaryModel {
public:
    using BinaryModel::BinaryModel;

    /// Computes the vectors of all words of the task, once each.
    void prepare(const sdk::Call& call, sdk::Batch samples) override
    {
        words_.clear();
        vectors_.clear();
        for (std::size_t i = 0; i < samples.size(); ++i) {
            call.check_cancelled();
            for_each_word(samples[i], [&](std::string_view word) { add_word(word); });
            call.progress(i + 1, samples.size());
        }
    }

    void encode(const sdk::Call& call, sdk::Batch batch, sdk::Matrix out) const override
    {
        const auto dimension = static_cast<std::int64_t>(out.cols());
        ::fasttext::Vector sum(dimension);
        ::fasttext::Vector scratch(dimension);
        for (std::size_t i = 0; i < batch.size(); ++i) {
            call.check_cancelled();
            std::int32_t count = 0;
            sum.zero();
            for_each_word(batch[i], [&](std::string_view word) {
                if (const ::fasttext::Vector* vector = find(word, scratch)) {
                    sum.addVector(*vector);
                    ++count;
                }
            });
            if (count > 0)
                sum.mul(static_cast<float>(1.0 / count));
            write(sum, out.row(i));
        }
    }

private:
    static constexpr std::int32_t no_vector = -1;

    /// The word's vector, of length 1; false where it has none.
    bool compute(const std::string& word, ::fasttext::Vector& vector) const
    {
        if (library().getDictionary()->getId(word) >= library().getDictionary()->nwords())
            return false; // a label, of which the library has no vector, and ends the process over it
        library().getWordVector(vector, word);
        const float norm = vector.norm();
        if (!std::isfinite(norm))
            throw sdk::Error(SENTEVAL_INTERNAL, "the vector of the word \"" + word +
                                                    "\" is not finite: the model is damaged");
        if (!(norm > 0))
            return false;
        vector.mul(static_cast<float>(1.0 / norm));
        return true;
    }

    void add_word(std::string_view word)
    {
        if (words_.find(word) != words_.end())
            return;
        ::fasttext::Vector vector(static_cast<std::int64_t>(dimension()));
        const bool has_vector = compute(std::string(word), vector);
        words_.emplace(word, has_vector ? static_cast<std::int32_t>(vectors_.size()) : no_vector);
        if (has_vector)
            vectors_.push_back(std::move(vector));
    }

    /// The vector of a word, in `scratch` where prepare() has not seen it; nullptr where it has none.
    const ::fasttext::Vector* find(std::string_view word, ::fasttext::Vector& scratch) const
    {
        if (const auto found = words_.find(word); found != words_.end())
            return found->second == no_vector ? nullptr
                                              : &vectors_[static_cast<std::size_t>(found->second)];
        return compute(std::string(word), scratch) ? &scratch : nullptr;
    }

    base::StringMap<std::int32_t> words_; ///< -> vectors_
    std::vector<::fasttext::Vector> vectors_;
};

/// Mean of all input rows of the line.
class SupervisedModel : public BinaryModel {
public:
    using BinaryModel::BinaryModel;

    void encode(const sdk::Call& call, sdk::Batch batch, sdk::Matrix out) const override
    {
        const auto dictionary = library().getDictionary();
        ::fasttext::Vector sum(static_cast<std::int64_t>(out.cols()));
        std::vector<std::int32_t> rows;
        std::vector<std::int32_t> labels;
        std::istringstream line;
        for (std::size_t i = 0; i < batch.size(); ++i) {
            call.check_cancelled();
            line.clear();
            line.str(as_line(batch[i]));
            dictionary->getLine(line, rows, labels);
            sum.zero();
            for (const std::int32_t row : rows)
                library().add_row(row, sum);
            if (!rows.empty())
                sum.mul(static_cast<float>(1.0 / static_cast<double>(rows.size())));
            write(sum, out.row(i));
        }
    }

private:
    /// The sentence with the newline that makes the library add </s>, and no other.
    static std::string as_line(std::string_view sentence)
    {
        std::string line(sentence);
        std::replace(line.begin(), line.end(), '\n', ' ');
        return line + '\n';
    }
};

} // namespace

bool is_binary_model(const std::filesystem::path& file)
{
    constexpr std::int32_t magic = 793712314;
    std::ifstream in(file, std::ios::binary);
    if (std::filesystem::is_directory(file))
        base::refuse("parameter 'model': {} is a folder, not a file", file.string());
    if (!in)
        throw sdk::Error(SENTEVAL_NOT_FOUND, "parameter 'model': cannot open " + file.string());
    std::int32_t first = 0;
    in.read(reinterpret_cast<char*>(&first), sizeof first);
    return in && first == magic;
}

std::unique_ptr<Model> load_binary_model(const std::filesystem::path& file)
{
    auto library = load(file);
    if (library->getArgs().model == ::fasttext::model_name::sup)
        return std::make_unique<SupervisedModel>(std::move(library));
    return std::make_unique<UnsupervisedModel>(std::move(library));
}

Encoder::Encoder(const sdk::Setup& setup)
{
    const std::filesystem::path file = setup.params.require<std::string>("model");
    model_ = is_binary_model(file) ? load_binary_model(file) : open_vectors_model(setup);
}

} // namespace senteval::fasttext
