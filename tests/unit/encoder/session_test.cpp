#include "base/error.hpp"
#include "encoder/plugin_encoder.hpp"
#include "encoder/session.hpp"
#include "support/plain_encoder.hpp"
#include "support/support.hpp"

#include <set>

using namespace senteval;
using encoder::CallContext;
using encoder::Session;
using encoder::SessionOptions;

namespace {

/// The vector of a sentence is (its bytes, its tokens). Remembers the batches it was given.
class Recorder : public test::PlainEncoder {
public:
    Recorder()
    {
        can.concurrent = true;
        named.label = "Recorder";
        named.fingerprint = "recorder";
    }
    std::vector<std::vector<std::string>> batches;
    std::vector<text::Role> roles; ///< of the batches
    std::vector<unsigned> budgets;
    std::size_t prepared = 0;
    std::function<void()> in_encode = [] {};
    bool prepares = false;
    std::function<void(std::vector<text::Sentence>&)>
        order; ///< in which it gives the rows; may be empty

    [[nodiscard]] bool has_prepare() const override { return prepares; }
    void
    prepare(std::string_view, std::span<const text::Sentence> samples, const CallContext&) override
    {
        prepared = samples.size();
    }
    void
    encode(std::span<const text::Sentence> batch, float* out, const CallContext& context) override
    {
        const std::lock_guard lock(mutex_);
        in_encode();
        batches.emplace_back();
        roles.push_back(batch.front().role);
        CHECK(
            std::ranges::all_of(batch, [&](const auto& one) { return one.role == roles.back(); }));
        budgets.push_back(context.thread_budget);
        std::vector<text::Sentence> rows(batch.begin(), batch.end());
        if (order)
            order(rows);
        for (const text::Sentence& sentence : rows) {
            batches.back().emplace_back(sentence.text);
            *out++ = static_cast<float>(sentence.text.size());
            *out++ = static_cast<float>(sentence.tokens);
        }
    }

private:
    std::mutex mutex_;
};

const std::vector<text::Sentence> sentences = {
    {"three of them", 3}, {"one", 1}, {"two words", 2}, {"one", 1}, {"", 0}};

SessionOptions batches_of(std::size_t size, unsigned threads = 1)
{
    SessionOptions options;
    options.batch_size = size;
    options.threads = threads;
    return options;
}

/// A session for a task of `announced`.
Session session_of(encoder::Encoder& encoder,
                   const SessionOptions& options,
                   std::span<const text::Sentence> announced = sentences)
{
    Session session(encoder, options);
    session.prepare("MR", announced);
    return session;
}

/// What a session says when the encoder of tests/abi/bad/runtime.c does `what`.
std::string failure_of(const std::string& what, bool always = false)
{
    const auto plugin = encoder::Plugin::load(test::binary_dir() / "tests/bad_plugins/runtime.so");
    encoder::Identity identity;
    identity.label = "Runtime";
    encoder::PluginEncoder encoder(plugin, plugin->encoder(""),
                                   {{"what", SENTEVAL_TYPE_STRING, what, true},
                                    {"always", SENTEVAL_TYPE_BOOLEAN, always, true}},
                                   identity, {}, {});
    const std::vector<text::Sentence> texts = {{"good", 1}, {"a bad one", 3}};
    return test::error_of<base::Error>([&] {
        Session session = session_of(encoder, batches_of(128), texts);
        (void)session.embed(texts);
    });
}

SessionOptions with(const encoder::EmbeddingCache& cache, std::size_t batch_size = 2)
{
    SessionOptions options = batches_of(batch_size);
    options.cache = &cache;
    return options;
}

} // namespace

TEST_CASE("equal sentences are encoded once, shorter ones first, and come back in the order asked")
{
    Recorder recorder;
    Session session = session_of(recorder, batches_of(2));
    CHECK(recorder.prepared == 5);
    const auto embeddings = session.embed(sentences);
    CHECK(recorder.batches ==
          std::vector<std::vector<std::string>>{{"", "one"}, {"two words", "three of them"}});
    const arma::fmat matrix = embeddings.matrix();
    CHECK(matrix.n_cols == 5);
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        CHECK(matrix(0, i) == float(sentences[i].text.size()));
        CHECK(matrix(1, i) == float(sentences[i].tokens));
    }
    CHECK(session.encoded() == 4);

    (void)session.embed(sentences); // all known by now
    CHECK(session.encoded() == 4);
    CHECK(recorder.batches.size() == 2);
}

