#include "tasks/readers/mteb.hpp"

#include "core/error.hpp"
#include "tasks/protocols/clustering.hpp"
#include "tasks/readers/rows.hpp"
#include "text/unicode.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>
#include <utility>

namespace senteval::tasks {
namespace {

std::optional<long long> whole_number(std::string_view text)
{
    long long number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

/// LabelNames as they come; classes() are numbered when all are known.
class LabelNames {
public:
    std::uint32_t add(const std::string& label)
    {
        const auto [at, is_new] =
            number_.try_emplace(label, static_cast<std::uint32_t>(names_.size()));
        if (is_new)
            names_.push_back(label);
        return at->second;
    }

    /// Sorts the classes; gives each label's number among them.
    std::vector<std::uint32_t> sort(std::vector<std::string>& classes) const
    {
        std::vector<std::uint32_t> order(names_.size());
        std::iota(order.begin(), order.end(), std::uint32_t{0});
        const bool are_numbers = std::ranges::all_of(
            names_, [](const std::string& name) { return whole_number(name).has_value(); });
        std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
            return are_numbers ? whole_number(names_[a]) < whole_number(names_[b])
                               : names_[a] < names_[b];
        });
        std::vector<std::uint32_t> place(order.size());
        for (std::uint32_t at = 0; at < order.size(); ++at) {
            place[order[at]] = at;
            classes.push_back(names_[order[at]]);
        }
        return place;
    }

private:
    std::unordered_map<std::string, std::uint32_t> number_;
    std::vector<std::string> names_;
};

/// Numbers the classes of all parts.
void number_classes(Dataset& dataset, const LabelNames& labels)
{
    const auto place = labels.sort(dataset.classes);
    for (Part& part : dataset.parts) {
        for (std::uint32_t& label : part.labels)
            label = place[label];
        for (auto& set : part.label_sets)
            for (std::uint32_t& label : set)
                label = place[label];
    }
}

void finish(Dataset& dataset)
{
    for (Part& part : dataset.parts) {
        keep_order(part);
        if (part.name != "texts") // those that summaries are of
            add_samples(dataset, part);
    }
}

/// A source that fills a dataset, whose parts then get their order and samples.
template <typename Fill>
Source source_of_files(std::vector<std::string> files, Fill fill)
{
    Source source;
    source.files = std::move(files);
    source.read = [fill](task::DataFolder& data) {
        Dataset dataset;
        fill(data, dataset);
        finish(dataset);
        return dataset;
    };
    return source;
}

Part& new_part(Dataset& dataset, const std::string& name, bool is_tested)
{
    Part& part = dataset.parts.emplace_back();
    part.name = name;
    part.tested = is_tested;
    return part;
}

std::vector<std::string> existing(std::initializer_list<std::string> names)
{
    std::vector<std::string> files(names);
    std::erase(files, "");
    return files;
}

Source
text_source(const std::string& train, const std::string& test, const Fields& fields, bool several)
{
    return source_of_files(existing({train, test}), [=](task::DataFolder& data, Dataset& dataset) {
        LabelNames labels;
        dataset.parts.reserve(2); // references stay
        const std::pair<const char*, std::string> parts[] = {{"train", train}, {"test", test}};
        for (const auto& [name, file] : parts) {
            if (file.empty())
                continue;
            Part& part = new_part(dataset, name, std::string_view(name) == "test");
            each_row(data, file, [&](const NamedFields& row) {
                part.first.push_back(
                    text::verbatim_sentence(row.text(fields.first), dataset.arena));
                if (!several) {
                    part.labels.push_back(labels.add(row.text(fields.target)));
                    return;
                }
                auto& set = part.label_sets.emplace_back();
                for (const std::string& label : row.texts(fields.target))
                    set.push_back(labels.add(label));
            });
        }
        number_classes(dataset, labels);
    });
}

/// `add` sees each row once its two sentences are in the part.
template <typename Add>
Source pair_source(const std::string& file, const Fields& fields, Add add)
{
    return source_of_files({file}, [=](task::DataFolder& data, Dataset& dataset) {
        Part& part = new_part(dataset, "test", true);
        each_row(data, file, [&](const NamedFields& row) {
            part.first.push_back(text::verbatim_sentence(row.text(fields.first), dataset.arena));
            part.second.push_back(text::verbatim_sentence(row.text(fields.second), dataset.arena));
            add(row, part);
        });
        if (!part.labels.empty())
            dataset.classes = {"0", "1"};
    });
}

std::string id_of(const NamedFields& row)
{
    return row.text(row.has("_id") ? "_id" : "id");
}

std::string document_text(const NamedFields& row)
{
    const std::string title = row.text_or_nothing("title");
    const std::string text = row.text("text");
    return std::string(text::strip(title.empty() ? text : title + " " + text));
}

text::Sentence sentence_of(std::string_view text, text::Role role, text::Arena& arena)
{
    text::Sentence sentence = text::verbatim_sentence(text, arena);
    sentence.role = role;
    return sentence;
}

using Numbers = std::unordered_map<std::string, std::uint32_t>; ///< of ids

std::uint32_t number_of(const Numbers& numbers, const std::string& id, const NamedFields& row)
{
    const auto at = numbers.find(id);
    if (at == numbers.end())
        row.fail("there is no document {} in the corpus", text::quote(id));
    return at->second;
}

Numbers read_corpus(task::DataFolder& data,
                    const std::string& file,
                    Dataset& dataset,
                    Judgements& judgements)
{
    Part& corpus = new_part(dataset, "corpus", false);
    Numbers numbers;
    each_row(data, file, [&](const NamedFields& row) {
        std::string id = id_of(row);
        if (!numbers.try_emplace(id, static_cast<std::uint32_t>(numbers.size())).second)
            row.fail("the document {} stands twice", text::quote(id));
        corpus.first.push_back(
            sentence_of(document_text(row), text::Role::document, dataset.arena));
        judgements.document_ids.push_back(std::move(id));
    });
    return numbers;
}

using JudgedById = std::map<std::string, std::map<std::uint32_t, int>>; ///< query id -> document

JudgedById
read_judgements(task::DataFolder& data, const std::string& file, const Numbers& documents)
{
    JudgedById judged;
    each_row(data, file, [&](const NamedFields& row) {
        const double grade = row.number("score");
        if (grade != static_cast<int>(grade))
            row.fail("the score {} is no whole number", grade);
        judged[row.text("query-id")][number_of(documents, row.text("corpus-id"), row)] =
            static_cast<int>(grade);
    });
    return judged;
}

void read_search(task::DataFolder& data, const SearchFiles& files, Dataset& dataset)
{
    auto judgements = std::make_shared<Judgements>();
    const Numbers documents = read_corpus(data, files.corpus, dataset, *judgements);
    JudgedById judged = read_judgements(data, files.judgements, documents);
    Part& queries = new_part(dataset, "queries", true);
    Numbers query_numbers;
    each_row(data, files.queries, [&](const NamedFields& row) {
        const std::string id = id_of(row);
        const auto mine = judged.find(id);
        if (mine == judged.end())
            return;
        if (!query_numbers.try_emplace(id, static_cast<std::uint32_t>(query_numbers.size())).second)
            row.fail("the query {} stands twice", text::quote(id));
        queries.first.push_back(sentence_of(row.text("text"), text::Role::query, dataset.arena));
        judgements->query_ids.push_back(id);
        auto& list = judgements->of_query.emplace_back();
        for (const auto& [document, grade] : mine->second)
            list.push_back({document, grade});
    });
    if (queries.first.empty())
        throw core::Error("{}: none of the queries has a judgement", files.queries);
    if (!files.candidates.empty()) {
        judgements->candidates.resize(queries.size());
        each_row(data, files.candidates, [&](const NamedFields& row) {
            const auto query = query_numbers.find(row.text("query-id"));
            if (query == query_numbers.end())
                return;
            for (const std::string& id : row.texts("corpus-ids"))
                judgements->candidates[query->second].push_back(number_of(documents, id, row));
        });
    }
    queries.judgements = std::move(judgements);
}

} // namespace

