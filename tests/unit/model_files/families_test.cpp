// Tokenizers beyond BERT's: Unigram and byte pair encoding.
#include "tokeniser_support.hpp"

#include "base/unicode.hpp"

#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>

using namespace senteval;
using namespace senteval::test;

namespace {

/// The folder of a tokenizer of the shared data; of the real one of Qwen3 where bpe/get_qwen.sh of them puts it.
std::filesystem::path family_folder(const std::filesystem::path& family, const std::string& name)
{
    if (name != "qwen3_real")
        return family / name;
    const char* const home = std::getenv("HOME");
    return std::filesystem::path(home == nullptr ? "" : home) /
           ".cache/senteval-encoders/qwen3-tokenizer-3.7.2";
}

/// A double-array trie in which each node has 256 units for its children, and the replacements.
std::string character_map(const std::map<std::string, std::string>& replacements)
{
    std::map<std::string, std::uint32_t> nodes = {{"", 256}}; // where their children begin
    for (const auto& [key, value] : replacements)
        for (std::size_t size = 1; size <= key.size(); ++size)
            nodes.emplace(key.substr(0, size), (nodes.size() + 1) * 256);
    std::vector<std::uint32_t> units((nodes.size() + 1) * 256);
    units[0] = 256U << 10U;
    std::string texts;
    for (const auto& [key, children] : nodes) {
        if (key.empty())
            continue;
        const auto byte = static_cast<unsigned char>(key.back());
        const std::uint32_t place = nodes.at(key.substr(0, key.size() - 1)) + byte;
        units[place] = (place ^ children) << 10U | byte;
        if (const auto found = replacements.find(key); found != replacements.end()) {
            units[place] |= 0x100U;
            units[children] = 0x80000000U | static_cast<std::uint32_t>(texts.size());
            texts += found->second + '\0';
        }
    }
    const auto size = static_cast<std::uint32_t>(units.size() * sizeof units[0]);
    return bytes_of(std::vector{size}) + bytes_of(units) + texts;
}

std::string base64(std::string_view bytes)
{
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    std::uint32_t bits = 0;
    unsigned count = 0;
    for (const char byte : bytes) {
        bits = bits << 8U | static_cast<unsigned char>(byte);
        for (count += 8; count >= 6; count -= 6)
            text += digits[bits >> (count - 6) & 63U];
    }
    if (count > 0)
        text += digits[bits << (6 - count) & 63U];
    return text.append((4 - text.size() % 4) % 4, '=');
}

/// A field of a protocol-buffer message: bytes, or a number below 128.
std::string field(int number, const std::string& bytes)
{
    const std::size_t size = bytes.size();
    return std::string{static_cast<char>(number * 8 + 2), static_cast<char>(size % 128 + 128),
                       static_cast<char>(size / 128)} +
           bytes;
}

std::string field(int number, int value)
{
    return {static_cast<char>(number * 8), static_cast<char>(value)};
}

/// Of a SentencePiece model.
std::string piece(const std::string& text, float score, int kind = 1)
{
    return field(1, field(1, text) + '\x15' + bytes_of(std::vector{score}) + field(3, kind));
}

Tokeniser tokeniser_of_file(const char* name, const std::string& bytes)
{
    const ScratchFolder scratch;
    scratch.write(name, bytes);
    return Tokeniser(scratch.path());
}

std::string folder_refusal(const ScratchFolder& scratch)
{
    return error_of<sdk::Error>([&] { return Tokeniser(scratch.path()); });
}

/// What a normalizer makes of a text.
std::string normalised(const Json& spec, std::string_view text)
{
    return model_files::normaliser_of(spec)(std::string(text));
}

Json bpe(const Json& vocabulary, const Json& merges, const Json& more = Json::object())
{
    Json model = {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", merges}};
    model.update(more);
    return {{"model", model}};
}

} // namespace

TEST_CASE("ids of the other families are those of the published tokenizers")
{
    const auto folder = shared_or_skip("encoders");
    if (!folder)
        return;
    for (const char* const family : {"unigram", "bpe"}) {
        const Json tokens = model_files::read_json(*folder / family / "tokens.json");
        for (const auto& [name, ids] : tokens.at("ids").items()) {
            INFO(name);
            Json cases = Json::array();
            for (std::size_t i = 0; i < ids.size(); ++i)
                cases.push_back({{"text", tokens.at("texts").at(i)}, {"ids", ids.at(i)}});
            CHECK(cases.size() == 1266);
            const auto where = family_folder(*folder / family, name);
            if (name == "qwen35") {
                Json document = model_files::read_json(*folder / "bpe/qwen/tokenizer.json");
                document.update(model_files::read_json(*folder / "bpe/qwen35.json"));
                document.erase("what");
                CHECK(differences(tokeniser_of(document), cases) == 0);
            } else if (std::filesystem::exists(where)) {
                CHECK(differences(Tokeniser(where, {.is_alone = true}), cases) == 0);
            } else {
                MESSAGE("skipped: " << name);
            }
        }
    }
}

TEST_CASE("ids of folders without tokenizer.json")
{
    const auto folder = shared_or_skip("encoders");
    if (!folder)
        return;
    const auto count = [&](const std::filesystem::path& where, const char* family,
                           const char* name) {
        const Json tokens = model_files::read_json(*folder / family / "tokens.json");
        Json cases = Json::array();
        for (std::size_t i = 0; i < tokens.at("texts").size(); ++i)
            cases.push_back({{"text", tokens["texts"][i]}, {"ids", tokens["ids"][name].at(i)}});
        return differences(Tokeniser(where), cases);
    };
    const ScratchFolder pieces;
    std::filesystem::copy(*folder / "unigram/xlmr/sentencepiece.bpe.model",
                          pieces / "sentencepiece.bpe.model");
    // The scores are exact here, and in tokenizer.json one unit off: a row of one sign, where paths tie.
    CHECK(count(pieces.path(), "unigram", "xlmr") == 1);

    const Json model = model_files::read_json(*folder / "bpe/roberta/tokenizer.json").at("model");
    const ScratchFolder roberta;
    roberta.write("vocab.json", model.at("vocab").dump());
    std::string merges = "#version: 0.2\n";
    for (const Json& merge : model.at("merges"))
        merges += merge.get<std::string>() + "\n";
    roberta.write("merges.txt", merges);
    CHECK(count(roberta.path(), "bpe", "roberta") == 0);
    for (const std::size_t size : {std::size_t{0}, merges.find('\n', merges.size() / 2) + 1}) {
        roberta.write("merges.txt", merges.substr(0, size));
        CHECK(test::contains(folder_refusal(roberta), "merges.txt: has"));
    }
}

TEST_CASE("ids of the small models of the other families")
{
    const auto folder = shared_or_skip("encoders");
    if (!folder)
        return;
    const Json texts = model_files::read_json(*folder / "sentences.json");
    for (const char* const name : {"roberta_mean", "xlmr_prompt", "modernbert_cls",
                                   "modernbert_mean", "nomic_mean", "qwen3_last", "gemma_dense"}) {
        INFO(name);
        const Json expected =
            model_files::read_json(*folder / "modern/expected" / (std::string(name) + ".ids.json"));
        std::size_t longest = 0; // which is the limit where there is one
        for (const Json& ids : expected)
            longest = std::max(longest, ids.size());
        const std::string prompt = std::string(name) == "xlmr_prompt" ? "query: " : "";
        Json cases = Json::array();
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const std::string text = prompt + texts.at(i).get<std::string>();
            cases.push_back(
                {{"text", base::strip(text)}, {"ids", expected[i]}, {"max_length", longest}});
        }
        CHECK(cases.size() == 200);
        CHECK(differences(Tokeniser(*folder / "modern/tiny" / name), cases) == 0);
    }
}

