#include "run/stack.hpp"

#include "base/error.hpp"
#include "base/fingerprint.hpp"
#include "run/item_traits.hpp"
#include "run/record.hpp"
#include "run/reranking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace senteval::run {
namespace {

using results::Result;

/// A row that has rankings.
struct Row {
    Result record;
    results::Rankings rankings;
};

results::Identity identity_of(std::string id, std::string label, std::span<const Row* const> parts)
{
    results::Identity identity;
    identity.label = std::move(label);
    identity.id = std::move(id);
    identity.version = "1";
    identity.parameters = {{"recipe", identity.label}};
    std::string whole = identity.id + '\n' + identity.label;
    for (const Row* part : parts) {
        identity.files[part->record.encoder.label] = part->record.encoder.fingerprint;
        whole += '\n' + part->record.encoder.fingerprint;
    }
    identity.fingerprint = base::fingerprint(whole);
    return identity;
}

/// Half of a query, by its id alone: the same for every encoder.
std::size_t half_of(const std::string& query)
{
    return base::fingerprint(query).back() % 2;
}

/// The rows of one search.
class SearchTask {
public:
    SearchTask(const task::Task& task, const EvaluateOptions& options, Observer& observer)
        : options_(options),
          observer_(observer),
          data_(options.data, options.limit),
          loaded_(task.load(data_))
    {
        const auto searched = loaded_->searched();
        has_candidates_ = searched->has_candidates;
        queries_ = {searched->query_ids.begin(), searched->query_ids.end()};
    }

    [[nodiscard]] const task::LoadedTask& loaded() const { return *loaded_; }

    /// A row of the run's encoders; nothing where it has no such ranking.
    [[nodiscard]] std::optional<Row> row_of(const Result& record, std::size_t depth) const
    {
        auto rankings = options_.store->rankings(record, depth);
        if (!rankings)
            return std::nullopt;
        return Row{record, std::move(*rankings)};
    }

    [[nodiscard]] Row fused(const FusionRecipe& recipe, std::span<const Row* const> parts) const
    {
        Row row{parts.front()->record, {}};
        static_cast<results::Identity&>(row.record.encoder) =
            identity_of("senteval.fusion", recipe.text, parts);
        if (recipe.fits_weights)
            fit(recipe, parts, row);
        else
            row.rankings = fuse_all(recipe, recipe.fusion, parts);
        return row;
    }

    [[nodiscard]] Row reranked(const Row& first, const Row& reranker, std::size_t depth) const
    {
        Row row{first.record, rerank(first.rankings, reranker.rankings, depth, has_candidates_)};
        const std::array parts{&first, &reranker};
        static_cast<results::Identity&>(row.record.encoder) =
            identity_of("senteval.reranking",
                        fmt::format("{} > {}@{}", first.record.encoder.label,
                                    reranker.record.encoder.label, depth),
                        parts);
        return row;
    }

    /// Stores and reports a row made of others.
    void finish(Row& row, const base::Json& stack, std::optional<double> ms_a_query) const
    {
        const auto judged = loaded_->judge(row.rankings);
        results::Cell cell{row.record, {}};
        Result& record = cell.result;
        record.encoder.batch_size = record.encoder.dimension = record.dimension = 0;
        record.encoder.capabilities.reset();
        record.norm.reset();
        record.coverage.reset();
        record.cautions.clear();
        record.metrics = judged->metrics;
        record.details = judged->details;
        record.details["stack"] = stack;
        if (!has_candidates_)
            if (const auto found = loaded_->judge(results::found_only(row.rankings));
                found->metrics.contains("recall_at_100"))
                record.details["found_in_100"] = found->metrics["recall_at_100"];
        record.run.date = utc_now();
        record.run.seconds = {{"total", 0}};
        record.run.sentences_encoded.reset();
        record.run.sentences_from_cache.reset();
        record.run.warnings.clear();
        record.run.ms_a_query = ms_a_query;
        cell.items = {judged->outcomes,
                      traits_of(judged->outcomes, *loaded_, nullptr, options_.threads)};
        keep_rankings(options_, record, row.rankings);
        options_.store->save(cell);
        row.record = record;
        observer_.finished(cell);
    }

private:
    [[nodiscard]] results::Rankings fuse_all(const FusionRecipe& recipe,
                                             const measures::Fusion& fusion,
                                             std::span<const Row* const> parts) const
    {
        results::Rankings fused;
        for (const std::string& query : queries_)
            fused[query] = fuse_query(recipe, fusion, parts, query);
        return fused;
    }

