// The fields of SentencePiece's files: https://github.com/google/sentencepiece/blob/master/src/sentencepiece_model.proto
#include "base/refuse.hpp"
#include "model_files/documents.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace senteval::model_files {
namespace {

static_assert(std::endian::native == std::endian::little, "scores are little-endian");

struct Field {
    std::uint64_t number = 0;
    std::uint64_t value = 0;
    std::string_view bytes;
};

/// Calls use(field) for each field of a protocol-buffer message.
template <typename Use>
void for_each_field(std::string_view rest, Use use)
{
    const auto take = [&rest](std::uint64_t size) {
        if (size > rest.size())
            throw std::length_error("it is cut off, or no model of SentencePiece");
        const std::string_view bytes = rest.substr(0, size);
        rest.remove_prefix(size);
        return bytes;
    };
    constexpr std::uint64_t too_many = static_cast<std::uint64_t>(-1);
    const auto number = [&take] {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const auto byte = static_cast<unsigned char>(take(shift < 64 ? 1 : too_many).front());
            value |= std::uint64_t{byte & 0x7FU} << shift;
            if (byte < 0x80)
                return value;
        }
    };
    while (!rest.empty()) {
        const std::uint64_t key = number();
        const auto kind = key & 7U;
        const std::uint64_t value = kind == 0 || kind == 2 ? number() : 0;
        const auto size = kind == 0   ? 0
                          : kind == 1 ? 8
                          : kind == 2 ? value
                          : kind == 5 ? 4
                                      : too_many;
        use(Field{key >> 3U, value, take(size)});
    }
}

} // namespace

Json sentencepiece_document(const std::filesystem::path& file)
{
    const base::MappedFile mapped = base::open_file(file);
    base::refuse_disguise(file, mapped.bytes(), base::Wanted::model);
    // fairseq, and so XLM-RoBERTa, has four special tokens in place of SentencePiece's three, and a mask at the end.
    const bool is_fairseq = file.filename() == "sentencepiece.bpe.model";
    const Json config = read_json_if(file.parent_path() / "config.json");
    if (const std::string type = config.value("model_type", ""); is_fairseq && type == "camembert")
        throw std::invalid_argument("the pieces of a " + type);

    Json vocabulary = Json::array();
    Json added = Json::array();
    const auto add = [&](const std::string& text, double score, bool is_special) {
        if (is_special)
            added.push_back(
                {{"content", text}, {"id", vocabulary.size()}, {"lstrip", text == "<mask>"}});
        vocabulary.push_back(Json::array({text, score}));
    };
    if (is_fairseq)
        for (const char* const name : {"<s>", "<pad>", "</s>", "<unk>"})
            add(name, 0.0, true);
    std::string first; // three of the file
    std::size_t count = 0;
    Json model = {{"type", "Unigram"}, {"unk_id", is_fairseq ? 3 : 0}};
    Json steps = Json::array();
    const auto read_trainer = [&](const Field& field) {
        if (field.number == 3 && field.value != 1)
            throw std::invalid_argument("a SentencePiece model other than Unigram");
        if (field.number == 35)
            model["byte_fallback"] = field.value != 0;
        if (field.number == 40 && !is_fairseq)
            model["unk_id"] = field.value;
    };
    const auto read_normaliser = [&](const Field& field) {
        if (field.number == 2 && !field.bytes.empty())
            steps.push_back(
                {{"type", "Precompiled"},
                 {"precompiled_charsmap", Json::binary({field.bytes.begin(), field.bytes.end()})}});
        if (field.number == 3 && field.value == 0)
            throw std::invalid_argument("a SentencePiece model without add_dummy_prefix");
    };
    for_each_field(mapped.bytes(), [&](const Field& part) {
        if (part.number == 1) {
            std::string text;
            float score = 0.0F;
            std::uint64_t kind = 1; // 2: the unknown, 3: control, 4: the user's
            for_each_field(part.bytes, [&](const Field& field) {
                if (field.number == 1)
                    text = field.bytes;
                else if (field.number == 2 && field.bytes.size() == sizeof score)
                    std::memcpy(&score, field.bytes.data(), sizeof score);
                else if (field.number == 3)
                    kind = field.value;
            });
            if (!std::isfinite(score))
                throw std::length_error("the score of its piece '" + text + "' is no number");
            if (count < 3)
                first += text + ' ';
            if (!is_fairseq || count >= 3)
                add(text, score, kind >= 2 && kind <= 4);
            ++count;
        } else if (part.number == 2) {
            for_each_field(part.bytes, read_trainer);
        } else if (part.number == 3) {
            for_each_field(part.bytes, read_normaliser);
        }
    });
    if (is_fairseq)
        add("<mask>", 0.0, true);
    if (is_fairseq ? first != "<unk> <s> </s> " : !first.starts_with("<pad> </s> "))
        throw std::invalid_argument("special pieces other than those of XLM-RoBERTa or T5");

    model["vocab"] = std::move(vocabulary);
    steps.push_back({{"type", "Strip"}, {"strip_left", false}, {"strip_right", true}});
    steps.push_back(
        {{"type", "Replace"}, {"pattern", {{"Regex", " {2,}"}}}, {"content", "\u2581"}});
    const Json t5 = {{"type", "TemplateProcessing"},
                     {"single", {{{"Sequence", "A"}}, {{"SpecialToken", {{"id", "</s>"}}}}}},
                     {"special_tokens", {{"</s>", {{"ids", {1U}}}}}}};
    const Json xlmr = {{"type", "RobertaProcessing"}, {"cls", {"<s>", 0U}}, {"sep", {"</s>", 2U}}};
    return {{"added_tokens", std::move(added)},
            {"normalizer", {{"type", "Sequence"}, {"normalizers", std::move(steps)}}},
            {"pre_tokenizer", {{"type", "Metaspace"}, {"prepend_scheme", "always"}}},
            {"post_processor", is_fairseq ? xlmr : t5},
            {"model", std::move(model)}};
}

} // namespace senteval::model_files
