// What a program may give in place of the library's own, and what it is told of every test item.

#include "support/support.hpp"

#include <fmt/format.h>
#include <senteval/senteval.hpp>

using namespace senteval;

namespace {

/// Two numbers: bytes, and words.
Encoder lengths()
{
    Encoder encoder;
    encoder.measure = [] { return std::size_t{2}; };
    encoder.encode = [](Sentences sentences, std::span<float> vectors) {
        for (std::size_t i = 0; i < sentences.size(); ++i) {
            vectors[2 * i] = static_cast<float>(sentences[i].size());
            vectors[2 * i + 1] =
                static_cast<float>(std::count(sentences[i].begin(), sentences[i].end(), ' '));
        }
    };
    return encoder;
}

Settings on(std::string task)
{
    return {.data = test::source_dir() / "data/samples",
            .tasks = {std::move(task)},
            .options = {{"kfold", "2"}}};
}

double dot(std::span<const float> u, std::span<const float> v)
{
    return std::inner_product(u.begin(), u.end(), v.begin(), 0.0);
}

} // namespace

TEST_CASE("a dimension that is measured is asked for after every prepare")
{
    std::vector<std::string> asked;
    Encoder encoder = lengths();
    std::string prepared;
    encoder.prepare = [&](std::string_view task, Sentences) { prepared = task; };
    encoder.measure = [&] {
        asked.push_back(prepared);
        return std::size_t{2};
    };
    Settings settings = on("STS12");
    settings.tasks = {"STS12", "STS14"};
    const Results results = evaluate(encoder, settings);
    CHECK(results.results.size() == 2);
    CHECK(asked == std::vector<std::string>{"STS12", "STS14"});

    encoder.measure = {};
    CHECK_ERROR(Error, "or give it a function `measure`", evaluate(encoder, settings));
}

TEST_CASE("a similarity of the caller stands in the place of the cosine")
{
    Settings given = on("STS14");
    given.options.emplace_back("similarity", "dot");
    Settings own = on("STS14");
    own.similarity = dot;
    const Results expected = evaluate(lengths(), given);
    const Results found = evaluate(lengths(), own);
    CHECK(found.at("STS14").value == doctest::Approx(expected.at("STS14").value).epsilon(1e-9));
    CHECK(found.at("STS14").settings.at("similarity") == "custom");
    CHECK(evaluate(lengths(), on("STS14")).at("STS14").settings.at("similarity") == "cosine");

    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        own.similarity = [bad](auto u, auto v) { return dot(u, v) > 100 ? bad : 1.0; };
        CHECK(test::contains(evaluate(lengths(), own).failures.at(0).why,
                             fmt::format("the similarity function gave {} for pair ", bad)));
    }
    own.similarity = [](auto, auto) -> double { throw std::runtime_error("no such pair"); };
    CHECK(test::contains(evaluate(lengths(), own).failures.at(0).why, "no such pair"));
}

TEST_CASE("every test item is told, by group and in the order of the data")
{
    const Results similarity = evaluate(lengths(), on("STS14"));
    const Result& result = similarity.at("STS14");
    double pairs = 0;
    for (const auto& [path, value] : result.metrics)
        if (path.ends_with(".nsamples"))
            pairs += value;
    CHECK(static_cast<double>(result.items.size()) == pairs);
    CHECK(result.items.front().group == "deft-forum");
    CHECK(result.items.back().group == "tweet-news");
    CHECK(result.items.front().tokens_second > 0);

    const Results classes = evaluate(lengths(), on("SST2"));
    const std::vector<Item>& items = classes.at("SST2").items;
    const auto right = std::count_if(items.begin(), items.end(),
                                     [](const Item& item) { return item.gold == item.prediction; });
    CHECK(std::abs(100.0 * static_cast<double>(right) / static_cast<double>(items.size()) -
                   classes.at("SST2").value) < 0.01);
    CHECK(items.front().tokens_second == 0);
    CHECK(items.front().group.empty());
}
