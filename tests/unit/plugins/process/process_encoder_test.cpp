#include "process/process_encoder.hpp"
#include "support/plugin_harness.hpp"
#include "support/support.hpp"

namespace {

namespace test = senteval::test;
using senteval::process::ProcessEncoder;
using test::PluginFailure;
using test::PluginHarness;

const std::string fake =
    "/usr/bin/python3 " +
    test::quoted(test::source_dir() / "tests/unit/plugins/process/fake_client.py") + " ";

PluginHarness make(const std::string& how, std::vector<test::Parameter> more = {})
{
    more.push_back({"command", fake + "'" + how + "'"});
    if (std::ranges::none_of(more, [](const auto& one) { return one.key == "processes"; }))
        more.push_back({"processes", 1});
    return PluginHarness::of<ProcessEncoder>(more);
}

/// What the encoder says when it fails to encode two sentences, or to start.
std::string failure(const std::string& how, std::vector<test::Parameter> more = {})
{
    return test::error_of<PluginFailure>([&] {
        return make(how, std::move(more)).encode(std::vector<std::string>{"one", "three"});
    });
}

} // namespace

TEST_CASE("a client's rows come back in the order of the sentences")
{
    const auto encoder = make("behaves");
    CHECK(encoder.dimension() == 3);
    const auto rows = encoder.encode({"one", "", std::string("a\0b\n", 4), "h\xc3\xa9"});
    for (const auto& [row, bytes] : {std::pair{0U, 3.0F}, {1U, 0.0F}, {2U, 4.0F}, {3U, 3.0F}})
        CHECK(rows[row][0] == bytes);
    CHECK(rows[0][1] == 4);
    CHECK(encoder.encode(std::vector<std::string>{}).empty());
    std::vector<std::string> large(20000, std::string(100, 'x')); // more than any pipe holds
    CHECK(encoder.encode(large).back()[0] == 100);
}

TEST_CASE("a role is told to a client that takes it, and what is no list of tokens to every client")
{
    const auto last_request = [](const PluginHarness& encoder) {
        const auto lines = encoder.host().messages(SENTEVAL_LOG_INFO);
        REQUIRE(!lines.empty());
        return lines.back();
    };
    using senteval::sdk::Role;
    const auto taking = make("takes roles");
    (void)taking.encode("one");
    for (const auto& [role, told] : {std::pair{Role::query, R"("role":"query","tokenised":false})"},
                                     {Role::document, R"("role":"document","tokenised":false})"},
                                     {Role::as_is, R"("tokenised":false})"}}) {
        (void)taking.encode_as(role, {"one"}); // after it the line before is logged
        CHECK(last_request(taking).ends_with(R"("bytes":7,)" + std::string(told)));
    }
    (void)taking.encode("one");
    CHECK(test::contains(last_request(taking), R"("bytes":7})"));
    const auto other = make("logs requests");
    (void)other.encode_as(Role::query, {"one"});
    CHECK(test::contains(last_request(other), R"("bytes":7,"tokenised":false})"));
}

