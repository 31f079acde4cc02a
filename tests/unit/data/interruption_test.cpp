// Transfers that are interrupted at random: SENTEVAL_INTERRUPTIONS of them, 20 by default.
#include "base/error.hpp"
#include "base/files.hpp"
#include "data/download.hpp"
#include "data/sha256.hpp"
#include "fault_server.hpp"
#include "silent_observer.hpp"
#include "support/support.hpp"

using namespace senteval;
using test::FaultServer;
using test::Reply;
using test::Request;
using namespace std::chrono_literals;

namespace {

int interruptions()
{
    const char* number = std::getenv("SENTEVAL_INTERRUPTIONS");
    return number != nullptr ? std::atoi(number) : 20;
}

std::string random_bytes(std::mt19937& random, std::size_t size)
{
    std::string bytes;
    while (bytes.size() < size)
        bytes += static_cast<char>(random());
    return bytes;
}

/// What is done to a good reply.
using Fault = void (*)(Reply&, std::mt19937&);
constexpr Fault faults[] = {
    [](Reply& reply, std::mt19937& random) { reply.send_only = random() % reply.body.size(); },
    [](Reply& reply, std::mt19937& random) {
        reply.send_only = random() % reply.body.size();
        reply.afterwards = Reply::Afterwards::stall;
    },
    [](Reply& reply, std::mt19937& random) {
        reply.declared_length = random() % reply.body.size();
    },
    [](Reply& reply, std::mt19937& random) {
        reply.declared_length = reply.body.size() + 1 + random() % 1'000;
    },
    [](Reply& reply, std::mt19937& random) { reply.body[random() % reply.body.size()] ^= 1; },
    [](Reply& reply, std::mt19937&) { reply.status = 404; },
    [](Reply& reply, std::mt19937&) { reply.status = 503; },
    [](Reply& reply, std::mt19937&) {
        reply.status = 302;
        reply.location = "/file";
    },
    [](Reply& reply, std::mt19937&) { reply.drip = 5ms; },
    [](Reply& reply, std::mt19937&) { reply.body = "<!DOCTYPE html><html>sorry</html>"; },
};

} // namespace

TEST_CASE("whatever a server does, a file is right or not there, and the next download is right")
{
    std::mt19937 random(7);
    int recovered = 0; // within one download
    int told = 0;      // by a message, and right at a later one
    for (int i = 0; i < interruptions(); ++i) {
        const std::string content = random_bytes(random, 20'000 + random() % 200'000);
        const Fault spoil = faults[static_cast<std::size_t>(i) % std::size(faults)];
        const std::size_t broken_answers = 1 + random() % 5;
        std::mt19937 server_random(random());
        std::mutex mutex;
        FaultServer server([&](const Request& request) {
            const std::scoped_lock lock(mutex);
            Reply reply;
            reply.body = content;
            if (request.number < broken_answers) {
                reply.knows_ranges = server_random() % 4 != 0;
                spoil(reply, server_random);
            }
            return reply;
        });
        const test::ScratchFolder scratch;
        const auto file = scratch / "file";
        data::DownloadPolicy policy;
        policy.first_pause = 1ms;
        policy.attempts = 3;
        policy.limits.stall = 1s;
        test::SilentObserver observer;
        const std::string checksum = data::sha256(content);
        const auto start = std::chrono::steady_clock::now();
        bool arrived = false;
        int downloads = 0;
        for (; !arrived && downloads < 8; ++downloads) { // the server runs out of faults
            arrived = data::download({server.url("/file"), content.size(), checksum, false}, file,
                                     policy, observer)
                          .empty();
            CHECK(arrived == std::filesystem::exists(file));
        }
        CHECK(std::chrono::steady_clock::now() - start < 60s);
        REQUIRE(arrived);
        CHECK(base::read_file(file) == content);
        ++(downloads == 1 ? recovered : told);
    }
    std::cout << interruptions() << " broken transfers: " << recovered
              << " recovered by themselves, " << told << " ended in a message first\n";
}

TEST_CASE("a download that is killed at any moment leaves no half file under its name")
{
    std::mt19937 random(11);
    const std::string content = random_bytes(random, 4'000'000);
    const std::string checksum = data::sha256(content);
    FaultServer server([&](const Request&) {
        Reply reply;
        reply.body = content;
        return reply;
    });
    const auto program = test::binary_dir() / "download_once";
    int whole = 0;
    for (int i = 0; i < interruptions(); ++i) {
        const test::ScratchFolder scratch;
        const auto file = scratch / "file";
        const std::string command =
            fmt::format("s {} {} {} {} {}", test::quoted(program), server.url("/file"),
                        test::quoted(file), content.size(), checksum);
        for (int kills = 0; kills < 3; ++kills) {
            test::shell("timeout --foreground -s KILL " +
                        std::to_string(0.04 * static_cast<double>(random()) / 4294967296.0) +
                        command);
            if (std::filesystem::exists(file))
                CHECK(base::read_file(file) == content);
        }
        whole += std::filesystem::exists(file) ? 1 : 0;
        test::SilentObserver observer;
        CHECK(data::download({server.url("/file"), content.size(), checksum, false}, file, {},
                             observer)
                  .empty());
        CHECK(base::read_file(file) == content);
    }
    std::cout << interruptions() << " downloads killed three times each: " << whole
              << " were whole before the last kill\n";
}
