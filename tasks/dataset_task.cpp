#include "tasks/dataset_task.hpp"

#include "base/error.hpp"
#include "tasks/chunks.hpp"
#include "tasks/data_warnings.hpp"

#include <algorithm>
#include <utility>

namespace senteval::tasks {
namespace {

class LoadedDataset : public task::LoadedTask {
public:
    LoadedDataset(Dataset dataset, Protocol protocol)
        : dataset_(std::move(dataset)), protocol_(std::move(protocol))
    {
    }

    [[nodiscard]] std::span<const text::Sentence> samples() const override
    {
        return dataset_.samples;
    }
    [[nodiscard]] std::string sizes() const override
    {
        std::string sizes;
        for (const Part& part : dataset_.parts)
            sizes += fmt::format("{}{} {}", sizes.empty() ? "" : ", ", part.name, part.size());
        return sizes;
    }
    [[nodiscard]] task::ItemText item(std::uint32_t item) const override
    {
        return dataset_.test_item(item);
    }
    [[nodiscard]] std::optional<text::Sentence> document(std::uint32_t number) const override
    {
        const Part* const corpus = dataset_.find("corpus");
        if (corpus == nullptr || number >= corpus->size())
            return {};
        return corpus->first[number];
    }
    [[nodiscard]] std::optional<task::Searched> searched() const override
    {
        const Part* const queries = dataset_.find("queries");
        const Part* const corpus = dataset_.find("corpus");
        if (queries == nullptr || corpus == nullptr || !queries->judgements)
            return {};
        const Judgements& judgements = *queries->judgements;
        const Part* const chunks = dataset_.find("chunks");
        return task::Searched{queries->first,
                              corpus->first,
                              judgements.query_ids,
                              judgements.document_ids,
                              (chunks ? chunks : corpus)->first,
                              !judgements.candidates.empty()};
    }
    [[nodiscard]] task::Result run(task::Context& context) const override
    {
        if (context.session.ranks() && !searched())
            throw base::UsageError("a ranker orders the documents of a search, which {} is not",
                                   dataset_.name);
        return protocol_.run(dataset_, context);
    }
    [[nodiscard]] std::optional<task::Result>
    judge(const results::Rankings& rankings) const override
    {
        if (!protocol_.judge)
            return {};
        return protocol_.judge(dataset_, rankings);
    }

private:
    Dataset dataset_;
    Protocol protocol_;
};

class DatasetTask : public task::Task {
public:
    DatasetTask(task::Info info, Source source, Protocol protocol)
        : info_(std::move(info)), source_(std::move(source)), protocol_(std::move(protocol))
    {
    }

    [[nodiscard]] const task::Info& info() const override { return info_; }

    [[nodiscard]] std::unique_ptr<task::LoadedTask> load(task::DataFolder& data) const override
    {
        if (!source_.base.empty())
            data.start_from(source_.base);
        Dataset dataset = source_.read(data);
        dataset.name = info_.name;
        warn_of_gold(dataset);
        if (!source_.description.is_null()) // the user's own
            warn_of_own_data(dataset, source_.tolerated_copies);
        for (const DataWarning& warning : dataset.data_warnings) {
            if (source_.description.is_null()) // published
                data.warn(warning.text);
            else if (std::ranges::find(source_.accepted, warning.name) != source_.accepted.end())
                data.accept(warning.text);
            else if (warning.name == "tokens")
                data.warn_of_words(warning.text);
            else
                data.warn(fmt::format("{} (accept = [\"{}\"] if it is meant so)", warning.text,
                                      warning.name));
        }
        for (const Part& part : dataset.parts)
            data.add_empty_sentences(empty_sentences(part));
        if (data.limit() > 0)
            limit(dataset, data.limit());
        if (data.chunks().size > 0)
            cut_documents(dataset, data.chunks());
        return std::make_unique<LoadedDataset>(std::move(dataset), protocol_);
    }

    [[nodiscard]] base::Json protocol_settings(const task::Settings& settings) const override
    {
        return protocol_.settings(settings);
    }

private:
    task::Info info_;
    Source source_;
    Protocol protocol_;
};

} // namespace

std::unique_ptr<task::Task> make_task(const std::string& name,
                                      std::vector<std::string> groups,
                                      Source source,
                                      Protocol protocol,
                                      const std::string& headline,
                                      const std::string& reference,
                                      std::vector<std::string> aliases)
{
    if (results::find_metric(protocol.metrics, headline) == nullptr)
        throw base::Error("task '{}': its protocol has no metric '{}'", name, headline);
    task::Info info{{name, protocol.summary, headline, protocol.metrics, source.description},
                    std::move(aliases),
                    std::move(groups),
                    source.files,
                    reference,
                    source.base};
    return std::make_unique<DatasetTask>(std::move(info), std::move(source), std::move(protocol));
}

} // namespace senteval::tasks