TEST_CASE("sentences of different roles are never one sentence, nor in one batch")
{
    using enum text::Role;
    const std::vector<text::Sentence> mixed = {{"two words", 2, document}, {"one", 1, query},
                                               {"one", 1, document},       {"one", 1},
                                               {"one", 1, query},          {"third", 1, query}};
    Recorder recorder;
    Session session = session_of(recorder, batches_of(2), mixed);
    CHECK(session.embed(mixed).matrix().n_cols == 6);
    CHECK(recorder.batches ==
          std::vector<std::vector<std::string>>{{"one"}, {"one", "third"}, {"one", "two words"}});
    CHECK(recorder.roles == std::vector{none, query, document});
    CHECK(session.encoded() == 5);

    recorder.can.batch_invariant = false;
    recorder.batches.clear();
    recorder.roles.clear();
    Session in_order = session_of(recorder, batches_of(2), mixed);
    (void)in_order.embed(mixed);
    CHECK(recorder.batches == std::vector<std::vector<std::string>>{
                                  {"two words"}, {"one"}, {"one"}, {"one"}, {"one", "third"}});
    CHECK(recorder.roles == std::vector{document, query, document, none, query});
    in_order.project(embedding::ProjectionSettings{embedding::ProjectionKind::pca, 1});
    CHECK(in_order.embed(mixed).matrix().n_rows == 1); // of its own batches, one role each
    in_order.check_order();
}

TEST_CASE("the norm is the root mean square length of the vectors, each counted once")
{
    Recorder recorder;
    Session session = session_of(recorder, batches_of(2));
    CHECK(session.norm() == 0);
    (void)session.embed(sentences);
    CHECK(session.norm() ==
          doctest::Approx(std::sqrt((13 * 13 + 3 * 3 + 3 * 3 + 1 + 9 * 9 + 2 * 2) / 4.0)));
}

TEST_CASE("an encoder that is not batch-invariant gets every sentence, in order")
{
    Recorder recorder;
    recorder.can.batch_invariant = false;
    Session session = session_of(recorder, batches_of(3));
    CHECK(session.embed(sentences).matrix()(0, 3) == 3);
    CHECK(recorder.batches == std::vector<std::vector<std::string>>{
                                  {"three of them", "one", "two words"}, {"one", ""}});
    CHECK(session.encoded() == 5);
}

TEST_CASE("lists asked again are answered with the vectors they had, in whatever order")
{
    Recorder recorder;
    recorder.can.batch_invariant = false;
    Session session = session_of(recorder, batches_of(2));
    const std::span<const text::Sentence> all(sentences);
    const arma::fmat first = session.embed(all.first(3)).matrix();
    const arma::fmat last = session.embed(all.last(2)).matrix();
    for (int setting = 0; setting < 2; ++setting) {
        CHECK(arma::approx_equal(session.embed(all.last(2)).matrix(), last, "absdiff", 0));
        CHECK(arma::approx_equal(session.embed(all.first(3)).matrix(), first, "absdiff", 0));
    }
    CHECK(session.encoded() == 5);
    CHECK(recorder.batches == std::vector<std::vector<std::string>>{
                                  {"three of them", "one"}, {"two words"}, {"one", ""}});
}

TEST_CASE("a concurrent encoder is called from several threads, another one gets them itself")
{
    Recorder recorder;
    Session session = session_of(recorder, batches_of(1, 3));
    const arma::fmat with_three = session.embed(sentences).matrix();
    CHECK(recorder.batches.size() == 4);
    CHECK(recorder.budgets == std::vector<unsigned>{1, 1, 1, 1});

    Recorder serial;
    serial.can.concurrent = false;
    Session other = session_of(serial, batches_of(1, 3));
    const arma::fmat one_by_one = other.embed(sentences).matrix();
    CHECK(serial.budgets == std::vector<unsigned>{3, 3, 3, 3});
    CHECK(arma::approx_equal(with_three, one_by_one, "absdiff", 0));
}

TEST_CASE("progress counts sentences up to the last")
{
    Recorder recorder;
    SessionOptions options = batches_of(2);
    std::vector<std::size_t> seen;
    options.progress = [&](std::size_t done, std::size_t total) {
        CHECK(total == 4);
        seen.push_back(done);
    };
    Session session = session_of(recorder, options);
    (void)session.embed(sentences);
    CHECK(seen == std::vector<std::size_t>{2, 4});
}

TEST_CASE("vectors that are not finite or not written are named with encoder, task and sentence")
{
    CHECK(failure_of("nothing").empty());
    CHECK(test::contains(failure_of("nan"),
                         {"'Runtime'", "task MR", "\"a bad one\"", "element 2 of 3", " nan "}));
    CHECK(test::contains(failure_of("infinity"), {"\"a bad one\"", "element 2 of 3", " inf"}));
    CHECK(test::contains(failure_of("infinity", true), "\"good\""));
    CHECK(test::contains(failure_of("write_nothing"), {"\"good\"", "element 1 of 3", " nan "}));
}

