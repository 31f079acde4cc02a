// Transfers that are interrupted at random: SENTEVAL_INTERRUPTIONS of them, 20 by default.
#include "base/error.hpp"
#include "base/files.hpp"
#include "data/download.hpp"
#include "data/sha256.hpp"
#include "fault_server.hpp"
#include "silent_observer.hpp"
#include "support/support.hpp"

#include <doctest/doctest.h>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <random>
#include <thread>

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

enum class Fault {
    cut,
    stall,
    short_length,
    long_length,
    other_bytes,
    missing,
    busy,
    loop,
    drip,
    page
};
constexpr int faults = 10;

Reply faulty(Fault fault, const std::string& content, std::mt19937& random)
{
    Reply reply;
    reply.body = content;
    reply.knows_ranges = random() % 4 != 0;
    switch (fault) {
    case Fault::cut:
        reply.send_only = random() % content.size();
        break;
    case Fault::stall:
        reply.send_only = random() % content.size();
        reply.afterwards = Reply::Afterwards::stall;
        break;
    case Fault::short_length:
        reply.declared_length = random() % content.size();
        break;
    case Fault::long_length:
        reply.declared_length = content.size() + 1 + random() % 1'000;
        break;
    case Fault::other_bytes:
        reply.body[random() % content.size()] ^= 1;
        break;
    case Fault::missing:
        reply.status = 404;
        break;
    case Fault::busy:
        reply.status = 503;
        break;
    case Fault::loop:
        reply.status = 302;
        reply.location = "/file";
        break;
    case Fault::drip:
        reply.drip = 5ms;
        break;
    case Fault::page:
        reply.body = "<!DOCTYPE html><html>sorry</html>";
        break;
    }
    return reply;
}

/// Ends at a random time, long before or after it would by itself.
void run_and_kill(const std::array<std::string, 5>& command, std::chrono::microseconds after)
{
    std::array<char*, 6> arguments{};
    for (std::size_t i = 0; i < command.size(); ++i)
        arguments[i] = const_cast<char*>(command[i].c_str());
    pid_t child = 0;
    REQUIRE(posix_spawn(&child, command[0].c_str(), nullptr, nullptr, arguments.data(), environ) ==
            0);
    std::this_thread::sleep_for(after);
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
}

} // namespace

TEST_CASE("whatever a server does, a file is right or not there, and the next download is right")
{
    std::mt19937 random(7);
    int recovered = 0; // within one download
    int told = 0;      // by a message, and right at a later one
    for (int i = 0; i < interruptions(); ++i) {
        const std::string content = random_bytes(random, 20'000 + random() % 200'000);
        const auto fault = static_cast<Fault>(i % faults);
        const std::size_t broken_answers = 1 + random() % 5;
        std::mt19937 server_random(random());
        std::mutex mutex;
        FaultServer server([&](const Request& request) {
            const std::scoped_lock lock(mutex);
            Reply good;
            good.body = content;
            return request.number < broken_answers ? faulty(fault, content, server_random) : good;
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
    const std::string program = (test::binary_dir() / "download_once").string();
    int whole = 0;
    for (int i = 0; i < interruptions(); ++i) {
        const test::ScratchFolder scratch;
        const auto file = scratch / "file";
        const std::array<std::string, 5> command = {program, server.url("/file"), file.string(),
                                                    std::to_string(content.size()), checksum};
        for (int kills = 0; kills < 3; ++kills) {
            run_and_kill(command, std::chrono::microseconds(random() % 40'000));
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
