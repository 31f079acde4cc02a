#include "run/inventory.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "core/aligned.hpp"
#include "core/memory.hpp"
#include "encoder/sentences.hpp"
#include "encoder/vector_memory.hpp"
#include "results/store.hpp"
#include "run/document.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <system_error>
#include <utility>

namespace senteval::run {
namespace {

using base::Json;

/// What is known of an encoder that has encoded nothing.
struct Known {
    encoder::Identity identity;
    encoder::Capabilities can;
    std::size_t dimension = 0; ///< that it says before it is prepared; 0: it does not know
    bool is_made = false;
    std::string problem;
    bool usage = false;
};

/// Runs `ask`; what it throws becomes the problem of `at_fault`.
template <typename Faulty, typename Ask>
void note_problem(Faulty& at_fault, const Ask& ask)
{
    try {
        ask();
    } catch (const base::Cancelled&) {
        throw;
    } catch (const base::UsageError& e) {
        at_fault.problem = e.what();
        at_fault.usage = true;
    } catch (const std::exception& e) {
        at_fault.problem = e.what();
    }
}

/// A task's data.
struct Material {
    explicit Material(const Config& config) : data(config.data, config.limit) {}

    task::DataFolder data;
    std::size_t sentences = 0;
    std::size_t distinct = 0; ///< of these
    std::string problem;
    bool usage = false;
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
        for (const Json& document : store_.documents()) {
            const Json& encoder = document.at("encoder");
            dimensions_[{encoder.at("fingerprint").get<std::string>(),
                         document.at("task").at("name").get<std::string>()}] =
                encoder.at("dimension").get<std::size_t>();
        }
    }

    Inventory run(std::span<const Unit> units)
    {
        result_.rows.resize(units.size());
        for (std::size_t task = 0; task < plan_.tasks.size(); ++task) { // its data is read once
            std::unique_ptr<Material> material;
            for (std::size_t at = 0; at < units.size(); ++at) {
                if (units[at].task != task)
                    continue;
                if (stop_.stop_requested())
                    throw base::Cancelled();
                if (!material)
                    material = material_of(*plan_.tasks[task]);
                result_.rows[at] = row(units[at], *material);
            }
        }
        return std::move(result_);
    }

private:
    std::unique_ptr<Material> material_of(const task::Task& task)
    {
        auto material = std::make_unique<Material>(config_);
        note_problem(*material, [&] {
            const auto loaded = task.load(material->data);
            auto warnings = inspect_(task, material->data);
            const auto& read = material->data.data_warnings();
            warnings.insert(warnings.end(), read.begin(), read.end());
            for (const std::string& warning : warnings)
                result_.data_warnings.push_back(fmt::format("{}: {}", task.info().name, warning));
            material->sentences = loaded->samples().size();
            material->distinct = encoder::distinct(loaded->samples()).size();
        });
        return material;
    }

    /// The encoder as its table and parameters describe it.
    Known& known(std::size_t number)
    {
        std::optional<Known>& known = known_[number];
        if (known)
            return *known;
        known.emplace();
        note_problem(*known, [&] {
            const EncoderSource source =
                source_of(plan_.encoders[number], logger_, {base::available_threads(), stop_, {}});
            known->identity = source.identity;
            known->can = source.capabilities;
            if (source.states_identity)
                make(number, *known);
        });
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
        const auto made =
            source_of(apart, logger_, {base::available_threads(), stop_, {}}).create();
        known.identity = made->identity();
        known.can = made->capabilities();
        try {
            known.dimension = made->dimension();
        } catch (const base::Cancelled&) {
            throw;
        } catch (const base::Error&) { // it does not know before it is prepared
        }
    }

    /// Asks the encoder where no stored result tells.
    std::optional<std::size_t> dimension_of(std::size_t number, const std::string& task)
    {
        Known& known = this->known(number);
        if (const auto stored = dimensions_.find({known.identity.fingerprint, task});
            stored != dimensions_.end())
            return stored->second;
        note_problem(known, [&] { make(number, known); });
        return known.dimension > 0 ? std::optional(known.dimension) : std::nullopt;
    }

    Listed row(const Unit& unit, const Material& material)
    {
        Listed row;
        row.encoder = plan_.encoders[unit.encoder].label;
        row.task = plan_.tasks[unit.task]->info().name;
        row.cells = unit.settings.size();
        row.problem = material.problem;
        row.usage = material.usage;
        if (row.problem.empty())
            look(unit, material, row);
        if (row.problem.empty() && known(unit.encoder).problem.size() > 0) {
            row.problem = known(unit.encoder).problem;
            row.usage = known(unit.encoder).usage;
        }
        return row;
    }

    void look(const Unit& unit, const Material& material, Listed& row)
    {
        if (!known(unit.encoder).problem.empty())
            return;
        const auto missing = missing_cells(unit, material);
        row.stored = unit.settings.size() - missing.size();
        if (missing.empty())
            return;
        row.dimension = dimension_of(unit.encoder, row.task);
        if (row.dimension)
            measure(unit, missing, material, row);
    }

    /// Those that the store does not have, or not to keep.
    std::vector<const task::Settings*> missing_cells(const Unit& unit, const Material& material)
    {
        const Known& known = this->known(unit.encoder);
        std::vector<const task::Settings*> missing;
        for (const task::Settings& settings : unit.settings) {
            Json document = new_document(known.identity, *plan_.tasks[unit.task],
                                         settings_for(known.identity, settings), material.data);
            if (!known.can.batch_invariant)
                document["encoder"]["batch_size"] = config_.batch_size;
            const auto stored = store_.find(document);
            if (!stored || !stays(*stored, config_.overwrite, document))
                missing.push_back(&settings);
        }
        return missing;
    }

    /// As the run asks for memory: for the vectors, then for their projection in what these leave.
    void measure(const Unit& unit,
                 const std::vector<const task::Settings*>& missing,
                 const Material& material,
                 Listed& row)
    {
        std::size_t widest = 0;
        for (const task::Settings* settings : missing) {
            const embedding::Variant& variant = settings->variant;
            const std::size_t image = settings->projection ? settings->projection->dimension
                                      : variant.copies(*row.dimension)
                                          ? variant.dimension_of(*row.dimension)
                                          : 0;
            if (settings->projection ? image >= *row.dimension
                                     : !variant.is_full() && !variant.is_smaller(*row.dimension))
                ++row.skipped;
            else
                widest = std::max(widest, image);
        }
        const std::uint64_t sentences =
            known(unit.encoder).can.batch_invariant ? material.distinct : material.sentences;
        const std::uint64_t vectors = sentences * core::row_stride(*row.dimension) * sizeof(float);
        const std::uint64_t images = sentences * widest * sizeof(float);
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
