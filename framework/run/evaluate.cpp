#include "run/evaluate.hpp"

#include "core/error.hpp"
#include "run/document.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <utility>

namespace senteval::run {
namespace {

using core::Json;

float overlap(const task::ItemText& item)
{
    if (!item.is_pair)
        return std::numeric_limits<float>::quiet_NaN();
    const auto tokens = [](std::string_view text) {
        std::set<std::string_view> all;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find(' ', at), text.size());
            all.insert(text.substr(at, end - at));
            at = end + 1;
        }
        return all;
    };
    const auto first = tokens(item.first.text);
    const auto second = tokens(item.second.text);
    std::size_t shared = 0;
    for (const std::string_view token : first)
        shared += second.count(token);
    const std::size_t all = first.size() + second.size() - shared;
    return all == 0 ? 1.0F : static_cast<float>(shared) / static_cast<float>(all);
}

float unknown_share(const task::ItemText& item, encoder::Encoder& encoder)
{
    const text::Sentence sentences[] = {item.first, item.second};
    std::uint32_t tokens[2] = {0, 0};
    std::uint32_t known[2] = {0, 0};
    const std::size_t count = item.is_pair ? 2 : 1;
    if (!encoder.count_known({sentences, count}, {tokens, count}, {known, count}))
        return std::numeric_limits<float>::quiet_NaN();
    const std::uint32_t all = tokens[0] + tokens[1];
    return all == 0 ? 0.0F
                    : static_cast<float>(all - known[0] - known[1]) / static_cast<float>(all);
}

std::vector<ItemTraits>
traits_of(const task::Outcomes& outcomes, const task::LoadedTask& task, encoder::Encoder& encoder)
{
    std::vector<ItemTraits> traits;
    traits.reserve(outcomes.rows.size());
    for (const task::ItemOutcome& row : outcomes.rows) {
        const task::ItemText item = task.item(row.item);
        traits.push_back({item.first.tokens, item.is_pair ? item.second.tokens : 0, overlap(item),
                          unknown_share(item, encoder)});
    }
    return traits;
}

/// One encoder's way through the tasks.
class Evaluation {
public:
    Evaluation(const EncoderSource& source, const EvaluateOptions& options, Observer& observer)
        : source_(source), options_(options), observer_(observer)
    {
    }

    void run(const task::Task& task)
    {
        const std::string& label = source_.identity.label;
        const std::string& name = task.info().name;
        observer_.started(label, name);
        try {
            run_variants(task);
        } catch (const core::Cancelled&) {
            throw;
        } catch (const std::exception& e) {
            observer_.failed(label, name, e.what());
        }
    }

private:
    void run_variants(const task::Task& task)
    {
        task::PhaseClock clock;
        task::DataFolder data(options_.data);
        const auto loaded = [&] {
            const auto phase = clock.phase("load");
            return task.load(data);
        }();
        const auto doubts = options_.inspect_data ? options_.inspect_data(task.info().name)
                                                  : std::vector<std::string>();

        std::set<std::string> seen; // variants that do not differ for this task are one
        bool prepared = false;
        for (const task::Settings& settings : options_.variants) {
            Json document = new_document(source_.identity, task, settings, data);
            if (!doubts.empty())
                document["data"]["doubts"] = doubts;
            if (!seen.insert(document.at("protocol").at("fingerprint").get<std::string>()).second)
                continue;
            if (keep(document))
                continue;
            if (!std::exchange(prepared, true))
                prepare(task, *loaded, clock);
            run_variant(*loaded, settings, std::move(document), clock);
            clock = {};
        }
        if (prepared)
            save_to_cache();
    }

    /// The cells are finished by now: without the cache the next run takes longer, that is all.
    void save_to_cache()
    {
        try {
            session_->save_to_cache();
        } catch (const core::Error& e) {
            observer_.warned(fmt::format("the embeddings are not cached: {}", e.what()));
        }
    }

    /// Whether the store's result is to stay, which is then reported.
    bool keep(const Json& document)
    {
        if (options_.store == nullptr || options_.overwrite == Overwrite::always)
            return false;
        auto stored = options_.store->find(document);
        if (!stored || (options_.overwrite == Overwrite::missing && !same_input(*stored, document)))
            return false;
        stored->at("encoder")["label"] = source_.identity.label; // as this run calls it
        observer_.kept({std::move(*stored), {}});
        return true;
    }

    /// An encoder that could not be made once is not tried again.
    std::unique_ptr<encoder::Encoder> create()
    {
        if (!cannot_start_.empty())
            throw core::Error("{}", cannot_start_);
        try {
            return source_.create();
        } catch (const core::Cancelled&) {
            throw;
        } catch (const std::exception& e) {
            cannot_start_ = e.what();
            throw;
        }
    }

    void prepare(const task::Task& task, const task::LoadedTask& loaded, task::PhaseClock& clock)
    {
        const auto phase = clock.phase("prepare");
        if (!encoder_) {
            encoder_ = create();
            encoder::SessionOptions session;
            session.batch_size = options_.batch_size;
            session.threads = options_.threads;
            session.stop = options_.stop;
            session.cache = options_.cache;
            session.progress = [this](std::size_t done, std::size_t total) {
                observer_.progress("embed", done, total);
            };
            session_.emplace(*encoder_, std::move(session));
        }
        session_->prepare(task.info().name, loaded.samples());
    }

    void run_variant(const task::LoadedTask& loaded,
                     const task::Settings& settings,
                     Json document,
                     task::PhaseClock& clock)
    {
        task::Context context{*session_,
                              settings,
                              options_.threads,
                              options_.stop,
                              clock,
                              [this](std::size_t done, std::size_t total) {
                                  observer_.progress("fit", done, total);
                              }};
        task::Result result = loaded.run(context);
        Cell cell;
        cell.items.traits = traits_of(result.outcomes, loaded, *encoder_);
        cell.items.outcomes = std::move(result.outcomes);
        complete(document, result, *session_, options_.threads, clock);
        cell.document = std::move(document);
        std::string not_stored;
        try {
            if (options_.store != nullptr)
                options_.store->save(cell);
        } catch (const core::Error& e) {
            not_stored = e.what();
        }
        observer_.finished(cell); // a full disk takes nothing from the table
        if (!not_stored.empty())
            throw core::Error("the result cannot be stored: {}", not_stored);
    }

    const EncoderSource& source_;
    const EvaluateOptions& options_;
    Observer& observer_;
    std::unique_ptr<encoder::Encoder> encoder_;
    std::string
        cannot_start_; ///< why there is no encoder; empty: none was asked for, or there is one
    std::optional<encoder::Session> session_;
};

} // namespace

void Observer::started(const std::string&, const std::string&) {}
void Observer::progress(std::string_view, std::size_t, std::size_t) {}
void Observer::finished(const Cell&) {}
void Observer::kept(const Cell&) {}
void Observer::warned(const std::string&) {}
void Observer::failed(const std::string&, const std::string&, const std::string&) {}

void evaluate(const EncoderSource& encoder,
              std::span<const task::Task* const> tasks,
              const EvaluateOptions& options,
              Observer& observer)
{
    Evaluation evaluation(encoder, options, observer);
    for (const task::Task* task : tasks) {
        if (options.stop.stop_requested())
            throw core::Cancelled();
        evaluation.run(*task);
    }
}

} // namespace senteval::run