TEST_CASE("failing calls are named with encoder and task")
{
    CHECK(test::contains(failure_of("error"), {"'Runtime'", "task MR", "2 sentences", "\"good\"",
                                               "the model is out of order"}));
    for (const auto& [what, words] : {std::pair{"prepare_error", "this task cannot be prepared"},
                                      {"dimension_error", "the dimension is unknown"},
                                      {"dimension_zero", "dimension 0"}})
        CHECK(test::contains(failure_of(what), {"'Runtime'", "task MR", "preparing", words}));
    CHECK(test::contains(failure_of("dimension_changes"), {"while encoding", "3 and ", " 4"}));
}

TEST_CASE("a long sentence is cut between characters where a message shows it")
{
    Recorder recorder;
    recorder.in_encode = [] { throw base::Error("no"); };
    const std::string start = std::string(79, 'x');
    const std::string sentence = start + "\xc3\xa4" + " and so on";
    const std::vector<text::Sentence> one = {{sentence, 4}};
    Session session = session_of(recorder, {}, one);
    CHECK_ERROR(base::Error, (start + "...\""), session.embed(one));
}

TEST_CASE("after a failure nothing stands for a sentence that was never encoded")
{
    Recorder recorder;
    bool broken = true;
    recorder.in_encode = [&] {
        if (broken)
            throw base::Error("no");
    };
    Session session = session_of(recorder, batches_of(1));
    CHECK_THROWS_AS((void)session.embed(sentences), base::Error);
    broken = false;
    CHECK(session.embed(sentences).matrix()(0, 0) == 13);
}

TEST_CASE("a stop request ends the encoding between two batches")
{
    Recorder recorder;
    std::stop_source source;
    recorder.in_encode = [&] { source.request_stop(); };
    SessionOptions options = batches_of(1);
    options.stop = source.get_token();
    Session session = session_of(recorder, options);
    CHECK_THROWS_AS((void)session.embed(sentences), base::Cancelled);
    CHECK(recorder.batches.size() == 1);
}

TEST_CASE("a sentence the task did not announce is refused")
{
    Recorder recorder;
    Session session = session_of(recorder, {}, {sentences.data(), 1});
    CHECK_ERROR(base::Error, "\"one\" was not among the sentences", session.embed(sentences));
}

TEST_CASE("a second session takes its vectors from the cache")
{
    const test::ScratchFolder folder;
    const encoder::EmbeddingCache cache(folder.path(), 1U << 20U);
    Recorder first;
    Session writing = session_of(first, with(cache), {sentences.data(), 2});
    (void)writing.embed({sentences.data(), 2});

    Recorder second;
    Session reading(second, with(cache));
    reading.prepare("CR", sentences);
    CHECK(reading.embed(sentences).matrix()(0, 0) == 13);
    CHECK(reading.cached() == 2);
    CHECK(reading.encoded() == 2);
    CHECK(second.batches == std::vector<std::vector<std::string>>{{"", "two words"}});

    Recorder changed;
    changed.named.fingerprint = "another model";
    Session other = session_of(changed, with(cache));
    (void)other.embed(sentences);
    CHECK(other.cached() == 0);
}

TEST_CASE("the cache is written as soon as all samples are encoded, and where a stop comes before")
{
    const test::ScratchFolder folder;
    const encoder::EmbeddingCache cache(folder.path(), 1U << 20U);
    const test::Texts texts = test::Texts::numbered(100, "sentence ");
    const auto& many = texts.sentences;
    SessionOptions options = with(cache, 1);
    std::stop_source source;
    options.stop = source.get_token();
    Recorder stopped;
    stopped.in_encode = [&] {
        if (stopped.batches.size() == 80)
            source.request_stop();
    };
    Session interrupted = session_of(stopped, options, many);
    CHECK_THROWS_AS((void)interrupted.embed(many), base::Cancelled);

    options.stop = {};
    Recorder second;
    Session going_on = session_of(second, options, many);
    (void)going_on.embed({many.data(), 2});
    CHECK(going_on.cached() == 64); // not those whose claims nobody had tried
    CHECK(going_on.encoded() == 36);

    Recorder third; // though nobody asked the second to save anything
    Session reading = session_of(third, options, many);
    (void)reading.embed(many);
    CHECK(reading.cached() == 100);
}

TEST_CASE("a cache that cannot be written is a warning")
{
    const test::ScratchFolder folder;
    const encoder::EmbeddingCache cache(folder.write("file", "x"), 1U << 20U);
    SessionOptions options = with(cache);
    std::vector<std::string> warnings;
    options.warn = [&](const std::string& what) { warnings.push_back(what); };
    Recorder recorder;
    Session session = session_of(recorder, options);
    (void)session.embed(sentences);
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].find("the embeddings are not cached: ") == 0);
}