Source labelled_source(const std::string& train, const std::string& test, const Fields& fields)
{
    return text_source(train, test, fields, false);
}

Source label_set_source(const std::string& train, const std::string& test, const Fields& fields)
{
    return text_source(train, test, fields, true);
}

Source cluster_source(const std::string& file, const Fields& fields)
{
    return text_source("", file, fields, false);
}

Source drawn_cluster_source(const std::string& file,
                            const Fields& fields,
                            std::optional<double> share,
                            std::optional<std::size_t> most)
{
    return source_of_files({file}, [=](task::DataFolder& data, Dataset& dataset) {
        struct Document {
            std::string text;
            std::vector<std::uint32_t> labels;
        };
        LabelNames labels;
        std::vector<Document> documents;
        each_row(data, file, [&](const NamedFields& row) {
            Document& document = documents.emplace_back(Document{row.text(fields.first), {}});
            if (!row.is_list(fields.target))
                document.labels = {labels.add(row.text(fields.target))};
            else
                for (const std::string& label : row.texts(fields.target))
                    document.labels.push_back(labels.add(label));
        });
        std::vector<std::uint32_t> rows(documents.size());
        std::iota(rows.begin(), rows.end(), std::uint32_t{0});
        if (share || most)
            rows = mteb_rows(documents.size(), share.value_or(1), most);
        Part& part = new_part(dataset, "test", true);
        part.drawn_from = share || most ? documents.size() : 0;
        for (const std::uint32_t row : rows) {
            part.first.push_back(text::verbatim_sentence(documents[row].text, dataset.arena));
            part.label_sets.push_back(documents[row].labels);
        }
        number_classes(dataset, labels);
    });
}

