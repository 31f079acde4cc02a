#include "tasks/protocols/retrieval.hpp"

#include "embedding/normalise.hpp"
#include "learn/ranking.hpp"
#include "tasks/protocols/shared.hpp"
#include "tasks/readers/readers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace senteval::tasks {
namespace {

/// A part as the learn room sees it, in file order, and what keeps that alive.
class CaptionedPart {
public:
    CaptionedPart(const Part& part, task::Context& context)
        : images_(part.images->matrix()), captions_(embed(part, context).first)
    {
        columns_.resize(captions_.size());
        for (std::size_t i = 0; i < captions_.size(); ++i)
            columns_[part.order[i]] = captions_.columns[i];
    }

    /// Leaves the other images out, with their captions.
    void keep(const std::vector<bool>& chosen)
    {
        std::vector<arma::uword> images;
        std::vector<std::uint32_t> columns;
        for (std::size_t image = 0; image < chosen.size(); ++image)
            if (chosen[image]) {
                images.push_back(image);
                const auto first = columns_.begin() +
                                   static_cast<std::ptrdiff_t>(image * learn::captions_per_image);
                columns.insert(columns.end(), first, first + learn::captions_per_image);
            }
        kept_ = arma::fmat(images_.cols(arma::uvec(images)));
        columns_ = std::move(columns);
    }

    [[nodiscard]] std::size_t images() const { return shown().n_cols; }
    [[nodiscard]] std::size_t captions() const { return columns_.size(); }

    /// The normaliser may be null.
    [[nodiscard]] learn::CaptionedImages view(const embedding::Normaliser* normaliser) const
    {
        return {&shown(), {captions_.store, columns_, captions_.padding}, normaliser};
    }

    [[nodiscard]] embedding::Normaliser fit(embedding::Treatment kind) const
    {
        std::vector<const float*> vectors;
        for (const std::uint32_t column : columns_)
            vectors.push_back(captions_.store->colptr(column));
        return {kind, vectors, captions_.dimension()};
    }

private:
    [[nodiscard]] const arma::fmat& shown() const { return kept_ ? *kept_ : images_; }

    arma::fmat images_; ///< the file's own memory
    std::optional<arma::fmat> kept_;
    embedding::Embeddings captions_;
    std::vector<std::uint32_t> columns_; ///< in file order
};

base::Json list_of(const learn::Recall& recall)
{
    return {recall.r1, recall.r5, recall.r10, recall.median_rank};
}

base::Json names_of(const learn::Recall& recall)
{
    return {{"r1", recall.r1},
            {"r5", recall.r5},
            {"r10", recall.r10},
            {"median_rank", recall.median_rank}};
}

constexpr std::size_t part_count = 5; ///< in which the test images are ranked

/// Returns the names of the parts of one direction.
std::vector<std::string> groups_of(const std::string& direction)
{
    std::vector<std::string> groups;
    for (std::size_t part = 1; part <= part_count; ++part)
        groups.push_back(fmt::format("{} {}", direction, part));
    return groups;
}

std::vector<results::Metric> describe()
{
    std::vector<results::Metric> metrics;
    for (const auto& [direction, title] : {std::pair("image_to_text", "captions of an image"),
                                           std::pair("text_to_image", "image of a caption")}) {
        const auto groups = groups_of(direction);
        for (const char* k : {"1", "5", "10"})
            metrics.push_back(percent_metric(fmt::format("{}.r{}", direction, k),
                                             fmt::format("recall at {}, {}", k, title),
                                             {fmt::format("recall@{}", k), "", groups}));
        metrics.push_back({fmt::format("{}.median_rank", direction),
                           fmt::format("median rank, {}", title),
                           "rank",
                           2,
                           false,
                           {"median rank", "", groups, results::Over::groups}});
    }
    metrics.push_back({"devacc", "sum of the development recalls", "sum of recalls", 2, true});
    return metrics;
}

/// A row for each query of a direction: query q is about test caption q * step.
void add_ranks(results::Outcomes& outcomes,
               const std::string& direction,
               const std::vector<double>& ranks,
               std::size_t step)
{
    const std::size_t size = ranks.size() / part_count;
    const auto first = static_cast<std::uint32_t>(outcomes.groups.size());
    for (const std::string& group : groups_of(direction))
        outcomes.groups.push_back(group);
    for (std::size_t query = 0; query < ranks.size(); ++query)
        outcomes.rows.push_back({static_cast<std::uint32_t>(query * step),
                                 first + static_cast<std::uint32_t>(query / size), 1, ranks[query],
                                 ranks[query]});
}

struct CaptionParts {
    CaptionParts(const Dataset& dataset, task::Context& context)
        : train(dataset.part("train"), context),
          dev(dataset.part("dev"), context),
          test(dataset.part("test"), context)
    {
        if (context.settings.resample > 0)
            train.keep(half_of(train.images(), context.settings.resample));
    }

