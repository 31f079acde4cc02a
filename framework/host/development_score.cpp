#include "core/error.hpp"
#include "core/home.hpp"
#include "encoder/encoder.hpp"
#include "encoder/session.hpp"
#include "host/train_data.hpp"
#include "stats/correlation.hpp"
#include "task/data_folder.hpp"
#include "task/selection.hpp"
#include "tasks/custom/custom.hpp"
#include "train/pair_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <span>

namespace senteval::host {
namespace {

struct Models {
    paragram::Architecture architecture;
    const train::Vocabulary& vocabulary;
    const train::StartVectors& vectors;

    [[nodiscard]] train::SentenceEncoder encoder(const train::ModelState& model) const
    {
        return {architecture, model, vocabulary, vectors};
    }
};

struct ScoredPair {
    std::string first;
    std::string second;
    double score = 0;
};

std::vector<ScoredPair> read_scored_pairs(const std::string& file)
{
    std::vector<ScoredPair> pairs;
    train::PairSource source;
    source.file = file;
    source.format = train::PairFormat::tsv;
    source.is_scored = true;
    const auto counts = train::read_pairs(
        source, [&](std::string_view first, std::string_view second, double score) {
            pairs.push_back({std::string(first), std::string(second), score});
        });
    if (counts.bad > 0)
        throw core::UsageError("--dev: {}; it needs two sentences and a score, separated by TABs",
                               counts.bad_lines.front());
    if (pairs.size() < 3)
        throw core::UsageError("--dev: {}: has {} pairs; a correlation needs three at least", file,
                               pairs.size());
    return pairs;
}

double cosine(std::span<const float> u, std::span<const float> v)
{
    double product = 0;
    double u_square = 0;
    double v_square = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
        product += static_cast<double>(u[i]) * static_cast<double>(v[i]);
        u_square += static_cast<double>(u[i]) * static_cast<double>(u[i]);
        v_square += static_cast<double>(v[i]) * static_cast<double>(v[i]);
    }
    const double norms = std::sqrt(u_square * v_square);
    return norms > 0 ? product / norms : 0;
}

double score_on_pairs(const std::vector<ScoredPair>& pairs, train::SentenceEncoder encoder)
{
    std::vector<float> u(encoder.dimension());
    std::vector<float> v(encoder.dimension());
    std::vector<double> gold;
    std::vector<double> cosines;
    for (const ScoredPair& pair : pairs) {
        encoder.encode(pair.first, u);
        encoder.encode(pair.second, v);
        gold.push_back(pair.score);
        cosines.push_back(cosine(u, v));
    }
    return stats::pearson(gold, cosines).r;
}

/// A model in training, as tasks see encoders.
class ModelEncoder final : public encoder::Encoder {
public:
    ModelEncoder(const Models& models, const train::ModelState& model)
        : encoder_(models.encoder(model))
    {
        identity_.label = "model in training";
    }
    [[nodiscard]] const encoder::Identity& identity() const override { return identity_; }
    [[nodiscard]] encoder::Capabilities capabilities() const override
    {
        return {false, true, true};
    }
    [[nodiscard]] bool has_prepare() const override { return false; }
    void
    prepare(std::string_view, std::span<const text::Sentence>, const encoder::CallContext&) override
    {
    }
    [[nodiscard]] std::size_t dimension() override { return encoder_.dimension(); }
    void
    encode(std::span<const text::Sentence> batch, float* out, const encoder::CallContext&) override
    {
        const std::size_t width = encoder_.dimension();
        for (std::size_t i = 0; i < batch.size(); ++i)
            encoder_.encode(batch[i].text, {out + i * width, width});
    }

private:
    train::SentenceEncoder encoder_;
    encoder::Identity identity_;
};

/// A task that has been read once, for every epoch.
struct DevelopmentTask {
    task::Tasks catalog = tasks::all_tasks({});
    const task::Task* task = nullptr;
    std::unique_ptr<task::LoadedTask> loaded;
    task::Settings settings;
};

/// Of what the task says of itself: its development part's score.
std::optional<std::string> development_metric(const std::string& headline)
{
    return headline == "acc" || headline == "pearson" ? std::optional("dev" + headline)
                                                      : std::nullopt;
}

std::shared_ptr<DevelopmentTask> load_task(const std::string& name,
                                           const std::filesystem::path& data)
{
    auto development = std::make_shared<DevelopmentTask>();
    const auto select = [&] {
        try {
            return task::select(development->catalog, name);
        } catch (const core::UsageError& error) {
            throw core::UsageError("--dev: there is no file '{}', and {}", name, error.what());
        }
    };
    const auto found = select();
    if (found.size() != 1)
        throw core::UsageError("--dev: '{}' is {} tasks; one is needed", name, found.size());
    development->task = found.front();
    const task::Info& info = found.front()->info();
    if (!development_metric(info.headline))
        throw core::UsageError(
            "--dev: {} has no development part, and to choose by its test items would make them "
            "worthless as a test; take STSBenchmarkUnsupervised, say",
            info.name);
    if (data.empty())
        throw core::UsageError("--dev: the task {} needs --data", info.name);
    task::DataFolder folder(data);
    development->loaded = found.front()->load(folder);
    return development;
}

} // namespace

std::function<double(const train::ModelState& model)>
development_score(const std::string& name,
                  const std::filesystem::path& data,
                  const paragram::Architecture& architecture,
                  const train::Vocabulary& vocabulary,
                  const train::StartVectors& vectors,
                  unsigned threads,
                  const std::stop_token& stop)
{
    const Models models{architecture, vocabulary, vectors};
    const std::filesystem::path file = core::expand_home(name);
    const bool is_there = std::filesystem::exists(file) && !std::filesystem::is_directory(file);
    if (!is_there && name.find('/') != name.npos)
        throw core::UsageError("--dev: there is no file '{}'", name);
    if (is_there)
        return [pairs = read_scored_pairs(file.string()), models](const train::ModelState& model) {
            return score_on_pairs(pairs, models.encoder(model));
        };
    return [task = load_task(name, data), models, threads, stop](const train::ModelState& model) {
        ModelEncoder encoder(models, model);
        encoder::SessionOptions options;
        options.threads = threads;
        options.stop = stop;
        encoder::Session session(encoder, std::move(options));
        session.prepare(task->task->info().name, task->loaded->samples());
        task::PhaseClock clock;
        task::Context context{session, task->settings, threads, stop, clock, {}};
        const task::Result result = task->loaded->run(context);
        const auto score = result.metrics.find(*development_metric(task->task->info().headline));
        if (score == result.metrics.end())
            throw core::UsageError("--dev: {} has no development part", task->task->info().name);
        return score->is_number() ? score->get<double>() : std::numeric_limits<double>::quiet_NaN();
    };
}

} // namespace senteval::host
