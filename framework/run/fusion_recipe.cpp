// The grammar of fusions.
#include "base/error.hpp"
#include "run/stack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

namespace senteval::run {
namespace {

struct Method {
    std::string_view name;
    measures::FusionMethod method;
    measures::ScoreScale scale;
    bool is_mean; ///< its weights are 1/parts unless they are given
};

using enum measures::FusionMethod;
using enum measures::ScoreScale;
constexpr std::array<Method, 7> methods{{
    {"rrf", rrf, min_max, false},
    {"minmax", sum, min_max, true},
    {"z", sum, z, true},
    {"combsum", sum, min_max, false},
    {"combsum-z", sum, z, false},
    {"combmnz", mnz, min_max, false},
    {"combmnz-z", mnz, z, false},
}};

std::vector<std::string> split(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    for (std::size_t end = 0; end != text.npos;
         text.remove_prefix(end == text.npos ? 0 : end + 1)) {
        end = text.find(separator);
        parts.emplace_back(text.substr(0, end));
    }
    return parts;
}

double number_of(std::string_view text, const std::string& recipe)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value >= 0 && value < 1e9))
        throw base::UsageError("--fuse '{}': '{}' is no number from 0 on", recipe, text);
    return value;
}

/// Takes "rrf10@200" apart.
void read_method(std::string_view text, FusionRecipe& recipe)
{
    if (const auto at = text.find('@'); at != text.npos) {
        recipe.depth = static_cast<std::size_t>(number_of(text.substr(at + 1), recipe.text));
        text = text.substr(0, at);
    }
    std::string_view name = text;
    if (text.starts_with("rrf"))
        name = text.substr(0, 3);
    const auto method = std::ranges::find(methods, name, &Method::name);
    if (method == methods.end() || recipe.depth == 0)
        throw base::UsageError("--fuse '{}': there is no fusion '{}': rrf, minmax, z, combsum, "
                               "combsum-z, combmnz or combmnz-z, with @DEPTH if not the first {}",
                               recipe.text, text, usual_depth);
    recipe.fusion.method = method->method;
    recipe.fusion.scale = method->scale;
    if (name.size() < text.size())
        recipe.fusion.k = number_of(text.substr(name.size()), recipe.text);
    if (method->is_mean)
        recipe.fusion.weights.assign(recipe.parts.size(),
                                     1 / static_cast<double>(recipe.parts.size()));
}

} // namespace

FusionRecipe parse_fusion(const std::string& text, std::span<const std::string> labels)
{
    FusionRecipe recipe{text, {}, {}, usual_depth, false};
    const auto colon = text.rfind(':');
    if (colon == text.npos)
        throw base::UsageError("--fuse '{}': it is PART+PART:METHOD, such as bm25+MiniLM:rrf",
                               text);
    recipe.parts = split(std::string_view(text).substr(0, colon), '+');
    for (const std::string& part : recipe.parts) {
        if (std::ranges::find(labels, part) == labels.end())
            throw base::UsageError("--fuse '{}': '{}' is no encoder of this run: {}", text, part,
                                   fmt::join(labels, ", "));
        if (std::ranges::count(labels, part) > 1 || std::ranges::count(recipe.parts, part) > 1)
            throw base::UsageError("--fuse '{}': '{}' stands for two: give each encoder a --label "
                                   "of its own, and each part once",
                                   text, part);
    }
    if (recipe.parts.size() < 2)
        throw base::UsageError("--fuse '{}': a fusion has at least two parts", text);
    const auto words = split(std::string_view(text).substr(colon + 1), ',');
    read_method(words.front(), recipe);
    const std::span weights = std::span(words).subspan(1);
    if (weights.size() == 1 && weights.front() == "*") {
        recipe.fits_weights = true;
        if (recipe.parts.size() != 2)
            throw base::UsageError("--fuse '{}': weights are chosen of two parts only", text);
    } else if (!weights.empty()) {
        if (weights.size() != recipe.parts.size())
            throw base::UsageError("--fuse '{}': {} parts cannot have {} weights", text,
                                   recipe.parts.size(), weights.size());
        recipe.fusion.weights.clear();
        for (const std::string& weight : weights)
            recipe.fusion.weights.push_back(number_of(weight, text));
        if (std::ranges::all_of(recipe.fusion.weights, [](double weight) { return weight == 0; }))
            throw base::UsageError("--fuse '{}': some weight is above 0", text);
    }
    return recipe;
}

} // namespace senteval::run
