#include "http/embeddings.hpp"
#include "http/http_encoder.hpp"
#include "support/plugin_harness.hpp"
#include "support/support.hpp"

#include <csignal>
#include <cstdio>

namespace {

namespace http = senteval::http;
namespace test = senteval::test;
using test::PluginFailure;
using test::PluginHarness;
using Texts = std::vector<std::string>;

/// fake_server.py, for as long as these tests run.
class FakeServer {
public:
    static const FakeServer& get()
    {
        static const FakeServer server;
        return server;
    }
    FakeServer(const FakeServer&) = delete;
    FakeServer& operator=(const FakeServer&) = delete;
    ~FakeServer()
    {
        kill(process_, SIGKILL);
        pclose(output_);
    }

    [[nodiscard]] std::string url(const std::string& path) const
    {
        return "http://127.0.0.1:" + std::to_string(port_) + path;
    }

private:
    FakeServer()
    {
        setenv("no_proxy", "*", 1);
        const auto script = test::source_dir() / "tests/unit/plugins/http/fake_server.py";
        output_ = popen(("exec /usr/bin/python3 " + test::quoted(script)).c_str(), "r");
        int other = 0;
        if (output_ == nullptr || std::fscanf(output_, "%d %d %d", &port_, &other, &process_) != 3)
            throw std::runtime_error("the fake server does not start");
    }

    FILE* output_ = nullptr;
    int port_ = 0;
    int process_ = 0;
};

PluginHarness make(const std::string& path, std::vector<test::Parameter> more = {})
{
    const auto add = [&](const char* key, auto value) {
        if (std::ranges::none_of(more, [&](const auto& one) { return one.key == key; }))
            more.push_back({key, value});
    };
    add("url", FakeServer::get().url(path));
    add("model", std::string("m"));
    add("backoff_seconds", 0.01);
    add("longest_wait", 0.05);
    return PluginHarness::of<http::HttpEncoder>(more);
}

/// What the encoder says when it fails to encode three sentences, or to start.
std::string failure(const std::string& path, std::vector<test::Parameter> more = {})
{
    return test::error_of<PluginFailure>([&] {
        return make(path, std::move(more)).encode(Texts{"a", "bb", "ccc"});
    });
}

/// How often the fake server was asked for a path.
float requests_of(const std::string& path)
{
    return make("/numbers", {{"model", path}}).encode(std::string("x"))[0];
}

} // namespace

TEST_CASE("a server's vectors come back in the order of the sentences")
{
    for (const char* encoding : {"float", "base64"})
        for (const char* path : {"/good", "/shuffled"}) {
            CAPTURE(encoding);
            CAPTURE(path);
            auto encoder =
                make(path, {{"encoding", std::string(encoding)}, {"batch", 2}, {"parallel", 3}});
            CHECK(encoder.dimension() == 3);
            const auto rows = encoder.encode(
                Texts{"a", "", "bb\n\"", std::string("\0", 1), "h\xc3\xa9", "dddd", "eeeee"});
            const std::vector<float> sizes = {1, 0, 4, 1, 3, 4, 5};
            for (std::size_t i = 0; i < rows.size(); ++i)
                CHECK(rows[i][0] == sizes[i]);
            CHECK(rows[5][2] == 0); // fifth of what is asked for, first of the third request
            CHECK(encoder.encode(Texts{}).empty());
            CHECK(encoder.encode(Texts{""}) == test::Rows{{0, 0, 0}});
        }
    CHECK(make("/good", {{"dimensions", 2}}).dimension() == 2);
    CHECK(make("/good").encode(Texts(1000, "many"))[999][0] == 4);
}

