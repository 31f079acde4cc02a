#include "run/inventory.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "core/aligned.hpp"
#include "core/memory.hpp"
#include "encoder/sentences.hpp"
#include "encoder/vector_memory.hpp"
#include "results/store.hpp"
#include "run/record.hpp"
#include "run/versions.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <system_error>
#include <utility>

namespace senteval::run {
namespace {

/// Runs `ask`; what it throws becomes the problem of `at_fault`.
template <typename Ask>
void note_problem(Fault& at_fault, const Ask& ask)
{
    try {
        ask();
    } catch (const base::Cancelled&) {
        throw;
    } catch (const base::UsageError& e) {
        at_fault = {e.what(), true};
    } catch (const std::exception& e) {
        at_fault = {e.what(), at_fault.usage};
    }
}

/// An encoder that has encoded nothing.
struct Known : Fault {
    PlannedEncoder planned; ///< in a process of its own
    EncoderSource source;
    std::size_t dimension = 0; ///< that it says before it is prepared; 0: it does not know
    bool is_made = false;

    /// Asks an instance, which ends here.
    void make()
    {
        if (std::exchange(is_made, true))
            return;
        const auto made = source.create();
        source.identity = made->identity();
        source.capabilities = made->capabilities();
        try {
            dimension = made->dimension();
        } catch (const base::Cancelled&) {
            throw;
        } catch (const base::Error&) { // it does not know before it is prepared
        }
    }
};

/// A task's data.
struct Material : Fault {
    explicit Material(const Config& config) : data(config.data, config.limit) {}

