#include "base/error.hpp"
#include "encoder/find.hpp"
#include "support/support.hpp"

using namespace senteval;
namespace fs = std::filesystem;

namespace {

const fs::path bad_plugins = test::binary_dir() / "tests/bad_plugins";

/// $SENTEVAL_PLUGIN_PATH for the length of a test.
class Variable {
public:
    Variable(const char* name, const fs::path& value) : name_(name)
    {
        setenv(name, value.c_str(), 1);
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;
    Variable(Variable&&) = delete;
    Variable& operator=(Variable&&) = delete;
    ~Variable() { unsetenv(name_); }

private:
    const char* name_;
};

std::string id(const encoder::FoundEncoder& found)
{
    return found.encoder->id;
}

} // namespace

TEST_CASE("a path names a library, relative to the base, and perhaps one of its encoders")
{
    CHECK(id(encoder::find_encoder("./runtime.so", bad_plugins)) == "bad.runtime");
    CHECK(id(encoder::find_encoder("runtime.so", bad_plugins)) == "bad.runtime");
    CHECK(id(encoder::find_encoder((bad_plugins / "runtime.so:runtime").string(), "/")) ==
          "bad.runtime");
    CHECK_ERROR(base::UsageError, "no encoder 'other'",
                encoder::find_encoder("./runtime.so:other", bad_plugins));
    CHECK_ERROR(base::UsageError, "bad_plugins/./none.so' does not exist",
                encoder::find_encoder("./none.so", bad_plugins));
    CHECK(encoder::find_plugin("./runtime.so", bad_plugins)->encoders().size() == 1);
}

TEST_CASE("a name is looked up in the folders of the plugin path, past libraries that are broken")
{
    const test::ScratchFolder folder;
    fs::copy_file(bad_plugins / "runtime.so", folder / "runtime.so");
    folder.write("aardvark.so", "not a library");
    const Variable path("SENTEVAL_PLUGIN_PATH", folder.path());

    CHECK(encoder::plugin_folders().front() == folder.path());
    CHECK(id(encoder::find_encoder("runtime", "/")) == "bad.runtime");
    CHECK(id(encoder::find_encoder("bad.runtime", "/")) == "bad.runtime");
    CHECK(id(encoder::find_encoder("runtime:runtime", "/")) == "bad.runtime");
    CHECK(encoder::find_plugin("runtime", "/")->path() == folder / "runtime.so");
    CHECK(encoder::load_bundled_plugins().problems.size() == 1);

    CHECK_ERROR(base::UsageError, "there is no encoder 'runtme'. Did you mean 'runtime'?",
                encoder::find_encoder("runtme", "/"));
    CHECK_ERROR(base::UsageError, "cannot be loaded", encoder::find_encoder("aardvark", "/"));
    CHECK_ERROR(base::UsageError, "aardvark.so' is not a usable encoder plugin",
                encoder::find_encoder("runtme", "/"));
    CHECK_THROWS_AS((void)encoder::find_encoder("nowhere:runtime", "/"), base::UsageError);
}

TEST_CASE("a name of something else is refused, and the error says how to name it")
{
    const test::ScratchFolder folder;
    folder.write("m.py", "");
    folder.write("program", "#!/bin/sh\n");
    folder.write("w/model.safetensors", "");
    for (const std::string name :
         {"m.py", "./m.py", "m.py:encode", "python m.py", "nowhere.py", "./program", "./nowhere",
          "http://127.0.0.1:8080/v1", "w/model.safetensors", "org/model", "all-MiniLM-L6-v2", ""}) {
        CAPTURE(name);
        CHECK_THROWS_WITH_AS((void)encoder::find_encoder(name, folder.path()),
                             doctest::Contains("http --set url="), base::UsageError);
        CHECK_THROWS_AS((void)encoder::find_plugin(name, folder.path()), base::UsageError);
    }
    CHECK_THROWS_AS((void)encoder::find_encoder("python:m.py", folder.path()), base::UsageError);
    CHECK_THROWS_AS((void)encoder::find_encoder(std::string(300, 'x'), "/"), base::UsageError);
    CHECK_THROWS_AS((void)encoder::library_at("./m.py", folder.path()), base::UsageError);
    fs::copy_file(bad_plugins / "runtime.so", folder / "unnamed");
    CHECK(id(encoder::find_encoder("./unnamed", folder.path())) == "bad.runtime");
}

TEST_CASE("a folder is of the encoder that knows it, here and in the hub's cache")
{
    const test::ScratchFolder folder;
    const auto write_static = [&](const std::string& name, const char* config) {
        folder.write(name + "/config.json", config);
        folder.write(name + "/tokenizer.json", "{}");
        folder.write(name + "/model.safetensors", "");
    };
    const std::string snapshot = "hub/models--org--tiny-model/snapshots/abc123";
    write_static("m2v", R"({"model_type": "model2vec"})");
    folder.write("m2v/modules.json", R"([{"idx": 0, "path": "1_Normalize", "type": "x"}])");
    write_static("old", R"({"apply_zipf": true})");
    write_static(snapshot, R"({"model_type": "model2vec"})");
    folder.write("hub/models--org--tiny-model/refs/main", "abc123\n");
    folder.write("bert/config.json", R"({"model_type": "t5"})"); // refused by name, by the encoder
    folder.write("empty/x", "");
    folder.write("tfjs/model.json", R"({"weightsManifest": [{"paths": ["weights.bin"]}]})");
    folder.write("tfjs/vocab.json", "[]");
    const auto found = [&](const std::string& name) {
        return encoder::find_encoder(name, folder.path());
    };
    CHECK(id(found("m2v")) == "senteval.static");
    CHECK(id(found("./old/")) == "senteval.static");
    CHECK(found("./old/").label == "old");
    CHECK(found("./old/").folder->second == fs::canonical(folder / "old").string());
    if (fs::exists(encoder::plugin_folders()[0] / "transformer.so"))
        CHECK(id(found("bert")) == "senteval.transformer");
    CHECK(id(found("tfjs")) == "senteval.use");
    CHECK_THROWS_AS((void)found("./empty/"), base::UsageError);
    const Variable cache("HF_HUB_CACHE", folder / "hub");
    CHECK(id(found("org/tiny-model")) == "senteval.static");
    CHECK(found("org/tiny-model").label == "tiny-model");
    CHECK(found("org/tiny-model").folder->second == fs::canonical(folder / snapshot).string());
    CHECK_THROWS_AS((void)found("org/other-model"), base::UsageError);
}

TEST_CASE("of equal file names in the plugin path the first counts")
{
    const test::ScratchFolder first;
    const test::ScratchFolder second;
    fs::copy_file(bad_plugins / "runtime.so", first / "same.so");
    second.write("same.so", "not a library");
    const Variable path("SENTEVAL_PLUGIN_PATH",
                        first.path().string() + ":" + second.path().string());
    CHECK(id(encoder::find_encoder("same", "/")) == "bad.runtime");
}
