#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "data/download.hpp"
#include "data/manifest.hpp"
#include "data/sha256.hpp"
#include "fault_server.hpp"
#include "support/support.hpp"

#include <fcntl.h>
#include <sys/file.h>

using namespace senteval;
using test::FaultServer;
using test::Reply;
using test::Request;
using namespace std::chrono_literals;

namespace {

class Silent final : public data::DownloadObserver {
public:
    void received(const std::string&, std::uint64_t received, std::uint64_t total) override
    {
        last_received = received;
        last_total = total;
        if (received > stop_after)
            stop.request_stop();
    }
    void retrying(const std::string&, const std::string& problem) override
    {
        retries.push_back(problem);
    }
    void finished(const std::string&, const std::string& problem) override { end = problem; }

    std::uint64_t last_received = 0;
    std::uint64_t last_total = 0;
    std::uint64_t stop_after = UINT64_MAX;
    std::stop_source stop;
    std::vector<std::string> retries;
    std::string end;
};

std::string some_text(std::size_t size)
{
    std::string text;
    for (std::size_t i = 0; text.size() < size; ++i)
        text += fmt::format("line {} of a file that is sent\n", i);
    text.resize(size);
    return text;
}

const std::string body = some_text(300'000);

data::DownloadPolicy quick()
{
    data::DownloadPolicy policy;
    policy.first_pause = 1ms;
    policy.attempts = 4;
    policy.limits.connect = 2s;
    policy.limits.stall = 1s;
    policy.limits.bytes_per_second = 256; // a busy machine is no drip
    return policy;
}

/// One download of `body` from a server that behaves as `handler` says.
struct Trial {
    using Change = std::function<void(const Request&, Reply&)>; ///< of a good reply
    explicit Trial(Change change = [](const Request&, Reply&) {})
        : server([change = std::move(change)](const Request& request) {
              Reply reply;
              reply.body = body;
              change(request, reply);
              return reply;
          })
    {
    }

    std::string run(std::string checksum = data::sha256(body), std::uint64_t bytes = body.size())
    {
        return data::download({server.url("/d/file"), bytes, std::move(checksum), false}, file,
                              policy, observer);
    }

    [[nodiscard]] bool arrived() const { return std::filesystem::exists(file); }
    [[nodiscard]] bool has_part() const { return std::filesystem::exists(part); }

    FaultServer server;
    test::ScratchFolder scratch;
    std::filesystem::path file = scratch / "down/file";
    std::filesystem::path part = scratch / "down/file.part";
    data::DownloadPolicy policy = quick();
    Silent observer;
};

} // namespace

TEST_CASE("a file is downloaded, and not again when it is there")
{
    Trial trial;
    CHECK(trial.run().empty());
    CHECK(base::read_file(trial.file) == body);
    CHECK(!trial.has_part());
    CHECK(trial.run().empty());
    CHECK(trial.server.requests().size() == 1);
    CHECK(trial.observer.last_total == body.size());
}

TEST_CASE("a file that is there but wrong is downloaded again")
{
    Trial trial;
    trial.scratch.write("down/file", std::string(body.size(), 'x'));
    CHECK(trial.run().empty());
    CHECK(base::read_file(trial.file) == body);
}

TEST_CASE("a cut transfer goes on where it was cut")
{
    Trial trial([](const Request& request, Reply& reply) {
        reply.send_only = request.number < 2 ? 100'000 : std::string::npos;
    });
    CHECK(trial.run().empty());
    CHECK(base::read_file(trial.file) == body);
    const auto requests = trial.server.requests();
    REQUIRE(requests.size() == 3);
    CHECK(requests[1].offset == 100'000);
    CHECK(requests[2].offset == 200'000);
    CHECK(trial.observer.retries.size() == 2);
}

TEST_CASE("a server that knows no ranges starts anew")
{
    Trial trial([](const Request& request, Reply& reply) {
        reply.knows_ranges = false;
        reply.send_only = request.number == 0 ? 100'000 : std::string::npos;
    });
    CHECK(trial.run().empty());
    CHECK(base::read_file(trial.file) == body);
    CHECK(trial.server.requests().size() == 3); // cut, refused to resume, whole
}

TEST_CASE("an end that comes too soon is no end, whatever length was declared")
{
    Trial short_of_declared([](const Request& request, Reply& reply) {
        reply.send_only = request.number < 10 ? 10 : 0;
    });
    CHECK(test::contains(short_of_declared.run(), "299960 bytes")); // are missing
    CHECK(!short_of_declared.arrived());
    CHECK(short_of_declared.has_part()); // worth going on from another day

    Trial undeclared([](const Request&, Reply& reply) {
        reply.body.resize(5'000);
        reply.declares_length = false;
    });
    CHECK(test::contains(undeclared.run(), "it ended after 5000 of 300000 bytes"));
    CHECK(!undeclared.arrived());
}

TEST_CASE("a file longer than it should be is refused before it fills the disk")
{
    Trial trial([](const Request&, Reply& reply) { reply.body += "more"; });
    CHECK(test::contains(trial.run(), "longer than the 300000 bytes"));
    CHECK(!trial.arrived());
    CHECK(!trial.has_part());
}

TEST_CASE("a wrong checksum is refused, and what arrived is thrown away")
{
    Trial trial;
    CHECK(test::contains(trial.run(data::sha256("something else")), "checksum"));
    CHECK(!trial.arrived());
    CHECK(!trial.has_part());
    CHECK(trial.server.requests().size() == 1);
}

TEST_CASE("a part of another version is noticed and dropped")
{
    Trial trial;
    trial.scratch.write("down/file.part", std::string(1'000, 'x'));
    CHECK(trial.run().empty());
    CHECK(base::read_file(trial.file) == body);
    Trial longer;
    longer.scratch.write("down/file.part", std::string(body.size() + 1, 'x'));
    CHECK(longer.run().empty());
}

TEST_CASE("a file that is not there is not asked for twice")
{
    Trial trial([](const Request&, Reply& reply) { reply.status = 404; });
    CHECK(trial.run() == "the server answered 404");
    CHECK(trial.observer.end == "the server answered 404");
    CHECK(trial.server.requests().size() == 1);
    CHECK(!trial.has_part());
}

TEST_CASE("a busy server is asked again")
{
    Trial trial([](const Request& request, Reply& reply) {
        reply.status = request.number < 2 ? 503 : 200;
    });
    CHECK(trial.run().empty());
    CHECK(trial.observer.retries.at(0) == "the server answered 503");
    Trial always([](const Request&, Reply& reply) { reply.status = 503; });
    CHECK(always.run() == "the server answered 503");
    CHECK(always.server.requests().size() == 4);
}

TEST_CASE("redirections are followed, but not round and round, and not to files of this machine")
{
    const auto redirecting = [](std::string to, std::size_t times) {
        return [to = std::move(to), times](const Request& request, Reply& reply) {
            if (request.number < times) {
                reply.status = 302;
                reply.location = to;
            }
        };
    };
    Trial once(redirecting("/elsewhere", 1));
    CHECK(once.run().empty());
    Trial loop(redirecting("/d/file", 1000));
    CHECK(test::contains(loop.run(), "redirect"));
    CHECK(loop.server.requests().size() <= 6);
    Trial local(redirecting("file:///etc/passwd", 1000));
    CHECK(!local.run().empty());
    CHECK(!local.arrived());
}

TEST_CASE("a stalled server and a slow drip are given up in bounded time")
{
    const auto start = std::chrono::steady_clock::now();
    Trial stalled([](const Request&, Reply& reply) {
        reply.send_only = 1'000;
        reply.afterwards = Reply::Afterwards::stall;
    });
    stalled.policy.attempts = 2;
    CHECK(test::contains(stalled.run(), "too slow"));
    CHECK(!stalled.arrived());
    Trial dripping([](const Request&, Reply& reply) { reply.drip = 20ms; });
    dripping.policy.attempts = 1;
    CHECK(test::contains(dripping.run(), "too slow"));
    CHECK(!dripping.arrived());
    CHECK(std::chrono::steady_clock::now() - start < 20s);
}

TEST_CASE("a drip of some hundred bytes per second ends, within the limits that stand by default")
{
    Trial dripping([](const Request&, Reply& reply) {
        reply.drip = 2ms; // per byte
    });
    dripping.policy.attempts = 1;
    dripping.policy.limits.bytes_per_second = data::HttpLimits().bytes_per_second;
    CHECK(test::contains(dripping.run(), "too slow"));
}

TEST_CASE("a download of unknown size has a bound")
{
    Trial endless;
    const auto problem = data::download({endless.server.url("/d/file"), 0, "", false, 100'000},
                                        endless.file, endless.policy, endless.observer);
    CHECK(problem == "it is longer than the 100000 bytes it may have");
    CHECK(!endless.arrived());
    CHECK(!endless.has_part());
    CHECK(endless.server.requests().size() == 1); // not worth another attempt
}

TEST_CASE("an error page that is called a success is recognised without a checksum")
{
    Trial trial(
        [](const Request&, Reply& reply) { reply.body = "<!DOCTYPE html><html>gone</html>"; });
    CHECK(trial.run("", 0) == "it is an HTML page");
    CHECK(!trial.arrived());
    Trial empty([](const Request&, Reply& reply) { reply.body.clear(); });
    CHECK(empty.run("", 0) == "it is empty");
}

TEST_CASE("stopping keeps what arrived, and the next download goes on from there")
{
    Trial trial([](const Request& request, Reply& reply) {
        if (request.number == 0) {
            reply.send_only = 200'000;
            reply.afterwards = Reply::Afterwards::stall;
        }
    });
    trial.observer.stop_after = 100'000;
    trial.policy.stop = trial.observer.stop.get_token();
    CHECK_THROWS_AS(trial.run(), base::Cancelled);
    CHECK(!trial.arrived());
    CHECK(std::filesystem::file_size(trial.part) > 100'000);
    CHECK_THROWS_AS(trial.run(), base::Cancelled);
    trial.policy.stop = {};
    CHECK(trial.run().empty());
    CHECK(trial.server.requests().at(1).offset > 100'000);
    CHECK(base::read_file(trial.file) == body);
}

TEST_CASE("two processes do not write one download, and a full part needs no server")
{
    Trial trial;
    {
        base::create_folders(trial.file.parent_path());
        const base::Descriptor other(::open(trial.part.c_str(), O_WRONLY | O_CREAT, 0644));
        REQUIRE(::flock(other.number(), LOCK_EX) == 0);
        CHECK_ERROR(base::Error, "by another process", trial.run());
    }
    trial.scratch.write("down/file.part", body);
    CHECK(trial.run().empty());
    CHECK(trial.server.requests().empty());
}

TEST_CASE("no server, no name, and no TLS where TLS was asked for")
{
    const test::ScratchFolder scratch;
    Silent observer;
    auto policy = quick();
    policy.attempts = 1;
    const auto problem = [&](const std::string& url) {
        return data::download({url, 0, "", false}, scratch / "x", policy, observer);
    };
    CHECK(!problem("http://127.0.0.1:9/x").empty());
    CHECK(!problem("ftp://127.0.0.1/x").empty());
    const Trial plain;
    CHECK(!problem("https" + plain.server.url("/x").substr(4)).empty());
    CHECK(!std::filesystem::exists(scratch / "x"));
}

TEST_CASE("what is of unknown size may be as long as the manifest says where it says nothing")
{
    CHECK(data::Wanted{}.at_most == data::Original{}.at_most);
}
