#include <senteval/senteval.hpp>

#include "base/error.hpp"
#include "base/fingerprint.hpp"
#include "base/names.hpp"
#include "core/blas.hpp"
#include "core/spilled_block.hpp"
#include "run/options.hpp"
#include "run/plan.hpp"
#include "task/data_folder.hpp"
#include "task/selection.hpp"
#include "tasks/catalog.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <memory>
#include <optional>

namespace senteval {
namespace {

using base::Json;

std::vector<std::string_view> texts_of(std::span<const text::Sentence> sentences)
{
    std::vector<std::string_view> texts;
    texts.reserve(sentences.size());
    for (const text::Sentence& sentence : sentences)
        texts.push_back(sentence.text);
    return texts;
}

/// A caller's encoder behind the interface of the framework.
class CallbackEncoder final : public encoder::Encoder {
public:
    CallbackEncoder(const senteval::Encoder& encoder, encoder::Identity identity)
        : encoder_(encoder), identity_(std::move(identity))
    {
    }

    static encoder::Capabilities capabilities_of(const senteval::Encoder& encoder)
    {
        return {encoder.concurrent, encoder.batch_invariant, false};
    }

    [[nodiscard]] const encoder::Identity& identity() const override { return identity_; }
    [[nodiscard]] encoder::Capabilities capabilities() const override
    {
        return capabilities_of(encoder_);
    }
    [[nodiscard]] bool has_prepare() const override
    {
        return encoder_.prepare != nullptr && encoder_.prepare_matters;
    }
    [[nodiscard]] std::size_t dimension() override
    {
        if (dimension_ == 0)
            dimension_ = encoder_.measure();
        return dimension_;
    }

    void prepare(std::string_view task,
                 std::span<const text::Sentence> samples,
                 const encoder::CallContext& /*context*/) override
    {
        dimension_ = encoder_.dimension;
        if (encoder_.prepare)
            encoder_.prepare(task, texts_of(samples));
    }