    [[nodiscard]] static std::vector<results::Found> fuse_query(const FusionRecipe& recipe,
                                                                const measures::Fusion& fusion,
                                                                std::span<const Row* const> parts,
                                                                const std::string& query)
    {
        std::map<std::string_view, std::uint32_t> numbers; // in the order of ids
        std::vector<std::span<const results::Found>> found;
        for (const Row* part : parts) {
            const auto at = part->rankings.find(query);
            found.emplace_back();
            if (at != part->rankings.end())
                found.back() = first_of(at->second, recipe.depth, false);
            for (const results::Found& one : found.back())
                numbers.emplace(one.document, 0);
        }
        std::vector<std::string_view> ids;
        for (auto& [id, number] : numbers) {
            number = static_cast<std::uint32_t>(ids.size());
            ids.push_back(id);
        }
        std::vector<std::vector<measures::Listed>> lists(found.size());
        for (std::size_t i = 0; i < found.size(); ++i)
            for (const results::Found& one : found[i])
                lists[i].push_back({numbers.at(one.document), one.score});
        std::vector<results::Found> fused;
        for (const measures::Listed& one : measures::fuse(lists, fusion))
            fused.push_back({std::string(ids[one.document]), static_cast<float>(one.score)});
        std::set<std::string> unfound; // by all of them
        for (const Row* part : parts)
            if (const auto at = part->rankings.find(query); at != part->rankings.end())
                for (const results::Found& one : at->second)
                    if (one.score == results::not_found && !numbers.contains(one.document))
                        unfound.insert(one.document);
        for (auto id = unfound.rbegin(); id != unfound.rend(); ++id)
            fused.push_back({*id, results::not_found});
        return fused;
    }

    /// Weights of 0, .1, ... 1 for the first part, each half's chosen on the other.
    void fit(const FusionRecipe& recipe, std::span<const Row* const> parts, Row& row) const
    {
        constexpr int steps = 10;
        std::vector<results::Rankings> all;
        std::array<std::vector<double>, 2> sums; // of the headline, on each half, by weight
        for (int step = 0; step <= steps; ++step) {
            measures::Fusion fusion = recipe.fusion;
            fusion.weights = {step / 10.0, (steps - step) / 10.0};
            all.push_back(fuse_all(recipe, fusion, parts));
            const auto judged = loaded_->judge(all.back());
            const auto& series = judged->outcomes.further;
            const auto& values =
                std::ranges::find(series, row.record.task.headline, &results::Series::name)
                    ->predictions;
            for (auto& half : sums)
                half.push_back(0);
            for (std::size_t query = 0; query < queries_.size(); ++query)
                sums[half_of(queries_[query])].back() += values[query];
        }
        std::array<std::size_t, 2> chosen{};
        for (std::size_t half = 0; half < 2; ++half)
            chosen[half] = static_cast<std::size_t>(std::ranges::max_element(sums[1 - half]) -
                                                    sums[1 - half].begin());
        for (const std::string& query : queries_)
            row.rankings[query] = all[chosen[half_of(query)]].at(query);
        row.record.encoder.stated = {
            {"weights_of_first",
             {static_cast<double>(chosen[0]) / steps, static_cast<double>(chosen[1]) / steps}}};
    }

    const EvaluateOptions& options_;
    Observer& observer_;
    task::DataFolder data_;
    std::unique_ptr<task::LoadedTask> loaded_;
    std::vector<std::string> queries_;
    bool has_candidates_ = false;
};

/// All rows of one search, in order: fusions, then what is reranked.
class SearchRows {
public:
    SearchRows(const Stack& stack,
               const task::Task& task,
               const EvaluateOptions& options,
               Observer& observer)
        : stack_(stack),
          task_(task),
          options_(options),
          observer_(observer),
          search_(task, options, observer)
    {
    }

