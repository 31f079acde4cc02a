// The encoder `python` behind its C table: what a script may be, and what is said of one that errs.
#include "scripts.hpp"
#include "support/support.hpp"

namespace {

namespace fs = std::filesystem;
namespace test = senteval::test;

using test::PluginHarness;
using test::scripts::batcher;
using test::scripts::make;
using test::scripts::python;
using test::scripts::Row;
using test::scripts::Script;
using test::scripts::Settings;
using test::scripts::with_instance;

std::string stated(const fs::path& script, const std::vector<std::string>& arguments = {})
{
    std::string text;
    with_instance(
        script, false,
        [&](const senteval_identity& identity, senteval_instance* instance) {
            const test::FakeCall call;
            senteval_string json{};
            REQUIRE(identity.state(call.c(), instance, &json) == SENTEVAL_OK);
            text = senteval::sdk::to_view(json);
        },
        arguments);
    return text;
}

} // namespace

TEST_CASE("the sample script gives the vectors of glove, bit for bit")
{
    const std::string vectors =
        (test::source_dir() / "data/samples/vectors/sample.50d.txt").string();
    const std::vector<std::string> sentences = {
        "the old cat sleeps", "", "prices rose by two per cent", "qqqq zzzz", "the the cat ."};
    auto script = make(test::source_dir() / "samples/encoder_python/bow.py",
                       {{"args", "vectors=" + vectors}});
    const test::LoadedPlugin plugin(test::binary_dir() / "plugins/glove.so");
    PluginHarness glove(plugin.encoder("senteval.glove"), {{"vectors", vectors}});
    script.prepare(sentences);
    glove.prepare(sentences);
    CHECK(script.dimension() == 50);
    CHECK(script.encode(sentences) == glove.encode(sentences));
}

TEST_CASE("the sample with encode counts trigrams")
{
    const auto model = make(test::source_dir() / "samples/encoder_python/char_ngrams.py",
                            {{"style", std::string("encode")}});
    const auto rows = model.encode({"abc", "abc abc", ""});
    const auto sum = [](const Row& row) { return std::accumulate(row.begin(), row.end(), 0.0F); };
    CHECK(model.dimension() == 256);
    CHECK(sum(rows[0]) == 3);
    CHECK(sum(rows[1]) == 7);
    CHECK(sum(rows[2]) == 0);
}

TEST_CASE("texts of a role go to encode_query and encode_document, where the script has them")
{
    using senteval::sdk::Role;
    const std::string object =
        "class Model:\n"
        "    similarity_fn_name = 'dot'\n"
        "    def encode(self, texts): return [[0, len(t)] for t in texts]\n"
        "    def encode_query(self, texts): return [[1, len(t)] for t in texts]\n"
        "model = Model()\n";
    const Script script(object);
    const auto encoder = script.make({{"style", std::string("encode")}});
    CHECK(encoder.encode("a") == Row{0, 1});
    CHECK(encoder.encode_as(Role::query, {" a\n"}) == test::Rows{{1, 3}});
    CHECK(encoder.encode_as(Role::document, {"a"}) == test::Rows{{0, 1}});
    CHECK(encoder.encode_as(Role::as_is, {"a"}) == test::Rows{{0, 1}});
    const Script functions("similarity_fn_name = 'dot'\n"
                           "def encode(texts): return [[0] for t in texts]\n"
                           "def encode_document(texts): return [[2] for t in texts]\n");
    CHECK(functions.make().encode_as(Role::document, {"a"}) == test::Rows{{2}});
    CHECK(functions.make().encode_as(Role::query, {"a"}) == test::Rows{{0}});
    CHECK(test::contains(stated(functions.folder() / "script.py"), R"("similarity": "dot")"));

    const Script words(batcher("return [[len(s), len(''.join(s))] for s in batch]"));
    CHECK(words.prepared().encode_as(Role::query, {" a\n\tbc\u00a0d "}) == test::Rows{{3, 4}});
}

