#include "measures/fusion.hpp"

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/json.hpp"
#include "support/support.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace senteval;
using measures::Fusion;
using measures::FusionMethod;
using measures::Listed;
using measures::ScoreScale;

namespace {

std::vector<std::uint32_t> documents(const std::vector<Listed>& list)
{
    std::vector<std::uint32_t> all;
    for (const Listed& one : list)
        all.push_back(one.document);
    return all;
}

const std::vector<std::vector<Listed>> two_lists{{{1, 3.0}, {2, 2.0}, {3, 1.0}},
                                                 {{2, 0.9}, {3, 0.8}, {1, 0.1}}};

} // namespace

TEST_CASE("reciprocal ranks add up, and of equal sums the larger number comes first")
{
    const auto fused = measures::fuse(two_lists, {});
    CHECK(documents(fused) == std::vector<std::uint32_t>{2, 1, 3});
    CHECK(fused[0].score == doctest::Approx(1 / 62.0 + 1 / 61.0).epsilon(1e-15));

    const std::vector<std::vector<Listed>> mirrored{{{1, 2.0}, {2, 1.0}}, {{2, 2.0}, {1, 1.0}}};
    CHECK(documents(measures::fuse(mirrored, {})) == std::vector<std::uint32_t>{2, 1});
}

TEST_CASE("a document that a list lacks adds nothing there")
{
    const std::vector<std::vector<Listed>> apart{{{1, 5.0}, {2, 4.0}}, {{3, 1.0}}, {}};
    Fusion fusion{FusionMethod::mnz, ScoreScale::min_max, 60, {}};
    const auto fused = measures::fuse(apart, fusion);
    REQUIRE(fused.size() == 3);
    CHECK(fused[0] == Listed{1, 1.0});
    CHECK(fused[1] == Listed{3, 0.0}); // alone, its scores are constant
    CHECK(fused[2] == Listed{2, 0.0});
}

TEST_CASE("weights are as many as lists")
{
    Fusion fusion;
    fusion.weights = {1, 2, 3};
    CHECK_THROWS_AS((void)measures::fuse(two_lists, fusion), base::Error);
}

TEST_CASE("fusions equal the reference's")
{
    const auto file = test::shared_or_skip("reference/retrieval/fusion/edges.json");
    if (!file)
        return;
    using enum FusionMethod;
    using enum ScoreScale;
    const std::map<std::string, Fusion> methods{
        {"rrf_60", {rrf, min_max, 60, {}}},
        {"rrf_10", {rrf, min_max, 10, {}}},
        {"wrrf_60_0.3_0.7", {rrf, min_max, 60, {.3, .7}}},
        {"wsum_minmax_0.5_0.5", {sum, min_max, 60, {.5, .5}}},
        {"wsum_minmax_0.3_0.7", {sum, min_max, 60, {.3, .7}}},
        {"wsum_z_0.5_0.5", {sum, z, 60, {.5, .5}}},
        {"combsum_minmax", {sum, min_max, 60, {}}},
        {"combsum_z", {sum, z, 60, {}}},
        {"combmnz_minmax", {mnz, min_max, 60, {}}},
        {"combmnz_z", {mnz, z, 60, {}}}};
    std::size_t tried = 0;
    for (const base::Json& one : base::parse_json(base::MappedFile(*file).bytes())) {
        std::map<std::string, std::uint32_t> numbers; // in the order of ids
        for (const base::Json& list : one.at("lists"))
            for (const auto& [id, score] : list.items())
                numbers.emplace(id, 0);
        std::vector<std::string> ids;
        for (auto& [id, number] : numbers) {
            number = static_cast<std::uint32_t>(ids.size());
            ids.push_back(id);
        }
        std::vector<std::vector<Listed>> lists;
        for (const base::Json& list : one.at("lists")) {
            auto& own = lists.emplace_back();
            for (const auto& [id, score] : list.items())
                own.push_back({numbers.at(id), score.get<double>()});
            std::ranges::sort(own, [](const Listed& a, const Listed& b) {
                return a.score != b.score ? a.score > b.score : a.document > b.document;
            });
        }
        for (const auto& [name, fusion] : methods) {
            CAPTURE(one.at("name").get<std::string>());
            CAPTURE(name);
            std::map<std::string, double> expected;
            for (const base::Json& pair : one.at("fused").at(name))
                expected[pair.at(0)] = pair.at(1);
            const auto fused = measures::fuse(lists, fusion);
            REQUIRE(fused.size() == expected.size());
            for (const Listed& document : fused)
                CHECK(std::abs(document.score - expected.at(ids[document.document])) <
                      1e-12 * std::max(1.0, std::abs(document.score)));
            ++tried;
        }
    }
    CHECK(tried == 160);
}
