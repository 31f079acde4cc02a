#include "results/items.hpp"

#include "base/error.hpp"
#include "base/json.hpp"

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

namespace senteval::results {
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
            throw base::Error("the file ends too early");
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

std::vector<std::string> names_of(const std::vector<Series>& further)
{
    std::vector<std::string> names;
    names.reserve(further.size());
    for (const Series& series : further)
        names.push_back(series.name);
    return names;
}

} // namespace

std::string encode_items(const Items& items)
{
    const base::Json header = {{"kind", items.outcomes.kind},
                               {"classes", items.outcomes.classes},
                               {"groups", items.outcomes.groups},
                               {"further", names_of(items.outcomes.further)},
                               {"count", items.outcomes.rows.size()}};
    const std::string header_text = base::to_text(header);
    std::string bytes(magic);
    append(bytes, static_cast<std::uint32_t>(header_text.size()));
    bytes += header_text;
    each_column(items, [&](const auto& rows, auto member) { append_column(bytes, rows, member); });
    for (const Series& series : items.outcomes.further)
        for (const double prediction : series.predictions)
            append(bytes, prediction);
    append(bytes, static_cast<std::uint64_t>(XXH3_64bits(bytes.data(), bytes.size())));
    return bytes;
}

namespace {

/// Readers count classes by their numbers.
void require_classes(const Outcomes& outcomes)
{
    if (outcomes.kind != "class" || outcomes.classes.empty())
        return;
    const auto is_class = [&](double value) {
        return value >= 0 && value < static_cast<double>(outcomes.classes.size()) &&
               value == std::floor(value);
    };
    for (const ItemOutcome& row : outcomes.rows)
        if (!is_class(row.gold) || !is_class(row.prediction))
            throw base::Error("item {} has a class that is none of the {}", row.item,
                              outcomes.classes.size());
}

} // namespace

Items decode_items(std::string_view bytes)
{
    if (!bytes.starts_with(magic))
        throw base::Error("this is not a file of item outcomes");
    if (bytes.size() < magic.size() + sizeof(std::uint64_t))
        throw base::Error("the file ends too early");
    const std::string_view content = bytes.substr(0, bytes.size() - sizeof(std::uint64_t));
    if (Reader(bytes.substr(content.size())).take<std::uint64_t>() !=
        XXH3_64bits(content.data(), content.size()))
        throw base::Error("its checksum is wrong: it is damaged");

    Reader reader(content.substr(magic.size()));
    const base::Json header = base::parse_json(reader.take(reader.take<std::uint32_t>()));
    Items items;
    items.outcomes.kind = header.at("kind").get<std::string>();
    items.outcomes.classes = header.at("classes").get<std::vector<std::string>>();
    items.outcomes.groups = header.at("groups").get<std::vector<std::string>>();
    const auto count = header.at("count").get<std::size_t>();
    for (auto& name : header.at("further").get<std::vector<std::string>>())
        items.outcomes.further.push_back({std::move(name), {}});
    if (count > reader.size() ||
        reader.size() != count * (row_size + items.outcomes.further.size() * sizeof(double)))
        throw base::Error("its length does not fit the {} items it announces", count);
    items.outcomes.rows.resize(count);
    items.traits.resize(count);
    each_column(items, [&](auto& rows, auto member) { reader.take_column(rows, member); });
    for (Series& series : items.outcomes.further)
        for (std::size_t row = 0; row < count; ++row)
            series.predictions.push_back(reader.take<double>());
    require_classes(items.outcomes);
    return items;
}

} // namespace senteval::results
