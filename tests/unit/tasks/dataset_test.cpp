#include "base/error.hpp"
#include "base/files.hpp"
#include "support/support.hpp"
#include "tasks/chunks.hpp"
#include "tasks/dataset.hpp"
#include "tasks/readers/reading.hpp"

using namespace senteval;
using tasks::Dataset;
using tasks::Part;

namespace {

Part pairs(std::string_view name)
{
    Part part;
    part.name = name;
    part.first = {{"a b", 2}, {"c", 1}, {"d", 1}, {"e", 1}};
    part.second = {{"f", 1}, {"g h", 2}, {"i", 1}, {"j", 1}};
    part.scores = {1.0, 2.0, 4.0, 3.0};
    part.tested = true;
    return part;
}

} // namespace

TEST_CASE("the writer of a verbatim part keeps texts as they are, and so does what is left of it")
{
    Dataset dataset;
    Part& part = dataset.parts.emplace_back();
    part.verbatim = true;
    tasks::PartWriter items(part, dataset.arena);
    items.add("a\nb", 0);
    items.add("c  d", 1);
    tasks::keep_order(part);
    tasks::limit(dataset, 1);
    CHECK(dataset.parts[0].verbatim);
    CHECK(dataset.parts[0].first ==
          std::vector<text::Sentence>{{"a\nb", 2, text::Role::none, true}});
}

TEST_CASE("items are sorted by both lengths, then by score, and ties keep the file's order")
{
    Part part = pairs("x");
    tasks::sort_by_length(part);
    CHECK(part.order == std::vector<std::uint32_t>{3, 2, 1, 0});
    part.scores = {1, 2, 3, 3};
    tasks::sort_by_length(part);
    CHECK(part.order == std::vector<std::uint32_t>{2, 3, 1, 0});
}

TEST_CASE("samples are first sentences, then second ones, in the order asked for")
{
    Dataset dataset;
    Part part = pairs("x");
    tasks::sort_by_length(part);
    const auto texts = [&] {
        std::string all;
        for (const auto& sentence : dataset.samples)
            all += std::string(sentence.text) + "|";
        return all;
    };
    tasks::add_samples(dataset, part);
    CHECK(texts() == "a b|c|d|e|f|g h|i|j|");
    dataset.samples.clear();
    tasks::add_samples(dataset, part, tasks::SampleOrder::sorted);
    CHECK(texts() == "e|d|c|a b|j|i|g h|f|");
}

TEST_CASE("test items are numbered through the tested parts")
{
    Dataset dataset;
    dataset.name = "Example";
    dataset.parts = {pairs("train"), pairs("one"), pairs("two")};
    dataset.parts[0].tested = false;
    CHECK(dataset.test_item(0).first.text == "a b");
    CHECK(dataset.test_item(5).second.text == "g h");
    CHECK(dataset.test_item(5).is_pair);
    CHECK_ERROR(base::Error, "Example has no test item 8", dataset.test_item(8));
    CHECK(dataset.part("two").name == "two");
    CHECK_ERROR(base::Error, "Example has no dev part", dataset.part("dev"));
}

TEST_CASE(
    "windows of words share their overlap, and the last one is the first that reaches the end")
{
    using Windows = std::vector<std::string>;
    CHECK(tasks::windows_of("a b c d e", {3, 1}) == Windows{"a b c", "c d e"});
    CHECK(tasks::windows_of("a  b\tc d e f", {3, 1}) == Windows{"a b c", "c d e", "e f"});
    CHECK(tasks::windows_of("a b", {3, 0}) == Windows{"a b"});
    CHECK(tasks::windows_of(" ", {3, 0}) == Windows{""});

    const auto file = test::shared_or_skip("reference/retrieval/chunks/chunks.json");
    if (!file)
        return;
    std::size_t tried = 0;
    for (const base::Json& one : base::parse_json(base::MappedFile(*file).bytes())) {
        CHECK(tasks::windows_of(one.at("text").get<std::string>(),
                                {one.at("size"), one.at("overlap")}) ==
              one.at("chunks").get<Windows>());
        ++tried;
    }
    CHECK(tried > 30);
}