TEST_CASE("the character map of SentencePiece, by grapheme clusters")
{
    const Json spec = {{"type", "Precompiled"},
                       {"precompiled_charsmap", base64(character_map({{"\uFF21", "A"},
                                                                      {"e\u0301", "\u00E9"},
                                                                      {"\uFB01", "fi"},
                                                                      {"x", "shortest"},
                                                                      {"xy", "longest"},
                                                                      {"\u200B", " "},
                                                                      {"\x01", ""}}))}};
    CHECK(normalised(spec, "") == "");
    CHECK(normalised(spec, "\uFF21b\x01\u200B\uFB01") == "Ab fi");
    CHECK(normalised(spec, "e\u0301e") == "\u00E9e");
    CHECK(normalised(spec, "\uFB01\u0301") == "fi"); // one cluster of five bytes: its accent goes
    CHECK(normalised(spec, "\uFF21\u0302\u0301") == "A\u0302\u0301"); // seven: one by one
    CHECK(normalised(spec, "xyx") == "shortestyshortest");
    CHECK(normalised(spec, "\r\n") == "\r\n");
    const auto refusal = [&](const Json& map) {
        Json document = bert_tokenizer({"a"});
        document["normalizer"] = {{"type", "Precompiled"}, {"precompiled_charsmap", map}};
        return tokeniser_refusal(document);
    };
    CHECK(refusal(spec["precompiled_charsmap"]).empty());
    CHECK_FALSE(refusal(nullptr).empty());
    CHECK_FALSE(refusal("no!").empty());
    CHECK_FALSE(refusal("AA==").empty());
    CHECK_FALSE(refusal(base64(bytes_of(std::vector<std::uint32_t>{8, 0}))).empty());
    // offsets that lead outside
    const Json wild = {
        {"type", "Precompiled"},
        {"precompiled_charsmap", base64(bytes_of(std::vector<std::uint32_t>{4, 0xFFFFFC00}))}};
    CHECK(normalised(wild, "ab") == "ab");
}