    void run(std::span<const Result> records)
    {
        for (const Result& record : records)
            if (record.task.name == task_.info().name && record.protocol.projection().empty() &&
                std::ranges::none_of(rows_, [&](const Row& row) { // the first normalisation
                    return row.record.encoder.fingerprint == record.encoder.fingerprint;
                }))
                if (auto row = search_.row_of(record, stack_.deepest()))
                    rows_.push_back(std::move(*row));
        for (const FusionRecipe& recipe : stack_.fusions)
            attempt(recipe.text, [&] { add_fusion(recipe); });
        for (const EncoderSource& reranker : stack_.rerankers)
            attempt(reranker.identity.label, [&] { add_reranked(reranker); });
    }

private:
    /// A row that fails costs nothing but itself.
    template <typename Body>
    void attempt(const std::string& label, const Body& body)
    {
        observer_.started(label, task_.info().name, 1);
        try {
            body();
        } catch (const base::Cancelled&) {
            throw;
        } catch (const base::UsageError& e) {
            observer_.failed({label, task_.info().name, e.what(), true, 1});
        } catch (const std::exception& e) {
            observer_.failed({label, task_.info().name, e.what(), false, 1});
        }
    }

    [[nodiscard]] const Row& row(const std::string& label) const
    {
        const auto at = std::ranges::find_if(
            rows_, [&](const Row& one) { return one.record.encoder.label == label; });
        if (at == rows_.end())
            throw base::Error("'{}' has no result here", label);
        return *at;
    }

    void add_fusion(const FusionRecipe& recipe)
    {
        std::vector<const Row*> parts;
        std::optional<double> ms = 0;
        base::Json names = base::Json::array();
        for (const std::string& label : recipe.parts) {
            parts.push_back(&row(label));
            const auto& own = parts.back()->record.run.ms_a_query;
            ms = ms && own ? std::optional(*ms + *own) : std::nullopt;
            names.push_back(parts.back()->record.encoder.fingerprint);
        }
        Row fused = search_.fused(recipe, parts);
        search_.finish(fused, {{"step", "fusion"}, {"parts", names}}, ms);
        rows_.push_back(std::move(fused));
    }

    /// One pass at the largest depth, of which the others are parts.
    void add_reranked(const EncoderSource& source)
    {
        const std::size_t firsts = rows_.size();
        std::vector<const results::Rankings*> rankings;
        for (const Row& one : rows_)
            rankings.push_back(&one.rankings);
        Row reranker{rows_.empty() ? Result() : rows_.front().record, {}};
        Judge judge(source, task_, search_.loaded(), options_, observer_);
        reranker.record.encoder = {judge.identity(), 0, 0, {}};
        reranker.record.task.name += "-pairs"; // other scores than those of a search
        // What no file identifies may judge otherwise today.
        const bool keeps = judge.identity().unseen.empty() && judge.is_batch_invariant();
        if (keeps && options_.overwrite != Overwrite::always)
            if (auto kept = options_.store->rankings(reranker.record, 0))
                reranker.rankings = std::move(*kept);
        const auto keep = [&] {
            if (keeps)
                options_.store->save_rankings(reranker.record, reranker.rankings, everything);
        };
        try {
            judge.add(rankings, stack_.depths.back(), reranker.rankings);
        } catch (...) {
            keep();
            throw;
        }
        keep();
        for (std::size_t at = 0; at < firsts; ++at)
            for (const std::size_t depth : stack_.depths) {
                Row one = search_.reranked(rows_[at], reranker, depth);
                auto ms = rows_[at].record.run.ms_a_query;
                if (const auto own = judge.ms_a_document(); ms && own)
                    ms = *ms + *own * static_cast<double>(depth);
                else
                    ms.reset();
                search_.finish(one,
                               {{"step", "reranking"},
                                {"parts", {rows_[at].record.encoder.fingerprint}},
                                {"reranker", reranker.record.encoder.fingerprint},
                                {"depth", depth}},
                               ms);
            }
    }

    static constexpr std::size_t everything = std::size_t{1} << 32U;

    const Stack& stack_;
    const task::Task& task_;
    const EvaluateOptions& options_;
    Observer& observer_;
    SearchTask search_;
    std::vector<Row> rows_;
};

} // namespace

std::size_t Stack::deepest() const
{
    std::size_t deepest = depths.empty() ? usual_depth : depths.back();
    for (const FusionRecipe& recipe : fusions)
        deepest = std::max(deepest, recipe.depth);
    return deepest;
}

bool is_search(const task::Task& task)
{
    const std::string protocol = task.protocol_settings({}).value("protocol", "");
    return protocol == "search" || protocol == "reranking";
}

void evaluate_stack(const Stack& stack,
                    std::span<const task::Task* const> tasks,
                    std::span<const Result> records,
                    const EvaluateOptions& options,
                    Observer& observer)
{
    for (const task::Task* task : tasks)
        if (is_search(*task))
            SearchRows(stack, *task, options, observer).run(records);
}

} // namespace senteval::run
