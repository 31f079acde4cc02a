#include "bm25/bm25_encoder.hpp"

#include "base/json.hpp"
#include "base/refuse.hpp"
#include "bm25/stemmers.hpp"

#include <string_view>
#include <utility>
#include <vector>

namespace senteval::bm25 {
namespace {

std::string language_from(const sdk::Params& params)
{
    if (params.choice<bool>("tokens", {{"stems", false}, {"words", true}}))
        return {};
    const std::string language = params.get("language", "en");
    if (language.empty())
        base::refuse("parameter 'language' is empty");
    return language == "english" || language == "eng" ? "en" : language;
}

Stem stem_from(const sdk::Params& params, const std::string& language)
{
    const auto edition = params.choice<Edition>(
        "stemmer", {{"3", Edition::snowball_3}, {"2.2", Edition::snowball_2_2}});
    if (language.empty())
        return {};
    if (language == "en")
        return [edition](std::string_view word) { return english_stem(word, edition); };
    if (edition != Edition::snowball_3)
        base::refuse("parameter 'stemmer' is of English only, and 'language' is '{:.100}'",
                     language);
    return open_stemmer(language);
}

} // namespace

Bm25Encoder::Bm25Encoder(const sdk::Setup& setup)
    : host_(setup.host),
      formula_(formula_from(setup.params)),
      language_(language_from(setup.params)),
      stem_(stem_from(setup.params, language_)),
      vocabulary_(stem_, false)
{
    if (stem_ && language_ != "en")
        identity_ = base::Json{{"stems", fingerprint_of(stem_)}}.dump();
}

std::size_t Bm25Encoder::dimension() const
{
    if (index_.size() == 0)
        throw sdk::Error(SENTEVAL_UNSUPPORTED,
                         "there are no documents: it ranks those that prepare() is shown");
    return index_.size();
}

void Bm25Encoder::warn_of_language(const sdk::Task& task) const
{
    const std::string_view of_task = task.language.substr(0, task.language.find('-'));
    if (language_.size() == 2 && of_task.size() == 2 && of_task != language_)
        host_.warn(fmt::format("bm25: {} is in '{}', and words are stemmed as in '{}': --set "
                               "language={}, or --set tokens=words",
                               task.name, of_task, language_, of_task));
}

void Bm25Encoder::prepare(sdk::Call& call, const sdk::Task& task, sdk::Batch documents)
{
    constexpr std::size_t documents_per_poll = 256;
    index_ = {};
    vocabulary_ = Vocabulary(stem_, language_ == "en");
    warn_of_language(task);
    Documents read;
    std::string buffer;
    for (std::size_t i = 0; i < documents.size(); ++i) {
        if (i % documents_per_poll == 0) {
            call.check_cancelled();
            call.progress(i, documents.size());
        }
        for_each_token(documents[i], buffer, [&](std::string_view word) {
            if (const Term term = vocabulary_.add(word); term != Vocabulary::no_term)
                read.terms.push_back(term);
        });
        read.ends.push_back(read.terms.size());
    }
    index_ = Index(read, vocabulary_.size(), formula_, [&] { call.check_cancelled(); });
}

void Bm25Encoder::encode(sdk::Call& call, sdk::Batch queries, sdk::Matrix out) const
{
    static_cast<void>(dimension()); // or there is nothing to rank
    std::vector<double> sums(index_.size());
    std::vector<Term> terms;
    std::string buffer;
    for (std::size_t i = 0; i < queries.size(); ++i) {
        call.check_cancelled();
        terms.clear();
        for_each_token(queries[i], buffer, [&](std::string_view word) {
            if (const Term term = vocabulary_.find(word); term != Vocabulary::no_term)
                terms.push_back(term);
        });
        index_.score(terms, sums, out.row(i), [&] { call.check_cancelled(); });
    }
}

} // namespace senteval::bm25
