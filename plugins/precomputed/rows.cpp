#include "precomputed/rows.hpp"

#include "base/lines.hpp"
#include "base/refuse.hpp"
#include "word_vectors/fields.hpp"
#include "word_vectors/npy.hpp"

#include <senteval/printable.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace senteval::precomputed {
namespace {

constexpr std::size_t lines_per_poll = 65536;

class NpyRows final : public Rows {
public:
    explicit NpyRows(const std::filesystem::path& file)
        : path_(file), file_(base::open_file(file)), array_(open())
    {
    }

    [[nodiscard]] std::size_t size() const noexcept override { return array_.rows(); }
    [[nodiscard]] std::size_t dimension() const noexcept override { return array_.columns(); }

    void read(std::size_t row, std::span<float> out) const override
    {
        for (std::size_t column = 0; column < out.size(); ++column)
            out[column] = array_.at(row, column);
    }
    [[nodiscard]] std::string where(std::size_t row) const override
    {
        return fmt::format("{}: row {}", path_.string(), row);
    }
    [[nodiscard]] const std::vector<std::string_view>* sentences() const noexcept override
    {
        return nullptr;
    }

private:
    [[nodiscard]] word_vectors::NpyArray open() const
    try {
        return word_vectors::NpyArray(file_.bytes());
    } catch (const std::invalid_argument& error) {
        base::refuse(path_, "{}", error.what());
    }

    std::filesystem::path path_;
    base::MappedFile file_;
    word_vectors::NpyArray array_;
};

} // namespace

std::unique_ptr<Rows> open_rows(const std::filesystem::path& file, bool has_sentences)
{
    const base::MappedFile content = base::open_file(file);
    base::refuse_disguise(file, content.bytes(), base::Wanted::vectors);
    if (!content.bytes().starts_with("\x93NUMPY"))
        return open_text(file, has_sentences);
    if (has_sentences)
        base::refuse("parameter 'sentences' is missing: {} holds vectors only; name the file that "
                     "has the sentence of each row, one per line",
                     file.string());
    return std::make_unique<NpyRows>(file);
}

std::string shown(std::string_view sentence)
{
    constexpr std::size_t most = 60;
    return sdk::printable_line(sentence, most, true);
}

SentenceRows::SentenceRows(const std::filesystem::path& vectors,
                           const std::optional<std::filesystem::path>& sentences,
                           const sdk::Call& call)
    : file_(sentences ? std::optional(base::open_file(*sentences)) : std::nullopt),
      rows_(open_rows(vectors, !sentences))
{
    if (sentences)
        read_lines(*sentences, call);
    else
        lines_ = *rows_->sentences();
    build_index(call);
}

void SentenceRows::read_lines(const std::filesystem::path& file, const sdk::Call& call)
{
    std::string_view rest = base::without_mark(file_->bytes());
    const bool is_json = rest.starts_with("{\"text\":");
    while (!rest.empty()) {
        if (lines_.size() % lines_per_poll == 0)
            call.check_cancelled();
        const std::string_view line =
            base::without_return(base::take_line(rest)); // no sentence ends so
        if (is_json)
            read_json(line, fmt::format("{}:{}", file.string(), lines_.size() + 1));
        else
            lines_.push_back(line);
    }
    if (lines_.size() != rows_->size())
        base::refuse(
            "{} has {} lines, but there are {} vectors: line i must be the sentence of vector i",
            file.string(), lines_.size(), rows_->size());
}

void SentenceRows::read_json(std::string_view line, const std::string& where)
{
    const auto refuse = [&](std::string_view what) { base::refuse("{}: {}", where, what); };
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("text") || !json["text"].is_string())
        refuse("it is no JSON object with a text \"text\"");
    const auto role = json.value("role", nlohmann::json(""));
    if (role != "" && role != "query" && role != "document")
        refuse("its \"role\" is neither \"query\" nor \"document\"");
    lines_.push_back(decoded_.emplace_back(json["text"].get<std::string>()));
    roles_.push_back(role == "query"      ? sdk::Role::query
                     : role == "document" ? sdk::Role::document
                                          : sdk::Role::as_is);
}

void SentenceRows::build_index(const sdk::Call& call)
{
    for (std::size_t row = 0; row < lines_.size(); ++row) {
        if (row % lines_per_poll == 0)
            call.check_cancelled();
        const sdk::Role role = roles_.empty() ? sdk::Role::as_is : roles_[row];
        const auto [first, is_new] = first_rows_[role].try_emplace(lines_[row], row);
        if (!is_new)
            require_equal(first->second, row);
    }
}

void SentenceRows::require_equal(std::size_t first, std::size_t second) const
{
    std::vector<float> a(rows_->dimension());
    std::vector<float> b(rows_->dimension());
    rows_->read(first, a);
    rows_->read(second, b);
    if (std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) != 0)
        base::refuse("{} and {} are different vectors of the same sentence, {}: which one counts?",
                     rows_->where(first), rows_->where(second), shown(lines_[first]));
}

std::optional<std::size_t> SentenceRows::find(std::string_view sentence, sdk::Role role) const
{
    for (const sdk::Role one : {role, sdk::Role::as_is})
        if (const auto rows = first_rows_.find(one); rows != first_rows_.end())
            if (const auto at = rows->second.find(sentence); at != rows->second.end())
                return at->second;
    return std::nullopt;
}

} // namespace senteval::precomputed