TEST_CASE("normalisers of other families")
{
    CHECK(normalised({{"type", "NFC"}}, "e\u0301") == "\u00E9");
    CHECK(normalised({{"type", "NFD"}}, "\u00E9") == "e\u0301");
    CHECK(normalised({{"type", "NFKC"}}, "\uFF21\u2460") == "A1");
    CHECK(normalised({{"type", "NFKD"}}, "\uFB01\u00E9") == "fie\u0301");
    CHECK(normalised({{"type", "Lowercase"}}, "\u00C9\u03A3") == "\u00E9\u03C3");
    CHECK(normalised({{"type", "StripAccents"}}, "e\u0301\u093E\u0897.") == "e.");
    CHECK(normalised({{"type", "Prepend"}, {"prepend", "_"}}, "a") == "_a");
    CHECK(normalised({{"type", "Prepend"}, {"prepend", "_"}}, "") == "");
    const Json runs = {{"type", "Replace"}, {"pattern", {{"Regex", " {2,}"}}}, {"content", "_"}};
    CHECK(normalised(runs, "  a b   c\t\t ") == "_a b_c\t\t ");
    Json growth = {{"type", "Sequence"}, {"normalizers", Json::array()}};
    for (int i = 0; i < 30; ++i)
        growth["normalizers"].push_back(
            {{"type", "Replace"}, {"pattern", {{"String", "a"}}}, {"content", "aa"}});
    CHECK_THROWS_AS(normalised(growth, "a"), sdk::Error);
    const Json nested = {{"type", "Sequence"},
                         {"normalizers", {nullptr, {{"type", "Lowercase"}}, growth}}};
    CHECK_THROWS_AS(normalised(nested, "A"), sdk::Error);
    CHECK(normalised(nested, "B") == "b");
}

TEST_CASE("Unigram's unknown text becomes bytes where all of them have pieces")
{
    const Json model = {
        {"type", "Unigram"},
        {"unk_id", 0},
        {"byte_fallback", true},
        {"vocab",
         pieces(
             {{"<unk>", 0.0}, {"a", -1.0}, {"<0xC3>", -9.0}, {"<0xA9>", -9.0}, {"<0x62>", -9.0}})}};
    const Tokeniser tokeniser = tokeniser_of({{"model", model}});
    CHECK(ids_of(tokeniser, "a\u00E9ba") == Ids{1, 2, 3, 4, 1});
    CHECK(ids_of(tokeniser, "\u00E9ca") == Ids{0, 1}); // one unknown together
    CHECK(ids_of(tokeniser, "<unk>") == Ids{0});
}

