#include "run/forecast.hpp"

#include "core/error.hpp"
#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "encoder/cache.hpp"
#include "encoder/sentences.hpp"
#include "encoder/vector_memory.hpp"
#include "run/computer.hpp"
#include "run/cost.hpp"
#include "run/document.hpp"
#include "run/store.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <system_error>
#include <utility>

namespace senteval::run {
namespace {

using core::Json;

/// What is known of an encoder without its encoding anything.
struct Known {
    encoder::Identity identity;
    encoder::Capabilities can;
    std::size_t dimension = 0; ///< that it says before it is prepared; 0: it does not know
    bool is_made = false;
    double seconds = 0; ///< that it took to make it
    std::string problem;
    bool usage = false;
};

/// A task's data, and what else a cell of it depends on.
struct Material {
    explicit Material(const Config& config) : data(config.data, config.limit) {}

    task::DataFolder data;
    std::unique_ptr<task::LoadedTask> loaded;
    std::vector<std::string> doubts;
    TaskSize size;
    std::string problem;
};

/// With whose documents it is compared: "senteval 1.0, g++ 12.2.0".
std::string this_build(const Json& document)
{
    return fmt::format("{}, {}", document.at("program").get<std::string>(),
                       computer().at("compiler").get<std::string>());
}

/// That computed the result. Where the compiler is not told it may be any.
std::string build_of(const Json& result)
{
    const Json& run = result.at("run");
    return run.contains("compiler") ? fmt::format("{}, {}", result.at("program").get<std::string>(),
                                                  run.at("compiler").get<std::string>())
                                    : this_build(result);
}

class Forecaster {
public:
    Forecaster(const Config& config,
               const Plan& plan,
               const DataInspector& inspect,
               const encoder::Logger& logger,
               const std::stop_token& stop)
        : config_(config),
          plan_(plan),
          inspect_(inspect),
          logger_(logger),
          stop_(stop),
          store_(config.output),
          past_(store_.documents()),
          known_(plan.encoders.size()),
          threads_(config.threads == 0 ? core::available_threads() : config.threads)
    {
        result_.available_memory = core::available_memory();
        std::error_code unknown;
        if (!config.spill.empty())
            result_.available_disk = std::filesystem::space(config.spill, unknown).available;
    }

    Forecast run(std::span<const Unit> units)
    {
        result_.prospects.resize(units.size());
        for (std::size_t task = 0; task < plan_.tasks.size(); ++task) { // its data is read once
            const bool is_asked_for =
                std::ranges::any_of(units, [&](const Unit& unit) { return unit.task == task; });
            if (!is_asked_for)
                continue;
            if (stop_.stop_requested())
                throw core::Cancelled();
            const auto material = material_of(*plan_.tasks[task]);
            for (std::size_t at = 0; at < units.size(); ++at)
                if (units[at].task == task)
                    result_.prospects[at] = prospect(units[at], *material, at);
        }
        result_.fits_known = past_.fits();
        result_.fits_limited = past_.limited();
        for (const auto& known : known_)
            result_.load.push_back(known ? known->seconds : 0);
        return std::move(result_);
    }

private:
    std::unique_ptr<Material> material_of(const task::Task& task)
    {
        auto material = std::make_unique<Material>(config_);
        try {
            material->loaded = task.load(material->data);
            material->doubts = inspect_(task, material->data);
            material->doubts.insert(material->doubts.end(), material->data.doubts().begin(),
                                    material->data.doubts().end());
            material->size = size_of(*material->loaded);
            if (config_.limit == 0) // results tell of the whole data
                past_.learn(task.info().name, material->size.size);
        } catch (const std::exception& e) {
            material->problem = e.what();
        }
        for (const std::string& doubt : material->doubts)
            if (std::ranges::find(result_.doubts, doubt) == result_.doubts.end())
                result_.doubts.push_back(fmt::format("{}: {}", task.info().name, doubt));
        return material;
    }