TEST_CASE("a script without an engine: its functions are called, its main part is not run")
{
    const Script script(
        "params_senteval = {'batch_size': 2, 'colour': 'red'}\n"
        "def prepare(params, samples):\n"
        "    params.words = [word for s in samples for word in s]\n"
        "def batcher(params, batch):\n"
        "    assert len(batch) <= 2 and all(isinstance(s, list) for s in batch)\n"
        "    return [[len(s), len(params.words), len(params.current_task), params.size,\n"
        "             params.colour == 'red', params.missing is None] for s in batch]\n"
        "if __name__ == '__main__':\n"
        "    raise RuntimeError('run')\n");
    auto harness = script.make({{"args", "size=7"}});
    harness.prepare({"a b", "", "c d e"});
    CHECK(harness.encode({"x y z", "", "x"}) ==
          test::Rows{{3, 5, 4, 7, 1, 1}, {0, 5, 4, 7, 1, 1}, {1, 5, 4, 7, 1, 1}});
    CHECK(harness.encode(std::vector<std::string>{}).empty());
}

TEST_CASE("a script that makes its engine in its main part is run up to the evaluation")
{
    const Script script("from __future__ import absolute_import\n"
                        "import sys\n"
                        "sys.path.insert(0, '../nowhere')\n"
                        "import senteval\n"
                        "from senteval.utils import dotdict\n"
                        "def my_batcher(params, batch):\n"
                        "    return [[params.model] for s in batch]\n"
                        "params_senteval = {'task_path': '../data', 'kfold': 5}\n"
                        "if __name__ == '__main__':\n"
                        "    params_senteval['model'] = 42\n"
                        "    se = senteval.engine.SE(params_senteval, my_batcher)\n"
                        "    results = se.eval(['CR'])\n"
                        "    raise RuntimeError('after the evaluation')\n");
    CHECK(script.prepared().encode("a") == Row{42});
}

TEST_CASE("a script that reads a command line gets one")
{
    const Script script("import argparse\nimport numpy as np\n"
                        "parser = argparse.ArgumentParser()\n"
                        "parser.add_argument('--width', type=int, required=True)\n"
                        "parser.add_argument('--name')\nargs = parser.parse_args()\n"
                        "def batcher(params, batch):\n"
                        "    return np.full((len(batch), args.width), len(args.name))\n");
    auto encoder = script.prepared({{"argv", "--width 3 --name='a b c d'"}});
    CHECK(encoder.encode("x") == Row{7, 7, 7});
    CHECK(test::contains(script.complaint(), {"--set argv=", "required: --width"}));
    CHECK(script.complaint({{"argv", "--name 'a"}}).find("parameter 'argv'") != std::string::npos);
    const Script plain("import sys\nwidth = int(sys.argv[1])\n");
    CHECK(plain.complaint().find("--set argv=") != std::string::npos);
    for (const char* reading :
         {"_, model, other = sys.argv", "if len(sys.argv) < 2: sys.exit('usage: MODEL')",
          "import getopt; getopt.getopt(sys.argv[1:] + ['-x'], 'x:')",
          "import argparse\np = argparse.ArgumentParser(exit_on_error=False)\n"
          "p.add_argument('--n', type=int)\np.parse_args(['--n', 'z'])"})
        CHECK(Script("import sys\n" + std::string(reading)).complaint().find("--set argv=") !=
              std::string::npos);
    CHECK(Script("import sys\ndef main(argv):\n    return {}['a']\nmain(sys.argv)\n")
              .complaint()
              .find("--set argv=") == std::string::npos);
    const Script click(
        "import sys\ntry:\n    raise ValueError('Missing option --model')\n"
        "except ValueError as error:\n    sys.exit(2)\n"); // as the package click does it
    CHECK(click.complaint().find("Missing option --model; a command line") != std::string::npos);
}

TEST_CASE("a script that evaluates at its top level is run up to there")
{
    const Script script("import senteval\n"
                        "def main():\n"
                        "    def b(params, batch):\n"
                        "        return [[params.batch_size] for s in batch]\n"
                        "    se = senteval.engine.SE({}, b, None)\n"
                        "    try:\n"
                        "        se.eval('CR')\n"
                        "    except Exception:\n"
                        "        pass\n"
                        "    raise RuntimeError('after the evaluation')\n"
                        "main()\n");
    CHECK(script.prepared().encode("a") == Row{128});
}