TEST_CASE("the cache of an encoder with prepare() depends on all that it is shown")
{
    const test::ScratchFolder folder;
    const encoder::EmbeddingCache cache(folder.path(), 1U << 20U);
    const auto cached = [&](std::span<const text::Sentence> samples, const char* task = "MR") {
        Recorder recorder;
        recorder.prepares = true;
        Session session(recorder, with(cache));
        session.prepare(task, samples);
        (void)session.embed(samples);
        return session.cached();
    };
    CHECK(cached(sentences) == 0);
    CHECK(cached(sentences) == 4);
    CHECK(cached(sentences, "CR") == 0); // prepare() sees the name too
    CHECK(cached({sentences.data(), 2}) == 0);
    const std::vector<text::Sentence> two = {{"a", 1}, {"b", 1}};
    const std::vector<text::Sentence> joined = {{"a\nb", 2}};
    CHECK(cached(two) == 0);
    CHECK(cached(joined) == 0);
}

TEST_CASE("the cache is not used for an encoder that is not batch-invariant")
{
    const test::ScratchFolder folder;
    const encoder::EmbeddingCache cache(folder.path(), 1U << 20U);
    Recorder recorder;
    recorder.can.batch_invariant = false;
    Session session = session_of(recorder, with(cache));
    (void)session.embed(sentences);
    CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("rows that are not in the order of the sentences are seen without any claim")
{
    using Rows = std::vector<text::Sentence>;
    const std::vector<text::Sentence> texts = {
        {"four words as such", 4},  {"one", 1},           {"two words", 2},
        {"twice a two and one", 5}, {"three of them", 3}, {"", 0}};
    Recorder recorder;
    recorder.can = {};
    bool encodes_all = false; // and not some again
    const auto is_seen = [&](std::size_t batch_size) {
        Session session = session_of(recorder, batches_of(batch_size), texts);
        encodes_all = true;
        (void)session.embed(texts);
        encodes_all = false;
        recorder.batches.clear();
        try {
            session.check_order();
        } catch (const base::Error&) {
            return true;
        }
        CHECK(recorder.batches.size() <= 4);
        session.check_order(); // once for a task
        CHECK(recorder.batches.size() <= 4);
        return false;
    };
    CHECK_FALSE(is_seen(6));
    CHECK_FALSE(is_seen(1));
    const auto by_length = [](const text::Sentence& a, const text::Sentence& b) {
        return a.text.size() < b.text.size();
    };
    recorder.order = [&](Rows& rows) { std::ranges::sort(rows, by_length); };
    CHECK(is_seen(6));
    CHECK(is_seen(3));
    CHECK_FALSE(is_seen(1)); // there is nothing to exchange
    recorder.order = [](Rows& rows) { std::ranges::reverse(rows); };
    CHECK(is_seen(6));
    recorder.order = [](Rows& rows) { std::ranges::rotate(rows, rows.begin() + 1); };
    CHECK(is_seen(6));
    recorder.order = [](Rows& rows) { std::swap(rows.front(), rows.back()); };
    CHECK(is_seen(6));
    recorder.order = [&](Rows& rows) { // each the vector of the next one, in whatever batch that is
        for (text::Sentence& row : rows)
            if (encodes_all)
                row = texts[static_cast<std::size_t>(std::ranges::find(texts, row) - texts.begin() +
                                                     1) %
                            texts.size()];
    };
    for (const std::size_t batch_size : {1, 2, 3})
        CHECK(is_seen(batch_size));
}

TEST_CASE(
    "an encoder is given the texts of a task behind its prompts, and the cache knows them by these")
{
    const test::ScratchFolder folder;
    const encoder::EmbeddingCache cache(folder.path(), 1U << 20U);
    Recorder recorder;
    SessionOptions options;
    options.cache = &cache;
    const test::Texts texts({"one", "two"});
    const auto given = [&](const encoder::Prompts& prompts) {
        recorder.batches.clear();
        recorder.roles.clear();
        Session session(recorder, options);
        session.prepare("T", texts.sentences, prompts);
        CHECK(session.embed(texts.sentences).size() == 2);
        std::set<std::string> all;
        for (const auto& batch : recorder.batches)
            all.insert(batch.begin(), batch.end());
        return all;
    };
    using Set = std::set<std::string>;
    CHECK(given({}) == Set{"one", "two"});
    CHECK(given({}) == Set{});
    CHECK(given({{text::Role::none, "P "}}) == Set{"P one", "P two"});
    CHECK(recorder.roles.front() == text::Role::as_is);
    CHECK(given({{text::Role::none, "P "}}) == Set{});
    CHECK(given({{text::Role::none, "Q "}}) == Set{"Q one", "Q two"});
    CHECK(given({{text::Role::query, "R "}}) == Set{"one", "two"}); // another task's, of no effect
}