    /// The encoder as its table and parameters describe it.
    Known& known(std::size_t number)
    {
        std::optional<Known>& known = known_[number];
        if (known)
            return *known;
        known.emplace();
        const PlannedEncoder& planned = plan_.encoders[number];
        try {
            const EncoderSource source = source_of(planned, logger_, {threads_, stop_, {}});
            known->identity = source.identity;
            known->can = source.capabilities;
            if (source.states_identity)
                make(number, *known);
        } catch (const core::Cancelled&) {
            throw;
        } catch (const core::UsageError& e) {
            known->problem = e.what();
            known->usage = true;
        } catch (const std::exception& e) {
            known->problem = e.what();
        }
        return *known;
    }

    /// In a process of its own, which ends here.
    void make(std::size_t number, Known& known)
    {
        if (known.is_made)
            return;
        known.is_made = true;
        PlannedEncoder apart = plan_.encoders[number];
        if (!apart.service)
            apart.service.emplace();
        const auto start = std::chrono::steady_clock::now();
        const auto made = source_of(apart, logger_, {threads_, stop_, {}}).create();
        known.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        known.identity = made->identity();
        known.can = made->capabilities();
        known.dimension = dimension_of(*made);
    }

    /// 0 where it does not know it before it is prepared.
    static std::size_t dimension_of(encoder::Encoder& made)
    {
        try {
            return made.dimension();
        } catch (const core::Cancelled&) {
            throw;
        } catch (const core::Error&) {
            return 0;
        }
    }

    /// Asks the encoder where no earlier result tells.
    std::optional<std::size_t> dimension_of(std::size_t number, const std::string& task)
    {
        Known& known = this->known(number);
        if (const auto before = past_.dimension(known.identity.fingerprint, task))
            return before;
        try {
            make(number, known);
        } catch (const core::Cancelled&) {
            throw;
        } catch (const core::UsageError& e) {
            known.problem = e.what();
            known.usage = true;
        } catch (const std::exception& e) {
            known.problem = e.what();
        }
        return known.dimension > 0 ? std::optional(known.dimension) : std::nullopt;
    }

    Prospect prospect(const Unit& unit, const Material& material, std::size_t number)
    {
        const task::Task& task = *plan_.tasks[unit.task];
        Prospect prospect;
        prospect.unit = number;
        prospect.encoder = plan_.encoders[unit.encoder].label;
        prospect.task = task.info().name;
        prospect.cells = unit.settings.size();
        prospect.problem = material.problem;
        if (prospect.problem.empty()) {
            prospect.problem = known(unit.encoder).problem;
            prospect.usage = known(unit.encoder).usage;
        }
        if (!prospect.problem.empty())
            return prospect;
        const auto left = cells_left(unit, material, prospect);
        prospect.sentences = material.size.sentences;
        if (left.empty())
            return prospect;
        prospect.dimension = dimension_of(unit.encoder, prospect.task);
        prospect.problem = known(unit.encoder).problem;
        prospect.usage = known(unit.encoder).usage;
        if (prospect.problem.empty())
            cost(unit, left, material, prospect);
        return prospect;
    }

    /// Those that the store does not have, or not to keep.
    std::vector<const task::Settings*>
    cells_left(const Unit& unit, const Material& material, Prospect& prospect)
    {
        const Known& known = this->known(unit.encoder);
        std::vector<const task::Settings*> left;
        for (const task::Settings& settings : unit.settings) {
            Json document =
                new_document(known.identity, *plan_.tasks[unit.task], settings, material.data);
            if (!known.can.batch_invariant)
                document["encoder"]["batch_size"] = config_.batch_size;
            const auto stored = store_.find(document);
            if (stored && stays(*stored, config_.overwrite, document)) {
                ++prospect.stored;
                if (const std::string build = build_of(stored->document);
                    build != this_build(document))
                    ++prospect.other_builds[build];
                continue;
            }
            left.push_back(&settings);
            if (stored && config_.overwrite == Overwrite::always &&
                same_input(stored->document, document))
                ++prospect.replaced;
        }
        return left;
    }

