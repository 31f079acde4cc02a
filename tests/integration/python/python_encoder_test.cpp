// The encoder `python` behind its C table: what a script may be, and what is said of one that errs.
#include "scripts.hpp"

#include <numeric>

namespace {

namespace test = senteval::test;

using test::PluginHarness;
using test::scripts::batcher;
using test::scripts::make;
using test::scripts::python;
using test::scripts::Row;
using test::scripts::Script;
using test::scripts::Settings;

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
    CHECK(test::contains(what, "KeyError: 'a' (script.py:2, in look)\n"));
    CHECK(test::contains(what, "script.py\", line 5, in batcher"));
    CHECK(!test::contains(what, "<senteval>"));

    const std::string inside = Script(batcher("return np.zeros(-1)")).complaint();
    CHECK(test::contains(inside, "(script.py:3, in batcher)"));
    CHECK(test::contains(Script("def f(:\n").complaint(), "SyntaxError: "));
    CHECK(test::contains(Script("def f(:\n").complaint(), "(script.py:1)"));
    CHECK(test::contains(Script("import no_such_module_1\n").complaint(),
                         "No module named 'no_such_module_1' (script.py:1, in <module>)"));
    CHECK(test::contains(Script("import no_such_module_1\n").complaint(), "(by Python 3."));
    CHECK(test::contains(Script("import sys\nsys.exit(3)\n").complaint(), "sys.exit(3)"));
    CHECK(test::contains(Script(batcher("import sys; sys.exit()")).complaint(), "sys.exit(None)"));
    CHECK(test::contains(Script(batcher("raise KeyboardInterrupt")).complaint(), "script.py:3"));
    CHECK(test::contains(Script(batcher("raise ValueError('no \\udcff')")).complaint(),
                         "ValueError: no \\udcff (script.py:3, in batcher)"));
}

TEST_CASE("what is no array of vectors is refused, and said to be what it is")
{
    const auto complaint = [](const std::string& expression) {
        return Script(batcher("return " + expression)).complaint();
    };
    const std::string name = "batcher() of script.py returned ";
    CHECK(complaint("None") == name + "None: it must return one vector per sentence");
    CHECK(test::contains(complaint("np.zeros((len(batch) + 1, 2))"),
                         name + "an array of shape (3, 2) for 2 sentences"));
    CHECK(test::contains(complaint("np.zeros((len(batch), 0))"), "shape (2, 0)"));
    CHECK(test::contains(complaint("np.zeros((len(batch), 2, 2))"), "shape (2, 2, 2)"));
    CHECK(test::contains(complaint("['a' for s in batch]"), name + "list of <U1"));
    CHECK(test::contains(complaint("np.zeros((len(batch), 2), dtype=complex)"), "complex128"));
    CHECK(test::contains(complaint("[[1.0] * len(s) for s in batch]"), "all of one length"));
    CHECK(test::contains(complaint("np.zeros((len(batch), len(batch)))"),
                         name + "vectors of length 3; before, they had length 2"));
}

TEST_CASE("a script that cannot be used says what is missing")
{
    const Script empty("x = 1\n");
    CHECK(
        test::contains(empty.complaint(), "script.py defines no function batcher(params, batch)"));
    CHECK(test::contains(Script("def encode(s): return s\n").complaint(), "--set style=encode"));
    CHECK(test::contains(Script(batcher("return 1")).complaint({{"args", "no value"}}),
                         "'no value' is not key=value"));
    CHECK(test::contains(Script(batcher("return 1")).complaint({{"args", "batch_size=0"}}),
                         "params.batch_size is 0"));
    CHECK(test::contains(empty.complaint({{"style", "sbert"}}), "senteval, encode"));
    try {
        (void)make(empty.folder() / "nowhere.py");
        FAIL("a missing script was accepted");
    } catch (const test::PluginFailure& e) {
        CHECK(e.status == SENTEVAL_NOT_FOUND);
        CHECK(test::contains(e.what(), "nowhere.py'"));
    }
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
    CHECK(test::contains(two.complaint(named("Model")), "neither an object"));
    CHECK(test::contains(Script("x = 1\n").complaint(encode), "script.py has nothing with encode"));
    CHECK(test::contains(Script("def encode(s): return [[1.0]]\n").complaint(encode),
                         "encode() of script.py returned"));
}
