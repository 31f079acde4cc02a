#include "model_files/documents.hpp"

#include "model_files/added_tokens.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::model_files {
namespace {

namespace fs = std::filesystem;

/// Keys of tokenizer_config.json that are read, and those that change no ids.
constexpr std::string_view config_keys =
    "add_bos_token add_eos_token add_prefix_space added_tokens_decoder additional_special_tokens "
    "backend bos_token chat_template clean_text clean_up_tokenization_spaces cls_token "
    "do_basic_tokenize do_lower_case eos_token errors extra_special_tokens is_local keep_accents "
    "legacy local_files_only mask_token max_length max_seq_length model_input_names "
    "model_max_length name_or_path never_split pad_to_multiple_of pad_token pad_token_type_id "
    "padding_side processor_class sep_token sp_model_kwargs spaces_between_special_tokens "
    "special_tokens_map_file stride strip_accents tokenize_chinese_chars tokenizer_class "
    "tokenizer_file trim_offsets truncation_side truncation_strategy unk_token use_fast vocab_file "
    "wordpieces_prefix";

using Names = std::array<const char*, 5>; // of padding, unknown, beginning, end, mask
constexpr std::size_t unknown = 1;
constexpr std::size_t begins = 2;
constexpr std::size_t ends = 3;
constexpr Names bert_names = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
constexpr Names mpnet_names = {"<pad>", "[UNK]", "<s>", "</s>", "<mask>"};
constexpr Names roberta_names = {"<pad>", "<unk>", "<s>", "</s>", "<mask>"};
constexpr Names qwen_names = {"<|endoftext|>", "<|endoftext|>", "", "", ""};

/// Tokenizers that transformers 5.24 builds of the vocabulary of a tokenizer.json and what tokenizer_config.json says;
/// others stand as they are in the file.
struct TokenizerClass {
    std::string_view names;  ///< of tokenizer_class, without "Tokenizer"
    std::string_view models; ///< types of config.json whose tokenizer it is where nothing is said
    std::string_view pieces; ///< the type of its model
    const Names* specials;
};
constexpr std::array classes = {
    TokenizerClass{"Bert DistilBert Electra LayoutLM MobileBert ConvBert SqueezeBert",
                   "bert distilbert nomic_bert", "WordPiece", &bert_names},
    TokenizerClass{"MPNet", "mpnet", "WordPiece", &mpnet_names},
    TokenizerClass{"Roberta Longformer Bart", "roberta", "BPE", &roberta_names},
    TokenizerClass{"XLMRoberta Camembert", "xlm-roberta camembert", "Unigram", &roberta_names},
    TokenizerClass{"Qwen2", "qwen3", "BPE", &qwen_names},
};
constexpr std::string_view whole_classes = "PreTrained TokenizersBackend Gemma";

bool has_word(std::string_view words, std::string_view word)
{
    return fmt::format(" {} ", words).find(fmt::format(" {} ", word)) != std::string::npos;
}

/// nullptr where the document stands as it is. A vocab.txt or vocab.json alone is of a class that is known.
const TokenizerClass*
class_of(const fs::path& file, const Json& document, const Json& config, const sdk::Host* host)
{
    fs::path says;
    std::optional<std::string> name;
    std::string type;
    for (const char* const beside : {"config.json", "tokenizer_config.json"}) {
        const fs::path path = file.parent_path() / beside;
        reading(path, [&] {
            const Json& one = path.stem() == "config" ? read_json_if(path) : config;
            type = member<std::string>(one, "model_type").value_or(type);
            if (const auto said = member<std::string>(one, "tokenizer_class")) {
                name = said;
                says = path;
            }
        });
    }
    const bool is_whole = file.filename() == "tokenizer.json";
    if (file.extension() == ".model" || (is_whole && type == "modernbert")) // whatever it names
        return nullptr;
    const std::string plain = name ? name->substr(0, name->rfind("Tokenizer")) : "";
    for (const TokenizerClass& one : classes)
        if (document.at("model").value("type", one.pieces) == one.pieces &&
            (name ? has_word(one.names, plain) : has_word(one.models, type)))
            return &one;
    if (!is_whole && name)
        base::refuse(
            says,
            "names the tokenizer_class {}, which {} alone does not define; give the folder "
            "a tokenizer.json, or make vectors elsewhere for --encoder precomputed",
            *name, file.filename().string());
    if (!is_whole)
        return file.filename() == "vocab.txt" ? &classes[0] : &classes[2];
    if (name && host != nullptr && !has_word(whole_classes, plain))
        host->warn(fmt::format("{}: a {} with this tokenizer.json is not known here; it was read "
                               "as it stands",
                               says.string(), *name));
    return nullptr;
}

/// A token's text, which is said alone or with its settings.
std::string content_of(const Json& token)
{
    return token.is_object() ? token.at("content") : token;
}

/// Names of special tokens in a tokenizer_config.json.
std::vector<std::string> special_names(const Json& config, const Names& otherwise)
{
    constexpr Names keys = {"pad_token", "unk_token", "cls_token", "sep_token", "mask_token"};
    std::vector<std::string> names;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const Json name = config.value(keys[i], Json());
        names.push_back(name.is_null() ? otherwise[i] : content_of(name));
    }
    return names;
}

