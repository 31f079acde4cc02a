// The library as a program sees it: its header, and nothing else of the project.

#include "support/support.hpp"

#include <senteval/senteval.hpp>

#include <dlfcn.h>

#include <iterator>

using namespace senteval;

namespace {

constexpr std::size_t dimension = 16;

/// Counts letters by their place in the alphabet.
void count_letters(Sentences sentences, std::span<float> vectors)
{
    std::fill(vectors.begin(), vectors.end(), 0.0F);
    for (std::size_t i = 0; i < sentences.size(); ++i)
        for (const char c : sentences[i])
            vectors[i * dimension + static_cast<unsigned char>(c) % dimension] += 1;
}

Encoder letters()
{
    Encoder encoder;
    encoder.name = "letters";
    encoder.dimension = dimension;
    encoder.encode = count_letters;
    encoder.concurrent = true;
    encoder.batch_invariant = true;
    return encoder;
}

Settings on(std::vector<std::string> tasks)
{
    return {.data = test::source_dir() / "data/samples",
            .tasks = std::move(tasks),
            .options = {{"kfold", "3"}},
            .threads = 2};
}

std::string complaint(const Encoder& encoder, const Settings& settings)
{
    return test::error_of<Error>([&] { return evaluate(encoder, settings); });
}

/// Of OpenBLAS; -1 where the process has none.
int blas_threads()
{
    void* const symbol = dlsym(RTLD_DEFAULT, "openblas_get_num_threads");
    return symbol == nullptr ? -1 : reinterpret_cast<int (*)()>(symbol)();
}

} // namespace

TEST_CASE("a callback is evaluated on the tasks that are named, in that order")
{
    std::vector<std::string> finished;
    std::size_t embedded = 0;
    Observer observer;
    observer.finished = [&](const Result& result) { finished.push_back(result.task); };
    observer.progress = [&](const Progress& progress) {
        CHECK(progress.results == 2);
        if (progress.task == "STS14" && progress.phase == "embed" && progress.done > embedded)
            embedded = progress.done;
    };
    const Results results = evaluate(letters(), on({"STS14", "CR"}), observer);
    CHECK(finished == std::vector<std::string>{"STS14", "CR"});
    CHECK(results.failures.empty());
    CHECK_FALSE(results.stopped);
    CHECK(embedded > 0);

    const Result& sts = results.at("STS14");
    CHECK(sts.metric == "all.pearson.wmean");
    CHECK(sts.value == sts.metrics.at("all.pearson.wmean"));
    CHECK(sts.value > 0);
    CHECK(sts.value < 1);
    CHECK(sts.metrics.at("tweet-news.nsamples") > 0);
    CHECK(sts.settings.at("similarity") == "cosine");
    CHECK(sts.seconds > 0);
    const Result& cr = results.at("CR");
    CHECK(cr.value > 20);
    CHECK(cr.settings.at("kfold") == "3");
    CHECK(cr.settings.at("seed") == "1111");
    CHECK(test::contains(cr.document, "\"id\": \"callback\""));
}

#if !defined(__SANITIZE_THREAD__) // which has a thread of its own
TEST_CASE(
    "threads of the matrix library, which would look for work, are ended and do not come back")
{
    REQUIRE(blas_threads() != 0);
    (void)evaluate(letters(), on({"CR"}));
    const auto threads = [] {
        using Entries = std::filesystem::directory_iterator;
        return std::distance(Entries("/proc/self/task"), Entries());
    };
    for (int look = 0; look < 1000 && threads() > 1;
         ++look) // one that was joined is shown for a moment
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    CHECK(threads() == 1);
}
#endif

TEST_CASE("scores depend neither on threads nor on batches, and calls may overlap")
{
    const auto values = [](unsigned threads, std::size_t batch_size, bool concurrent) {
        Encoder encoder = letters();
        encoder.concurrent = concurrent;
        Settings settings = on({"STS14", "TREC"});
        settings.threads = threads;
        settings.batch_size = batch_size;
        const Results results = evaluate(encoder, settings);
        return std::pair(results.at("STS14").metrics, results.at("TREC").metrics);
    };
    const auto expected = values(1, 128, false);
    std::vector<decltype(values(1, 1, true))> found(2);
    {
        const std::jthread first([&] { found[0] = values(2, 7, true); });
        const std::jthread second([&] { found[1] = values(3, 64, false); });
    }
    CHECK(found[0] == expected);
    CHECK(found[1] == expected);
}