    task::DataFolder data;
    std::size_t sentences = 0;
    std::size_t distinct = 0; ///< of these
};

/// What the store's results say of an encoder's speed.
struct Encoded {
    double sentences = 0;
    double seconds = 0;
};

class InventoryTaker {
public:
    InventoryTaker(const Config& config,
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
          known_(plan.encoders.size())
    {
        std::error_code unknown;
        result_.available = config.spill.empty()
                                ? core::available_memory()
                                : std::filesystem::space(config.spill, unknown).available;
        for (const results::Result& stored : store_.records()) {
            if (stored.encoder.dimension > 0)
                dimensions_[{stored.encoder.fingerprint, stored.task.name}] =
                    stored.encoder.dimension;
            if (const auto embed = stored.run.seconds.find("embed");
                stored.run.sentences_encoded > 0U && embed != stored.run.seconds.end()) {
                Encoded& encoded = encoded_[stored.encoder.fingerprint];
                encoded.sentences += static_cast<double>(*stored.run.sentences_encoded);
                encoded.seconds += embed->second;
            }
        }
    }

    Inventory run(std::span<const Unit> units)
    {
        result_.rows.resize(units.size());
        for (std::size_t task = 0; task < plan_.tasks.size(); ++task) { // its data is read once
            std::optional<Material> material;
            for (std::size_t at = 0; at < units.size(); ++at) {
                if (units[at].task != task)
                    continue;
                if (stop_.stop_requested())
                    throw base::Cancelled();
                if (!material)
                    read(*plan_.tasks[task], material.emplace(config_));
                result_.rows[at] = row(units[at], *material);
            }
        }
        for (const Listed& row : result_.rows) {
            result_.all.cells += row.cells;
            result_.all.stored += row.stored;
            result_.all.skipped += row.skipped;
            if (row.is_measured() && (!result_.largest || row.bytes > result_.largest->bytes))
                result_.largest = row;
        }
        return std::move(result_);
    }

private:
    void read(const task::Task& task, Material& material)
    {
        note_problem(material, [&] {
            const auto loaded = task.load(material.data);
            auto warnings = inspect_(task, material.data);
            const auto& read = material.data.data_warnings();
            warnings.insert(warnings.end(), read.begin(), read.end());
            for (const std::string& warning : warnings)
                result_.data_warnings.push_back(fmt::format("{}: {}", task.info().name, warning));
            material.sentences = loaded->samples().size();
            material.distinct = encoder::distinct(loaded->samples()).size();
        });
    }

    /// The encoder as its table and parameters describe it.
    Known& known(std::size_t number)
    {
        std::optional<Known>& known = known_[number];
        if (known)
            return *known;
        known.emplace().planned = plan_.encoders[number];
        if (!known->planned.service)
            known->planned.service.emplace();
        note_problem(*known, [&] {
            known->source =
                source_of(known->planned, logger_, {base::available_threads(), stop_, {}});
            if (known->source.states_identity)
                known->make();
            known->source.identity = latest_version(&store_, known->source.identity).identity;
        });
        return *known;
    }

    /// The dimension, from a stored result or else from the encoder.
    std::optional<std::size_t> dimension_of(Known& known, const std::string& task)
    {
        if (const auto stored = dimensions_.find({known.source.identity.fingerprint, task});
            stored != dimensions_.end())
            return stored->second;
        note_problem(known, [&] { known.make(); });
        return known.dimension > 0 ? std::optional(known.dimension) : std::nullopt;
    }

    Listed row(const Unit& unit, const Material& material)
    {
        Listed row{{unit.settings.size()},
                   material,
                   plan_.encoders[unit.encoder].label,
                   plan_.tasks[unit.task]->info().name};
        if (!row.problem.empty())
            return row;
        Known& encoder = known(unit.encoder);
        if (encoder.problem.empty()) {
            const auto missing = missing_cells(unit, encoder, material);
            row.stored = row.cells - missing.size();
            row.sentences = encoder.source.capabilities.batch_invariant ? material.distinct
                                                                        : material.sentences;
            const Encoded& encoded = encoded_[encoder.source.identity.fingerprint];
            if (!missing.empty() && encoded.sentences > 0)
                row.seconds =
                    encoded.seconds / encoded.sentences * static_cast<double>(row.sentences);
            if (!missing.empty())
                row.dimension = dimension_of(encoder, row.task);
            if (row.dimension)
                measure(*row.dimension, missing, row);
        }
        static_cast<Fault&>(row) = encoder;
        return row;
    }

    /// The cells that the store does not have, or is not to keep.
    std::vector<const task::Settings*>
    missing_cells(const Unit& unit, const Known& encoder, const Material& material)
    {
        const encoder::Identity& identity = encoder.source.identity;
        std::vector<const task::Settings*> missing;
        for (const task::Settings& settings : unit.settings) {
            const results::Result record = new_record(
                identity, encoder.source.capabilities, config_.batch_size, *plan_.tasks[unit.task],
                settings_for(identity, *plan_.tasks[unit.task], settings, config_.prompts),
                material.data);
            const auto stored = store_.find(record);
            if (!stored || !stays(*stored, config_.overwrite, record))
                missing.push_back(&settings);
        }
        return missing;
    }

    /// Computes memory as the run asks for it: for the vectors, then for their projection in what these leave.
    void measure(std::size_t dimension,
                 const std::vector<const task::Settings*>& missing,
                 Listed& row) const
    {
        std::size_t widest = 0;
        for (const task::Settings* settings : missing) {
            const embedding::Variant& variant = settings->variant;
            const std::size_t image = settings->projection        ? settings->projection->dimension
                                      : variant.copies(dimension) ? variant.dimension_of(dimension)
                                                                  : 0;
            if (settings->projection ? image >= dimension
                                     : !variant.is_full() && !variant.is_smaller(dimension))
                ++row.skipped;
            else
                widest = std::max(widest, image);
        }
        const std::uint64_t vectors = row.sentences * core::row_stride(dimension) * sizeof(float);
        const std::uint64_t images = row.sentences * widest * sizeof(float);
        const std::uint64_t free = result_.available;
        row.bytes = vectors + images;
        row.fits = config_.spill.empty() ? encoder::fits_in_memory(vectors, free) &&
                                               encoder::fits_in_memory(images, free - vectors)
                                         : row.bytes <= free;
    }

    const Config& config_;
    const Plan& plan_;
    const DataInspector& inspect_;
    const encoder::Logger& logger_;
    const std::stop_token& stop_;
    results::Store store_;
    std::map<std::pair<std::string, std::string>, std::size_t>
        dimensions_; ///< that results tell, by encoder's fingerprint and task
    std::map<std::string, Encoded> encoded_;  ///< by encoder's fingerprint
    std::vector<std::optional<Known>> known_; ///< of each encoder of the plan
    Inventory result_;
};

} // namespace

Inventory take_inventory(const Config& config,
                         const Plan& plan,
                         std::span<const Unit> units,
                         const DataInspector& inspect,
                         const encoder::Logger& logger,
                         const std::stop_token& stop)
{
    return InventoryTaker(config, plan, inspect, logger, stop).run(units);
}

} // namespace senteval::run
