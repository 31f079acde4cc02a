// The whole pipeline on real data, where it is.
#include "base/files.hpp"
#include "base/parallel.hpp"
#include "data/inspect.hpp"
#include "data/prepare.hpp"
#include "support/support.hpp"

using namespace senteval;

namespace {

data::PrepareRequest request(const std::filesystem::path& from, const std::filesystem::path& to)
{
    const auto datasets = data::builtin_manifest().select({"transfer", "sif-counts"});
    return {datasets, from, to, data::Wording::prepared, base::available_threads()};
}

} // namespace

TEST_CASE("every set whose original is at hand comes out byte for byte as published")
{
    const auto mirror = test::shared_or_skip("mirror");
    const auto expected = test::shared_or_skip("senteval_data");
    if (!mirror || !expected)
        return;
    const test::ScratchFolder scratch;
    std::set<std::string> missing;
    for (const data::Prepared& file : data::prepare(request(*mirror, scratch.path()))) {
        if (file.outcome == data::Outcome::missing) {
            missing.insert(file.dataset);
            continue;
        }
        CHECK_MESSAGE(file.outcome == data::Outcome::written, file.path, ": ", file.detail);
        if (file.path.starts_with("downstream/"))
            CHECK_MESSAGE(base::read_file(scratch / file.path) ==
                              base::read_file(*expected / file.path),
                          file.path);
    }
    // Of SNLI the training files are not there, of COCO and MultiNLI nothing is.
    CHECK(missing == std::set<std::string>{"COCO", "MultiNLI", "SNLI"});

    // What is right is recognised, and not made again.
    const auto again = data::prepare(request(*mirror, scratch.path()));
    CHECK(std::ranges::none_of(
        again, [](const auto& file) { return file.outcome == data::Outcome::written; }));
}

TEST_CASE("the original text of every set is written under --raw with the lines and labels it had")
{
    const auto mirror = test::shared_or_skip("mirror");
    if (!mirror)
        return;
    const test::ScratchFolder scratch;
    auto raw = request(*mirror, scratch.path());
    raw.wording = data::Wording::original;
    for (const data::Prepared& file : data::prepare(raw))
        if (file.outcome != data::Outcome::missing)
            CHECK_MESSAGE(file.outcome == data::Outcome::written, file.path, ": ", file.detail);
    const std::string pairs =
        base::read_file(scratch / "downstream/STS/STS16-en-test/STS.input.headlines.txt");
    CHECK(std::ranges::any_of(pairs, [](char c) { return c >= 'A' && c <= 'Z'; }));
}
