// Encoders in other programs: the reference clients of sdk/clients through the encoder process, and a server
// through the encoder http.
#include "program/program.hpp"
#include "support/support.hpp"

#include <set>

namespace {

namespace fs = std::filesystem;
using namespace senteval::test;
using senteval::base::Json;

const fs::path clients = source_dir() / "sdk/clients";
const std::string vectors = quoted(samples / "vectors/sample.50d.txt");

/// Runs an encoder on sample tasks and returns the results of the run, without what names the encoder.
Json metrics_of(const std::string& encoder)
{
    const ScratchFolder scratch;
    const Run run = host(0, "run -q --threads 2 --json -" + data_option +
                                " --tasks STS12,STS14,TREC" + into(scratch / "results") + encoder);
    Json metrics = Json::object();
    const Json document = json_of(run); // outlives the loop below
    for (const Json& result : document.at("results"))
        metrics[result.at("task").get<std::string>()] = result.at("metrics");
    return metrics;
}

std::string client(const std::string& command)
{
    return " --encoder process --set " + senteval::test::quoted("command=" + command);
}

bool is_there(const std::string& program)
{
    if (shell("command -v " + program).exit_code == 0)
        return true;
    std::cout << "skipped: there is no " << program << '\n';
    return false;
}

} // namespace

TEST_CASE("the reference clients have glove's numbers to the last digit")
{
    const Json expected = metrics_of(glove_option);
    CHECK(expected.size() == 3);
    SUBCASE("C")
    {
        const auto program = binary_dir() / "tests/bag_of_vectors";
        const std::string encoder = client(quoted(program) + " " + vectors);
        CHECK(metrics_of(encoder) == expected);
        CHECK(metrics_of(encoder + " --isolate") == expected);
    }
    SUBCASE("Python")
    {
        CHECK(metrics_of(client("/usr/bin/python3 " + quoted(clients / "python/bag_of_vectors.py") +
                                " " + vectors)) == expected);
    }
    SUBCASE("Node")
    {
        if (is_there("node"))
            CHECK(metrics_of(client("node " + quoted(clients / "node/bag_of_vectors.mjs") + " " +
                                    vectors)) == expected);
    }
}

TEST_CASE("the Python client refuses masked arrays, and what rests on what it says of itself is "
          "told plainly")
{
    const ScratchFolder scratch;
    const auto script = scratch.path() / "client.py";
    const std::string encoder = client("/usr/bin/env PYTHONPATH=" + quoted(clients / "python") +
                                       " /usr/bin/python3 " + quoted(script));
    const auto failure = [&](const std::string& rows) {
        scratch.write("client.py", "import numpy as np\nfrom zlib import crc32\n"
                                   "from senteval_client import serve\n"
                                   "def encode(batch):\n    return " +
                                       rows +
                                       "\n"
                                       "serve(encode, name='x', version='1', dimension=16)\n");
        const Run run = host(1, "run -q" + on_samples("STS12") + encoder);
        return run.err;
    };
    CHECK(contains(
        failure("np.ma.masked_array(np.ones((len(batch), 16)), mask=[[1] * 16] * len(batch))"),
        "masked array"));
    CHECK(contains(failure("[np.ma.masked_array([1] * 16, mask=[1] * 16)] * len(batch)"),
                   "masked array"));
    CHECK(contains(failure("[[1.0] * 15 + [np.ma.masked]] * len(batch)"), "nan"));
    const std::string sorted = failure(
        "np.array([np.random.RandomState(crc32(s.encode())).randn(16) for s in sorted(batch)])");
    CHECK(contains(sorted, "the rows are not in the order of the sentences"));
    const std::string option = " --encoder ";
    const Run check = host("check --limit-seconds 10 " + encoder.substr(option.size()));
    CHECK(contains(check.out, "broken  11.6"));
    CHECK_FALSE(contains(check.out, "broken  12.1"));
    const std::string by_chance = failure("np.random.randn(len(batch), 16)");
    CHECK(contains(by_chance, "the same vector"));
    CHECK_FALSE(contains(sorted + by_chance, "claim"));
}

