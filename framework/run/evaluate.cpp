#include "run/evaluate.hpp"

#include "base/error.hpp"
#include "base/files.hpp"
#include "learn/classifier.hpp"
#include "results/items.hpp"
#include "results/uninformative.hpp"
#include "run/geometry.hpp"
#include "run/inspection.hpp"
#include "run/item_traits.hpp"
#include "run/official.hpp"
#include "run/record.hpp"
#include "run/vectors_file.hpp"
#include "run/versions.hpp"
#include "task/data_folder.hpp"
#include "task/task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace senteval::run {
namespace {

/// One encoder's way through the tasks.
class Evaluation {
public:
    Evaluation(const EncoderSource& source,
               const task::Task& first,
               const EvaluateOptions& options,
               Inspection& inspection,
               Observer& observer)
        : source_(source),
          first_(first),
          options_(options),
          inspection_(inspection),
          observer_(observer)
    {
    }

    void run(const task::Task& task, const std::vector<task::Settings>& settings)
    {
        const std::string& label = source_.identity.label;
        const std::string& name = task.info().name;
        observer_.started(label, name, settings.size());
        left_ = settings.size();
        try {
            std::vector<std::vector<task::Settings>> cuts; // cells whose documents are cut alike
            for (const task::Settings& one : settings) {
                const auto at = std::ranges::find_if(
                    cuts, [&](const auto& cut) { return cut.front().chunks == one.chunks; });
                (at == cuts.end() ? cuts.emplace_back() : *at).push_back(one);
            }
            for (std::vector<task::Settings>& cells : cuts)
                run_cells(task, std::move(cells));
        } catch (const base::Cancelled&) {
            throw;
        } catch (const base::UsageError& e) {
            observer_.failed({label, name, e.what(), true, left_});
        } catch (const learn::TooFewItems& e) {
            const std::string cut =
                options_.limit > 0
                    ? fmt::format(" (--limit {} is what cuts the task)", options_.limit)
                    : "";
            observer_.failed({label, name, e.what() + cut, false, left_});
        } catch (const std::exception& e) {
            observer_.failed({label, name, e.what(), false, left_});
            if (session_ && !session_->broken_claim().empty() && finished_ > 0)
                observer_.warned(fmt::format("{} gave other vectors the second time: what came "
                                             "before that may be wrong, too "
                                             "(results: {})",
                                             label, std::exchange(finished_, 0)));
        }
    }

private:
    std::unique_ptr<task::LoadedTask> load(const task::Task& task, task::DataFolder& data)
    {
        clock_ = {};
        prepared_ = false;
        is_asked_ = false;
        dimension_ = 0;
        const auto phase = clock_.phase("load");
        return task.load(data);
    }

    void run_cells(const task::Task& task, std::vector<task::Settings> cells)
    {
        task::DataFolder data(options_.data, options_.limit);
        data.cut_documents(cells.front().chunks);
        const auto loaded = load(task, data);
        is_search_ = loaded->searched().has_value();
        const auto& warnings = inspection_.warnings_of(task, data);
        if (source_.states_identity || !source_.identity.unseen.empty())
            start();
        for (task::Settings& cell : cells)
            cell = settings_for(identity(), task, std::move(cell), options_.prompts);
        prompts_ = cells.front().prompts;
        if (options_.overwrite != Overwrite::never)
            ask_for_version(task, *loaded);
        for (std::size_t at = 0; at < cells.size();) {
            results::Result record =
                new_record(identity(), encoder_ ? encoder_->capabilities() : source_.capabilities,
                           options_.batch_size, task, cells[at], data);
            record.data.doubts = warnings;
            record.data.accepted = data.accepted_warnings();
            if (!keep(record)) {
                if (ask_for_version(task, *loaded))
                    continue; // it may be another one than the latest
                observer_.computing(record);
                prepare(task, *loaded);
                if (is_flat(cells[at])) {
                    skip_flat(cells, at);
                    continue;
                }
                run_cell(*loaded, cells[at], std::move(record), data.word_warnings());
                clock_ = {};
            }
            skip_flat(cells, ++at); // the dimension is known by now
        }
    }

    [[nodiscard]] const encoder::Identity& identity() const
    {
        return version_ ? version_->identity : source_.identity;
    }

