// scripts.hpp -- the encoder `python` with a script that a test writes.
#pragma once

#include "support/loaded_plugin.hpp"
#include "support/plugin_harness.hpp"
#include "support/support.hpp"

namespace senteval::test::scripts {

namespace fs = std::filesystem;

using Settings = std::vector<Parameter>;
using Row = std::vector<float>;

inline const senteval_encoder& python()
{
    setenv("PATH", "/usr/bin:/bin", 1); // Debian's Python has Debian's NumPy
    unsetenv("VIRTUAL_ENV");
    unsetenv("CONDA_PREFIX");
    static const LoadedPlugin plugin(binary_dir() / "plugins/python.so");
    return plugin.encoder("senteval.python");
}

/// An instance of a script, with further parameters.
inline PluginHarness make(const fs::path& script, Settings settings = {})
{
    settings.insert(settings.begin(), {"script", script.string()});
    return PluginHarness(python(), settings);
}

/// A script in a folder of its own.
class Script {
public:
    explicit Script(const std::string& text) : path_(folder_.write("script.py", text)) {}

    [[nodiscard]] PluginHarness make(Settings settings = {}) const
    {
        return scripts::make(path_, std::move(settings));
    }
    [[nodiscard]] PluginHarness prepared(Settings settings = {}) const
    {
        auto harness = make(std::move(settings));
        harness.prepare({"a b", "c"});
        return harness;
    }
    /// What is said when it is loaded, prepared and asked for three vectors.
    [[nodiscard]] std::string complaint(Settings settings = {}) const
    {
        try {
            (void)prepared(std::move(settings)).encode({"a b", "c", "d"});
        } catch (const PluginFailure& e) {
            return e.what();
        }
        return "";
    }
    [[nodiscard]] const ScratchFolder& folder() const { return folder_; }

private:
    ScratchFolder folder_;
    fs::path path_;
};

/// A script whose batcher() is one statement.
inline std::string batcher(const std::string& body)
{
    return "import numpy as np\ndef batcher(params, batch):\n    " + body + "\n";
}

/// Hands `use` an instance and what it has to say of itself.
template <typename Use>
void with_instance(const fs::path& script,
                   bool batch_invariant,
                   const Use& use,
                   const std::vector<std::string>& arguments = {})
{
    const std::string path = script.string();
    std::vector<senteval_param> params = {
        {sdk::to_c("script"), {SENTEVAL_TYPE_PATH, 0, {.string = sdk::to_c(path)}}},
        {sdk::to_c("batch_invariant"),
         {SENTEVAL_TYPE_BOOLEAN, 0, {.boolean = batch_invariant ? 1U : 0U}}}};
    for (const std::string& argument : arguments)
        params.push_back(
            {sdk::to_c("args"), {SENTEVAL_TYPE_STRING, 0, {.string = sdk::to_c(argument)}}});
    const FakeHost host;
    const FakeCall call;
    senteval_instance* instance = nullptr;
    REQUIRE(python().create(call.c(), host.c(), params.data(), params.size(), &instance) ==
            SENTEVAL_OK);
    use(*static_cast<const senteval_identity*>(
            python().get_extension(&python(), SENTEVAL_IDENTITY_EXTENSION)),
        instance);
    python().destroy(instance);
}

} // namespace senteval::test::scripts
