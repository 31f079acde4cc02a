#include "base/error.hpp"
#include "base/files.hpp"
#include "data/fetch.hpp"
#include "data/prepare.hpp"
#include "data/sha256.hpp"
#include "fault_server.hpp"
#include "silent_observer.hpp"
#include "support/support.hpp"

using namespace senteval;
using test::FaultServer;
using test::Reply;
using test::Request;

namespace {

data::Manifest toy(const std::string& first, const std::string& second, std::string_view checksum)
{
    return data::parse_manifest(fmt::format(R"(
[[dataset]]
name = "Toy"
group = "transfer"
licence = "CC0"
[[dataset.original]]
name = "toy.txt"
sha256 = "{2}"
sources = ["{0}", "{1}"]
[[dataset.original]]
name = "toy.tok"
sources = []
[[dataset.file]]
path = "downstream/Toy/toy"
conversion = "ptb"
from = ["toy.txt"]
lines = 1
or = [{{from = ["toy.tok"], prepared = true}}]
)",
                                            first, second, checksum),
                                "toy.toml");
}

data::FetchRequest request_for(const data::Manifest& manifest, const test::ScratchFolder& scratch)
{
    data::FetchRequest request;
    request.manifest = &manifest;
    request.datasets = manifest.select({"all"});
    request.data = scratch / "data";
    request.originals = scratch / "originals";
    request.policy.first_pause = std::chrono::milliseconds(1);
    request.policy.attempts = 2;
    return request;
}

auto fetched(const data::FetchRequest& request)
{
    test::SilentObserver observer;
    return data::fetch(request, observer);
}

Reply serve(std::string content)
{
    Reply reply;
    reply.body = std::move(content);
    return reply;
}

} // namespace

TEST_CASE("sources are tried in turn until one is right")
{
    FaultServer server([](const Request& request) {
        return serve(request.path == "/good" ? "It's.\n" : "It is.\n");
    });
    const test::ScratchFolder scratch;
    const auto manifest = toy(server.url("/bad"), server.url("/good"), data::sha256("It's.\n"));
    const auto request = request_for(manifest, scratch);
    CHECK(fetched(request).empty());
    CHECK(server.requests().size() == 2);
    const auto prepared = data::prepare(
        {request.datasets, request.originals, request.data, data::Wording::prepared, 1});
    CHECK(prepared.at(0).outcome == data::Outcome::written);
    CHECK(data::plan_fetch(request).empty()); // what is there and right is not fetched again
}

TEST_CASE("where no source is right every one of them is named with its fault")
{
    FaultServer server([](const Request& request) {
        Reply reply = serve("wrong\n");
        reply.status = request.path == "/gone" ? 410 : 200;
        return reply;
    });
    const test::ScratchFolder scratch;
    const auto manifest = toy(server.url("/gone"), server.url("/wrong"), data::sha256("right\n"));
    const auto failures = fetched(request_for(manifest, scratch));
    REQUIRE(failures.size() == 1);
    CHECK(test::contains(failures[0].problem,
                         {"/gone: the server answered 410", "/wrong: its checksum",
                          "'toy.tok' cannot be downloaded"}));
}

TEST_CASE("a host that cannot be found is given up once for all of its files")
{
    class Told final : public data::DownloadObserver {
    public:
        void received(const std::string&, std::uint64_t, std::uint64_t) override {}
        void retrying(const std::string&, const std::string&) override { ++lines; }
        void finished(const std::string&, const std::string&) override { ++lines; }
        std::atomic<int> lines{0};
    };
    setenv("no_proxy", "*", 1);
    const std::string host =
        std::string(70, 'x') + ".invalid"; // no name server is asked for such a name
    const test::ScratchFolder scratch;
    std::string files = "[[dataset]]\nname = \"Toy\"\ngroup = \"transfer\"\nlicence = \"CC0\"\n";
    for (int file = 0; file < 20; ++file)
        files += fmt::format("[[dataset.original]]\nname = \"{0}.txt\"\nsha256 = \"{1}\"\n"
                             "sources = [\"https://{2}/{0}\", \"https://{2}/copy/{0}\"]\n",
                             file, data::sha256("x"), host);
    for (int file = 0; file < 20; ++file)
        files += fmt::format(
            "[[dataset.file]]\npath = \"downstream/Toy/{0}\"\nfrom = [\"{0}.txt\"]\n", file);
    const auto manifest = data::parse_manifest(files, "toy.toml");
    auto request = request_for(manifest, scratch);
    request.jobs = 4;
    Told observer;
    const auto failures = data::fetch(request, observer);
    REQUIRE(failures.size() == 20);
    CHECK(observer.lines <= 4); // one for each job
    for (const auto& failure : failures)
        CHECK(failure.problem == failures.front().problem); // without its own address
    CHECK(failures.front().problem.find(host) != std::string::npos);
}

