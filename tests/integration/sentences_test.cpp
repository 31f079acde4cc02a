// Encode elsewhere, score here: `senteval sentences` and the encoder `precomputed`.
#include "base/files.hpp"
#include "program/program.hpp"
#include "support/support.hpp"

using namespace senteval;
using namespace senteval::test;

namespace {

/// Word counts and lengths as the vectors of the sentences in a file; a row for each.
std::string vectors_for(const std::string& sentences)
{
    std::string rows;
    for (const std::string& line : lines_of(sentences)) {
        const auto words = std::count(line.begin(), line.end(), ' ');
        const auto vowels = std::count(line.begin(), line.end(), 'e');
        rows += std::to_string(words) + " " + std::to_string(line.size()) + " " +
                std::to_string(vowels) + "\n";
    }
    return rows;
}

std::string sentences_of(const std::string& arguments)
{
    const Run run = host(0, "sentences -o - " + arguments);
    return run.out;
}

} // namespace

TEST_CASE("sentences are written once each, the same at every time")
{
    const std::string written = sentences_of("--tasks STS12,MR" + data_option);
    CHECK(written == sentences_of("--tasks MR STS12" + data_option));
    const auto lines = lines_of(written);
    CHECK(lines.size() > 100);
    CHECK(std::set(lines.begin(), lines.end()).size() == lines.size());
}

TEST_CASE("what is encoded elsewhere is scored here, and what is missing is said")
{
    const ScratchFolder folder;
    const std::string mr = sentences_of("--tasks MR" + data_option);
    const auto run = [&](const std::string& sentences, const std::string& options = "") {
        return host("run --encoder precomputed --set vectors=" +
                    quoted(folder.write("emb.txt", vectors_for(sentences))) +
                    " --set sentences=" + quoted(folder.write("sentences.txt", sentences)) +
                    on_samples("STS12,MR") + into(folder / "results") + options);
    };
    const Run part = run(mr);
    CAPTURE(part.err);
    CHECK(part.exit_code == 1);
    CHECK(test::contains(part.err,
                         {"of STS12 have no vector; the first 5:", "precomputed on MR: acc "}));

    const std::string more = sentences_of("--tasks STS12" + data_option + " --without " +
                                          quoted(folder / "sentences.txt"));
    CHECK(!more.empty());
    const Run whole = run(mr + more);
    CAPTURE(whole.err);
    CHECK(whole.exit_code == 0);
    CHECK(test::contains(whole.err, "precomputed on STS12: all.pearson.wmean "));
    const Run isolated = run(mr + more, " --isolate");
    CAPTURE(isolated.err);
    CHECK(isolated.exit_code == 0);
    CHECK(isolated.out == whole.out);
}

TEST_CASE(
    "texts with line ends and roles are encoded elsewhere, too, and prefixes stand before them")
{
    const ScratchFolder folder;
    folder.write("corpus.jsonl", "{\"_id\":\"1\",\"text\":\"red\\nbird\"}\n"
                                 "{\"_id\":\"2\",\"text\":\"blue fish\"}\n");
    folder.write("queries.jsonl", "{\"_id\":\"q\",\"text\":\"blue fish\"}\n");
    folder.write("qrels.tsv", "query-id\tcorpus-id\tscore\nq\t1\t1\n");
    const std::string task = "[[task]]\nname = \"Own\"\nprotocol = \"search\"\n"
                             "corpus = \"corpus.jsonl\"\nqueries = \"queries.jsonl\"\n"
                             "judgements = \"qrels.tsv\"\n";
    const std::string own = quoted(folder.write("own.toml", task));
    const std::string written = sentences_of(own);
    const std::vector<std::string> lines = {"{\"text\":\"blue fish\",\"role\":\"query\"}\n",
                                            "{\"text\":\"red\\nbird\",\"role\":\"document\"}\n",
                                            "{\"text\":\"blue fish\",\"role\":\"document\"}\n"};
    CHECK(written.size() == lines[0].size() + lines[1].size() + lines[2].size());
    for (const std::string& line : lines)
        CHECK(test::contains(written, line));
    folder.write("some.jsonl", lines[0] + lines[1]);
    CHECK(sentences_of(own + " --without " + quoted(folder / "some.jsonl")) == lines[2]);

    // The query lies nearer to the other document than its like.
    folder.write("vectors.txt", "1 0\n1 0\n0 1\n");
    folder.write("all.jsonl", lines[0] + lines[1] + lines[2]);
    const auto document_of = [&](const std::string& options) {
        const Run run =
            host(0, "run -q --json -" + into(folder / "results") + " " + own +
                        " --encoder precomputed --set vectors=" + quoted(folder / "vectors.txt") +
                        " --set sentences=" + quoted(folder / "all.jsonl") + options);
        return json_of(run).at("results").at(0).at("document");
    };
    const base::Json plain = document_of("");
    CHECK(plain.at("metrics").at("ndcg_at_1") == 100.0);
    CHECK(document_of(" --isolate --overwrite").at("metrics") == plain.at("metrics"));
    CHECK(!plain.at("encoder").at("parameters").contains("query_prefix"));

    folder.write("all.jsonl", "{\"text\":\"ask: blue fish\"}\n" + lines[1] + lines[2]);
    const base::Json prefixed = document_of(" --set query_prefix='ask: '");
    CHECK(prefixed.at("metrics") == plain.at("metrics"));
    CHECK(prefixed.at("encoder").at("parameters").at("query_prefix") == "ask: ");
    const base::Json isolated = document_of(" --set query_prefix='ask: ' --isolate --overwrite");
    CHECK(isolated.at("encoder") == prefixed.at("encoder"));
    CHECK(isolated.at("metrics") == prefixed.at("metrics"));
}

TEST_CASE("what is wrong is said before what is missing beside it")
{
    const auto said = [](const std::string& arguments) {
        const Run run = host(2, "sentences" + arguments);
        return run.err;
    };
    CHECK(test::contains(said(" --tasks STS41"), "Did you mean 'STS14'?"));
    CHECK(test::contains(said(" --tasks STS14"), "--output is required"));
}

TEST_CASE("a task without data is named, and nothing half is written")
{
    const ScratchFolder folder;
    const Run run = host(2, "sentences --tasks MR --data " + quoted(folder.path()) + " -o " +
                                quoted(folder / "out.txt"));
    CHECK(test::contains(run.err, "data fetch MR"));
    CHECK(!std::filesystem::exists(folder / "out.txt"));
    host(2, "sentences -o - " + data_option); // no tasks
}
