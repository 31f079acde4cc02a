#include "support/support.hpp"
#include "tokeniser_support.hpp"

using namespace senteval;
using namespace senteval::test;
namespace fs = std::filesystem;

TEST_CASE("ids are those of the published tokenizers")
{
    const auto folder = test::shared_or_skip("encoders");
    if (!folder)
        return;
    const Json bert = model_files::read_json(*folder / "bert/tokens.json");
    const Tokeniser whole(*folder / "bert/tokenizer");
    CHECK(differences(whole, bert.at("cases")) == 0);
    CHECK(differences(whole, bert.at("truncation")) == 0);
    CHECK(bert["cases"].size() > 500);

    const ScratchFolder bare; // vocab.txt alone
    fs::copy(*folder / "bert/tokenizer/vocab.txt", bare / "vocab.txt");
    CHECK(differences(Tokeniser(bare.path()), bert.at("cases")) == 0);

    const Json mpnet = model_files::read_json(*folder / "bert/tokens_mpnet.json");
    CHECK(differences(Tokeniser(*folder / "bert/tiny/mpnet_mean"), mpnet.at("cases")) == 0);
    const ScratchFolder named; // vocab.txt, and names that are not BERT's
    fs::copy(*folder / "bert/tiny/mpnet_mean/vocab.txt", named / "vocab.txt");
    fs::copy(*folder / "bert/tiny/mpnet_mean/tokenizer_config.json",
             named / "tokenizer_config.json");
    // An added token <unk> stands in its tokenizer.json alone.
    CHECK(differences(Tokeniser(named.path()), mpnet.at("cases")) == 1);

    const Json unigram = model_files::read_json(*folder / "model2vec/tokens_unigram.json");
    CHECK(differences(Tokeniser(*folder / "model2vec/vocab_quantized"), unigram.at("cases"),
                      false) == 0);
}

TEST_CASE("special tokens surround a text, and truncation keeps them")
{
    const Tokeniser tokeniser = tokeniser_of(test::bert_tokenizer({"he", "##llo", "world", "!"}));
    CHECK(tokeniser.encode("Hello WORLD!", no_limit) == Ids{1, 3, 4, 5, 6, 2});
    CHECK(tokeniser.encode("", no_limit) == Ids{1, 2});
    CHECK(tokeniser.encode("hex world", no_limit) == Ids{1, 0, 5, 2}); // of a word all or nothing
    std::size_t length = 0;
    CHECK(tokeniser.encode("hello world!", 4, &length) == Ids{1, 3, 4, 2});
    CHECK(length == 6);
    CHECK(tokeniser.encode("hello", 1) == Ids{1, 2}); // special tokens always fit
    CHECK(tokeniser.encode(std::string(101, 'h'), no_limit) == Ids{1, 0, 2});
    CHECK(tokeniser.largest_id() == 6);
    CHECK(tokeniser.model().unknown() == 0);
    CHECK(tokeniser.model().names_unknown());
    CHECK(tokeniser.token_texts().size() == 7);
}

TEST_CASE("added tokens are cut out of the text, with the blanks that belong to them")
{
    Json document = test::bert_tokenizer({"a", "b"});
    document["added_tokens"].push_back(
        {{"content", "<m>"}, {"id", 6}, {"lstrip", true}, {"rstrip", true}});
    document["added_tokens"].push_back({{"content", "<m>>"}, {"id", 7}});
    document["added_tokens"].push_back({{"content", "AX"}, {"id", 8}, {"single_word", true}});
    document["added_tokens"].push_back({{"content", "BB"}, {"id", 9}, {"normalized", true}});
    document["normalizer"]["clean_text"] = false;
    document["pre_tokenizer"] = nullptr;
    document["model"]["vocab"][" "] = 5;
    document["model"]["continuing_subword_prefix"] = "";
    const Tokeniser tokeniser = tokeniser_of(document);
    const auto ids = [&](std::string_view text) {
        Ids found;
        tokeniser.append(text, found);
        return found;
    };
    CHECK(ids("a [SEP]b") == Ids{3, 5, 2, 4});
    CHECK(ids("a \t<m>  b") == Ids{3, 6, 4});
    CHECK(ids("a<m>>b") == Ids{3, 7, 4}); // the longest
    CHECK(ids("AX a") == Ids{8, 5, 3});
    CHECK(ids("bAX") == Ids{0});        // touches a letter: text
    CHECK(ids("abBa") == Ids{3, 9, 3}); // in the normalised text
    CHECK(tokeniser.largest_id() == 9);
}