    void cost(const Unit& unit,
              const std::vector<const task::Settings*>& left,
              const Material& material,
              Prospect& prospect)
    {
        const task::Task& task = *plan_.tasks[unit.task];
        const Known& known = this->known(unit.encoder);
        const std::size_t vectors =
            known.can.batch_invariant ? material.size.distinct : material.size.sentences;
        prospect.to_encode = vectors;
        std::size_t widest_image = 0; // of its projections
        for (const task::Settings* settings : left) {
            const std::size_t image = settings->projection ? settings->projection->dimension : 0;
            if (prospect.dimension && image >= *prospect.dimension) {
                ++prospect.skipped;
                continue;
            }
            widest_image = std::max(widest_image, image);
            if (!prospect.dimension && image == 0)
                continue;
            const std::size_t dimension = image > 0 ? image : *prospect.dimension;
            const Json protocol = task.protocol_settings(*settings);
            const Guess factor = past_.fit_factor(prospect.task, protocol);
            const auto busy =
                static_cast<double>(std::min<std::size_t>(threads_, fit_jobs(protocol)));
            prospect.fit.add(fit_seconds(protocol, material.size.size, dimension) * factor.value /
                                 busy,
                             factor.factor);
            prospect.features =
                std::max(prospect.features,
                         feature_bytes(protocol, material.size.size, dimension, threads_));
        }
        if (prospect.dimension)
            hold(unit, material, vectors, widest_image, prospect);
    }

    /// What the vectors take: memory and, where they are not in the cache, time.
    void hold(const Unit& unit,
              const Material& material,
              std::size_t vectors,
              std::size_t widest_image,
              Prospect& prospect)
    {
        const Known& known = this->known(unit.encoder);
        TaskSize held = material.size;
        held.distinct = vectors;
        const std::uint64_t images = std::uint64_t{vectors} * widest_image * sizeof(float);
        prospect.vectors = vector_bytes(held, *prospect.dimension);
        prospect.is_spilled = !config_.spill.empty();
        prospect.fits = is_room_for(*prospect.vectors, images);
        *prospect.vectors += images;
        prospect.is_tight = prospect.bytes_in_memory() > result_.available_memory;
        if (!config_.cache.empty() && known.can.batch_invariant)
            prospect.cached = cached(known.identity, *prospect.dimension, prospect.task,
                                     material.loaded->samples());
        prospect.to_encode -= prospect.cached;
        const auto missing = static_cast<double>(prospect.to_encode);
        const double callers = known.can.concurrent ? threads_ : 1;
        if (const auto pace = past_.encode_seconds(known.identity.fingerprint))
            prospect.encode = missing * *pace / callers;
        else if (missing == 0)
            prospect.encode = 0;
    }

    /// As the run asks: for the vectors, then for their images in what these leave.
    [[nodiscard]] bool is_room_for(std::uint64_t vectors, std::uint64_t images) const
    {
        if (!config_.spill.empty())
            return vectors + images <= result_.available_disk;
        const std::uint64_t free = result_.available_memory;
        return encoder::fits_in_memory(vectors, free) &&
               encoder::fits_in_memory(images, free - vectors);
    }

    /// Of a task's different sentences. Whether vectors depend on what prepare() is shown, an encoder
    /// may say only once it is made: an encoder has entries under one of the two keys.
    [[nodiscard]] std::size_t cached(const encoder::Identity& identity,
                                     std::size_t dimension,
                                     const std::string& task,
                                     std::span<const text::Sentence> samples) const
    {
        const encoder::EmbeddingCache cache(config_.cache, config_.cache_bytes);
        const auto sentences = encoder::distinct(samples);
        std::size_t most = 0;
        for (const bool has_prepare : {false, true})
            most =
                std::max(most, cache.count(encoder::cache_key(identity, has_prepare, task, samples),
                                           dimension, sentences));
        return most;
    }

    const Config& config_;
    const Plan& plan_;
    const DataInspector& inspect_;
    const encoder::Logger& logger_;
    const std::stop_token& stop_;
    Store store_;
    Past past_;
    std::vector<std::optional<Known>> known_; ///< of each encoder of the plan
    unsigned threads_;
    Forecast result_;
};

} // namespace

void Expected::add(double more, double factor)
{
    seconds += more;
    low += more / factor;
    high += more * factor;
}

Forecast forecast(const Config& config,
                  const Plan& plan,
                  std::span<const Unit> units,
                  const DataInspector& inspect,
                  const encoder::Logger& logger,
                  const std::stop_token& stop)
{
    return Forecaster(config, plan, inspect, logger, stop).run(units);
}

} // namespace senteval::run