TEST_CASE("vectors may be whatever NumPy makes an array of")
{
    const auto vectors_of = [](const std::string& expression) {
        return Script(batcher("return " + expression)).prepared().encode({"a b", "c", "d"});
    };
    const test::Rows expected = {{1, 2}, {3, 4}, {5, 6}};
    const std::string all = "[[1, 2], [3, 4], [5, 6]][:len(batch)]";
    CHECK(vectors_of(all) == expected);
    CHECK(vectors_of("np.array(" + all + ", dtype=np.float64)") == expected);
    CHECK(vectors_of("np.array(" + all + ", dtype='>f4')") == expected);
    CHECK(vectors_of("np.array(" + all + ", dtype=np.float16)") == expected);
    CHECK(vectors_of("np.asfortranarray(np.array(" + all + "))") == expected);
    CHECK(vectors_of("np.repeat(np.array(" + all + ", dtype=np.float32), 2, axis=1)[:, ::2]") ==
          expected);
    CHECK(vectors_of("[np.array(v) for v in " + all + "]") == expected);
    CHECK(vectors_of("tuple(" + all + ")") == expected);
}

TEST_CASE("vectors may be tensors, with a graph, elsewhere, of a type that NumPy lacks")
{
    const Script script(
        "import numpy as np\n"
        "class Tensor:\n"
        "    def __init__(self, values, state=()):\n"
        "        self.values, self.state = values, state\n"
        "    def detach(self): return Tensor(self.values, self.state + ('d',))\n"
        "    def cpu(self): return Tensor(self.values, self.state + ('c',))\n"
        "    def float(self): return Tensor(self.values, self.state + ('f',))\n"
        "    def __array__(self, dtype=None):\n"
        "        assert self.state == ('d', 'c', 'f')\n"
        "        return np.array(self.values, dtype=dtype)\n"
        "def batcher(params, batch):\n"
        "    rows = [[len(s), 0.5] for s in batch]\n"
        "    return Tensor(rows) if len(rows) > 1 else [Tensor(r) for r in rows]\n");
    const auto harness = script.prepared();
    CHECK(harness.encode({"a b", "c", "d"}) == test::Rows{{2, 0.5}, {1, 0.5}, {1, 0.5}});
    CHECK(harness.encode("a b") == Row{2, 0.5});
}

TEST_CASE("one sentence may have a vector without rows")
{
    const Script script(batcher("return np.array([1.0, 2.0])"));
    auto harness = script.make({{"args", "batch_size=1"}});
    harness.prepare({"a"});
    CHECK(harness.encode({"a", "b", "c"}) == test::Rows{{1, 2}, {1, 2}, {1, 2}});
}

TEST_CASE("an error of the script is told with its line and the way there")
{
    const std::string what = Script("def look(word):\n    return {}[word]\n" +
                                    batcher("return [look(s[0]) for s in batch]"))
                                 .complaint();
    CHECK(test::contains(
        what, {"KeyError: 'a' (script.py:2, in look)\n", "script.py\", line 5, in batcher"}));
    CHECK(!test::contains(what, "client.py"));

    const std::vector<std::pair<std::string, std::string>> expected = {
        {batcher("return np.zeros(-1)"), "(script.py:3, in batcher)"},
        {"def f(:\n", "(script.py:1)"},
        {"import no_such_module_1\n", "'no_such_module_1' (script.py:1, in <module>)"},
        {"import sys\nsys.exit(3)\n", "sys.exit(3)"},
        {batcher("raise KeyboardInterrupt"), "script.py:3"},
        {batcher("raise ValueError('no \\udcff')"), "ValueError: no \\udcff (script.py:3"},
    };
    for (const auto& [script, told] : expected)
        CHECK(test::contains(Script(script).complaint(), told));
}