TEST_CASE("normalisers and splitters of newer files")
{
    const auto ids = [](const Json& normalizer, const Json& pre_tokenizer, std::string_view text) {
        Json document = {{"model",
                          {{"type", "Unigram"},
                           {"unk_id", 0},
                           {"vocab", pieces({{"?", 0.0},
                                             {"a", -1.0},
                                             {"b", -1.0},
                                             {"\u2581", -2.0},
                                             {"\u2581a", -2.5},
                                             {"ab", -2.0}})}}},
                         {"normalizer", normalizer},
                         {"pre_tokenizer", pre_tokenizer}};
        Ids found;
        tokeniser_of(document).append(text, found);
        return found;
    };
    const Json none;
    CHECK(ids(none, none, "ab") == Ids{5}); // a tie keeps the earlier start
    CHECK(ids(none, none, "xyzba") == Ids{0, 2, 1});
    CHECK(ids({{"type", "Strip"}, {"strip_left", true}, {"strip_right", false}}, none, " a ") ==
          Ids{1, 0});
    CHECK(ids({{"type", "Replace"}, {"pattern", {{"String", "xx"}}}, {"content", "a"}}, none,
              "xxxxb") == Ids{1, 5});
    CHECK(ids({{"type", "Replace"}, {"pattern", {{"Regex", "\\s+"}}}, {"content", "b"}}, none,
              "b \n a") == Ids{2, 2, 1});
    const Json metaspace = {
        {"type", "Metaspace"}, {"replacement", "\u2581"}, {"prepend_scheme", "always"}};
    CHECK(ids(none, metaspace, "a b") == Ids{4, 3, 2});
    CHECK(ids(none, {{"type", "Metaspace"}, {"split", false}}, " a a") == Ids{4, 4});
    CHECK(ids(none, metaspace, "").empty());
}

TEST_CASE("what a tokenizer has that is not known is named")
{
    const Json base = test::bert_tokenizer({"a"});
    for (const char* const place :
         {"", "/normalizer", "/pre_tokenizer", "/post_processor", "/model", "/added_tokens/0"}) {
        CAPTURE(place);
        Json document = base;
        document[Json::json_pointer(place)]["odd"] = Json::object();
        CHECK(tokeniser_refusal(document).empty()); // says nothing
        document[Json::json_pointer(place)]["odd"] = "x";
        CHECK(test::contains(tokeniser_refusal(document), "'odd'"));
    }
    for (const Json& many : {Json(-1), Json(0), Json(2.5), Json(1e19), Json("1")}) {
        Json document = base;
        document["model"]["max_input_chars_per_word"] = many;
        CHECK(test::contains(tokeniser_refusal(document), "max_input_chars_per_word"));
    }
    const auto with = [](const char* key, const Json& value) {
        Json document = test::bert_tokenizer({"a"});
        document[key] = value;
        return tokeniser_refusal(document);
    };
    CHECK(test::contains(with("normalizer", {{"type", "Nmt"}}), "Nmt"));
    CHECK(test::contains(with("pre_tokenizer", {{"type", "Punctuation"}}), "Punctuation"));
    CHECK_FALSE(with("pre_tokenizer", {{"type", "Metaspace"}, {"prepend_scheme", "odd"}}).empty());
    CHECK(test::contains(with("post_processor", {{"type", "Odd"}}), "Odd"));
    CHECK(test::contains(with("model", {{"type", "WordLevel"}, {"vocab", Json::object()}}),
                         "WordLevel"));
    CHECK(test::contains(
        with("normalizer", {{"type", "Replace"}, {"pattern", {{"Regex", "x+"}}}, {"content", ""}}),
        "x+"));
    CHECK_FALSE(
        with("model", {{"type", "WordPiece"}, {"vocab", {{"a", 1}}}}).empty()); // no unknown
    CHECK_FALSE(with("model", {{"type", "WordPiece"}, {"vocab", {{"[UNK]", -1}}}}).empty());
    CHECK_FALSE(with("model", {{"type", "Unigram"}, {"unk_id", 3}, {"vocab", pieces({{"a", 0.0}})}})
                    .empty());
    CHECK_FALSE(with("added_tokens", {{{"content", "x"}}}).empty());
    const auto added = [&](const char* content, int id, int next) {
        return with("added_tokens",
                    {{{"content", content}, {"id", id}}, {{"content", "y"}, {"id", next}}})
            .empty();
    };
    CHECK(added("x", 4, 5)); // behind the four of the vocabulary
    CHECK(added("a", 3, 4));
    CHECK_FALSE(added("x", 5, 6));
    CHECK_FALSE(added("x", 4, 6));
    CHECK_FALSE(added("a", 4, 5)); // which has one
    const ScratchFolder empty;
    CHECK_THROWS_AS(Tokeniser(empty.path()), sdk::Error);
    empty.write("vocab.txt", "a\nb\n");
    CHECK_THROWS_AS(Tokeniser(empty.path()), sdk::Error); // without [CLS]
}

