// The encoder `python` behind its C table: its identity, its threads, and the process that it lives in.
#include "scripts.hpp"

#include <array>
#include <chrono>
#include <clocale>
#include <csignal>
#include <thread>
#include <utility>

namespace {

namespace fs = std::filesystem;
namespace test = senteval::test;

using test::scripts::batcher;
using test::scripts::python;
using test::scripts::Row;
using test::scripts::Script;
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

TEST_CASE("two scripts have modules of one name beside them")
{
    const auto script = [](const std::string& value) {
        auto made =
            std::make_unique<Script>("import model\n"
                                     "def batcher(params, batch):\n"
                                     "    import late\n"
                                     "    return [[model.value, late.value] for s in batch]\n");
        made->folder().write("model.py", "value = " + value + "\n");
        made->folder().write("late.py", "value = -" + value + "\n");
        return made;
    };
    const auto one = script("1");
    const auto two = script("2");
    auto first = one->make();
    auto second = two->make();
    first.prepare({"a"});
    second.prepare({"a"});
    CHECK(first.encode("a") == Row{1, -1});
    CHECK(second.encode("a") == Row{2, -2});
    CHECK(first.encode("a") == Row{1, -1});
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
    CHECK(test::contains(before, "\"model.py\""));
    CHECK(test::contains(before, "\"parts/__init__.py\""));
    CHECK(test::contains(before, "\"parts/late.py\""));
    CHECK(test::contains(before, "\"elsewhere/lib/shared.py\""));
    CHECK(test::contains(before, "\"named.py\""));
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

TEST_CASE("with an instance goes what its script made, whatever holds what")
{
    const Script script("class Model:\n"
                        "    def __init__(self):\n"
                        "        self.itself = self\n"
                        "    def encode(self, sentences):\n"
                        "        return [[len(s)] for s in sentences]\n"
                        "    def __del__(self, done=open, path=__file__ + '.gone'):\n"
                        "        done(path, 'w').close()\n"
                        "model = Model()\n");
    const auto gone = script.folder() / "script.py.gone";
    (void)script.prepared({{"style", std::string("encode")}});
    CHECK(fs::exists(gone));
    fs::remove(gone);
    {
        const auto instance = script.prepared({{"style", std::string("encode")}});
        CHECK(instance.encode("four") == Row{4});
        CHECK(!fs::exists(gone));
    }
    CHECK(fs::exists(gone));
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
    const test::FakeCall again; // and it can be used again
    CHECK(python().batcher(again.c(), instance, samples.c(), &out) == SENTEVAL_OK);
    CHECK(value == 1);
    python().destroy(instance);
}

TEST_CASE("the process's locale, signal handlers and working directory stay as they are")
{
    const auto handler_of = [](int signal) {
        struct sigaction action {};
        sigaction(signal, nullptr, &action);
        return action.sa_handler;
    };
    const std::string locale = std::setlocale(LC_ALL, nullptr);
    const auto interrupt = handler_of(SIGINT);
    const auto pipe = handler_of(SIGPIPE);
    const fs::path folder = fs::current_path();
    (void)Script(batcher("return np.ones((len(batch), 3))")).prepared().encode("a");
    CHECK(std::setlocale(LC_ALL, nullptr) == locale);
    CHECK((handler_of(SIGINT) == interrupt));
    CHECK((handler_of(SIGPIPE) == pipe));
    CHECK(fs::current_path() == folder);
}

TEST_CASE("a script's signal handlers hold while it is at work, and are then the host's again")
{
    const Script script("import itertools, signal\n"
                        "def too_slow(signal, frame): raise TimeoutError\n"
                        "signal.signal(signal.SIGALRM, too_slow)\n"
                        "signal.signal(signal.SIGINT, signal.SIG_DFL)\n" +
                        batcher("signal.setitimer(signal.ITIMER_REAL, .01)\n"
                                "    try:\n"
                                "        for number in itertools.count(): pass\n"
                                "    except TimeoutError: return [[1]] * len(batch)"));
    const auto handlers = [] {
        std::array<struct sigaction, 2> both{};
        sigaction(SIGALRM, nullptr, &both[0]);
        sigaction(SIGINT, nullptr, &both[1]);
        return std::pair(both[0].sa_handler, both[1].sa_handler);
    };
    const auto before = handlers();
    for (int instance = 0; instance < 2; ++instance) { // all on Python's main thread
        auto prepared = script.prepared();
        CHECK((handlers() == before));
        CHECK(prepared.encode("a") == Row{1});
        CHECK((handlers() == before));
    }
}

TEST_CASE("the processes of a script's pool import it by its name")
{
    const Script script("import multiprocessing\n"
                        "def length(sentence): return [len(sentence)]\n" +
                        batcher("with multiprocessing.get_context('spawn').Pool(1) as pool:\n"
                                "        return pool.map(length, batch)"));
    CHECK(script.prepared().encode("a b c") == Row{3});
}

TEST_CASE("without Python's library the encoder is loaded and listed, and says what to install")
{
    const test::LoadedPlugin plugin(test::binary_dir() / "tests/python_without_library.so");
    const Script script(batcher("return 1"));
    try {
        test::PluginHarness(plugin.encoder("senteval.python"),
                            {{"script", (script.folder() / "script.py").string()}});
        FAIL("there is such a library");
    } catch (const test::PluginFailure& e) {
        CHECK(e.status == SENTEVAL_UNSUPPORTED);
        CHECK(test::contains(e.what(), "apt install libpython"));
        CHECK(test::contains(e.what(), "libpython_of_nowhere.so"));
    }
}
