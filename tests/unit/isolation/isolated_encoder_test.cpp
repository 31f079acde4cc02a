#include "isolation/isolated_encoder.hpp"

#include "base/error.hpp"
#include "encoder/parameters.hpp"
#include "support/support.hpp"

using namespace senteval;
using isolation::IsolatedEncoder;

namespace {

const std::string culprit = "a zebra has stripes";

/// The encoder that does `fault` in `function` where a sentence has "zebra" in it.
std::unique_ptr<IsolatedEncoder>
make(const std::string& fault, const std::string& function, unsigned threads)
{
    static const auto plugin =
        encoder::Plugin::load(test::binary_dir() / "tests/bad_plugins/faults.so");
    const senteval_encoder& table = plugin->encoder("");
    encoder::Identity identity;
    identity.label = "faults";
    isolation::Service service;
    service.program = {(test::program_file()).string()};
    service.threads = threads;
    return std::make_unique<IsolatedEncoder>(
        service, *plugin, table,
        encoder::check_settings(table, {encoder::parse_setting("fault=" + fault),
                                        encoder::parse_setting("in=" + function),
                                        encoder::parse_setting("word=zebra")}),
        identity, encoder::Logger(), encoder::CallContext());
}

std::string failure_to_encode(IsolatedEncoder& encoder, const std::string& sentence)
{
    const text::Sentence batch{sentence};
    std::vector<float> row(encoder.dimension());
    return test::error_of<base::Error>([&] { encoder.encode({&batch, 1}, row.data(), {}); });
}

std::vector<text::Sentence> sentences_of(const std::vector<std::string>& texts)
{
    std::vector<text::Sentence> sentences;
    for (const std::string& text : texts)
        sentences.push_back({text});
    return sentences;
}

std::string failure_to_prepare(IsolatedEncoder& encoder, const std::vector<std::string>& texts)
{
    return test::error_of<base::Error>([&] { encoder.prepare("Task", sentences_of(texts), {}); });
}

} // namespace

TEST_CASE(
    "of calls on many threads, a crash fails the one that does it, and further calls are answered")
{
    constexpr std::size_t threads = 6;
    constexpr std::size_t rounds = 30;
    const auto encoder = make("segv", "batcher", threads);
    encoder->prepare("Task", {}, {});
    const std::size_t dimension = encoder->dimension();
    std::vector<std::vector<std::string>> failures(threads);
    {
        std::vector<std::jthread> workers;
        for (std::size_t t = 0; t < threads; ++t)
            workers.emplace_back([&, t] {
                std::vector<float> row(dimension);
                for (std::size_t i = 0; i < rounds; ++i) {
                    const bool is_guilty = t == i % threads && i % 10 == 3;
                    const std::string sentence = is_guilty ? culprit : "a cat sleeps";
                    const text::Sentence batch{sentence};
                    try {
                        encoder->encode({&batch, 1}, row.data(), {});
                        failures[t].emplace_back();
                    } catch (const base::Error& e) {
                        failures[t].emplace_back(e.what());
                    }
                }
            });
    }
    std::size_t answered = 0;
    for (std::size_t t = 0; t < threads; ++t)
        for (std::size_t i = 0; i < rounds; ++i) {
            CAPTURE(t);
            CAPTURE(i);
            const bool is_guilty = t == i % threads && i % 10 == 3;
            CAPTURE(failures[t][i]);
            // A call that was at work beside it may fail, too: the process was theirs in common.
            if (is_guilty)
                CHECK_FALSE(failures[t][i].empty());
            if (!failures[t][i].empty())
                CHECK((test::is_sanitized || test::contains(failures[t][i], "SIGSEGV")));
            answered += failures[t][i].empty() ? 1U : 0U;
        }
    CHECK(answered > threads * rounds / 2);
}

TEST_CASE("a crash in prepare() fails that call, and the encoder goes on")
{
    const auto encoder = make("segv", "prepare", 1);
    std::vector<std::string> texts(40, "a cat sleeps");
    CHECK(failure_to_prepare(*encoder, texts).empty());
    texts[27] = culprit;
    const std::string why = failure_to_prepare(*encoder, texts);
    CHECK(test::contains(why, "in prepare()"));
    texts.assign(2, "a cat sleeps"); // and it goes on
    CHECK(failure_to_prepare(*encoder, texts).empty());
    CHECK(failure_to_encode(*encoder, "a dog").empty());
}