TEST_CASE("a server's scores of documents come back in their order")
{
    const Texts documents = {"b", "a", "", "aa ba", std::string(3000, '\x01'), "aa"};
    for (const char* path :
         {"/score/good/v1/rerank", "/score/good/rerank", "/score/good/v2/rerank/",
          "/score/flaky/v1/rerank?x=1", "/score/good/reranking"}) {
        CAPTURE(path);
        const float below =
            std::string(path) == "/score/good/rerank" ? 100.0F : 0.0F; // that is TEI's
        auto encoder = make(path, {{"batch", 2}, {"parallel", 3}});
        CHECK(encoder.dimension() == 1);
        CHECK_ERROR(PluginFailure, "query first", encoder.encode(documents));
        encoder.prepare({"a"});
        const test::Rows rows = encoder.encode(documents);
        const std::vector<float> counts = {0, 1, 0, 3, 0, 2};
        for (std::size_t i = 0; i < rows.size(); ++i)
            CHECK(rows[i] == std::vector{counts[i] - below});
        encoder.prepare({"b"});
        CHECK(encoder.encode(Texts{"b"}) == test::Rows{{1 - below}});
        CHECK(encoder.encode(Texts{}).empty());
        CHECK_ERROR(PluginFailure, "one query", encoder.prepare({"a", "b"}));
    }
    CHECK(http::rerank_api_of("http://x/rerank") == http::RerankApi::tei);
    CHECK_FALSE(http::rerank_api_of("http://rerank/v1/embeddings"));
    CHECK(make("/good", {{"api", std::string("embeddings")}}).dimension() == 3);
    auto told = make("/score/good/odd", {{"api", std::string("rerank")}});
    told.prepare({"a"});
    CHECK(told.encode(std::string("aa"))[0] == 2);
    CHECK_FALSE(test::error_of<PluginFailure>([] {
                    return make("/good", {{"api", "odd"}});
                }).empty());
    CHECK_FALSE(test::error_of<PluginFailure>([] { return make("/good/v1/rerank"); }).empty());
    for (const char* how : {"fewer", "twice", "beyond", "unnumbered", "nan", "null", "huge",
                            "unscored", "list", "texts"})
        for (const char* form : {"/v1/rerank", "/rerank"}) {
            const std::string path = std::string("/score/") + how + form;
            auto encoder = make(path);
            encoder.prepare({"a"});
            CHECK_ERROR(PluginFailure, FakeServer::get().url(path) + ": ",
                        encoder.encode(Texts{"a", "b", "c"}));
        }
}

TEST_CASE("an answer that is none is refused by its address")
{
    for (const char* path :
         {"/fewer",        "/more",        "/twice",       "/unnumbered",   "/beyond",
          "/negative",     "/vector/nan",  "/vector/null", "/vector/huge",  "/vector/short",
          "/vector/empty", "/vector/text", "/vector/none", "/body/garbage", "/body/list",
          "/body/object",  "/body/error",  "/body/deep",   "/body/empty",   "/body/number",
          "/endless"})
        CHECK(test::contains(failure(path), FakeServer::get().url(path) + ": "));
    const test::Parameter base64{"encoding", std::string("base64")};
    for (const char* path :
         {"/vector/text", "/vector/odd", "/width/d", "/width/e"}) // read as float32
        CHECK_FALSE(failure(path, {base64}).empty());
    CHECK_FALSE(failure("/good", {{"dimensions", 7}}).empty());
}

TEST_CASE("a refusal names URL, status and the server's words, and is not tried again")
{
    const std::string message = failure("/status/400");
    CHECK(message == FakeServer::get().url("/status/400") +
                         ": the server answered 400: \"no such model \\x07\"");
    CHECK(test::contains(failure("/status/404"), "the whole address"));
    CHECK(test::contains(failure("/status/401"), "'key_env' names"));
    const std::string plain = failure("/plain/403");
    CHECK(test::contains(plain, "\"\\x00<h1>Proxy</h1>\\xff"));
    CHECK(plain.size() < 1000);
    CHECK(test::contains(failure("/moved/round"), "redirects"));
}