auto find_token(Json& list, std::string_view content)
{
    return std::ranges::find_if(list,
                                [&](const Json& token) { return token.at("content") == content; });
}

/// The id of a token among `added_tokens` or in the `model`; null where there is none.
Json id_of(Json& document, std::string_view name)
{
    if (const auto token = find_token(document["added_tokens"], name);
        token != document["added_tokens"].end())
        return token->at("id");
    return id_in(document.at("model").at("vocab"), name);
}

/// Whether steps say other things; what one of them leaves out counts for nothing.
bool differ(const Json& made, const Json& given)
{
    if (made.is_array() && given.is_array())
        return !std::ranges::equal(made, given, [](auto& a, auto& b) { return !differ(a, b); });
    if (!made.is_object() || !given.is_object())
        return made != given;
    return std::ranges::any_of(made.items(), [&given](const auto& entry) {
        return given.contains(entry.key()) && differ(entry.value(), given[entry.key()]);
    });
}

/// Builds the parts of a document as its class does. Returns the names of those that change.
std::string
rebuild(const fs::path& file, Json& document, const TokenizerClass& one, const Json& config)
{
    const std::vector<std::string> names = special_names(config, *one.specials);
    const bool is_unigram = one.pieces == "Unigram";
    const bool leads = member<bool>(config, "add_prefix_space").value_or(is_unigram);
    Json& model = document.at("model");
    Json normal = members_of(document.value("normalizer", Json()), "normalizers");
    const Json split = members_of(document.value("pre_tokenizer", Json()), "pretokenizers");
    Json made_normal = Json::array();
    Json made_split = split;
    Json made_model = {{"type", one.pieces}, {"byte_fallback", false}, {"fuse_unk", false}};
    if (one.pieces == "WordPiece") {
        made_model = {{"type", one.pieces},
                      {"unk_token", names[unknown]},
                      {"max_input_chars_per_word", 100U},
                      {"continuing_subword_prefix", "##"}};
        const auto said = [&config](const char* key, const Json& otherwise) {
            const auto flag = member<bool>(config, key);
            return flag ? Json(*flag) : otherwise;
        };
        made_normal.push_back({{"type", "BertNormalizer"},
                               {"clean_text", true},
                               {"lowercase", said("do_lower_case", true)},
                               {"handle_chinese_chars", said("tokenize_chinese_chars", true)},
                               {"strip_accents", said("strip_accents", nullptr)}});
        made_split = Json::array({Json{{"type", "BertPreTokenizer"}}});
    } else if (is_unigram) {
        made_split = {{{"type", "WhitespaceSplit"}},
                      {{"type", "Metaspace"},
                       {"replacement", "\u2581"},
                       {"add_prefix_space", leads},
                       {"prepend_scheme", leads ? "always" : "never"}}};
        std::erase_if(*normal.get_ptr<Json::array_t*>(), [](const Json& step) {
            return step.at("type") == "Replace" || step.at("type") == "Strip"; // of blanks
        });
        std::ranges::copy_if(normal, std::back_inserter(made_normal),
                             [](const Json& step) { return step.at("type") == "Precompiled"; });
    } else {
        if (one.specials == &qwen_names)
            made_normal.push_back({{"type", "NFC"}});
        else
            made_split = Json::array({Json{{"type", "ByteLevel"}, {"use_regex", true}}});
        for (Json& step : made_split)
            if (step.at("type") == "ByteLevel")
                step["add_prefix_space"] = leads;
    }
    std::string changed;
    const auto say = [&changed](const char* part, bool is_other) {
        if (is_other)
            changed += (changed.empty() ? "" : ", ") + std::string(part);
    };
    say("model", differ(made_model, model));
    say("normalizer", differ(made_normal, normal));
    say("pre_tokenizer", differ(made_split, split));
    for (const char* const data : {"vocab", "merges", "unk_id"})
        if (const auto found = model.find(data); found != model.end())
            made_model[data] = std::move(*found);
    model = std::move(made_model);
    document["normalizer"] = {{"type", "Sequence"}, {"normalizers", made_normal}};
    document["pre_tokenizer"] = {{"type", "Sequence"}, {"pretokenizers", made_split}};
    if (names[begins].empty())
        return changed;
    const std::string around = document.value("post_processor", Json()).dump();
    const auto is_lacking = [&](std::size_t i) {
        return around.find(Json(names[i]).dump()) == std::string::npos;
    };
    say("post_processor", is_lacking(begins) || is_lacking(ends));
    Json made = {{"type", one.specials == &bert_names ? "BertProcessing" : "RobertaProcessing"}};
    for (const auto& [key, i] : {std::pair{"cls", begins}, std::pair{"sep", ends}}) {
        const Json id = id_of(document, names[i]);
        if (id.is_null())
            base::refuse(
                file,
                "has no '{}', with which texts begin or end: it is damaged, or the folder needs "
                "its tokenizer.json",
                names[i]);
        made[key] = {names[i], id};
    }
    document["post_processor"] = made;
    return changed;
}