TEST_CASE("a client that breaks the protocol is told what it was asked and what it did")
{
    const std::vector<std::pair<std::string, std::string>> expected = {
        {"dies at hello", "status 7; its standard error ends in: there is no model"},
        {"prints first", "asked to say hello: it answered \"Loading the model...\""},
        {"another protocol", "protocol 2, and this program speaks 1"},
        {"no protocol", "protocol null, and this program speaks 1"},
        {"no name", "\"name\""},
        {"no dimension", "\"dimension\" must be 1 to"},
        {"dimension 0", "\"dimension\" must be 1 to"},
        {"dimension of the world", "\"dimension\" must be 1 to"},
        {"per task without prepare", "\"dimension\" must be 1 to"},
        {"reranks unprepared", "needs \"prepare\""},
        {"exits",
         "(the first \"one\", the longest \"three\"): it ended with status 3; its standard error "
         "ends in: first line | second \\x1b[31mline\\x07"},
        {"exits without a word",
         "(the first \"one\", the longest \"three\"): it ended with status 0"},
        {"crashes", "SIGSEGV"},
        {"writes garbage", "\"\\xff\\x00 what?\""},
        {"writes no line", "\"xxxxxxxx"},
        {"nests deeply", "64 levels deep"},
        {"writes a list", "\"[1, 2]\""},
        {"gives another count", "{\"dimension\":3,\"rows\":1}"},
        {"gives another dimension", "{\"dimension\":4,\"rows\":2}"},
        {"announces too much",
         "1152921504606846976 bytes of numbers, and 2 rows of dimension 3 have 24"},
        {"ends in the middle", "status 0, after "},
        {"gives NaN", "element 3 of 3 of the vector of \"three\" is nan"},
        {"gives infinity", "element 1 of 3 of the vector of \"one\" is inf"},
        {"says an error",
         "2 sentences (the first \"one\", the longest \"three\"), says: no \\x07 such word"},
    };
    for (const auto& broken : expected) {
        const auto& [how, words] = broken;
        CAPTURE(broken.first);
        const std::string message = failure(how);
        CHECK(test::contains(message, {words, fake + "'" + how + "'"}));
    }
}

TEST_CASE("a client that writes without end and reads nothing fills no memory")
{
    const auto encoder = make("floods");
    CHECK_ERROR(PluginFailure, "and did not read its request",
                encoder.encode(std::vector<std::string>(20000, std::string(100, 'x'))));
}

TEST_CASE("a client that stalls is ended at the limit")
{
    // Where the machine is busy, that may be its start already.
    CHECK(test::contains(failure("stalls", {{"stall_seconds", 1.0}}),
                         "for 1 s (parameter 'stall_seconds')"));
    CHECK(test::contains(failure("closes its output"), "did not end within 2 s"));
    // Time enough for its start.
    CHECK(test::contains(failure("stalls in a line", {{"stall_seconds", 8.0}}),
                         "for 8 s (parameter 'stall_seconds'), after \"\\x01no line\""));
}

TEST_CASE("a client that fails one call is replaced for the next, one that says an error goes on")
{
    const auto dying = make("exits");
    CHECK_THROWS_AS((void)dying.encode("a"), PluginFailure);
    CHECK_ERROR(PluginFailure, "status 3", dying.encode("a"));
    const auto saying = make("says an error");
    CHECK_THROWS_AS((void)saying.encode("a"), PluginFailure);
    CHECK_ERROR(PluginFailure, "says: no", saying.encode("a"));
}

TEST_CASE("a client may want to be prepared, and tell its dimension then")
{
    auto encoder = make("per task", {{"processes", 2}});
    CHECK_ERROR(PluginFailure, "when it is prepared", encoder.dimension());
    encoder.prepare({"a", "b", "c", "d"});
    CHECK(encoder.dimension() == 4);
    CHECK(encoder.encode("a") == std::vector<float>(4, 1));
    encoder.prepare({"a", "b"});
    CHECK(encoder.encode("a") == std::vector<float>(2, 1));

    auto plain = make("prepares");
    plain.prepare({"a"});
    CHECK(plain.encode("abc")[0] == 3);
    auto changing = make("changes dimension");
    CHECK_ERROR(PluginFailure, "\"dimension\" must be 3", changing.prepare({"a"}));
    auto dying = make("dies in prepare", {{"processes", 2}});
    CHECK_ERROR(PluginFailure,
                "asked to prepare for Test with 1 sentence (\"a\"): it ended with status 9",
                dying.prepare({"a"}));
}

TEST_CASE("clients work side by side")
{
    const auto encoder = make("behaves", {{"processes", 3}});
    std::vector<std::thread> threads;
    std::vector<int> good(8);
    for (std::size_t i = 0; i < good.size(); ++i)
        threads.emplace_back([&, i] {
            for (int repeat = 0; repeat < 20; ++repeat)
                good[i] +=
                    encoder.encode(std::string(i + 1, 'x'))[0] == static_cast<float>(i + 1) ? 1 : 0;
        });
    for (std::thread& thread : threads)
        thread.join();
    CHECK(good == std::vector<int>(8, 20));
}

