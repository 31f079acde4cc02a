// plugin.cpp -- the encoder `python`: a script behind the process encoder, run by client.py.
#include "base/python.hpp"
#include "process/process_encoder.hpp"

#include <senteval/encoder.hpp>

#include <dlfcn.h>

#include <array>
#include <filesystem>
#include <string>

namespace senteval::python {
namespace {

namespace fs = std::filesystem;

/// client.py lies in the folder python/ beside this library.
fs::path client()
{
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&client), &info) == 0)
        throw sdk::Error(SENTEVAL_INTERNAL, "cannot find the folder of this library");
    return fs::absolute(info.dli_fname).parent_path() / "python" / "client.py";
}

process::Launch launch(const sdk::Setup& setup)
{
    const fs::path script = setup.params.require<std::string>("script");
    if (!fs::is_regular_file(script))
        throw sdk::Error(SENTEVAL_NOT_FOUND,
                         "parameter 'script': there is no file '" + script.string() + "'");
    const bool encodes =
        setup.params.choice<bool>("style", {{"senteval", false}, {"encode", true}});
    process::Launch launch;
    launch.command.text = script.filename();
    launch.command.folder = fs::current_path();
    launch.command.words = {
        process::find_program(base::python_program(setup.params.get("interpreter", "")),
                              fs::current_path()),
        "-X",
        "utf8",
        client(),
        fs::absolute(script),
        encodes ? "encode" : "senteval",
        setup.params.get("object", ""),
        setup.params.get("batch_invariant", false) ? "batch_invariant" : "",
        setup.params.get("argv", "")};
    for (const auto& one : setup.params.all<std::string>("args"))
        launch.command.words.push_back(one);
    launch.options.threads = setup.call.thread_budget();
    return launch;
}

class PythonEncoder : public process::ProcessEncoder {
public:
    // Batch-invariant only where the user says so: a script may do anything with a batch.
    static constexpr sdk::Descriptor descriptor{
        .id = "senteval.python",
        .name = "Python script",
        .version = "1.0",
        .description = "A script written for SentEval, unchanged: prepare(params, samples) and "
                       "batcher(params, batch); or any object with encode(list of sentences).",
        .license = "MIT",
        .capabilities = SENTEVAL_CAP_BATCH_INVARIANT,
    };
    static constexpr auto params = std::array{
        sdk::path_param("script", "The script, a .py file."),
        sdk::param(
            "style",
            "senteval",
            "What is called: prepare and batcher (senteval), or encode(list of str), or predict "
            "or rank of a reranker, as in sentence-transformers (encode)."),
        sdk::param(
            "object",
            "",
            "For style=encode: the script's object that has encode (or predict, or rank), or "
            "its function; not needed where there is only one."),
        sdk::param("batch_invariant",
                   false,
                   "Whether the vector of a sentence depends on it alone, not on the others of its "
                   "batch: each is then encoded once, and --cache can keep it."),
        sdk::no_effect(sdk::param(
            "interpreter",
            "",
            "The Python that runs the script; by default that of the active environment.")),
        sdk::param("argv", "", "The script's command line, as a shell reads it: \"--model x\"."),
        senteval_param_spec{
            sizeof(senteval_param_spec),
            SENTEVAL_PARAM_LIST,
            "args",
            "key=value for the script's params, the value as Python writes it, else a string; may "
            "be given several times.",
            {SENTEVAL_TYPE_STRING, 0, {.string = sdk::to_c("")}}},
    };

    explicit PythonEncoder(const sdk::Setup& setup) : ProcessEncoder(setup, launch(setup)) {}

    /// The client states as its version what the script consists of.
    const std::string& identity() const { return hello().version; }
};

} // namespace
} // namespace senteval::python

SENTEVAL_PLUGIN(senteval::python::PythonEncoder);
