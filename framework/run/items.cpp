#include "run/items.hpp"

#include "core/error.hpp"
#include "core/json.hpp"
#include "encoder/coverage.hpp"
#include "text/unicode.hpp"

#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <set>
#include <span>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace senteval::run {
namespace {

static_assert(std::endian::native == std::endian::little,
              "columns are written as they lie in memory");

constexpr std::string_view magic = "SEVITEM3";

template <typename T>
void append(std::string& bytes, const T& value)
{
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <typename Rows, typename T>
void append_column(std::string& bytes, const Rows& rows, T Rows::value_type::*member)
{
    for (const auto& row : rows)
        append(bytes, row.*member);
}

/// Takes values off the front of the bytes.
class Reader {
public:
    explicit Reader(std::string_view bytes) : rest_(bytes) {}

    [[nodiscard]] std::string_view take(std::size_t size)
    {
        if (size > rest_.size())
            throw core::Error("the file ends too early");
        const std::string_view front = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return front;
    }

    template <typename T>
    T take()
    {
        T value{};
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }

    template <typename Rows, typename T>
    void take_column(Rows& rows, T Rows::value_type::*member)
    {
        for (auto& row : rows)
            row.*member = take<T>();
    }

    [[nodiscard]] std::size_t size() const noexcept { return rest_.size(); }

private:
    std::string_view rest_;
};

/// Calls visit(rows, member) for every column, in the order of the file.
template <typename ItemsType, typename Visitor>
void each_column(ItemsType& items, Visitor visit)
{
    using task::ItemOutcome;
    visit(items.outcomes.rows, &ItemOutcome::item);
    visit(items.outcomes.rows, &ItemOutcome::group);
    visit(items.traits, &ItemTraits::tokens_first);
    visit(items.traits, &ItemTraits::tokens_second);
    visit(items.traits, &ItemTraits::source_first);
    visit(items.traits, &ItemTraits::source_second);
    visit(items.traits, &ItemTraits::overlap);
    visit(items.traits, &ItemTraits::unknown);
    visit(items.outcomes.rows, &ItemOutcome::gold);
    visit(items.outcomes.rows, &ItemOutcome::prediction);
    visit(items.outcomes.rows, &ItemOutcome::score);
}

constexpr std::size_t row_size = 6 * sizeof(std::uint32_t) + 2 * sizeof(float) + 3 * sizeof(double);

std::vector<std::string> names_of(const std::vector<task::Series>& further)
{
    std::vector<std::string> names;
    names.reserve(further.size());
    for (const task::Series& series : further)
        names.push_back(series.name);
    return names;
}

} // namespace

std::string encode_items(const Items& items)
{
    const core::Json header = {{"kind", items.outcomes.kind},
                               {"classes", items.outcomes.classes},
                               {"groups", items.outcomes.groups},
                               {"further", names_of(items.outcomes.further)},
                               {"count", items.outcomes.rows.size()}};
    const std::string header_text = core::to_text(header);
    std::string bytes(magic);
    append(bytes, static_cast<std::uint32_t>(header_text.size()));
    bytes += header_text;
    each_column(items, [&](const auto& rows, auto member) { append_column(bytes, rows, member); });
    for (const task::Series& series : items.outcomes.further)
        for (const double prediction : series.predictions)
            append(bytes, prediction);
    append(bytes, static_cast<std::uint64_t>(XXH3_64bits(bytes.data(), bytes.size())));
    return bytes;
}

namespace {

/// Readers count classes by their numbers.
void require_classes(const task::Outcomes& outcomes)
{
    if (outcomes.kind != "class" || outcomes.classes.empty())
        return;
    const auto is_class = [&](double value) {
        return value >= 0 && value < static_cast<double>(outcomes.classes.size()) &&
               value == std::floor(value);
    };
    for (const task::ItemOutcome& row : outcomes.rows)
        if (!is_class(row.gold) || !is_class(row.prediction))
            throw core::Error("item {} has a class that is none of the {}", row.item,
                              outcomes.classes.size());
}

} // namespace

Items decode_items(std::string_view bytes)
{
    if (!bytes.starts_with(magic))
        throw core::Error("this is not a file of item outcomes");
    if (bytes.size() < magic.size() + sizeof(std::uint64_t))
        throw core::Error("the file ends too early");
    const std::string_view content = bytes.substr(0, bytes.size() - sizeof(std::uint64_t));
    if (Reader(bytes.substr(content.size())).take<std::uint64_t>() !=
        XXH3_64bits(content.data(), content.size()))
        throw core::Error("its checksum is wrong: it is damaged");

    Reader reader(content.substr(magic.size()));
    const core::Json header = core::parse_json(reader.take(reader.take<std::uint32_t>()));
    Items items;
    items.outcomes.kind = header.at("kind").get<std::string>();
    items.outcomes.classes = header.at("classes").get<std::vector<std::string>>();
    items.outcomes.groups = header.at("groups").get<std::vector<std::string>>();
    const auto count = header.at("count").get<std::size_t>();
    for (auto& name : header.at("further").get<std::vector<std::string>>())
        items.outcomes.further.push_back({std::move(name), {}});
    if (count > reader.size() ||
        reader.size() != count * (row_size + items.outcomes.further.size() * sizeof(double)))
        throw core::Error("its length does not fit the {} items it announces", count);
    items.outcomes.rows.resize(count);
    items.traits.resize(count);
    each_column(items, [&](auto& rows, auto member) { reader.take_column(rows, member); });
    for (task::Series& series : items.outcomes.further)
        for (std::size_t row = 0; row < count; ++row)
            series.predictions.push_back(reader.take<double>());
    require_classes(items.outcomes);
    return items;
}

namespace {

/// Each different token once, in order.
std::vector<std::string_view> tokens_of(std::string_view text)
{
    std::vector<std::string_view> all;
    for (auto token = text::take_word(text); !token.empty(); token = text::take_word(text))
        all.push_back(token);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

float overlap(const task::ItemText& item)
{
    if (!item.is_pair)
        return std::numeric_limits<float>::quiet_NaN();
    const auto first = tokens_of(item.first.text);
    const auto second = tokens_of(item.second.text);
    const auto shared = static_cast<std::size_t>(
        std::count_if(first.begin(), first.end(), [&](std::string_view token) {
            return std::binary_search(second.begin(), second.end(), token);
        }));
    const std::size_t all = first.size() + second.size() - shared;
    return all == 0 ? 1.0F : static_cast<float>(shared) / static_cast<float>(all);
}

/// Fills in the share of each item's words that the encoder does not know. The sentences of item i end
/// at ends[i], where those of the next begin.
void add_unknown_shares(std::span<const text::Sentence> sentences,
                        std::span<const std::size_t> ends,
                        encoder::Encoder& encoder,
                        unsigned threads,
                        std::vector<ItemTraits>& traits)
{
    const auto words = encoder::known_words(encoder, sentences, threads);
    if (!words)
        return;
    for (std::size_t i = 0, s = 0; i < traits.size(); ++i) {
        std::uint32_t all = 0;
        std::uint32_t unknown = 0;
        for (; s < ends[i]; ++s) {
            all += words->tokens[s];
            unknown += words->tokens[s] - words->known[s];
        }
        traits[i].unknown = all == 0 ? 0.0F : static_cast<float>(unknown) / static_cast<float>(all);
    }
}

/// Numbers sentences, or sources that items name themselves, as they come.
class SourceNumbers {
public:
    void add(const task::ItemText& item, ItemTraits& traits)
    {
        if (item.source) {
            traits.source_first = number(named_, *item.source);
            traits.source_second = traits.source_first;
            return;
        }
        traits.source_first = number(sentences_, item.first.text);
        traits.source_second =
            item.is_pair ? number(sentences_, item.second.text) : traits.source_first;
    }

private:
    template <typename Map, typename Key>
    std::uint32_t number(Map& map, const Key& key)
    {
        const auto [at, is_new] = map.try_emplace(key, count_);
        count_ += is_new ? 1U : 0U;
        return at->second;
    }

    std::unordered_map<std::string_view, std::uint32_t> sentences_;
    std::unordered_map<std::uint32_t, std::uint32_t> named_;
    std::uint32_t count_ = 0;
};

} // namespace

std::vector<ItemTraits> traits_of(const task::Outcomes& outcomes,
                                  const task::LoadedTask& task,
                                  encoder::Encoder& encoder,
                                  unsigned threads)
{
    std::vector<ItemTraits> traits;
    traits.reserve(outcomes.rows.size());
    std::vector<text::Sentence> sentences;
    std::vector<std::size_t> ends;
    SourceNumbers sources;
    for (const task::ItemOutcome& row : outcomes.rows) {
        const task::ItemText item = task.item(row.item);
        sentences.push_back(item.first);
        if (item.is_pair)
            sentences.push_back(item.second);
        ends.push_back(sentences.size());
        traits.push_back({item.first.tokens, item.is_pair ? item.second.tokens : 0, overlap(item),
                          std::numeric_limits<float>::quiet_NaN()});
        sources.add(item, traits.back());
    }
    add_unknown_shares(sentences, ends, encoder, threads, traits);
    return traits;
}

core::Json overlap_of(const task::Outcomes& outcomes,
                      const task::LoadedTask& task,
                      const std::function<bool(std::string_view)>& was_trained_on)
{
    std::set<std::uint32_t> all;
    std::size_t found = 0;
    for (const task::ItemOutcome& row : outcomes.rows) {
        if (!all.insert(row.item).second)
            continue; // several folds or splits have it
        const task::ItemText item = task.item(row.item);
        found +=
            was_trained_on(item.first.text) || (item.is_pair && was_trained_on(item.second.text))
                ? 1
                : 0;
    }
    return found == 0 ? core::Json() : core::Json({{"items", found}, {"of", all.size()}});
}

} // namespace senteval::run