    /// Of an encoder that no file identifies: which of its versions it is. Where vectors depend on prepare() each task
    /// asks, else the first. Returns false where the task has asked before.
    bool ask_for_version(const task::Task& task, const task::LoadedTask& loaded)
    {
        if (identity().unseen.empty() || std::exchange(is_asked_, true) ||
            (options_.store == nullptr && options_.cache == nullptr))
            return false;
        if (!version_->is_settled && &task != &first_)
            ask_with_first();
        if (encoder_->has_prepare())
            prepare(task, loaded);
        if (encoder_->has_prepare() || !version_->is_settled)
            ask_with(task, loaded);
        return true;
    }

    void ask_with(const task::Task& task, const task::LoadedTask& loaded)
    {
        version_ = settle({*session_, *encoder_, options_.store, options_.stop,
                           [this](const std::string& what) { observer_.warned(what); }},
                          *version_, task.info().name, loaded.samples());
    }

    /// The shares of a run begin one version: that of the run's first task. If it cannot be read, its own cells say so.
    void ask_with_first()
    {
        try {
            task::DataFolder data(options_.data, options_.limit);
            const auto loaded = first_.load(data);
            if (encoder_->has_prepare())
                session_->prepare(first_.info().name, loaded->samples());
            ask_with(first_, *loaded);
        } catch (const base::Cancelled&) {
            throw;
        } catch (const base::Error&) {
            return;
        }
    }

    /// Whether the store's result is to stay, which is then reported.
    bool keep(const results::Result& record)
    {
        if (options_.store == nullptr || (version_ && version_->is_settled && !version_->is_known))
            return false;
        auto stored = options_.store->find(record);
        if (!stored)
            return false;
        if (!options_.vectors.empty() &&
            !std::filesystem::exists(vectors_file(options_.vectors, record)))
            return false;
        if (options_.depth > 0 && is_search_ && !options_.store->rankings(record, options_.depth))
            return false;
        if (!stays(*stored, options_.overwrite, record)) {
            if (const auto lost = results::lost_with(stored->result, record); !lost.empty())
                observer_.warned(lost);
            return false;
        }
        results::EncoderRecord& encoder = stored->result.encoder;
        dimension_ = encoder.dimension;
        encoder.label = source_.identity.label; // as this run calls it
        --left_;
        observer_.kept(*stored);
        return true;
    }

    /// Whether the vectors have no more dimensions than they are to be brought to, or are a variant already.
    [[nodiscard]] bool is_flat(const task::Settings& settings) const
    {
        return (settings.projection && dimension_ <= settings.projection->dimension) ||
               !(settings.variant.is_full() || settings.variant.is_smaller(dimension_));
    }

    /// Leaves out the cells from `first` on that have nothing to project, as soon as that is known.
    void skip_flat(std::vector<task::Settings>& cells, std::size_t first)
    {
        const auto begin = cells.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = std::stable_partition(
            begin, cells.end(), [&](const task::Settings& cell) { return !is_flat(cell); });
        for (auto cell = end; cell != cells.end(); ++cell) {
            const std::string why =
                fmt::format("{} has {} dimensions: it is not brought to {}", source_.identity.label,
                            dimension_ == 0 ? "no" : std::to_string(dimension_),
                            cell->projection ? fmt::format("{}", cell->projection->dimension)
                                             : cell->variant.label());
            --left_;
            observer_.skipped(told_.insert(why).second ? why : std::string());
        }
        cells.erase(end, cells.end());
    }

    /// An encoder that could not be made once is not tried again.
    std::unique_ptr<encoder::Encoder> create()
    {
        if (cannot_start_)
            std::rethrow_exception(cannot_start_);
        try {
            return source_.create();
        } catch (const base::Cancelled&) {
            throw;
        } catch (const std::exception&) {
            cannot_start_ = std::current_exception();
            throw;
        }
    }

    /// Call once for all tasks.
    void start()
    {
        if (encoder_)
            return;
        const auto phase = clock_.phase("prepare");
        encoder_ = create();
        encoder::SessionOptions session;
        session.batch_size = options_.batch_size;
        session.threads = options_.threads;
        session.stop = options_.stop;
        session.cache = options_.cache;
        session.progress = [this](std::size_t done, std::size_t total) {
            observer_.progress("embed", done, total);
        };
        session.warn = [this](const std::string& what) { observer_.warned(what); };
        session.spill.folder = options_.spill;
        session.search = options_.search;
        session_.emplace(*encoder_, std::move(session));
        version_ = latest_version(options_.store, encoder_->identity());
    }