TEST_CASE("a busy server and a broken connection get further attempts")
{
    for (const char* path :
         {"/flaky/429/2/a", "/flaky/500/2/b", "/flaky/503/2/c", "/flaky/429/2/d/1",
          "/flaky/429/2/e/date", "/flaky/429/2/f/99999999", "/flaky/429/2/g/soon", "/cut/2/h",
          "/header/2/n", "/hangup/2/i", "/truncated/2/l"}) {
        CAPTURE(path);
        const auto encoder = make(path);
        CHECK(encoder.encode(std::string("four"))[0] == 4);
        CHECK(requests_of(path) == 4); // two in vain, the first answer, the sentence
        CHECK(encoder.host().warnings("attempt 3 of 6") == 1);
    }
    const std::string message = failure("/flaky/503/99/j", {{"retries", 2}});
    CHECK(test::contains(message, "the server answered 503: \"busy\", at the last of 3 attempts"));
    CHECK(requests_of("/flaky/503/99/j") == 3);
    CHECK(test::contains(
        failure("/truncated/99/m", {{"retries", 1}}),
        "the server gave an answer that is cut off after 44 bytes; its answer begins with"));
    CHECK(requests_of("/truncated/99/m") == 2);
    CHECK(failure("/flaky/503/99/k", {{"retries", 0}}) ==
          FakeServer::get().url("/flaky/503/99/k") + ": the server answered 503: \"busy\"");
}

TEST_CASE("Retry-After is waited for, up to the longest wait")
{
    const auto encoder = make("/flaky/429/1/waits/7", {{"longest_wait", 0.2}});
    CHECK(encoder.host().warnings("attempt 2 of 6 in 0.2 s") == 1);
    const auto short_wait = make("/flaky/429/1/short/1", {{"longest_wait", 60.0}});
    CHECK(short_wait.host().warnings("attempt 2 of 6 in 1 s") == 1);
}

TEST_CASE("of several failures the first in the order of the sentences is told")
{
    const Texts sentences = {"a", "bad first", "b", "bad second", "bad third", "c"};
    for (int repeat = 0; repeat < 3; ++repeat)
        CHECK_ERROR(PluginFailure,
                    "the server answered 400: \"bad first\"; asked for 1 sentence (\"bad first\")",
                    make("/third", {{"batch", 1}, {"parallel", 6}}).encode(sentences));
    CHECK_ERROR(PluginFailure,
                "; asked for 2 sentences (the first \"bad e\", the longest \"bad e\")",
                make("/third", {{"batch", 4}}).encode({"a", "b", "b c", "d", "bad e", "f"}));
}

TEST_CASE(
    "a server that stalls is given up at the limit, and a call that is cancelled ends at once")
{
    const std::string message = failure("/stall", {{"request_seconds", 1}, {"retries", 0}});
    CHECK(test::contains(
        message, {"imed out",
                  "(of each attempt: connect_seconds 10, stall_seconds 300, request_seconds 1)"}));
    auto encoder = make("/stall");
    encoder.cancel();
    CHECK(test::status_of([&] { return encoder.encode("a"); }) == SENTEVAL_CANCELLED);
}

TEST_CASE("answers in chunks and compressed answers are read, within bounds")
{
    for (const char* path : {"/chunked", "/gzip"})
        CHECK(make(path).encode(Texts{"a", "bb"})[1][0] == 2);
    CHECK(test::contains(failure("/bomb"), "the server's answer is larger than"));
}

TEST_CASE("a proxy of the environment is not asked for a server of this machine")
{
    unsetenv("no_proxy");
    setenv("http_proxy", "http://127.0.0.1:1", 1);
    const auto row = make("/good").encode(std::string("abc"));
    unsetenv("http_proxy");
    setenv("no_proxy", "*", 1);
    CHECK(row[0] == 3);
}