TEST_CASE("pairs are joined by rank, the leftmost first")
{
    const Json vocabulary = {{"a", 0},  {"b", 1},   {"c", 2},    {"ab", 13}, {"bc", 4},
                             {"aa", 5}, {"aaa", 6}, {"aaaa", 7}, {"abc", 8}, {"\u00E9", 9}};
    const auto ids = [&](const std::vector<Json>& merges, std::string_view text) {
        return ids_of(tokeniser_of(bpe(vocabulary, merges)), text);
    };
    CHECK(ids({"b c", "a b"}, "abc") == Ids{0, 4});
    CHECK(ids({"a b", "b c"}, "abc") == Ids{13, 2});
    CHECK(ids({Json::array({"a", "b"}), Json::array({"ab", "c"})}, "abcab") == Ids{8, 13});
    CHECK(ids({"a a"}, "aaaaa") == Ids{5, 5, 0});
    CHECK(ids({"aa a", "a a"}, "aaaa") == Ids{6, 0}); // a pair that a join makes comes first
    CHECK(ids({"a a", "aa aa"}, "aaaa") == Ids{7});
    CHECK(ids({"a b"}, "xa\u00E9xb") == Ids{0, 9, 1}); // unknowns without a name are nothing
    CHECK(ids({}, "ab") == Ids{0, 1});
}

TEST_CASE("byte pair encoding: unknowns, bytes and whole words")
{
    const Json vocabulary = {{"?", 0},      {"a", 1},  {"b", 2},  {"<0xC3>", 3},
                             {"<0xA9>", 4}, {"ab", 5}, {"aba", 6}};
    const auto ids = [&](const Json& more, std::string_view text) {
        return ids_of(tokeniser_of(bpe(vocabulary, Json::array({"a b"}), more)), text);
    };
    const Json named = {{"unk_token", "?"}};
    CHECK(ids(named, "axyb") == Ids{1, 0, 0, 2});
    CHECK(ids({{"unk_token", "?"}, {"fuse_unk", true}}, "axyb") == Ids{1, 0, 2});
    CHECK(ids({{"unk_token", "?"}, {"byte_fallback", true}}, "a\u00E9b") == Ids{1, 3, 4, 2});
    CHECK(ids({{"unk_token", "?"}, {"byte_fallback", true}}, "xb") == Ids{0, 2});
    CHECK(ids({{"ignore_merges", true}}, "aba") == Ids{6});
    CHECK(ids({{"ignore_merges", false}}, "aba") == Ids{5, 1});
    const auto refusal = [&](const std::vector<Json>& merges, const Json& more) {
        return tokeniser_refusal(bpe(vocabulary, merges, more));
    };
    CHECK_FALSE(refusal({"a c"}, named).empty());
    CHECK_FALSE(refusal({"b a"}, named).empty()); // has no piece
    CHECK_FALSE(refusal({"ab"}, named).empty());
    CHECK_FALSE(refusal({Json::array({"a"})}, named).empty());
    CHECK_FALSE(refusal({1}, named).empty());
    CHECK_FALSE(refusal({"a b"}, {{"dropout", 0.1}}).empty());
    CHECK_FALSE(refusal({"a b"}, {{"end_of_word_suffix", "</w>"}}).empty());
    CHECK(refusal({"a b"}, {{"dropout", nullptr}, {"end_of_word_suffix", ""}}).empty());
}

