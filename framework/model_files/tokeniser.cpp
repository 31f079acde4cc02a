#include "model_files/tokeniser.hpp"

#include "model_files/documents.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

namespace senteval::model_files {
Tokeniser::Tokeniser(const std::filesystem::path& folder)
{
    const std::filesystem::path file = tokenizer_file(folder);
    try {
        reading(file, [&] { read(tokenizer_document(file)); });
    } catch (const std::invalid_argument& e) {
        throw sdk::Error(
            SENTEVAL_UNSUPPORTED,
            fmt::format("{}: has {}, which is not supported; {}", file.string(), e.what(),
                        file.filename() == "tokenizer.json"
                            ? "make vectors with the model's own program for --encoder precomputed"
                            : "write a tokenizer.json with Python: transformers.AutoTokenizer."
                              "from_pretrained(FOLDER).save_pretrained(FOLDER)"));
    } catch (const std::length_error& e) {
        base::refuse(file, "is damaged: {}", e.what());
    }
}

void Tokeniser::read(const Json& document)
{
    const auto part = [&document](const char* key) { return document.value(key, Json()); };
    model_ = piece_model_of(document.at("model"));
    normalise_ = normaliser_of(part("normalizer"));
    split_ = splitter_of(part("pre_tokenizer"));
    read_template(part("post_processor"));

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
    std::vector<Id> ids = before_;
    append(text, ids);
    if (length != nullptr)
        *length = ids.size() + after_.size();
    const std::size_t special = before_.size() + after_.size();
    ids.resize(std::min(ids.size(), std::max(limit, special) - after_.size()));
    ids.insert(ids.end(), after_.begin(), after_.end());
    return ids;
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