TEST_CASE("searches follow the similarity that a client states, and --similarity overrides it")
{
    const ScratchFolder scratch;
    scratch.write("corpus.jsonl",
                  "{\"_id\":\"1\",\"text\":\"aa\"}\n{\"_id\":\"2\",\"text\":\"b bbbbbb\"}\n");
    scratch.write("queries.jsonl", "{\"_id\":\"q\",\"text\":\"aaa\"}\n");
    scratch.write("qrels.tsv", "query-id\tcorpus-id\tscore\nq\t2\t1\n");
    const auto own =
        scratch.write("own.toml", "[[task]]\nname = \"Own\"\nprotocol = \"search\"\n"
                                  "corpus = \"corpus.jsonl\"\nqueries = \"queries.jsonl\"\n"
                                  "judgements = \"qrels.tsv\"\n");
    const auto script = scratch.write(
        "embed.py",
        "import sys\nsys.path.append('" + (clients / "python").string() +
            "')\nfrom senteval_client import serve\n"
            "def encode(texts): return [[len(t), t.count(' ')] for t in texts]\n"
            "serve(encode, name='n', version='1', dimension=2, similarity=sys.argv[1] or None)\n");
    const auto document_of = [&](const std::string& stated, const std::string& options) {
        const Run run =
            host(0, "run -q --json - " + quoted(own) + into(scratch / "results") +
                        client("python3 " + quoted(script) + " '" + stated + "'") + options);
        return Json(json_of(run).at("results").back().at("document")); // own tasks are last
    };
    const auto similarity_in = [](const Json& document) {
        return document.at("protocol").at("settings").at("similarity");
    };
    const Json cosine = document_of("", "");
    CHECK(similarity_in(cosine) == "cosine");
    CHECK(cosine.at("metrics").at("ndcg_at_1") == 0.0);
    const Json dot = document_of("dot", "");
    CHECK(similarity_in(dot) == "dot");
    CHECK(dot.at("metrics").at("ndcg_at_1") == 100.0);
    CHECK(dot.at("encoder").at("stated").at("similarity") == "dot");
    CHECK(similarity_in(document_of("dot", " --similarity cosine")) == "cosine");
    CHECK(document_of("dot", on_samples("Own,STS12"))
              .at("protocol")
              .at("settings")
              .at("similarity") == "dot");
}

TEST_CASE(
    "a result of the encoder process names client, program and files, and follows their content")
{
    const ScratchFolder scratch;
    for (const char* file : {"senteval_client.py", "bag_of_vectors.py"})
        fs::copy_file(clients / "python" / file, scratch / file);
    const auto identity = [&] {
        const Run run =
            host(0, "run -q --json -" + data_option + " --tasks STS12" + into(scratch / "results") +
                        client("/usr/bin/python3 bag_of_vectors.py " + vectors) +
                        " --set folder=" + quoted(scratch.path()) +
                        " --set files=" + quoted(scratch / "senteval_client.py"));
        return json_of(run).at("results").at(0).at("document").at("encoder");
    };
    const Json first = identity();
    CHECK(first.at("stated").at("client") == Json{{"name", "bag of vectors"}, {"version", "1.0"}});
    CHECK(first.at("stated").at("files").contains("bag_of_vectors.py"));
    CHECK(first.at("stated").at("program") == "/usr/bin/python3");
    CHECK(identity() == first);
    shell("echo '# edited' >> " + quoted(scratch / "bag_of_vectors.py"));
    CHECK(identity().at("fingerprint") != first.at("fingerprint"));
    shell("echo '# edited' >> " + quoted(scratch / "senteval_client.py"));
    CHECK(identity().at("files") != first.at("files"));
}

TEST_CASE("each checkpoint that a program opens under one name has its own numbers and row")
{
    const ScratchFolder scratch;
    const std::string encode =
        "def encode(texts):\n    w = int(open('" + (scratch / "checkpoint").string() +
        "').read())\n    return [[len(t), t.count('a') * w + 1] for t in texts]\n";
    const auto script = [&](const char* name, const std::string& more) {
        return quoted(scratch.write(name, encode + more));
    };
    const std::string as_senteval = script(
        "senteval.py", "def prepare(params, samples): pass\n"
                       "def batcher(params, batch): return encode([' '.join(b) for b in batch])\n");
    const std::string as_client =
        script("client.py", "import sys\nsys.path.append('" + (clients / "python").string() +
                                "')\nfrom senteval_client import serve\n"
                                "serve(encode, name='n', version='1', dimension=2)\n");
    const std::string as_server = script(
        "server.py",
        "import sys\nprogram = open(sys.argv.pop()).read()\n"
        "exec(program.replace('embedding = embed(', 'embedding = encode([sentence])[0] #'))\n");
    const std::string url = quoted(scratch / "url");
    const std::string server =
        "export no_proxy='*'\n/usr/bin/python3 " + as_server + " " + vectors + " " +
        quoted(source_dir() / "samples/embedding_server.py") + " >" + url +
        " &\ntrap 'kill $!' EXIT\nuntil [ -s " + url + " ]; do sleep 0.05; done\n";
    const std::pair<std::string, std::string> doors[] = {
        {"", " --encoder python --set script=" + as_senteval},
        {"", " --encoder python --set script=" + script("encode.py", "")},
        {"", client("/usr/bin/python3 " + as_client)},
        {"", " --isolate" + client("/usr/bin/python3 " + as_client)},
        {server, " --encoder http --set model=m --set url=$(cat " + url + ")"}};
    for (const auto& [before, encoder] : doors) {
        CAPTURE(encoder);
        const ScratchFolder folder;
        const auto run =
            shell(0, before + "for w in 1 2 3 4 2; do echo $w >" + quoted(scratch / "checkpoint") +
                         "; " + program + " run -q --tasks STS12,TREC --json -" + data_option +
                         into(folder / "results") + encoder + "; done\n");
        std::vector<Json> epochs;
        for (std::string rest = run.out; !rest.empty();) {
            const auto end = std::min(rest.find("\n}\n") + 3, rest.size());
            epochs.push_back(Json::parse(rest.substr(0, end)).at("results"));
            rest.erase(0, end);
        }
        REQUIRE(epochs.size() == 5);
        CHECK(epochs[4] == epochs[1]); // to the second: it was kept
        std::set<std::string> numbers;
        std::set<std::string> rows;
        for (const Json& epoch : epochs) {
            numbers.insert(epoch.at(0).at("metrics").dump() + epoch.at(1).at("metrics").dump());
            for (const Json& result : epoch)
                rows.insert(result.at("document").at("encoder").at("fingerprint"));
        }
        CHECK(numbers.size() == 4);
        CHECK(rows.size() == 4); // both tasks of an epoch in one
    }
}