    void encode(std::span<const text::Sentence> batch,
                float* out,
                const encoder::CallContext& /*context*/) override
    {
        encoder_.encode(texts_of(batch), {out, batch.size() * dimension()});
    }

private:
    const senteval::Encoder& encoder_;
    encoder::Identity identity_;
    std::size_t dimension_ = encoder_.dimension;
};

run::EncoderSource source_of(const Encoder& encoder)
{
    if (!encoder.encode)
        throw base::UsageError("the encoder '{}' has no function encode", encoder.name);
    if (encoder.dimension == 0 && !encoder.measure)
        throw base::UsageError("the encoder '{}' has dimension 0: set it to the length of its "
                               "vectors, at least 1, or give it a function `measure`",
                               encoder.name);
    run::EncoderSource source;
    source.identity.label = encoder.name;
    source.identity.id = "callback";
    source.identity.version = encoder.version;
    source.identity.unseen = "program";
    const Json identity = {encoder.name, encoder.version, encoder.dimension};
    source.identity.fingerprint = base::fingerprint("callback " + base::to_text(identity));
    source.capabilities = CallbackEncoder::capabilities_of(encoder);
    source.create = [&encoder, identity = source.identity] {
        return std::make_unique<CallbackEncoder>(encoder, identity);
    };
    return source;
}

const run::Option& find_option(const std::string& written)
{
    std::string key = written.substr(std::min(written.find_first_not_of('-'), written.size()));
    std::replace(key.begin(), key.end(), '-', '_');
    if (key == "mteb")
        throw base::UsageError("'{}' is an option of the program only", written);
    std::vector<std::string> known;
    for (const run::Option& option : run::options()) {
        if (option.key == key)
            return option;
        known.push_back(option.key);
    }
    throw base::UsageError("there is no option '{}'.{}", written, base::did_you_mean(key, known));
}

/// A profile is applied first: it sets several of the others, which then override it.
void apply_options(const Settings& settings, run::Config& config)
{
    for (const bool profile : {true, false})
        for (const auto& [key, text] : settings.options) {
            const run::Option& option = find_option(key);
            if (option.key == "cost")
                throw base::UsageError(
                    "cost needs `senteval run`, which measures an encoder in a process of its own");
            if ((option.key == "profile") == profile)
                option.apply(config, core::Value::of_text(text, option.key, "settings"));
        }
}

run::Config config_of(const Settings& settings)
{
    run::Config config;
    apply_options(settings, config);
    if (!settings.data.empty())
        config.data = task::data_root(settings.data);
    if (!settings.output.empty())
        config.output = settings.output;
    if (!settings.tasks.empty())
        config.tasks = settings.tasks;
    config.threads = settings.threads > 0 ? settings.threads : config.threads;
    if (settings.batch_size != Settings().batch_size)
        config.batch_size = settings.batch_size;
    if (config.batch_size == 0)
        throw base::UsageError("batch_size must be at least 1");
    if (run::isolates_all(config))
        throw base::UsageError("isolate and limits need an encoder in a process of its own, as "
                               "`senteval run` gives plugins");
    if (!std::filesystem::is_directory(config.data))
        throw base::UsageError("data folder '{}' does not exist: give the folder that has "
                               "downstream/ and probing/ in it",
                               config.data.string());
    return config;
}

/// The tasks in the order in which they are named, each once.
std::vector<const task::Task*> select(const task::Tasks& catalog,
                                      const std::vector<std::string>& names)
{
    std::vector<const task::Task*> selected;
    for (const std::string& name : names)
        for (const task::Task* task : task::select(catalog, std::span(&name, 1)))
            if (std::find(selected.begin(), selected.end(), task) == selected.end())
                selected.push_back(task);
    if (selected.empty())
        throw base::UsageError("no task is named");
    return selected;
}

/// Numbers below `json` by path, keys joined by dots; places in lists count from 0.
void add_numbers(const Json& json, const std::string& path, std::map<std::string, double>& numbers)
{
    if (json.is_number())
        numbers[path] = json.get<double>();
    if (json.is_structured())
        for (const auto& [key, value] : json.items())
            add_numbers(value, path.empty() ? key : path + "." + key, numbers);
}

void add_texts(const Json& json, const std::string& path, std::map<std::string, std::string>& texts)
{
    if (json.is_object())
        for (const auto& [key, value] : json.items())
            add_texts(value, path.empty() ? key : path + "." + key, texts);
    else
        texts[path] = json.is_string() ? json.get<std::string>() : base::to_text(json);
}

std::vector<Item> items_of(const results::Items& items)
{
    std::vector<Item> all;
    all.reserve(items.outcomes.rows.size());
    for (std::size_t i = 0; i < items.outcomes.rows.size(); ++i) {
        const results::ItemOutcome& row = items.outcomes.rows[i];
        const results::ItemTraits& traits = items.traits[i];
        all.push_back({items.outcomes.groups.at(row.group), row.gold, row.prediction,
                       traits.tokens_first, traits.tokens_second});
    }
    return all;
}

Result result_of(const results::Cell& cell)
{
    const results::Result& record = cell.result;
    Result result;
    result.task = record.task.name;
    result.metric = record.task.headline;
    add_numbers(record.metrics, "", result.metrics);
    const auto value = result.metrics.find(result.metric);
    result.value =
        value == result.metrics.end() ? std::numeric_limits<double>::quiet_NaN() : value->second;
    result.seconds = record.run.total_seconds();
    add_texts(record.protocol.settings, "", result.settings);
    result.data_warnings = record.data.doubts;
    result.items = items_of(cell.items);
    result.document = base::to_text(results::to_json(record), 2);
    return result;
}

/// Collects the results and passes on what happens. What a caller's function throws ends the run.
class Relay final : public run::Observer {
public:
    Relay(const senteval::Observer& observer, std::size_t cells)
        : observer_(observer), cells_(cells)
    {
    }

    void
    started(const std::string& /*encoder*/, const std::string& task, std::size_t cells) override
    {
        task_ = task;
        done_after_task_ = done_ + cells;
        progress("", 0, 0);
    }
    void progress(std::string_view phase, std::size_t done, std::size_t total) override
    {
        if (observer_.progress)
            tell([&] { observer_.progress({task_, phase, done, total, done_, cells_}); });
    }
    void finished(const results::Cell& cell) override
    {
        ++done_;
        results_.results.push_back(result_of(cell));
        if (observer_.finished)
            tell([&] { observer_.finished(results_.results.back()); });
    }
    void kept(const results::Cell& cell) override { finished(cell); }
    void skipped(const std::string& why) override
    {
        --cells_;
        --done_after_task_;
        if (!why.empty())
            warned(why);
    }
    void warned_of_data(const std::string& task, const std::vector<std::string>& warnings) override
    {
        for (const std::string& warning : warnings)
            warned(fmt::format("{}: {}", task, warning));
    }
    void warned(const std::string& what) override
    {
        if (observer_.warning)
            tell([&] { observer_.warning(what); });
    }
    void failed(const run::Failure& failure) override
    {
        done_ = done_after_task_;
        results_.failures.push_back({failure.task, failure.why});
    }

