#include "tasks/readers/mteb.hpp"

#include "base/error.hpp"
#include "base/unicode.hpp"
#include "tasks/data_warnings.hpp"
#include "tasks/protocols/mteb.hpp"
#include "tasks/readers/rows.hpp"

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
    warn_of_alike(dataset, dataset.classes);
    for (Part& part : dataset.parts) {
        for (std::uint32_t& label : part.labels)
            label = place[label];
        for (auto& set : part.label_sets)
            for (std::uint32_t& label : set)
                label = place[label];
    }
}

Source
text_source(const std::string& train, const std::string& test, const Fields& fields, bool several)
{
    return row_source({train, test}, [=](task::DataFolder& data, Dataset& dataset) {
        LabelNames labels;
        std::map<std::string, std::string> meant; // label_text of each label
        std::set<std::string> unclear;
        dataset.parts.reserve(2); // references stay
        const std::pair<const char*, std::string> parts[] = {{"train", train}, {"test", test}};
        for (const auto& [name, file] : parts) {
            if (file.empty())
                continue;
            Part& part = dataset.parts.emplace_back(name, name == std::string_view("test"));
            each_row(data, dataset, file, [&](const NamedFields& row) {
                part.first.push_back(
                    text::verbatim_sentence(row.text(fields.first), dataset.arena));
                if (!several) {
                    const std::string label = row.text(fields.target);
                    part.labels.push_back(labels.add(label));
                    const std::string text =
                        row.is_list("label_text") ? "" : row.text_or_nothing("label_text");
                    if (!text.empty() && meant.try_emplace(label, text).first->second != text)
                        unclear.insert(label);
                    return;
                }
                auto& set = part.label_sets.emplace_back();
                for (const std::string& label : row.texts(fields.target))
                    set.push_back(labels.add(label));
            });
        }
        if (!unclear.empty())
            dataset.warn("classes", "labels whose label_text is another in some rows: {}",
                         fmt::join(unclear, ", "));
        number_classes(dataset, labels);
    });
}

/// `add` sees the target of each pair once its two sentences are in the part. A row may be a list of pairs.
template <typename Add>
Source pair_source(const std::string& file, const Fields& fields, Add add)
{
    return row_source({file}, [=](task::DataFolder& data, Dataset& dataset) {
        Part& part = dataset.parts.emplace_back("test", true);
        each_row(data, dataset, file, [&](const NamedFields& row) {
            const auto texts = [&](const std::string& field) {
                return row.is_list(fields.first) ? row.texts(field) : std::vector{row.text(field)};
            };
            const auto firsts = texts(fields.first);
            const auto seconds = texts(fields.second);
            const auto targets = texts(fields.target);
            if (firsts.size() != seconds.size() || firsts.size() != targets.size())
                row.fail("its lists are not of one length");
            for (std::size_t i = 0; i < firsts.size(); ++i) {
                part.first.push_back(text::verbatim_sentence(firsts[i], dataset.arena));
                part.second.push_back(text::verbatim_sentence(seconds[i], dataset.arena));
                add(row, targets[i], part);
            }
        });
        if (!part.labels.empty())
            dataset.classes = {"0", "1"};
    });
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

Source
drawn_cluster_source(const std::string& file, const Fields& fields, const BootstrapRules& rules)
{
    return row_source({file}, [=](task::DataFolder& data, Dataset& dataset) {
        struct Document {
            std::string text;
            std::vector<std::uint32_t> labels;
        };
        LabelNames labels;
        std::vector<Document> documents;
        each_row(data, dataset, file, [&](const NamedFields& row) {
            Document& document = documents.emplace_back(Document{row.text(fields.first), {}});
            if (!row.is_list(fields.target))
                document.labels = {labels.add(row.text(fields.target))};
            else
                for (const std::string& label : row.texts(fields.target))
                    document.labels.push_back(labels.add(label));
        });
        const auto rows = mteb_rows(documents.size(), rules);
        if (rows.empty())
            throw base::Error("{}: {} of {} texts are none: set max_fraction or max_documents",
                              file, rules.share.value_or(1), documents.size());
        Part& part = dataset.parts.emplace_back("test", true);
        part.drawn_from = rules.share || rules.most ? documents.size() : 0;
        for (const std::uint32_t row : rows) {
            part.first.push_back(text::verbatim_sentence(documents[row].text, dataset.arena));
            part.label_sets.push_back(documents[row].labels);
        }
        number_classes(dataset, labels);
    });
}

Source cluster_sets_source(const std::string& file, const Fields& fields)
{
    return row_source({file}, [=](task::DataFolder& data, Dataset& dataset) {
        LabelNames labels;
        each_row(data, dataset, file, [&](const NamedFields& row) {
            Part& part =
                dataset.parts.emplace_back(fmt::format("set {}", dataset.parts.size() + 1), true);
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
    return pair_source(
        file, fields, [](const NamedFields& row, std::string_view label, Part& part) {
            const auto flag = parsed_flag(label);
            if (!flag)
                row.fail("the label of a pair is 0 or 1, not {}", text::quote(label));
            part.labels.push_back(*flag ? 1 : 0);
        });
}

Source pair_score_source(const std::string& file, const Fields& fields)
{
    return pair_source(file, fields,
                       [=](const NamedFields& row, std::string_view score, Part& part) {
                           part.scores.push_back(row.number_in(fields.target, score));
                       });
}

Source translation_source(const std::string& file, const Fields& fields)
{
    return pair_source(file, {fields.first, fields.second, fields.second},
                       [](const NamedFields&, std::string_view, Part&) {});
}

Source summary_source(const std::string& file)
{
    return row_source({file}, [=](task::DataFolder& data, Dataset& dataset) {
        dataset.parts.reserve(3); // references stay
        Part& texts = dataset.parts.emplace_back("texts", true);
        Part& human = dataset.parts.emplace_back("human", false);
        Part& machine = dataset.parts.emplace_back("machine", false);
        each_row(data, dataset, file, [&](const NamedFields& row) {
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
