#include "model_files/tokeniser.hpp"

#include "model_files/documents.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

namespace senteval::model_files {
namespace {

/// A normaliser's description without what makes letters lower case.
Json cased(Json spec)
{
    if (spec.value("type", "") == "BertNormalizer")
        spec["lowercase"] = false;
    if (spec.value("type", "") == "Sequence")
        for (Json& step : spec.at("normalizers"))
            step = cased(step);
    return spec.value("type", "") == "Lowercase" ? Json() : spec;
}

} // namespace

Tokeniser::Tokeniser(const std::filesystem::path& folder, const TokeniserOptions& options)
{
    const std::filesystem::path file =
        options.is_alone ? folder / "tokenizer.json" : tokenizer_file(folder);
    reading(file, [&] {
        try {
            read(options.is_alone ? read_json(file) : tokenizer_document(file, options.host),
                 options);
        } catch (const std::invalid_argument& e) {
            if (file.filename() == "tokenizer.json")
                throw;
            base::refuse(file,
                         "has {}, which is not supported; write a tokenizer.json with Python: "
                         "transformers.AutoTokenizer.from_pretrained(FOLDER).save_pretrained("
                         "FOLDER)",
                         e.what());
        }
    });
}

void Tokeniser::read(const Json& document, const TokeniserOptions& options)
{
    allow_keys(document, "version truncation padding added_tokens normalizer pre_tokenizer "
                         "post_processor decoder model");
    const auto part = [&document](const char* key) { return document.value(key, Json()); };
    model_ = piece_model_of(document.at("model"));
    const Json lower = options.lowers ? Json{{"type", "Lowercase"}} : Json();
    const Json own = part("normalizer");
    const Json normaliser = options.keeps_case && own.is_object() ? cased(own) : own;
    normalise_ = normaliser_of({{"type", "Sequence"}, {"normalizers", {lower, normaliser}}});
    split_ = splitter_of(part("pre_tokenizer"));
    if (options.begins || options.ends)
        read_template(part("post_processor"));
    if (!options.begins)
        before_.clear();
    if (!options.ends)
        after_.clear();
    if (options.joins)
        read_pair(part("post_processor"));
    if (const Json cut = part("truncation"); !cut.is_null()) {
        allow_keys(cut, "direction max_length strategy stride");
        if (cut.contains("max_length"))
            own_limit_ = count_of(cut, "max_length", 0);
        const std::string side = cut.value("direction", "right");
        keeps_last_ = side == "left" || side == "Left";
        if (!keeps_last_ && side != "right" && side != "Right")
            throw std::length_error("its truncation is at the side '" + side + "'");
    }
    keeps_last_ = options.keeps_last.value_or(keeps_last_);

    added_ = added_tokens_of(document);
    std::vector<AddedToken> raw;
    std::vector<AddedToken> late;
    for (AddedToken token : added_) {
        if (token.normalised)
            token.content = normalise_(token.content);
        (token.normalised ? late : raw).push_back(token);
        largest_id_ = std::max(largest_id_, token.id);
    }
    raw_.emplace(std::move(raw));
    normalised_.emplace(std::move(late));
    largest_id_ = std::max(largest_id_, model_->largest_id());
    for (const auto* const special : {&before_, &after_})
        for (const Id id : *special)
            largest_id_ = std::max(largest_id_, id);
    if (pair_)
        largest_id_ = std::max(largest_id_, pair_->largest_id());
}

void Tokeniser::read_template(const Json& spec)
{
    for (const Json& step :
         members_of(spec, "processors")) { // each puts its tokens around those before
        const std::string type = step.at("type");
        std::vector<Id> before;
        if (type == "BertProcessing" || type == "RobertaProcessing") {
            before.push_back(id_from(step.at("cls").at(1)));
            after_.push_back(id_from(step.at("sep").at(1)));
        } else if (type == "TemplateProcessing") {
            bool is_behind = false;
            for (const Json& item : step.at("single")) {
                if (const auto token = item.find("SpecialToken"); token == item.end())
                    is_behind = true;
                else
                    for (const Json& id :
                         step.at("special_tokens").at(token->at("id").get<std::string>()).at("ids"))
                        (is_behind ? after_ : before).push_back(id_from(id));
            }
        } else if (type != "ByteLevel") { // which changes no ids
            throw std::invalid_argument("the post_processor " + type);
        }
        before_.insert(before_.begin(), before.begin(), before.end());
    }
}

void Tokeniser::read_pair(const Json& spec)
{
    std::vector<Json> steps = members_of(spec, "processors");
    std::erase_if(steps, [](const Json& step) { return step.at("type") == "ByteLevel"; });
    if (steps.size() != 1)
        throw std::invalid_argument(fmt::format("{} templates of pairs", steps.size()));
    pair_.emplace(steps.front());
}

void Tokeniser::append(std::string_view text, std::vector<Id>& ids) const
{
    const auto token = [&](Id id) { ids.push_back(id); };
    const auto piece = [&](std::string_view part) {
        const std::string whole = normalise_(std::string(part));
        const auto words_of = [&](std::string_view rest) {
            Words words{std::string(rest),
                        {{0, rest.size()}},
                        part.data() == text.data() && rest.data() == whole.data()};
            split_(words);
            for (const Words::Range range : words.ranges)
                model_->append(words[range], ids);
        };
        normalised_->cut(whole, words_of, token);
    };
    raw_->cut(text, piece, token);
}

std::vector<Id>
Tokeniser::encode(std::string_view text, std::size_t limit, std::size_t* length) const
{
    std::vector<Id> ids;
    append(text, ids);
    const std::size_t special = before_.size() + after_.size();
    if (length != nullptr)
        *length = ids.size() + special;
    cut(ids, std::max(limit, special) - special);
    ids.insert(ids.begin(), before_.begin(), before_.end());
    ids.insert(ids.end(), after_.begin(), after_.end());
    return ids;
}

TypedIds Tokeniser::join(std::vector<Id> first, std::vector<Id> second, std::size_t limit) const
{
    const std::size_t special = pair().special();
    const auto [one, other] =
        longest_first({first.size(), second.size()}, std::max(limit, special) - special);
    cut(first, one);
    cut(second, other);
    return pair().join(first, second);
}

void Tokeniser::cut(std::vector<Id>& ids, std::size_t most) const
{
    if (ids.size() > most && keeps_last_)
        ids.erase(ids.begin(), ids.end() - static_cast<std::ptrdiff_t>(most));
    ids.resize(std::min(ids.size(), most));
}

void Tokeniser::count_known(sdk::Batch batch,
                            std::span<std::uint32_t> tokens,
                            std::span<std::uint32_t> known) const
{
    std::vector<Id> ids;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        ids.clear();
        append(batch[i], ids);
        tokens[i] = static_cast<std::uint32_t>(ids.size());
        if (const auto unknown = model_->unknown())
            std::erase(ids, *unknown);
        known[i] = static_cast<std::uint32_t>(ids.size());
    }
}

std::vector<std::string> Tokeniser::token_texts() const
{
    std::set<std::string> texts(model_->pieces().begin(), model_->pieces().end());
    for (const AddedToken& token : added_)
        texts.insert(token.content);
    return {texts.begin(), texts.end()};
}

} // namespace senteval::model_files