TEST_CASE("what a client writes to its standard error is logged line by line")
{
    const auto encoder = make("logs");
    (void)encoder.encode("a");
    (void)encoder.encode("b");
    const auto lines = encoder.host().messages(SENTEVAL_LOG_INFO);
    for (const std::string words : {"half a line", "50%", "100%"}) {
        CAPTURE(words);
        CHECK(std::ranges::count_if(lines, [&](const std::string& line) {
                  return line.starts_with("'") && line.ends_with("' says: " + words);
              }) == 2);
    }
    std::size_t bytes = 0;
    for (const std::string& line : lines)
        bytes += line.size();
    CHECK(bytes >= 200000);
}

TEST_CASE("a call that is cancelled ends its client")
{
    auto encoder = make("stalls");
    encoder.cancel();
    CHECK(test::status_of([&] { return encoder.encode("a"); }) == SENTEVAL_CANCELLED);
}

TEST_CASE("no process is left")
{
    senteval::sdk::adopt_orphans();
    const test::ScratchFolder scratch;
    {
        const auto encoder = PluginHarness::of<ProcessEncoder>(
            {{"command",
              "sh -c 'sleep 3600 & first=$!; setsid env -i sleep 3600 & echo $$ $first $! > pids; "
              "exec /usr/bin/python3 \"$0\" behaves' " +
                  test::quoted(test::source_dir() / "tests/unit/plugins/process/fake_client.py")},
             {"folder", scratch.path().string()},
             {"processes", 1}});
        CHECK(encoder.encode("ab")[0] == 2);
    }
    // The client is reaped; what it started itself may stay a zombie of whoever adopts such.
    test::shell(0,
                "read client others <" + test::quoted(scratch / "pids") +
                    "\n"
                    "[ ! -e /proc/$client ] || exit 1\n"
                    "for other in $others; do\n"
                    "    [ -e /proc/$other/stat ] && ! grep -q ') Z' /proc/$other/stat && exit 2\n"
                    "done\n"
                    "exit 0");
}

TEST_CASE("capabilities are those that the client claims")
{
    const auto capabilities = [](const std::string& how, int processes) {
        const test::FakeHost host;
        const test::FakeCall call;
        const std::string command = fake + "'" + how + "'";
        const std::vector<senteval_param> params = {
            {senteval::sdk::to_c("command"),
             {SENTEVAL_TYPE_STRING, 0, {.string = senteval::sdk::to_c(command)}}},
            {senteval::sdk::to_c("processes"), {SENTEVAL_TYPE_INTEGER, 0, {.integer = processes}}}};
        senteval::sdk::Call inner(call.c());
        const ProcessEncoder encoder(
            {host.sdk(), senteval::sdk::Params(params.data(), params.size()), inner});
        return encoder.capabilities();
    };
    CHECK(capabilities("behaves", 1) == SENTEVAL_CAP_BATCH_INVARIANT);
    CHECK(capabilities("depends on the batch", 2) == SENTEVAL_CAP_CONCURRENT_BATCHER);
    CHECK(capabilities("keeps all", 2) ==
          (SENTEVAL_CAP_CONCURRENT_BATCHER | SENTEVAL_CAP_BATCH_INVARIANT |
           SENTEVAL_CAP_DETERMINISTIC));
}

TEST_CASE("parameters out of range are refused")
{
    CHECK_ERROR(PluginFailure, "must be 0 to 256", make("behaves", {{"processes", -1}}));
    for (const double seconds : {-0.5, 1e7})
        CHECK_ERROR(PluginFailure, "must be 0 to 1e+06",
                    make("behaves", {{"stall_seconds", seconds}}));
    CHECK_ERROR(PluginFailure, "there is no '/none/such'",
                make("behaves", {{"files", "/none/such"}}));
    CHECK_ERROR(PluginFailure, "there is no folder /none/such",
                make("behaves", {{"folder", "/none/such"}}));
}
