// What an encoder that takes instructions is given in front of the texts of a task.
#include "run/prompts.hpp"
#include "support/support.hpp"

using namespace senteval;
using encoder::Prompts;
using text::Role;

namespace {

struct Asked {
    test::ScratchFolder folder;
    encoder::Identity encoder;
    results::TaskRecord task;

    Asked()
    {
        encoder.parameters = {{"model", folder.path().string()},
                              {"instruction", "Do {instruction}:"}};
        task.description["keys"]["mteb"] = {
            {"task", "Rain"}, {"type", "Retrieval"}, {"prompt", "find rain"}};
    }
    void has_prompts(const base::Json& prompts) const
    {
        folder.write("config_sentence_transformers.json",
                     base::Json({{"prompts", prompts}}).dump());
    }
    [[nodiscard]] Prompts prompts() const { return run::prompts_for(encoder, task); }
};

const Prompts by_instruction = {{Role::none, "Do find rain:"}, {Role::query, "Do find rain:"}};

} // namespace

TEST_CASE("an encoder with a template gets the instruction of a task, others and other tasks none")
{
    Asked asked;
    CHECK(asked.prompts() == by_instruction);
    asked.task.description = {};
    CHECK(asked.prompts().empty());
    Asked without;
    without.encoder.parameters.erase("instruction");
    CHECK(without.prompts().empty());
    without.has_prompts({{"Rain", "mine"}});
    CHECK(without.prompts().empty());
    without.folder.write("config_sentence_transformers.json",
                         R"({"instruction_template": "Do {instruction}:"})");
    CHECK(without.prompts() == by_instruction);
}

TEST_CASE(
    "a model's own prompt of a task wins, in MTEB's order, and a prefix of the user's over both")
{
    Asked asked;
    base::Json own = base::Json::object();
    const auto of_query = [&](const char* name) {
        own[name] = name;
        asked.has_prompts(own);
        return asked.prompts().at(Role::query);
    };
    for (const char* name : {"query", "Retrieval", "Retrieval-query", "Rain", "Rain-query"})
        CHECK(of_query(name) == name);
    CHECK(asked.prompts().at(Role::none) == "Rain");
    CHECK(asked.prompts().at(Role::document) == "Rain");
    asked.has_prompts({{"document", "doc"}});
    CHECK(asked.prompts().at(Role::query) == "Do find rain:");
    CHECK(asked.prompts().at(Role::document) == "doc");
    asked.encoder.parameters["prompt_name"] = "none";
    CHECK(asked.prompts() == by_instruction);
    asked.encoder.parameters["query_prefix"] = "";
    CHECK(asked.prompts() == Prompts{{Role::none, "Do find rain:"}});
}
