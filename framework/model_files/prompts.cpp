#include "model_files/prompts.hpp"

#include <string_view>

namespace senteval::model_files {

Prompts<> prompts_of(const sdk::Host& host,
                     const std::filesystem::path& folder,
                     const std::string& name,
                     const std::string& given,
                     const char* kind)
{
    const std::filesystem::path file = folder / "config_sentence_transformers.json";
    const Json config = read_json_if(file);
    return reading(file, [&]() -> Prompts<> {
        warn_of_others(host, file, config,
                       "__version__ prompts default_prompt_name similarity_fn_name model_type "
                       "requirements normalize truncate_dim activation_fn instruction_template");
        if (const auto said = member<std::string>(config, "model_type"); said && *said != kind)
            throw std::invalid_argument("the model_type '" + *said + "'");
        const auto similarity = member<std::string>(config, "similarity_fn_name");
        const Json prompts = config.value("prompts", Json::object());
        if (config.value("truncate_dim", Json()) != nullptr)
            throw std::invalid_argument("a truncate_dim");
        if (!given.empty())
            return {given, given, given, similarity};
        const auto said = [&](std::string_view one) {
            return member<std::string>(prompts, one).value_or("");
        };
        const std::string chosen =
            name == "default" ? member<std::string>(config, "default_prompt_name").value_or("none")
                              : name;
        if (chosen != "none" && !prompts.contains(chosen))
            base::refuse(file, "has no prompt '{}'; it has {}", chosen,
                         prompts.empty() ? "none" : prompts.dump());
        const std::string plain = chosen == "none" ? "" : said(chosen);
        return name != "default" ? Prompts<>{plain, plain, plain, similarity}
                                 : Prompts<>{plain, said("query"), said("document"), similarity};
    });
}

} // namespace senteval::model_files
