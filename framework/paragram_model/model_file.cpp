#include "paragram_model/model_file.hpp"

#include "base/lines.hpp"
#include "base/refuse.hpp"
#include "word_vectors/fields.hpp"
#include "word_vectors/word_vectors.hpp"

#include <senteval/encoder.hpp>

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <map>
#include <memory>
#include <utility>

namespace senteval::paragram {

static_assert(std::endian::native == std::endian::little, "blocks are little-endian");

namespace {

constexpr std::size_t largest_dimension = 1'000'000;

constexpr std::string_view block_mark = word_vectors::model_mark;
constexpr std::size_t footer_bytes = tag_bytes + 2 * sizeof(std::uint64_t) + block_mark.size();

std::uint64_t number_at(std::string_view bytes, std::size_t at)
{
    std::uint64_t number = 0;
    std::memcpy(&number, bytes.data() + at, sizeof number);
    return number;
}

/// The lines of the block "model".
class Description {
public:
    Description(std::string_view text, const std::filesystem::path& path) : path_(path)
    {
        while (!text.empty()) {
            const std::string_view line = base::take_line(text);
            const std::size_t space = std::min(line.find(' '), line.size());
            lines_[line.substr(0, space)] = line.substr(std::min(space + 1, line.size()));
        }
    }

    [[nodiscard]] std::string_view text(std::string_view key) const
    {
        const auto at = lines_.find(key);
        if (at == lines_.end())
            base::refuse(path_, "does not state its '{}'", key);
        return at->second;
    }

    [[nodiscard]] std::uint64_t number(std::string_view key, int base = 10) const
    {
        const std::string_view digits = text(key);
        std::uint64_t value = 0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
        if (error != std::errc() || end != digits.data() + digits.size())
            base::refuse(path_, "its '{}' is '{}', no number", key, digits);
        return value;
    }

    template <typename Table>
    [[nodiscard]] auto one_of(const Table& names, std::string_view key) const
    {
        for (const auto& [name, value] : names)
            if (name == text(key))
                return value;
        base::refuse(path_, "its '{}' is '{}', which this program does not know", key, text(key));
    }

private:
    const std::filesystem::path& path_;
    std::map<std::string_view, std::string_view> lines_;
};

template <typename T>
std::vector<T> values_of(std::string_view bytes,
                         std::size_t count,
                         const char* what,
                         const std::filesystem::path& path)
{
    if (bytes.size() != count * sizeof(T))
        base::refuse(path, "has {} bytes of {}, but {} are needed", bytes.size(), what,
                     count * sizeof(T));
    std::vector<T> values(count);
    if (count > 0)
        std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

} // namespace

Blocks::Blocks(std::string_view file) : body_(file)
{
    while (body_.size() >= footer_bytes && body_.ends_with(block_mark)) {
        const std::string_view footer = body_.substr(body_.size() - footer_bytes);
        const std::string_view rest = body_.substr(0, body_.size() - footer_bytes);
        const std::uint64_t size = number_at(footer, tag_bytes);
        if (size > rest.size())
            return;
        const std::string_view tag = footer.substr(0, tag_bytes);
        blocks_.push_back({tag.substr(0, tag.find_last_not_of('\0') + 1),
                           rest.substr(rest.size() - size),
                           number_at(footer, tag_bytes + sizeof(std::uint64_t))});
        body_ = rest.substr(0, rest.size() - size);
    }
}

std::optional<std::string_view> Blocks::find(std::string_view tag,
                                             const std::filesystem::path& path) const
{
    const auto at = std::ranges::find(blocks_, tag, &Block::tag);
    if (at == blocks_.end())
        return std::nullopt;
    if (XXH3_64bits(at->content.data(), at->content.size()) != at->hash)
        base::refuse(path, "is damaged: its part '{}' has changed since it was written", tag);
    return at->content;
}

ModelFile::ModelFile(const std::filesystem::path& path)
    : path_(path), file_(base::open_file(path)), blocks_(file_.bytes())
{
    read_description();
}

std::string_view ModelFile::block(std::string_view tag) const
{
    const auto found = blocks_.find(tag, path_);
    if (!found)
        base::refuse(path_,
                     "is no model of 'senteval train', or was cut short: it has no part '{}'", tag);
    return *found;
}

void ModelFile::read_description()
{
    const Description description(block("model"), path_);
    if (description.number("version") != model_version)
        base::refuse(path_, "is a model of version {}; this program reads version {}",
                     description.number("version"), model_version);
    architecture_.kind = description.one_of(kind_names, "kind");
    architecture_.activation = description.one_of(activation_names, "activation");
    architecture_.inputs = description.number("inputs");
    architecture_.outputs = description.number("outputs");
    architecture_.layers = description.number("layers");
    words_ = description.number("words");
    for (const std::size_t size :
         {architecture_.inputs, architecture_.outputs, architecture_.layers})
        if (size == 0 || size > largest_dimension)
            base::refuse(path_, "has {} inputs, {} outputs and {} layers", architecture_.inputs,
                         architecture_.outputs, architecture_.layers);
    if (architecture_.kind == Kind::word && architecture_.inputs != architecture_.outputs)
        base::refuse(path_, "averages vectors of {} values to ones of {}", architecture_.inputs,
                     architecture_.outputs);
    check_vectors(description.number("vectors_bytes"), description.number("vectors_xxh3", 16));
    parameters_ =
        values_of<float>(block("parameters"), parameter_count(architecture_), "parameters", path_);
    for (const char* tag : {"initial", "counts", "training"}) // which not every reader looks at
        (void)block(tag);
}

void ModelFile::check_vectors(std::uint64_t bytes, std::uint64_t hash) const
{
    const std::string_view vectors = blocks_.body();
    const std::string header = fmt::format("{} {}\n", words_, architecture_.inputs);
    if (vectors.size() != bytes || !vectors.starts_with(header) ||
        XXH3_64bits(vectors.data(), vectors.size()) != hash)
        base::refuse(path_, "is damaged: its word vectors have changed since they were written");
}

std::vector<std::uint32_t> ModelFile::counts() const
{
    return values_of<std::uint32_t>(block("counts"), words_, "counts", path_);
}

InitialVectors ModelFile::initial() const
{
    std::string_view bytes = block("initial");
    std::uint32_t count = 0;
    if (bytes.size() < sizeof count)
        base::refuse(path_, "has no number of initial vectors");
    std::memcpy(&count, bytes.data(), sizeof count);
    bytes.remove_prefix(sizeof count);
    const std::size_t rows_bytes = std::size_t{count} * sizeof(std::uint32_t);
    InitialVectors initial;
    initial.rows = values_of<std::uint32_t>(bytes.substr(0, rows_bytes), count,
                                            "places of initial vectors", path_);
    initial.values =
        values_of<float>(bytes.substr(rows_bytes), std::size_t{count} * architecture_.inputs,
                         "initial vectors", path_);
    if (std::ranges::any_of(initial.rows, [this](std::uint32_t row) { return row >= words_; }))
        base::refuse(path_, "has an initial vector of a word that it does not have");
    return initial;
}

bool is_model(const std::filesystem::path& path)
{
    return !Blocks(base::open_file(path).bytes()).empty();
}

std::optional<std::string> training_block_of(const std::filesystem::path& path)
{
    const base::MappedFile file = base::open_file(path);
    const Blocks blocks(file.bytes());
    if (blocks.empty())
        return std::nullopt;
    const auto block = blocks.find("training", path);
    if (!block)
        base::refuse(path, "is damaged: it does not say what it was trained on");
    return std::string(*block);
}

} // namespace senteval::paragram