TEST_CASE("what is no array of vectors is refused, and said to be what it is")
{
    const std::vector<std::pair<std::string, std::string>> expected = {
        {"None", "returned None"},
        {"np.zeros((len(batch) + 1, 2))", "shape (3, 2) for 2 sentences"},
        {"np.zeros((len(batch), 0))", "shape (2, 0)"},
        {"np.zeros((len(batch), 2, 2))", "shape (2, 2, 2)"},
        {"['a' for s in batch]", "returned list of <U1"},
        {"np.zeros((len(batch), 2), dtype=complex)", "complex128"},
        {"[[1.0] * len(s) for s in batch]", "all of one length"},
        {"np.zeros((len(batch), len(batch)))", "vectors of length 3; before, they had length 2"},
    };
    for (const auto& [expression, told] : expected)
        CHECK(test::contains(Script(batcher("return " + expression)).complaint(), told));
}

TEST_CASE("a script that cannot be used says what is missing")
{
    const Script empty("x = 1\n");
    CHECK(test::contains(empty.complaint(), "script.py defines neither batcher(params, batch)"));
    CHECK(Script("def encode(s): return [[1.0, 2.0] for one in s]\n").complaint().empty());
    CHECK(test::contains(Script(batcher("return 1")).complaint({{"args", "no value"}}),
                         "'no value' is not key=value"));
    CHECK(test::contains(Script(batcher("return 1")).complaint({{"args", "batch_size=0"}}),
                         "params.batch_size is 0"));
    CHECK(test::status_of([&] { return make(empty.folder() / "nowhere.py"); }) ==
          SENTEVAL_NOT_FOUND);
}

TEST_CASE(
    "encode is called with whole sentences: of a function, of the only object, of a named one")
{
    const Settings encode = {{"style", std::string("encode")}};
    const auto named = [](const std::string& name) {
        return Settings{{"style", std::string("encode")}, {"object", name}};
    };
    const std::string model = "class Model:\n"
                              "    def __init__(self, x): self.x = x\n"
                              "    def encode(self, sentences):\n"
                              "        assert isinstance(sentences, list)\n"
                              "        return [[len(s), self.x] for s in sentences]\n";
    CHECK(Script("def encode(sentences): return [[len(s)] for s in sentences]\n")
              .prepared(encode)
              .encode({"a b", "", "c"}) == test::Rows{{3}, {0}, {1}});
    CHECK(Script(model + "model = Model(1)\ntext = 'abc'\n").prepared(encode).encode("a b") ==
          Row{3, 1});
    const Script two(model + "one = Model(1)\ntwo = Model(2)\nf = one.encode\n");
    CHECK(test::contains(two.complaint(encode), "objects one, two with encode(sentences)"));
    CHECK(two.prepared(named("two")).encode("a b") == Row{3, 2});
    CHECK(two.prepared(named("f")).encode("a b") == Row{3, 1});
    CHECK(test::contains(two.complaint(named("three")), "script.py has no 'three'"));
    const Script klass("class M:\n    def encode(self, s): return [[len(x)] for x in s]\n");
    CHECK(klass.prepared(encode).encode("a b") == Row{3});
    CHECK(klass.prepared(named("M")).encode("a b") == Row{3});
    CHECK(test::contains(
        Script("def encode(s): return {'dense_vecs': [[1.0]]}\n").complaint(encode), "dense_vecs"));
    CHECK(test::contains(Script("x = 1\n").complaint(encode), "script.py has nothing with encode"));
    CHECK(test::contains(Script("def encode(s): return [[1.0]]\n").complaint(encode),
                         "encode() of script.py returned"));
}