    /// Call once for all cells of a task.
    void prepare(const task::Task& task, const task::LoadedTask& loaded)
    {
        if (prepared_)
            return;
        start();
        const auto phase = clock_.phase("prepare");
        if (source_.warnings)
            source_.warnings->preparing();
        const auto searched = loaded.searched();
        session_->prepare(task.info().name,
                          session_->ranks() && searched ? searched->indexed : loaded.samples(),
                          prompts_);
        if (source_.warnings)
            source_.warnings->prepared();
        dimension_ = session_->ranks() ? 0 : session_->encoder_dimension();
        prepared_ = true;
    }

    task::Result compute(const task::LoadedTask& loaded,
                         const task::Settings& settings,
                         const results::Result& record)
    {
        {
            const auto phase = clock_.phase("embed");
            session_->project(settings.projection, settings.variant);
        }
        task::Context context{
            *session_,
            settings,
            options_.threads,
            options_.stop,
            clock_,
            [this](std::size_t done, std::size_t total) { observer_.progress("fit", done, total); },
            options_.kernels,
            {}};
        if (const auto searched = loaded.searched()) {
            if (!options_.rankings.empty()) {
                results::require_trec_ids(searched->query_ids);
                results::require_trec_ids(searched->document_ids);
            }
            context.ranked = [&](const results::Rankings& rankings) {
                keep_rankings(options_, record, rankings);
            };
        }
        task::Result result = loaded.run(context);
        session_->check_order();
        return result;
    }

    /// One query after the other is asked, a few of them; of vectors the search is added. Nothing where the task is none.
    [[nodiscard]] std::optional<double> ms_a_query(const task::LoadedTask& loaded)
    {
        constexpr std::size_t most = 20;
        const auto searched = loaded.searched();
        if (!searched)
            return std::nullopt;
        const auto queries = searched->queries.first(std::min(most, searched->queries.size()));
        task::PhaseClock clock;
        for (std::size_t i = 0; i < queries.size(); ++i) {
            const auto phase = clock.phase("ask");
            (void)session_->ask(queries.subspan(i, 1));
        }
        const auto& spent = clock_.seconds();
        const auto search = spent.find("score");
        return 1000 * (clock.seconds().at("ask") / static_cast<double>(queries.size()) +
                       (search == spent.end()
                            ? 0
                            : search->second / static_cast<double>(searched->queries.size())));
    }

    /// Says where the encoder knows few of the task's words. Throws where it knows none and gave no score.
    void look_at_coverage(const results::Result& record)
    {
        const auto share = results::low_coverage(record);
        if (!share)
            return;
        if (*share == 0 && !record.headline())
            throw base::Error("it knows none of the {} words of the task: are its vectors those of "
                              "this language, cut into words in the same way?",
                              record.coverage->tokens);
        observer_.warned(fmt::format("{} knows {:.1f} % of the words of {}: its score says little "
                                     "about it",
                                     record.encoder.label, 100 * *share, record.task.name));
    }

    /// Notes why the numbers say nothing about the encoder, where that is so.
    void look_at_vectors(results::Result& record, const results::Outcomes& outcomes)
    {
        record.uninformative = results::why_uninformative(session_->all_alike(),
                                                          record.headline().has_value(), outcomes);
        if (!record.uninformative.empty())
            observer_.warned(fmt::format("{} on {}: {}: the result says nothing about it",
                                         record.encoder.label, record.task.name,
                                         record.uninformative));
    }

    /// Warnings of the encoder for the results, also those that its vectors on another task gave.
    [[nodiscard]] std::vector<std::string> warnings_of_encoder() const
    {
        auto warnings = source_.warnings ? source_.warnings->lines() : std::vector<std::string>();
        if (!session_->broken_claim().empty())
            warnings.push_back(session_->broken_claim());
        return warnings;
    }

    /// Adds the warnings of an encoder that counts known words.
    void add_word_warnings(results::Result& record, const std::vector<std::string>& warnings)
    {
        if (!record.coverage || warnings.empty())
            return;
        auto& doubts = record.data.doubts;
        doubts.insert(doubts.end(), warnings.begin(), warnings.end());
        if (told_.insert(record.task.name + warnings.front()).second)
            observer_.warned_of_data(record.task.name, warnings);
    }

    void look_at_overlap(results::Result& record,
                         const results::Outcomes& outcomes,
                         const task::LoadedTask& loaded)
    {
        if (!source_.was_trained_on)
            return;
        record.overlap = overlap_of(outcomes, loaded, source_.was_trained_on);
        if (record.overlap.items > 0)
            observer_.warned(fmt::format(
                "{} was trained on sentences of {} of the {} test items of {}: their scores say "
                "little about other text",
                record.encoder.label, record.overlap.items, record.overlap.of, record.task.name));
    }