Source cluster_sets_source(const std::string& file, const Fields& fields)
{
    return source_of_files({file}, [=](task::DataFolder& data, Dataset& dataset) {
        LabelNames labels;
        each_row(data, file, [&](const NamedFields& row) {
            Part& part = new_part(dataset, fmt::format("set {}", dataset.parts.size() + 1), true);
            for (const std::string& text : row.texts(fields.first))
                part.first.push_back(text::verbatim_sentence(text, dataset.arena));
            for (const std::string& label : row.texts(fields.target))
                part.labels.push_back(labels.add(label));
            if (part.first.size() != part.labels.size() || part.first.empty())
                row.fail("{} sentences and {} labels", part.first.size(), part.labels.size());
        });
        number_classes(dataset, labels);
    });
}

Source pair_label_source(const std::string& file, const Fields& fields)
{
    return pair_source(file, fields, [target = fields.target](const NamedFields& row, Part& part) {
        const std::string label = row.text(target);
        if (label != "0" && label != "1")
            row.fail("the label of a pair is 0 or 1, not {}", text::quote(label));
        part.labels.push_back(label == "1" ? 1 : 0);
    });
}

Source pair_score_source(const std::string& file, const Fields& fields)
{
    return pair_source(file, fields, [target = fields.target](const NamedFields& row, Part& part) {
        part.scores.push_back(row.number(target));
    });
}

Source translation_source(const std::string& file, const Fields& fields)
{
    return pair_source(file, fields, [](const NamedFields&, Part&) {});
}

Source search_source(const SearchFiles& files)
{
    return source_of_files(
        existing({files.corpus, files.queries, files.judgements, files.candidates}),
        [=](task::DataFolder& data, Dataset& dataset) { read_search(data, files, dataset); });
}

Source candidate_lists_source(const std::string& file)
{
    return source_of_files({file}, [=](task::DataFolder& data, Dataset& dataset) {
        auto judgements = std::make_shared<Judgements>();
        dataset.parts.reserve(2); // references stay
        Part& corpus = new_part(dataset, "corpus", false);
        Part& queries = new_part(dataset, "queries", true);
        each_row(data, file, [&](const NamedFields& row) {
            const auto positive = row.texts("positive");
            const auto negative = row.texts("negative");
            if (positive.empty() || negative.empty())
                return;
            const std::string query = fmt::format("test_query{}", queries.size());
            queries.first.push_back(
                sentence_of(row.text("query"), text::Role::query, dataset.arena));
            judgements->query_ids.push_back(query);
            auto& judged = judgements->of_query.emplace_back();
            auto& candidates = judgements->candidates.emplace_back();
            // MTEB's ids: by the rule for ties a negative comes before an equal positive.
            const auto add = [&](const char* kind, int grade,
                                 const std::vector<std::string>& texts) {
                for (std::size_t i = 0; i < texts.size(); ++i) {
                    const auto document = static_cast<std::uint32_t>(corpus.size());
                    corpus.first.push_back(
                        sentence_of(text::strip(texts[i]), text::Role::document, dataset.arena));
                    judgements->document_ids.push_back(fmt::format("{}_{}_{:05}", kind, query, i));
                    judged.push_back({document, grade});
                    candidates.push_back(document);
                }
            };
            add("apositive", 1, positive);
            add("negative", 0, negative);
        });
        queries.judgements = std::move(judgements);
    });
}

Source summary_source(const std::string& file)
{
    return source_of_files({file}, [=](task::DataFolder& data, Dataset& dataset) {
        dataset.parts.reserve(3); // references stay
        Part& texts = new_part(dataset, "texts", true);
        Part& human = new_part(dataset, "human", false);
        Part& machine = new_part(dataset, "machine", false);
        each_row(data, file, [&](const NamedFields& row) {
            const auto number = static_cast<std::uint32_t>(texts.size());
            texts.first.push_back(text::verbatim_sentence(row.text("text"), dataset.arena));
            const auto by_machines = row.texts("machine_summaries");
            const auto scores = row.numbers("relevance");
            const auto by_people = row.texts("human_summaries");
            if (by_machines.size() != scores.size() || scores.empty() || by_people.empty())
                row.fail("{} machine summaries, {} scores and {} human summaries",
                         by_machines.size(), scores.size(), by_people.size());
            for (const std::string& summary : by_people) {
                human.first.push_back(text::verbatim_sentence(summary, dataset.arena));
                human.labels.push_back(number);
            }
            for (std::size_t i = 0; i < scores.size(); ++i) {
                machine.first.push_back(text::verbatim_sentence(by_machines[i], dataset.arena));
                machine.labels.push_back(number);
                machine.scores.push_back(scores[i]);
            }
        });
    });
}

} // namespace senteval::tasks