TEST_CASE("several settings give several results, of an encoder that needs its batches too")
{
    Encoder encoder = letters();
    encoder.batch_invariant = false;
    std::size_t encoded = 0;
    encoder.concurrent = false;
    encoder.encode = [&](Sentences sentences, std::span<float> vectors) {
        encoded += sentences.size();
        count_letters(sentences, vectors);
    };
    Settings settings = on({"CR"});
    settings.options.emplace_back("seed", "1,2");
    settings.options.emplace_back("classifier", "softmax,mlp");
    const Results results = evaluate(encoder, settings);
    REQUIRE(results.results.size() == 4);
    CHECK(results.results[1].settings.at("seed") == "2");
    CHECK(results.results[3].settings.at("classifier.classifier") == "mlp");
    constexpr double alone =
        4; // sentences that are encoded alone as well, to see whether the rows are in order
    CHECK(results.results[0].metrics.at("ntest") + alone == static_cast<double>(encoded));
}

TEST_CASE("a limit makes a smoke run, and the results say so")
{
    Settings settings = on({"CR", "STS14", "ImageCaptionRetrieval"});
    settings.options.emplace_back("limit", "60");
    const Results results = evaluate(letters(), settings);
    CHECK(results.failures.empty());
    CHECK(results.at("CR").metrics.at("ntest") == 60);
    CHECK(results.at("STS14").metrics.at("OnWN.nsamples") == 60);
    for (const Result& result : results.results) {
        CHECK(result.settings.at("limit") == "60");
        CHECK(result.data_warnings.back().find("a smoke run") != std::string::npos);
    }
    CHECK(evaluate(letters(), on({"CR"})).at("CR").metrics.at("ntest") > 60);
}

TEST_CASE("a mistake of the caller is an Error that says what to do")
{
    CHECK(test::contains(complaint(letters(), on({"STS41"})), "'STS14'"));
    CHECK(complaint(letters(), on({})) == "no task is named");
    CHECK(test::contains(complaint({}, on({"CR"})), {"'encoder'", "encode"}));
    Encoder flat = letters();
    flat.dimension = 0;
    CHECK(test::contains(complaint(flat, on({"CR"})), "dimension 0"));
    Settings settings = on({"CR"});
    for (const auto& [key, value, named] :
         std::vector<std::tuple<const char*, const char*, const char*>>{
             {"clasifier", "mlp", "'classifier'"},
             {"epoch-size", "0", "settings: 'epoch_size' must be"},
             {"isolate", "true", "isolate and limits"},
             {"limit-seconds", "10", "isolate and limits"},
             {"limit_memory", "1G", "isolate and limits"},
             {"cost", "true", "cost needs"},
             {"--kfoldz", "2", "'kfold'"}}) {
        settings.options = {{key, value}};
        CHECK(test::contains(complaint(letters(), settings), named));
    }
    settings.options = {};
    settings.data /= "downstream"; // as the program understands it
    CHECK(evaluate(letters(), settings).failures.empty());
    settings.data = "/no/such/folder";
    CHECK(test::contains(complaint(letters(), settings), "'/no/such/folder'"));
}

TEST_CASE("an encoder that fails fails its task, and the others go on")
{
    Encoder encoder = letters();
    std::string task;
    encoder.prepare = [&](std::string_view name, Sentences sentences) {
        task = name;
        CHECK_FALSE(sentences.empty());
    };
    encoder.encode = [&](Sentences sentences, std::span<float> vectors) {
        if (task == "TREC")
            throw std::runtime_error("out of memory on the device");
        count_letters(sentences, vectors);
    };
    const Results results = evaluate(encoder, on({"TREC", "CR", "STS14"}));
    REQUIRE(results.failures.size() == 1);
    CHECK(test::contains(results.failures[0].why, "out of memory on the device"));
    CHECK(results.results.size() == 2);
    CHECK_ERROR(Error, "out of memory on the device", results.at("TREC"));
    CHECK(results.at("sts-14").task == "STS14"); // as tasks may be written
    CHECK_ERROR(Error, "out of memory on the device", results.at("trec"));
    CHECK_ERROR(Error, "'MR': it was not among the tasks", results.at("MR"));
}

TEST_CASE("a name of several tasks finds the one that there is")
{
    Results results;
    results.results.emplace_back().task = "STSBenchmarkUnsupervised";
    CHECK(results.at("STS-B").task == "STSBenchmarkUnsupervised");
    CHECK_THROWS_AS((void)results.at("STSBenchmark"), Error);
    results.results.emplace_back().task = "STSBenchmark";
    CHECK(results.at("STSBenchmark").task == "STSBenchmark");
    CHECK_THROWS_AS((void)results.at("STS-B"), Error);
}

TEST_CASE("a stop keeps what is finished")
{
    std::stop_source stop;
    Observer observer;
    observer.finished = [&](const Result&) { stop.request_stop(); };
    Settings settings = on({"STS14", "CR"});
    settings.stop = stop.get_token();
    const Results results = evaluate(letters(), settings, observer);
    CHECK(results.stopped);
    CHECK(results.results.size() == 1);
    CHECK_ERROR(Error, "'CR': the evaluation was stopped", results.at("CR"));
}