    void run_cell(const task::LoadedTask& loaded,
                  const task::Settings& settings,
                  results::Result record,
                  const std::vector<std::string>& word_warnings)
    {
        task::Result result = compute(loaded, settings, record);
        results::Cell cell;
        if (options_.with_cost && !session_->ranks())
            result.details["geometry"] = geometry_of(loaded, result.outcomes, *session_);
        else if (auto known = known_geometry(options_.store, record); !known.is_null())
            result.details["geometry"] = std::move(known);
        if (!options_.vectors.empty() && !session_->ranks())
            write_vectors(vectors_file(options_.vectors, record), loaded, result.outcomes,
                          *session_);
        cell.items.traits = traits_of(result.outcomes, loaded, encoder_.get(), options_.threads);
        complete(record, result, *session_, options_.threads, options_.kernels->name, clock_);
        if (options_.with_cost)
            record.run.ms_a_query = ms_a_query(loaded);
        record.run.warnings = warnings_of_encoder();
        for (const std::string& warning : record.warnings())
            observer_.warned(fmt::format("{}: {}", record.task.name, warning));
        look_at_overlap(record, result.outcomes, loaded);
        add_word_warnings(record, word_warnings);
        look_at_coverage(record);
        look_at_vectors(record, result.outcomes);
        record.cautions = results::cautions_of(record);
        if (record.data.doubts.empty())
            record.standing = standing_of(record.task.name, record.metrics);
        if (record.standing)
            record.standing->overlap = record.overlap; // who reads only this is told, too
        cell.items.outcomes = std::move(result.outcomes);
        cell.result = std::move(record);
        std::string not_stored;
        try {
            if (options_.store != nullptr)
                options_.store->save(cell);
        } catch (const base::Error& e) {
            not_stored = e.what();
        }
        --left_;
        ++finished_;
        observer_.finished(cell); // a full disk takes nothing from the table
        if (!not_stored.empty())
            throw base::Error("the result cannot be stored: {}", not_stored);
    }

    const EncoderSource& source_;
    const task::Task& first_; ///< of the whole run
    const EvaluateOptions& options_;
    Inspection& inspection_;
    Observer& observer_;
    std::unique_ptr<encoder::Encoder> encoder_;
    std::exception_ptr cannot_start_; ///< why there is no encoder, where that was tried
    std::optional<encoder::Session> session_;
    std::optional<Version> version_; ///< of the encoder that was made
    std::size_t finished_ = 0;       ///< cells that nothing but their own vectors speaks against
    std::set<std::string> told_;     ///< why cells were skipped
    // State of the current unit:
    task::PhaseClock clock_;
    std::size_t left_ = 0; ///< cells that have not been reported
    bool prepared_ = false;
    bool is_search_ = false;
    bool is_asked_ = false;     ///< for its version
    std::size_t dimension_ = 0; ///< the encoder's; 0: not known yet
    encoder::Prompts prompts_;
};

} // namespace

void keep_rankings(const EvaluateOptions& options,
                   const results::Result& record,
                   const results::Rankings& rankings)
{
    if (!options.rankings.empty())
        base::write_file_atomically(
            results::Store(options.rankings).path_of(record).replace_extension(".trec"),
            results::to_trec(results::found_only(rankings), record.encoder.label));
    if (options.store != nullptr)
        options.store->save_rankings(record, rankings, std::max(usual_depth, options.depth));
}

bool stays(const results::Cell& stored, Overwrite overwrite, const results::Result& record)
{
    return overwrite == Overwrite::never ||
           (overwrite == Overwrite::missing && results::same_input(stored.result, record));
}

void evaluate(std::span<const EncoderSource> encoders,
              std::span<const task::Task* const> tasks,
              const NextUnit& next,
              const EvaluateOptions& options,
              Observer& observer)
{
    Inspection inspection(options.inspect_data, observer);
    std::optional<Evaluation> evaluation;
    std::size_t loaded = encoders.size(); // which encoder it is of
    while (const auto unit = next()) {
        if (options.stop.stop_requested())
            throw base::Cancelled();
        if (unit->encoder != loaded)
            evaluation.emplace(encoders[unit->encoder], *tasks.front(), options, inspection,
                               observer);
        loaded = unit->encoder;
        evaluation->run(*tasks[unit->task], unit->settings);
    }
}

} // namespace senteval::run