TEST_CASE("tokens are added in three files")
{
    const ScratchFolder scratch;
    const auto ids = [&](const Json& config, const char* added, std::string_view text) {
        scratch.write("tokenizer_config.json", config.dump());
        scratch.write("added_tokens.json", added);
        return Tokeniser(scratch.path()).encode(text, no_limit);
    };
    const auto decoder = [](const char* id, const Json& token,
                            const char* name = "PreTrainedTokenizerFast") {
        return Json{{"tokenizer_class", name}, {"added_tokens_decoder", {{id, token}}}};
    };
    scratch.write("tokenizer.json", test::bert_tokenizer({"a", "b"}).dump()); // of five tokens
    const Json fast = {{"tokenizer_class", "PreTrainedTokenizerFast"}};
    CHECK(ids(fast, "{}", "a @x") == Ids{1, 3, 0, 0, 2});
    CHECK(ids(fast, R"({"@x": 5, "Y": 6})", "a@X y") == Ids{1, 3, 5, 6, 2}); // in normalised text
    CHECK(ids(decoder("5", {{"content", "@x"}, {"special", true}}), "{}", "a@x @X") ==
          Ids{1, 3, 5, 0, 0, 2});
    CHECK(ids(decoder("5", {{"content", "@x"}, {"normalized", true}}), R"({"b": 9})", "@Xb") ==
          Ids{1, 5, 4, 2});
    // Of a class that is built anew its list stands alone, beside the special tokens.
    Json document = test::bert_tokenizer({"a", "b"});
    document["added_tokens"].push_back({{"content", "ab"}, {"id", 5}});
    scratch.write("tokenizer.json", document.dump());
    CHECK(ids(fast, "{}", "ab[SEP]") == Ids{1, 5, 2, 2});
    CHECK(ids(decoder("5", {{"content", "@x"}}, "BertTokenizer"), "{}", "ab@x[SEP]") ==
          Ids{1, 0, 5, 2, 2});
    Json extra = decoder("5", {{"content", "@x"}}, "BertTokenizer");
    extra["additional_special_tokens"] = {"b", "lacking"};
    CHECK(ids(extra, "{}", "aba") == Ids{1, 3, 4, 3, 2});
    extra.erase("additional_special_tokens");
    extra["extra_special_tokens"] = Json::object();
    CHECK(ids(extra, "{}", "aba") == Ids{1, 0, 2});
    extra["extra_special_tokens"] = {{"image_token", "b"}};
    CHECK(ids(extra, "{}", "aba") == Ids{1, 3, 4, 3, 2});
    CHECK_THROWS_AS(ids(decoder("7", {{"content", "@x"}}), "{}", "a"), sdk::Error);
    CHECK_THROWS_AS(ids(decoder("4", {{"content", "a"}}), "{}", "a"), sdk::Error);
    CHECK_THROWS_AS(ids(decoder("x", {{"content", "a"}}), "{}", "a"), sdk::Error);
    CHECK_THROWS_AS(ids(decoder("5", {{"content", "@x"}, {"odd", 1}}), "{}", "a"), sdk::Error);
}