TEST_CASE("a client that ends fails its task alone, and says why")
{
    const ScratchFolder scratch;
    const Run run = host(1, "run" + data_option + " --tasks STS12" + into(scratch / "results") +
                                client("sh -c 'echo there is no model >&2; exit 4'"));
    CHECK(contains(run.err, {"\nprocess: 'sh -c 'echo there is no model >&2; exit 4'' says: "
                             "there is no model\n",
                             "asked to say hello: it ended with status 4"}));
    const Run missing =
        host(2, "run" + data_option + " --tasks STS12" + client("no-such-program x"));
    CHECK(contains(missing.err, "there is no program 'no-such-program' on PATH"));
}

TEST_CASE("what a client left in another session ends with the program")
{
    const ScratchFolder scratch;
    host(1, "run" + data_option + " --tasks STS12" + into(scratch / "results") +
                client("sh -c '(setsid env -i sleep 3600 & echo $! >" + (scratch / "pid").string() +
                       "); exit 4'"));
    CHECK(shell("kill -0 $(cat " + quoted(scratch / "pid") + ")").exit_code != 0);
}

TEST_CASE("a server's vectors are evaluated as they are, and its key is written nowhere")
{
    const ScratchFolder scratch;
    const std::string key = "sk-Secret-of-the-test";
    const std::string url = quoted(scratch / "url");
    const std::string server =
        "/usr/bin/python3 " + quoted(source_dir() / "samples/embedding_server.py") + " " + vectors;
    const auto evaluate = [&](const std::string& more) {
        return shell("rm -f " + url + "\nexport no_proxy='*' KEY=" + key + "\n" + server + " >" +
                     url + " &\n" +
                     "trap 'kill $!' EXIT\n"
                     "until [ -s " +
                     url + " ]; do sleep 0.05; done\n" + program + " run --verbose --json -" +
                     data_option + " --tasks STS12,STS14,TREC" + into(scratch / "results") +
                     " --encoder http --set url=$(cat " + url +
                     ") --set model=bag --set key_env=KEY" + more);
    };
    const Json expected = metrics_of(glove_option);
    for (const char* more : {"float", "base64 --isolate"}) {
        const Run run = evaluate(std::string(" --set encoding=") + more);
        CAPTURE(run.err);
        REQUIRE(run.exit_code == 0);
        const Json document = json_of(run); // outlives the loop below
        for (const Json& result : document.at("results"))
            CHECK(result.at("metrics") == expected.at(result.at("task").get<std::string>()));
        CHECK(!contains(run.out + run.err, key));
    }
    shell(1, "grep -r " + key + " " + quoted(scratch.path()));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // it takes thousands of calls
TEST_CASE("the encoders process and http keep the rules of encoder.h")
{
    const ScratchFolder scratch;
    const auto few = scratch.write("few.txt", "the 1 2 3\ncat 0 1 0\nruns 0.5 0 -1\n");
    const auto check = [](const std::string& before, const std::string& encoder) {
        const Run run =
            shell(0, before + program + " check --format json --limit-seconds 20 " + encoder);
        const Json found = json_of(run).at("encoders").back().at("rules");
        CHECK(std::ranges::none_of(
            found, [](const Json& rule) { return rule.at("outcome") == "broken"; }));
        CHECK(std::ranges::any_of(found, [](const Json& rule) { // the last of them
            return rule.at("rule") == "13.1" && rule.at("outcome") == "kept";
        }));
    };
    check("", "process" + client(quoted(binary_dir() / "tests/bag_of_vectors") + " " + quoted(few))
                              .substr(std::string(" --encoder process").size()));
    const std::string url = quoted(scratch / "url");
    check("export no_proxy='*'\n/usr/bin/python3 " +
              quoted(source_dir() / "samples/embedding_server.py") + " " + quoted(few) + " >" +
              url + " &\ntrap 'kill $!' EXIT\nuntil [ -s " + url + " ]; do sleep 0.05; done\n",
          "http --set url=$(cat " + url + ") --set model=bag");
}
#endif
