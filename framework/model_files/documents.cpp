#include "model_files/documents.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::model_files {
namespace {

namespace fs = std::filesystem;

/// The `added_tokens` of those names that the vocabulary has. A mask takes the blanks before it.
Json added_tokens(const Json& vocabulary, const std::vector<std::string>& names)
{
    Json tokens = Json::array();
    for (const std::string& name : names)
        if (const auto found = vocabulary.find(name); found != vocabulary.end())
            tokens.push_back({{"content", name}, {"id", *found}, {"lstrip", name == "<mask>"}});
    return tokens;
}

fs::path config_beside(const fs::path& file)
{
    return file.parent_path() / "tokenizer_config.json";
}

using Names = std::array<const char*, 5>; // of padding, unknown, beginning, end, mask
constexpr std::size_t unknown = 1;
constexpr std::size_t begins = 2;
constexpr std::size_t ends = 3;
constexpr Names bert_names = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
constexpr Names mpnet_names = {"<pad>", "[UNK]", "<s>", "</s>", "<mask>"};
constexpr Names roberta_names = {"<pad>", "<unk>", "<s>", "</s>", "<mask>"};

/// Names of special tokens in a tokenizer_config.json: each a text, or an object with its `content`.
std::vector<std::string> special_names(const Json& config, const Names& otherwise)
{
    constexpr Names keys = {"pad_token", "unk_token", "cls_token", "sep_token", "mask_token"};
    std::vector<std::string> names;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const Json name = config.value(keys[i], Json());
        names.push_back(name.is_null()     ? otherwise[i]
                        : name.is_object() ? name.at("content").get<std::string>()
                                           : name.get<std::string>());
    }
    return names;
}

/// The `post_processor` that puts two of the names around a text.
Json around(const fs::path& file, const Json& vocabulary, const std::vector<std::string>& names)
{
    for (const std::size_t i : {begins, ends})
        if (!vocabulary.contains(names[i]))
            base::refuse(
                file,
                "has no '{}', with which texts begin or end: it is damaged, or the folder needs "
                "its tokenizer.json",
                names[i]);
    return {{"type", "BertProcessing"},
            {"cls", {names[begins], vocabulary.at(names[begins])}},
            {"sep", {names[ends], vocabulary.at(names[ends])}}};
}

/// Whether the folder's tokenizer is one of MPNet. Refuses those of which vocab.txt does not say all.
bool is_mpnet(const fs::path& folder)
{
    for (const char* const name : {"tokenizer_config.json", "config.json"}) {
        const fs::path path = folder / name;
        auto kind = reading(
            path, [&] { return member<std::string>(read_json_if(path), "tokenizer_class"); });
        if (!kind)
            continue;
        const std::string_view whole = *kind;
        const std::string_view plain = whole.substr(0, whole.rfind("Tokenizer"));
        for (const char* const known : {"Bert", "DistilBert", "Electra", "LayoutLM", "MPNet",
                                        "MobileBert", "ConvBert", "SqueezeBert"})
            if (plain == known)
                return plain == "MPNet";
        base::refuse(
            path,
            "names the tokenizer_class {}, which vocab.txt alone does not define; give the folder "
            "a tokenizer.json, or make vectors elsewhere for --encoder precomputed",
            whole);
    }
    return false;
}

Json bert_document(const fs::path& file)
{
    const Names& defaults = is_mpnet(file.parent_path()) ? mpnet_names : bert_names;
    std::vector<std::string> names;
    Json normalizer;
    reading(config_beside(file), [&] {
        const Json config = read_json_if(config_beside(file));
        const auto strips = member<bool>(config, "strip_accents");
        names = special_names(config, defaults);
        normalizer = {
            {"type", "BertNormalizer"},
            {"lowercase", member<bool>(config, "do_lower_case").value_or(true)},
            {"handle_chinese_chars", member<bool>(config, "tokenize_chinese_chars").value_or(true)},
            {"strip_accents", strips ? Json(*strips) : Json()}};
    });
    Json vocabulary = Json::object();
    unsigned id = 0;
    for (const std::string& piece : read_lines(file))
        vocabulary[piece] = id++;
    return {
        {"added_tokens", added_tokens(vocabulary, names)},
        {"normalizer", normalizer},
        {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
        {"post_processor", around(file, vocabulary, names)},
        {"model", {{"type", "WordPiece"}, {"unk_token", names[unknown]}, {"vocab", vocabulary}}}};
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
    std::vector<std::string> names;
    Json splitter = {{"type", "ByteLevel"}};
    reading(config_beside(file), [&] {
        const Json config = read_json_if(config_beside(file));
        names = special_names(config, roberta_names);
        splitter["add_prefix_space"] = member<bool>(config, "add_prefix_space").value_or(false);
    });
    const Json vocabulary = read_json(file);
    const Json processor = around(file, vocabulary, names);
    const Json merges = merges_for(vocabulary, file.parent_path() / "merges.txt");
    return {{"added_tokens", added_tokens(vocabulary, names)},
            {"pre_tokenizer", splitter},
            {"post_processor", processor},
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

Json tokenizer_document(const fs::path& file)
{
    for (const auto& [name, read] : kinds)
        if (file.filename() == name)
            return read(file);
    return {};
}

} // namespace senteval::model_files