TEST_CASE("objects with predict or rank are rerankers: a score for the query and each document")
{
    const Settings encode = {{"style", std::string("encode")}};
    const auto scored = [&](const std::string& text) {
        auto encoder = Script(text).make(encode);
        CHECK(encoder.dimension() == 1);
        encoder.prepare({"two words"});
        const test::Rows rows = encoder.encode({"a b", "", "c"});
        encoder.prepare({"q"});
        CHECK(encoder.encode("longer") == Row{5});
        return rows;
    };
    const test::Rows expected = {{-6}, {-9}, {-8}}; // lengths of documents less that of the query
    const std::string predict = "class Model:\n"
                                "    def predict(self, pairs, activation_fn=None):\n"
                                "        assert activation_fn(3) == 3\n"
                                "        return SHAPE(len(b) - len(a) for a, b in pairs)\n"
                                "model = Model()\n";
    const auto as = [&](std::string shape) {
        std::string text = predict;
        return "import numpy as np\n" + text.replace(text.find("SHAPE"), 5, std::move(shape));
    };
    for (const char* const shape :
         {"list", "(lambda x: np.array(list(x)))", "(lambda x: np.array([list(x)]).T)",
          "(lambda x: [np.float16(y) for y in x])"})
        CHECK(scored(as(shape)) == expected);
    CHECK(scored("def predict(pairs): return [len(b) - len(a) for a, b in pairs]\n") == expected);
    const std::string rank =
        "def rank(query, documents):\n"
        "    scores = [len(one) - len(query) for one in documents]\n"
        "    order = sorted(range(len(scores)), key=lambda i: -scores[i])\n"
        "    ranked = [{'corpus_id': i, 'score': scores[i], 'text': ''} for i in order]\n"
        "    return ";
    CHECK(scored(rank + "ranked\n") == expected);

    const auto complaint = [&](const std::string& text) {
        return test::error_of<test::PluginFailure>([&] {
            auto encoder = Script(text).make(encode);
            encoder.prepare({"q"});
            return encoder.encode({"a", "b", "c"});
        });
    };
    for (const char* const wrong : {"ranked[1:]", "ranked[1:] + ranked[1:2]", "ranked * 2", "None",
                                    "[1, 2, 3]", "[{'score': 1}] * 3"})
        CHECK(test::contains(complaint(rank + wrong), "rank() of script.py returned"));
    for (const char* const wrong : {"lambda x: [1]", "lambda x: None", "lambda x: [[1, 2]] * 3",
                                    "lambda x: np.ones((3, 2))", "lambda x: ['a'] * 3"})
        CHECK(test::contains(complaint(as("(" + std::string(wrong) + ")")),
                             "predict() of script.py returned"));
    CHECK(test::contains(Script(as("list")).complaint(encode), "one query, and was given 2"));
    CHECK(test::contains(Script(as("list") + "other = Model()\n").complaint(encode),
                         "objects model, other with predict or rank"));
    CHECK(Script(as("list") + "def encode(s): return [[1.0]] * len(s)\n")
              .prepared(encode)
              .encode("a") == Row{1}); // which is more than that
    CHECK(test::contains(stated(Script(rank + "ranked\n").folder() / "script.py"),
                         R"("reranks": true)"));
}

TEST_CASE(
    "the modules beside a script are part of its identity, also those that are imported later")
{
    const Script script(
        "import sys, os\n"
        "sys.path.insert(0, os.path.join(os.path.dirname(__file__), 'elsewhere/lib'))\n"
        "import importlib, json, model, shared\n" +
        batcher("from parts import late; importlib.import_module('named'); return [[late.x]]"));
    script.folder().write("elsewhere/lib/shared.py", "");
    const fs::path path = script.folder() / "script.py";
    script.folder().write("model.py", "x = 1\n");
    script.folder().write("parts/__init__.py", "");
    script.folder().write("parts/late.py", "import numpy\nx = 1\n");
    script.folder().write("named.py", "x = 1\n");
    script.folder().write("unused.py", "x = 1\n");
    const std::string before = stated(path);
    CHECK(test::contains(before, {"\"model.py\"", "\"parts/__init__.py\"", "\"parts/late.py\"",
                                  "\"elsewhere/lib/shared.py\"", "\"named.py\""}));
    CHECK(!test::contains(before, "unused"));
    CHECK(!test::contains(before, "json"));
    CHECK(!test::contains(before, "numpy"));
    CHECK(!test::contains(before, script.folder().path().string()));
    CHECK(stated(path) == before);
    script.folder().write("parts/late.py", "import numpy\nx = 2\n");
    CHECK(stated(path) != before);
}