/// Adds the tokens of added_tokens.json, or of tokenizer_config.json's added_tokens_decoder, and special ones.
void add_tokens(const fs::path& file, Json& document, const Json& config, const TokenizerClass* one)
{
    Json& list = document["added_tokens"];
    if (list.is_null())
        list = Json::array();
    std::vector<std::string> specials;
    for (const auto& [key, value] : config.items())
        if (key.ends_with("_token") && (value.is_string() || value.is_object()))
            specials.push_back(content_of(value));
    for (const char* const key : {"additional_special_tokens", "extra_special_tokens"})
        if (const auto said = config.find(key); said != config.end())
            for (const Json& token : *said) // an object has names for them
                specials.push_back(content_of(token));
    if (one != nullptr)
        std::ranges::move(special_names(config, *one->specials), std::back_inserter(specials));

    std::vector<Json> more;
    if (const auto said = member<Json::object_t>(config, "added_tokens_decoder")) {
        for (const auto& [id, token] : *said) {
            more.push_back({{"normalized", !token.value("special", false)}});
            more.back().update(token);
            more.back()["id"] = Json::parse(id);
        }
        if (one != nullptr)
            list = Json::array();
    } else {
        const Json tokens = read_json_if(file.parent_path() / "added_tokens.json");
        for (const auto& [content, id] : tokens.items())
            if (find_token(list, content) == list.end())
                more.push_back({{"content", content},
                                {"id", id},
                                {"normalized", std::ranges::count(specials, content) == 0}});
    }
    std::ranges::sort(more, {}, [](const Json& token) { return id_from(token.at("id")); });
    for (const std::string& content : specials)
        if (const Json id = id_of(document, content);
            !id.is_null() && !content.empty() && find_token(list, content) == list.end() &&
            std::ranges::count(more, content, content_of) == 0)
            more.push_back({{"content", content}, {"id", id}, {"lstrip", content == "<mask>"}});

    for (const Json& token : more) {
        const auto old = find_token(list, content_of(token));
        old == list.end() ? list.push_back(token) : void(*old = token);
    }
}