    /// Throws what a caller's function threw.
    Results take(bool stopped)
    {
        if (thrown_)
            std::rethrow_exception(thrown_);
        results_.stopped = stopped;
        return std::move(results_);
    }

private:
    template <typename Call>
    void tell(const Call& call)
    {
        try {
            call();
        } catch (...) {
            if (!thrown_)
                thrown_ = std::current_exception();
            throw base::Cancelled();
        }
    }

    const senteval::Observer& observer_;
    std::size_t cells_;
    std::size_t done_ = 0;
    std::size_t done_after_task_ = 0;
    std::string task_;
    Results results_;
    std::exception_ptr thrown_;
};

Results run_evaluation(const Encoder& encoder, const Settings& settings, const Observer& observer)
{
    const run::Config config = config_of(settings);
    const task::Tasks catalog = tasks::catalog(settings.similarity);
    const run::Plan plan{select(catalog, config.tasks), std::vector<run::PlannedEncoder>(1),
                         run::variants(config)};
    const run::EncoderSource source = source_of(encoder);
    if (!config.spill.empty())
        core::require_spill_folder(config.spill);
    run::require_cache_folder(config.cache);
    std::optional<results::Store> store;
    if (!config.output.empty()) {
        store.emplace(config.output);
        store->check_writable();
    }
    std::optional<encoder::EmbeddingCache> cache;
    if (!config.cache.empty())
        cache.emplace(config.cache, config.cache_bytes);
    run::EvaluateOptions options = run::evaluate_options(config);
    options.stop = settings.stop;
    options.store = store ? &*store : nullptr;
    options.cache = cache ? &*cache : nullptr;
    options.inspect_data = run::doctor(config.data, settings.allow_unverified);

    const core::SingleThreadedBlas blas;
    auto units = run::units(config, plan);
    Relay relay(observer, run::cells_of(units));
    bool stopped = false;
    try {
        run::evaluate({&source, 1}, plan.tasks, run::in_order(std::move(units)), options, relay);
    } catch (const base::Cancelled&) {
        stopped = true;
    }
    return relay.take(stopped);
}

/// The names of the tasks that are written so; another text as it is.
std::vector<std::string> names_of(std::string_view written)
{
    std::vector<std::string> names;
    try {
        const task::Tasks catalog = tasks::catalog();
        for (const task::Task* task : task::select(catalog, written))
            names.push_back(task->info().name);
    } catch (const base::UsageError&) {
        names.emplace_back(written);
    }
    return names;
}

} // namespace

Error::~Error() = default;

const Result& Results::at(std::string_view task) const
{
    const auto names = names_of(task);
    const auto is_meant = [&](const auto& one) {
        return std::find(names.begin(), names.end(), one.task) != names.end();
    };
    const auto result = std::find_if(results.begin(), results.end(), is_meant);
    const auto is_another = [&](const Result& one) {
        return is_meant(one) && one.task != result->task;
    };
    if (std::any_of(result, results.end(), is_another))
        throw Error(fmt::format("'{}' is several tasks, of which one is needed: {}", task,
                                fmt::join(names, ", ")));
    if (result != results.end())
        return *result;
    const auto failure = std::find_if(failures.begin(), failures.end(), is_meant);
    throw Error(fmt::format("there is no result of '{}': {}", task,
                            failure != failures.end() ? failure->why
                            : stopped                 ? "the evaluation was stopped"
                                                      : "it was not among the tasks"));
}

Results evaluate(const Encoder& encoder, const Settings& settings, const Observer& observer)
{
    try {
        return run_evaluation(encoder, settings, observer);
    } catch (const base::Error& e) { // of a caller's function nothing is a base::Error
        throw Error(e.what());
    }
}

} // namespace senteval