TEST_CASE("files and folders that arguments name are part of the identity of a script, by content")
{
    const Script script(batcher("return [[1]]"));
    const auto model = script.folder() / "model";
    script.folder().write("model/deep/weights", "1");
    const auto vectors = script.folder().write("vectors.txt", "1");
    const auto stated_with = [&](const std::string& value) {
        return stated(script.folder() / "script.py", {"model=" + value, "layers=3"});
    };
    const std::string before = stated_with(model.string());
    CHECK(stated_with(model.string()) == before);
    script.folder().write("model/deep/weights", "2");
    const std::string retrained = stated_with(model.string());
    CHECK(retrained != before);
    script.folder().write("model/more", "");
    CHECK(stated_with(model.string()) != retrained);

    const std::string of_file = stated_with(vectors.string());
    script.folder().write("vectors.txt", "2");
    CHECK(stated_with(vectors.string()) != of_file);

    CHECK(stated_with("a-name") == stated(script.folder() / "script.py"));
    CHECK(stated_with("/") == stated(script.folder() / "script.py")); // holds everything
}

TEST_CASE("a script is batch-invariant where the user says so")
{
    const auto capabilities = [](bool said) {
        std::uint32_t kept = 0;
        const Script script(batcher("return 1"));
        with_instance(script.folder() / "script.py", said,
                      [&](const senteval_identity& identity, senteval_instance* instance) {
                          kept = identity.capabilities(instance);
                      });
        return kept;
    };
    CHECK(capabilities(false) == 0);
    CHECK(capabilities(true) == SENTEVAL_CAP_BATCH_INVARIANT);
}

TEST_CASE("a script that works on and on is interrupted when the host wants to stop")
{
    const Script script(
        batcher("return np.ones((len(batch), 1)) if batch[0] != ['stop'] else work()") +
        "def work():\n"
        "    open(__file__ + '.begun', 'w').close()\n"
        "    while True:\n"
        "        try:\n"
        "            sum(range(1000))\n"
        "        except Exception:\n"
        "            pass\n");
    const std::string path = (script.folder() / "script.py").string();
    const senteval_param params[] = {
        {senteval::sdk::to_c("script"),
         {SENTEVAL_TYPE_PATH, 0, {.string = senteval::sdk::to_c(path)}}}};
    const test::FakeHost host;
    test::FakeCall call;
    senteval_instance* instance = nullptr;
    REQUIRE(python().create(call.c(), host.c(), params, 1, &instance) == SENTEVAL_OK);
    const senteval_task task{sizeof task, 0, "Test", "en"};
    const test::Sentences samples({"a"});
    REQUIRE(python().prepare(call.c(), instance, &task, samples.c()) == SENTEVAL_OK);

    std::thread user([&] {
        while (!fs::exists(path + ".begun"))
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        call.cancel();
    });
    const test::Sentences batch({"stop"});
    float value = 0;
    senteval_matrix out{sizeof out, 0, &value, 1, 1, 1};
    CHECK(python().batcher(call.c(), instance, batch.c(), &out) == SENTEVAL_CANCELLED);
    user.join();
    const test::FakeCall again; // its process has ended: the next task starts it anew
    REQUIRE(python().prepare(again.c(), instance, &task, samples.c()) == SENTEVAL_OK);
    CHECK(python().batcher(again.c(), instance, samples.c(), &out) == SENTEVAL_OK);
    CHECK(value == 1);
    python().destroy(instance);
}

TEST_CASE("the processes of a script's pool import it by its name")
{
    const Script script("import multiprocessing\n"
                        "def length(sentence): return [len(sentence)]\n" +
                        batcher("with multiprocessing.get_context('spawn').Pool(1) as pool:\n"
                                "        return pool.map(length, batch)"));
    CHECK(script.prepared().encode("a b c") == Row{3});
}