Json bert_document(const fs::path& file)
{
    Json vocabulary = Json::object();
    unsigned id = 0;
    for (const std::string& piece : read_lines(file))
        vocabulary[piece] = id++;
    return {{"model", {{"type", "WordPiece"}, {"vocab", vocabulary}}}};
}

/// The lines of the merges.txt beside a vocab.json.
Json merges_for(const Json& vocabulary, const fs::path& file)
{
    Json merges = Json::array();
    for (const std::string& line : read_lines(file)) {
        if (line.empty() || line.starts_with("#version"))
            continue;
        const std::size_t blank = std::min(line.find(' '), line.size() - 1);
        const std::string left = line.substr(0, blank);
        const std::string right = line.substr(blank + 1);
        for (const std::string& piece : {left, right, left + right})
            if (!vocabulary.contains(piece))
                base::refuse(file, "joins '{}', and vocab.json has no '{}'", line, piece);
        merges.push_back(line);
    }
    constexpr std::size_t bytes = 256; // pieces that nothing was joined for
    if (10 * (merges.size() + bytes) < 9 * vocabulary.size())
        base::refuse(file, "has {} merges for the {} pieces of vocab.json: is it cut short?",
                     merges.size(), vocabulary.size());
    return merges;
}

Json roberta_document(const fs::path& file)
{
    const Json vocabulary = read_json(file);
    const Json merges = merges_for(vocabulary, file.parent_path() / "merges.txt");
    return {{"pre_tokenizer", {{"type", "ByteLevel"}}},
            {"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", merges}}}};
}

constexpr std::array<std::pair<const char*, Json (*)(const fs::path&)>, 6> kinds = {{
    {"tokenizer.json", read_json},
    {"vocab.txt", bert_document},
    {"sentencepiece.bpe.model", sentencepiece_document},
    {"spiece.model", sentencepiece_document},
    {"tokenizer.model", sentencepiece_document},
    {"vocab.json", roberta_document},
}};

} // namespace

fs::path tokenizer_file(const fs::path& folder)
{
    for (const auto& [name, read] : kinds)
        if (fs::exists(folder / name))
            return folder / name;
    throw sdk::Error(SENTEVAL_NOT_FOUND, folder.string() +
                                             ": has no tokenizer.json, and no vocab.txt, .model or "
                                             "vocab.json in its place");
}

Json tokenizer_document(const fs::path& file, const sdk::Host* host)
{
    const auto kind =
        std::ranges::find(kinds, file.filename(), [](auto& one) { return one.first; });
    Json document = kind->second(file);
    const fs::path beside = file.parent_path() / "tokenizer_config.json";
    Json config = read_json_if(beside);
    if (host != nullptr)
        warn_of_others(*host, beside, config, config_keys);
    if (!config.contains("added_tokens_decoder"))
        config.update(read_json_if(file.parent_path() / "special_tokens_map.json"));
    const TokenizerClass* const one = class_of(file, document, config, host);
    reading(beside, [&] {
        const std::string changed = one == nullptr ? "" : rebuild(file, document, *one, config);
        if (!changed.empty() && kind == kinds.begin() && host != nullptr)
            host->warn(fmt::format("{}: transformers 5.24 builds another {} of "
                                   "tokenizer_config.json, which was taken",
                                   file.string(), changed));
        if (config.value("split_special_tokens", Json()) == true)
            throw std::invalid_argument("split_special_tokens");
        add_tokens(file, document, config, one);
        if (const auto side = member<std::string>(config, "truncation_side"))
            document["truncation"]["direction"] = *side;
    });
    return document;
}

} // namespace senteval::model_files