TEST_CASE("what tokenizer_config.json says rules for the classes that are built of it")
{
    const auto ids = [](const Json& document, const Json& config, std::string_view text) {
        const ScratchFolder scratch;
        scratch.write("tokenizer.json", document.dump());
        scratch.write("tokenizer_config.json", config.dump());
        return Tokeniser(scratch.path()).encode(text, no_limit);
    };
    Json bert = test::bert_tokenizer({"a", "b", "\u4E2D", "\u00E9"});
    bert["model"]["max_input_chars_per_word"] = 1U;
    bert["post_processor"] = nullptr;
    const auto of = [](const char* name, const char* key = "none", const Json& value = nullptr) {
        return Json{{"tokenizer_class", name}, {key, value}};
    };
    const std::string text = "A \u4E2Db \u00C9";
    CHECK(ids(bert, of("BertTokenizer"), text) == Ids{1, 3, 5, 4, 0, 2}); // accents are stripped
    CHECK(ids(bert, of("BertTokenizer", "strip_accents", false), text) == Ids{1, 3, 5, 4, 6, 2});
    CHECK(ids(bert, of("BertTokenizerFast", "do_lower_case", false), text) ==
          Ids{1, 0, 5, 4, 0, 2});
    CHECK(ids(bert, of("DistilBertTokenizer", "tokenize_chinese_chars", false), text) ==
          Ids{1, 3, 0, 0, 2});
    CHECK(ids(bert, of("PreTrainedTokenizerFast", "do_lower_case", false), "A a") == Ids{3, 3});
    CHECK(ids(bert, of("RobertaTokenizer"), "A a") == Ids{3, 3}); // as it stands

    Json roberta = {{"model",
                     {{"type", "BPE"},
                      {"vocab", {{"<s>", 0}, {"</s>", 1}, {"a", 2}, {"\u0120", 3}}},
                      {"merges", Json::array()}}},
                    {"normalizer", {{"type", "Lowercase"}}},
                    {"pre_tokenizer", {{"type", "ByteLevel"}, {"add_prefix_space", true}}}};
    CHECK(ids(roberta, of("RobertaTokenizer"), "a A") == Ids{0, 2, 3, 1});
    CHECK(ids(roberta, of("RobertaTokenizer", "add_prefix_space", true), "a") == Ids{0, 3, 2, 1});
    CHECK(ids(roberta, of("Qwen2Tokenizer"), "a A") == Ids{2, 3});
    CHECK(ids(roberta, of("GPT2Tokenizer"), "A") == Ids{3, 2});

    const Json xlmr = {
        {"model",
         {{"type", "Unigram"},
          {"unk_id", 2},
          {"vocab",
           pieces({{"<s>", 0.0}, {"</s>", 0.0}, {"?", 0.0}, {"a", -1.0}, {"\u2581", -2.0}})}}},
        {"pre_tokenizer", {{"type", "Metaspace"}, {"prepend_scheme", "never"}}}};
    CHECK(ids(xlmr, of("XLMRobertaTokenizer"), "a  a\n") == Ids{0, 4, 3, 4, 3, 1});
    CHECK(ids(xlmr, of("XLMRobertaTokenizer", "add_prefix_space", false), "a a") ==
          Ids{0, 3, 3, 1});
}

TEST_CASE("vocab.txt with the names and the class of tokenizer_config.json")
{
    const ScratchFolder scratch;
    scratch.write("vocab.txt", "[UNK]\n[CLS]\n[SEP]\n<s>\n</s>\na\n");
    const auto ids = [&](const Json& config) {
        scratch.write("tokenizer_config.json", config.dump());
        return Tokeniser(scratch.path()).encode("A", no_limit);
    };
    const auto refusal = [&](const Json& config) {
        try {
            ids(config);
        } catch (const sdk::Error& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    CHECK(ids(Json::object()) == Ids{1, 5, 2});
    CHECK(ids({{"cls_token", "<s>"}, {"sep_token", {{"content", "</s>"}}}}) == Ids{3, 5, 4});
    CHECK(ids({{"tokenizer_class", "MPNetTokenizerFast"}}) == Ids{3, 5, 4});
    CHECK(ids({{"tokenizer_class", "BertTokenizer"}, {"unk_token", nullptr}}) == Ids{1, 5, 2});
    CHECK(ids({{"do_lower_case", false}}) == Ids{1, 0, 2});
    CHECK(test::contains(refusal({{"cls_token", "<x>"}}), "vocab.txt: has no '<x>'"));
    CHECK(test::contains(refusal({{"do_lower_case", "no"}}), "tokenizer_config.json: "));
    CHECK(test::contains(refusal({{"tokenizer_class", "BertJapaneseTokenizer"}}),
                         "tokenizer_config.json: "));
    scratch.write("config.json", R"({"tokenizer_class": "BertJapaneseTokenizer"})");
    CHECK(test::contains(refusal(Json::object()), "/config.json: "));
}