TEST_CASE("a server that is not there is told at once")
{
    const std::string message =
        failure("", {{"url", std::string("http://127.0.0.1:1/v1/embeddings")}});
    CHECK(test::contains(message, "http://127.0.0.1:1/v1/embeddings: "));
    CHECK(!test::contains(message, "attempt"));
}

TEST_CASE("a key is hidden in part and escaped, too")
{
    setenv("SENTEVAL_TEST_KEY", "sk-Secret/1+2Secret3", 1);
    const http::Secret secret("SENTEVAL_TEST_KEY");
    unsetenv("SENTEVAL_TEST_KEY");
    CHECK(secret.without("<sk-Secret/1+2Secret3>") == "<[key]>");
    CHECK(secret.without("sk-Secret\\/1+2Secret3") == "[key]\\[key]");
    CHECK(secret.without("sk-Secret%2F1%2B2Secret3") == "[key]%2F1%2B[key]");
    CHECK(secret.without("sk-Secre***ecret3") == "[key]***ecret3");
    CHECK(secret.without("sk-S Secret") == "sk-S Secret");
    CHECK(http::Secret().without("sk-Secret") == "sk-Secret");
}

TEST_CASE("the key goes to its server and nowhere else")
{
    const std::string key = "sk-Secret/1+2";
    setenv("SENTEVAL_TEST_KEY", key.c_str(), 1);
    const test::Parameter with_key = {"key_env", std::string("SENTEVAL_TEST_KEY")};
    CHECK(make("/good").encode(std::string("a"))[1] == 0);
    CHECK(make("/good", {with_key}).encode(std::string("a"))[1] == 1);
    CHECK(make("/moved/here", {with_key}).encode(std::string("a"))[1] == 1);
    CHECK(make("/moved/there", {with_key}).encode(std::string("abc")) ==
          std::vector<float>{3, 0, 0});

    for (const char* path : {"/echo/401", "/echo/503"}) {
        const std::string message = failure(path, {with_key, {"retries", 1}});
        CHECK(test::contains(message, "Incorrect API key provided: Bearer [key]"));
        CHECK(!test::contains(message, key));
    }
    for (const char* value : {"two words", "two\nlines", "two\r\nX-Header: words"}) {
        setenv("SENTEVAL_TEST_KEY", value, 1);
        const std::string message = failure("/good", {with_key});
        CHECK(test::contains(message, "SENTEVAL_TEST_KEY holds no API key"));
        CHECK(!test::contains(message, "two"));
    }
    setenv("SENTEVAL_TEST_KEY", (key + "\n").c_str(), 1); // as a file ends
    CHECK(make("/good", {with_key}).encode(std::string("a"))[1] == 1);
    unsetenv("SENTEVAL_TEST_KEY");
    CHECK(test::contains(failure("/good", {with_key}), "SENTEVAL_TEST_KEY is not set"));
    CHECK(!test::contains(failure("/good", {{"key_env", std::string("sk-given-by-mistake")}}),
                          "mistake"));
}

TEST_CASE("addresses that no key or request should go to are refused")
{
    const std::vector<std::pair<std::string, std::string>> expected = {
        {"127.0.0.1:8080", "must begin with http://"},
        {"file:///etc/passwd", "must begin with http://"},
        {"http://user:password@127.0.0.1/", "holds a password"},
        {"https://here.example/v1?deployment=a&Api-Key=abc", "or a key"},
        {"https://here.example/v1?key=abc", "or a key"},
        {"http:///v1", "names no host"},
        {"http://a b/", "holds a space"},
    };
    for (const auto& [url, words] : expected) {
        const std::string message = failure("", {{"url", url}});
        CHECK(test::contains(message, words));
        CHECK(!test::contains(message, "password@"));
    }
    CHECK(test::contains(failure("/good", {{"batch", 0}}), "'batch' is 0; it must be 1 to 2048"));
    CHECK(test::contains(failure("/good", {{"encoding", std::string("text")}}),
                         "must be one of: float, base64"));
}
