#include "base/error.hpp"
#include "data/manifest.hpp"
#include "support/support.hpp"

using namespace senteval;

namespace {

constexpr std::string_view small = R"(
[[archive]]
url = "https://host.example/all.zip"
bytes = 10

[[dataset]]
name = "Toy"
group = "transfer"
tasks = ["ToyTask"]
licence = "CC0"

[[dataset.original]]
name = "toy.txt"
bytes = 7
sources = ["https://host.example/all.zip#in/toy.txt", "http://other.example/toy.txt"]

[[dataset.file]]
path = "downstream/Toy/toy"
conversion = "ptb"
from = ["toy.txt"]
encoding = "latin-1"
lines = 2
labels = {"0" = 1, "1" = 1}
or = [{from = ["toy.txt"], prepared = true}]
)";

std::string changed(std::string_view from, std::string_view to)
{
    std::string text(small);
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

void refuses_manifest(const std::string& text, const char* message)
{
    CHECK_ERROR(base::UsageError, message, data::parse_manifest(text, "m.toml"));
}

} // namespace

TEST_CASE("a manifest says where files come from and what they must look like")
{
    const data::Manifest manifest = data::parse_manifest(small, "m.toml");
    REQUIRE(manifest.datasets.size() == 1);
    const data::Dataset& toy = manifest.datasets.front();
    CHECK(toy.original("toy.txt").bytes == 7);
    CHECK(toy.original("toy.txt").sources[0].url == "https://host.example/all.zip");
    CHECK(toy.original("toy.txt").sources[0].member == "in/toy.txt");
    CHECK(toy.original("toy.txt").sources[1].mirror_path() == "other.example/toy.txt");
    const data::File& file = toy.files.at(0);
    CHECK(file.encoding == data::Encoding::latin1);
    CHECK(file.labels.at("1") == 1);
    CHECK(file.recipes.size() == 2);
    CHECK(file.recipes[1].prepared);
    CHECK(manifest.archives.at(0).bytes == 10);
    CHECK(manifest.for_task("ToyTask") == &toy);
    CHECK(manifest.for_task("Toy") == nullptr);
}

TEST_CASE("datasets are chosen by name, task or group in any case, and slips are named")
{
    const data::Manifest manifest = data::parse_manifest(small, "m.toml");
    for (const char* name : {"toy", "TOYTASK", "transfer", "all"})
        CHECK(manifest.select({name}).size() == 1);
    CHECK(manifest.select({"toy", "all"}).size() == 1);
    CHECK_ERROR(base::UsageError, "Did you mean 'ToyTask'?", manifest.select({"ToyTsak"}));
}

TEST_CASE("what is wrong with a manifest is named with its line")
{
    refuses_manifest("a = \n", "m.toml:1:");
    refuses_manifest(changed("licence = \"CC0\"", "license = \"CC0\""), "m.toml:10:1: ");
    for (const auto& [from, to, named] :
         std::vector<std::tuple<const char*, const char*, const char*>>{
             {"licence = \"CC0\"", "license = \"CC0\"", "'license'. Did you mean 'licence'"},
             {"bytes = 7", "bytes = \"7\"", "m.toml:14:9: 'bytes' must be an integer, not \"7\""},
             {"bytes = 7", "bytes = -7", "'bytes' must be 0 or more, not -7"},
             {"bytes = 7", "sha256 = \"12\"", "'sha256' must be 64 hexadecimal digits, not \"12\""},
             {"conversion = \"ptb\"", "conversion = \"pbt\"", "'pbt'"},
             {"from = [\"toy.txt\"]", "from = [\"top.txt\"]", "'top.txt'"},
             {"\"latin-1\"", "\"latin-9\"",
              "'encoding' must be \"utf-8\" or \"latin-1\", not \"latin-9\""},
             {"downstream/Toy/toy", "../toy", "not below the data folder"},
             {"http://other.example/toy.txt", "ftp://other.example/toy.txt",
              "neither http nor https"},
             {"http://other.example/toy.txt", "http://other.example/../toy.txt", "climbs out"}})
        refuses_manifest(changed(from, to), named);
    refuses_manifest(std::string(small) + std::string(small.substr(small.find("[[dataset]]"))),
                     "dataset 'Toy' is listed twice");
}

TEST_CASE("the built-in manifest knows every task of the original and can make each of its files")
{
    const data::Manifest& manifest = data::builtin_manifest();
    std::istringstream tasks(
        "CR MR MPQA SUBJ SST2 SST5 TREC MRPC SICKRelatedness SICKEntailment STSBenchmark SNLI "
        "ImageCaptionRetrieval STS12 STS13 STS14 STS15 STS16 Length WordContent Depth "
        "TopConstituents "
        "BigramShift Tense SubjNumber ObjNumber OddManOut CoordinationInversion MultiNLIMatched "
        "MultiNLIMismatched STSBenchmarkUnsupervised SICKRelatednessUnsupervised");
    for (std::string task; tasks >> task;)
        CHECK_MESSAGE(manifest.for_task(task) != nullptr, task);
    for (const data::Dataset& dataset : manifest.datasets) {
        CHECK_MESSAGE(!dataset.files.empty(), dataset.name);
        for (const data::Original& original : dataset.originals)
            CHECK_MESSAGE((!original.sources.empty() || !dataset.note.empty()), original.name);
    }
}