TEST_CASE("a text of a million letters without a blank takes no longer than its length")
{
    const std::string text(1'000'000, 'a');
    const Json vocabulary = {{"a", 0}, {"aa", 1}, {"aaaa", 2}};
    CHECK(ids_of(tokeniser_of(bpe(vocabulary, Json::array({"a a", "aa aa"}))), text).size() ==
          250'000);
    const Json unigram = {{"type", "Unigram"},
                          {"unk_id", 0},
                          {"vocab", pieces({{"?", 0.0}, {"a", -2.0}, {"aaaa", -3.0}})}};
    CHECK(ids_of(tokeniser_of({{"model", unigram}}), text).size() == 250'000);
}

TEST_CASE("special tokens of several post-processors")
{
    Json document = bpe({{"a", 0}}, Json::array());
    const auto token = [](const char* name) {
        return Json{{"SpecialToken", {{"id", name}, {"type_id", 0}}}};
    };
    document["post_processor"] = {
        {"type", "Sequence"},
        {"processors",
         {{{"type", "ByteLevel"}},
          {{"type", "TemplateProcessing"},
           {"single", {token("x"), {{"Sequence", {{"id", "A"}}}}, token("y")}},
           {"special_tokens", {{"x", {{"ids", {7, 8}}}}, {"y", {{"ids", {9}}}}}}},
          {{"type", "RobertaProcessing"}, {"cls", {"s", 5}}, {"sep", {"e", 6}}}}}};
    CHECK(tokeniser_of(document).encode("a", no_limit) == Ids{5, 7, 8, 0, 9, 6});
}

TEST_CASE("a model of SentencePiece stands for a tokenizer.json")
{
    const std::string letters =
        piece("\u2581", -2.0F) + piece("a", -1.0F) + piece("\u2581a", -2.5F);
    const std::string settings =
        field(2, field(3, 1)) + field(3, field(2, character_map({{"\uFF21", "a"}})));
    const std::string fairseq = piece("<unk>", 0.0F, 2) + piece("<s>", 0.0F, 3) +
                                piece("</s>", 0.0F, 3) + letters + settings;
    const Tokeniser xlmr = tokeniser_of_file("sentencepiece.bpe.model", fairseq);
    CHECK(xlmr.encode("\uFF21  a ?</s>", no_limit) == Ids{0, 6, 6, 4, 3, 2, 2});
    CHECK(xlmr.encode("a <mask>", no_limit) == Ids{0, 6, 7, 2});
    CHECK(xlmr.largest_id() == 7);

    const std::string t5_pieces = piece("<pad>", 0.0F, 3) + piece("</s>", 0.0F, 3) +
                                  piece("<unk>", 0.0F, 2) + letters + piece("<x>", 0.0F, 4);
    const std::string t5 = t5_pieces + field(2, "\xC0\x02" + std::string(1, '\x02'));
    CHECK(tokeniser_of_file("spiece.model", t5).encode("a<x>?", no_limit) == Ids{5, 6, 3, 2, 1});

    const auto throws = [](const char* name, const std::string& bytes) {
        CHECK_THROWS_AS(tokeniser_of_file(name, bytes), sdk::Error);
    };
    throws("spiece.model", fairseq);
    throws("spiece.model", t5 + piece("y", std::numeric_limits<float>::quiet_NaN()));
    throws("spiece.model", t5 + piece("y", std::numeric_limits<float>::infinity()));
    throws("sentencepiece.bpe.model", t5);
    throws("tokenizer.model", t5 + field(2, field(3, 2))); // byte pair encoding
    throws("spiece.model", t5 + field(3, field(3, 0)));
    throws("spiece.model", t5.substr(0, t5.size() - 1));
    throws("spiece.model", t5 + std::string(12, '\xFF'));
    throws("spiece.model", t5 + "\x0B");
    throws("spiece.model", "");
    throws("vocab.json", R"({"<s>": 0, "</s>": 1})"); // without merges.txt
    const ScratchFolder camembert;
    camembert.write("sentencepiece.bpe.model", fairseq);
    camembert.write("config.json", R"({"model_type": "camembert"})");
    CHECK_THROWS_AS(Tokeniser(camembert.path()), sdk::Error);
}

TEST_CASE("vocab.json with merges.txt stands for a tokenizer.json")
{
    const ScratchFolder scratch;
    scratch.write("vocab.json", R"({"<s>": 0, "</s>": 2, "<mask>": 9, "a": 3, "b": 4, "ab": 5,
                                    "\u0120": 6, "#": 7, "##": 8})");
    scratch.write("merges.txt", "#version: 0.2\na b\n# #\n");
    CHECK(Tokeniser(scratch.path()).encode("ab ## <mask>", no_limit) == Ids{0, 5, 6, 8, 9, 2});
    scratch.write("tokenizer_config.json", R"({"add_prefix_space": true})");
    CHECK(Tokeniser(scratch.path()).encode("ab", no_limit) == Ids{0, 6, 5, 2});
    for (const char* const line : {"a c", "b a", "ab", " "}) {
        scratch.write("merges.txt", std::string("a b\n") + line + "\n");
        CHECK(test::contains(folder_refusal(scratch), "merges.txt: joins"));
    }
    scratch.write("merges.txt", "");
    scratch.write("vocab.json", R"({"a": 0})");
    CHECK(test::contains(folder_refusal(scratch), "tokenizer.json"));
}