    CaptionedPart train, dev, test;
};

/// Ranks under a treatment that is fitted on the captions of the training part.
learn::Ranking
rank(const CaptionParts& parts, embedding::Treatment kind, const learn::RankingOptions& options)
{
    std::optional<embedding::Normaliser> fitted;
    if (kind != embedding::Treatment())
        fitted.emplace(parts.train.fit(kind));
    const embedding::Normaliser* const normaliser = fitted ? &*fitted : nullptr;
    return learn::rank_captions(parts.train.view(normaliser), parts.dev.view(normaliser),
                                parts.test.view(normaliser), options);
}

task::Result result_of(const Dataset& dataset, const learn::Ranking& found)
{
    task::Result result;
    result.metrics["devacc"] = found.devacc;
    result.metrics["acc"] = {list_of(found.image_to_text), list_of(found.text_to_image)};
    result.metrics["image_to_text"] = names_of(found.image_to_text);
    result.metrics["text_to_image"] = names_of(found.text_to_image);
    result.metrics["ndev"] = dataset.part("dev").size();
    result.metrics["ntest"] = dataset.part("test").size();
    result.details["passes"] = found.passes;
    result.details["ranked"] = found.caption_ranks.size();
    result.outcomes.kind = "rank";
    add_ranks(result.outcomes, "image_to_text", found.image_ranks, learn::captions_per_image);
    add_ranks(result.outcomes, "text_to_image", found.caption_ranks, 1);
    return result;
}

/// Takes the normalisation that is best on the development part.
task::Result rank_both_ways(const Dataset& dataset, task::Context& context)
{
    const CaptionParts parts(dataset, context);
    const auto phase = context.clock.phase("fit");
    learn::RankingOptions options;
    options.seed = context.settings.seed;
    options.threads = context.threads;
    options.stop = context.stop;
    const auto kinds = context.settings.treatments();
    learn::Ranking best;
    std::size_t chosen = 0; // the first of the best on dev
    for (std::size_t n = 0; n < kinds.size(); ++n) {
        if (context.progress)
            options.progress = [&](std::size_t done, std::size_t total) {
                context.progress(n * total + done, kinds.size() * total);
            };
        const learn::Ranking found = rank(parts, kinds[n], options);
        if (n == 0 || found.devacc > best.devacc) {
            best = found;
            chosen = n;
        }
    }
    task::Result result = result_of(dataset, best);
    result.details["trained_on"] = parts.train.captions();
    add_choice(result.details, context.settings.normalisations, chosen);
    return result;
}

base::Json retrieval_settings(const task::Settings& settings)
{
    base::Json json = {{"protocol", "retrieval"},
                       {"seed", settings.seed},
                       {"normalise", to_json(settings.normalisations)}};
    add_resample(json, settings);
    return json;
}

} // namespace

Protocol retrieval_protocol()
{
    return {"images and captions mapped into one space, ranked both ways", describe(),
            rank_both_ways, retrieval_settings};
}

} // namespace senteval::tasks