TEST_CASE("a source without TLS is not trusted where no checksum is known")
{
    FaultServer server([](const Request&) { return serve("anything\n"); });
    const test::ScratchFolder scratch;
    const auto manifest = toy(server.url("/a"), server.url("/b"), "");
    const auto failures = fetched(request_for(manifest, scratch));
    REQUIRE(failures.size() == 1);
    CHECK(test::contains(failures[0].problem, "no TLS and no known checksum"));
    CHECK(server.requests().empty());
}

TEST_CASE("a mirror stands in for every source, by host and path")
{
    FaultServer server([](const Request& request) {
        Reply reply = serve("It's.\n");
        reply.status = request.path == "/mirror/one.example/d/toy.txt" ? 200 : 404;
        return reply;
    });
    const test::ScratchFolder scratch;
    const auto manifest =
        toy("https://one.example/d/toy.txt", "https://two.example/t", data::sha256("It's.\n"));
    auto request = request_for(manifest, scratch);
    request.mirror = server.url("/mirror/");
    CHECK(fetched(request).empty());
    CHECK(base::read_file(scratch / "originals/one.example/d/toy.txt") == "It's.\n");
}

TEST_CASE("a plan names what would be downloaded and touches nothing")
{
    const test::ScratchFolder scratch;
    const auto manifest =
        toy("https://one.example/d/toy.txt", "https://two.example/t", data::sha256("x"));
    const auto plan = data::plan_fetch(request_for(manifest, scratch));
    REQUIRE(plan.size() == 1);
    CHECK(plan[0].file == "downstream/Toy/toy");
    CHECK(plan[0].urls == std::vector<std::string>{"https://one.example/d/toy.txt"});
    CHECK(std::filesystem::is_empty(scratch.path()));
}

TEST_CASE("a mirror is a folder, a file address or an HTTP base")
{
    const test::ScratchFolder scratch;
    std::filesystem::path folder;
    CHECK(data::is_local_mirror(scratch.path().string(), folder));
    CHECK(data::is_local_mirror("file://" + scratch.path().string(), folder));
    CHECK(folder == scratch.path());
    CHECK(!data::is_local_mirror("https://mirror.example/all", folder));
    CHECK_ERROR(base::UsageError, "neither a folder nor an http",
                data::is_local_mirror("/no/such/folder", folder));
}

TEST_CASE("the real sets come through a local HTTP server as they do from the folder")
{
    const auto mirror = test::shared_or_skip("mirror");
    const auto expected = test::shared_or_skip("senteval_data");
    if (!mirror || !expected)
        return;
    FaultServer server([&](const Request& request) {
        const auto path = *mirror / request.path.substr(1);
        Reply reply;
        if (std::filesystem::is_regular_file(path))
            reply.body = base::read_file(path);
        else
            reply.status = 404;
        return reply;
    });
    const test::ScratchFolder scratch;
    auto request = request_for(data::builtin_manifest(), scratch);
    request.datasets = request.manifest->select({"transfer"});
    request.mirror = server.url("");
    std::set<std::string> failed;
    for (const auto& failure : fetched(request))
        failed.insert(failure.dataset);
    CHECK(failed == std::set<std::string>{"COCO", "MultiNLI", "SNLI"});
    for (const auto& file : data::prepare(
             {request.datasets, request.originals, request.data, data::Wording::prepared, 2}))
        if (file.outcome != data::Outcome::missing)
            CHECK_MESSAGE(base::read_file(request.data / file.path) ==
                              base::read_file(*expected / file.path),
                          file.path);
}
