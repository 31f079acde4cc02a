#include "model_files/documents.hpp"

#include <array>
#include <string>
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

Json bert_document(const fs::path& file)
{
    const Json config = read_json_if(file.parent_path() / "tokenizer_config.json");
    Json vocabulary = Json::object();
    unsigned id = 0;
    for (const std::string& piece : read_lines(file))
        vocabulary[piece] = id++;
    return {
        {"added_tokens", added_tokens(vocabulary, {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"})},
        {"normalizer",
         {{"type", "BertNormalizer"},
          {"lowercase", member<bool>(config, "do_lower_case").value_or(true)},
          {"handle_chinese_chars", member<bool>(config, "tokenize_chinese_chars").value_or(true)},
          {"strip_accents", config.value("strip_accents", Json())}}},
        {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
        {"post_processor",
         {{"type", "BertProcessing"},
          {"cls", {"[CLS]", vocabulary.at("[CLS]")}},
          {"sep", {"[SEP]", vocabulary.at("[SEP]")}}}},
        {"model", {{"type", "WordPiece"}, {"vocab", vocabulary}}}};
}

Json roberta_document(const fs::path& file)
{
    const Json config = read_json_if(file.parent_path() / "tokenizer_config.json");
    const Json vocabulary = read_json(file);
    Json merges = Json::array();
    for (const std::string& line : read_lines(file.parent_path() / "merges.txt"))
        if (!line.empty() && !line.starts_with("#version"))
            merges.push_back(line);
    return {{"added_tokens", added_tokens(vocabulary, {"<s>", "<pad>", "</s>", "<unk>", "<mask>"})},
            {"pre_tokenizer",
             {{"type", "ByteLevel"},
              {"add_prefix_space", member<bool>(config, "add_prefix_space").value_or(false)}}},
            {"post_processor",
             {{"type", "RobertaProcessing"},
              {"cls", {"<s>", vocabulary.at("<s>")}},
              {"sep", {"</s>", vocabulary.at("</s>")}}}},
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