TEST_CASE("what an observer throws comes out")
{
    Observer observer;
    observer.finished = [](const Result&) { throw std::logic_error("mine"); };
    CHECK_ERROR(std::logic_error, "mine", evaluate(letters(), on({"STS14", "CR"}), observer));
    observer.finished = {};
    observer.progress = [](const Progress& progress) {
        if (progress.phase == "fit")
            throw std::logic_error("mine, too");
    };
    CHECK_ERROR(std::logic_error, "mine, too", evaluate(letters(), on({"CR"}), observer));
}

TEST_CASE("BLAS computes on one thread while an evaluation runs, and as before afterwards")
{
    void* const symbol = dlsym(RTLD_DEFAULT, "openblas_set_num_threads");
    if (symbol == nullptr)
        return;
    const auto set_threads = reinterpret_cast<void (*)(int)>(symbol);
    set_threads(2);
    const int before = blas_threads();
    Encoder encoder = letters();
    encoder.concurrent = false;
    int inside = 0;
    encoder.encode = [&](Sentences sentences, std::span<float> vectors) {
        inside = blas_threads();
        count_letters(sentences, vectors);
    };
    (void)evaluate(encoder, on({"STS14"}));
    CHECK(inside == 1);
    CHECK(blas_threads() == before);
}

TEST_CASE("options that say what is computed are carried out")
{
    Settings settings = on({"STS12", "STS13", "STS14", "CR"});
    settings.options.emplace_back("shard", "1/2");
    std::vector<std::string> computed;
    for (const Result& result : evaluate(letters(), settings).results)
        computed.push_back(result.task);
    CHECK(computed == std::vector<std::string>{"STS13", "CR"});

    std::size_t most = 0;
    Encoder encoder = letters();
    encoder.concurrent = false;
    encoder.encode = [&](Sentences sentences, std::span<float> vectors) {
        most = std::max(most, sentences.size());
        count_letters(sentences, vectors);
    };
    settings = on({"STS12"});
    settings.options.emplace_back("encode_batch", "3");
    CHECK(evaluate(encoder, settings).failures.empty());
    CHECK(most == 3);
}

TEST_CASE("a result that is kept has its items, too")
{
    const test::ScratchFolder folder;
    Settings settings = on({"STS14"});
    settings.output = folder / "results";
    settings.options.emplace_back("overwrite", "never"); // it is not asked again
    const Results computed = evaluate(letters(), settings);
    Encoder broken = letters();
    broken.encode = [](Sentences, std::span<float>) { throw std::logic_error("asked"); };
    const Results kept = evaluate(broken, settings);
    REQUIRE(kept.failures.empty());
    const std::vector<Item>& expected = computed.at("STS14").items;
    const std::vector<Item>& found = kept.at("STS14").items;
    REQUIRE(found.size() == expected.size());
    CHECK(found.back().group == expected.back().group);
    CHECK(found.back().prediction == expected.back().prediction);
    CHECK(found.back().tokens_second == expected.back().tokens_second);
}

TEST_CASE("each epoch of a training loop has its own numbers and row, whatever its version says")
{
    for (const bool says_version : {false, true}) {
        const test::ScratchFolder folder;
        Settings settings = on({"STS14"});
        settings.output = folder / "results";
        Encoder encoder = letters();
        std::map<std::string, double> values; // by version
        unsigned epoch = 0;
        std::size_t asked = 0;
        encoder.encode = [&](Sentences sentences, std::span<float> vectors) {
            asked += sentences.size();
            count_letters(sentences, vectors);
            for (std::size_t at = epoch; at < vectors.size(); at += dimension)
                vectors[at] += static_cast<float>(epoch);
        };
        std::vector<double> found;
        for (epoch = 1; epoch <= 4; ++epoch) {
            if (says_version)
                encoder.version = "epoch " + std::to_string(epoch);
            found.push_back(evaluate(encoder, settings).at("STS14").value);
        }
        CHECK(std::set(found.begin(), found.end()).size() == 4);
        epoch = 4;
        asked = 0;
        CHECK(evaluate(encoder, settings).at("STS14").value == found.back());
        CHECK(asked < 64); // a few texts, to know it again

        const test::Run compared =
            test::shell(0, test::quoted(test::program_file()) + " compare " +
                               test::quoted(folder / "results") + " --format csv");
        std::vector<std::string> rows; // without the first, of titles
        for (std::string line, all = compared.out; !all.empty(); all.erase(0, line.size() + 1))
            rows.push_back(line = all.substr(0, all.find('\n')));
        REQUIRE(rows.size() == 5);
        for (std::size_t row = 1; row < 5; ++row) {
            CHECK(test::contains(rows[row], "," + std::to_string(found[row - 1]).substr(0, 6)));
            CHECK(rows[row].starts_with(says_version ? "letters epoch " + std::to_string(row) + ","
                                                     : "letters 1 (20"));
        }
    }
}
