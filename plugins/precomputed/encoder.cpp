#include "precomputed/encoder.hpp"

#include "base/refuse.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace senteval::precomputed {
namespace {

constexpr std::size_t sentences_per_poll = 4096;
constexpr std::size_t listed = 5;

} // namespace

Encoder::Encoder(const sdk::Setup& setup)
    : sentences_(setup.params.find<std::string>("sentences")),
      vectors_(setup.params.require<std::string>("vectors"), sentences_, setup.call)
{
}

void Encoder::prepare(sdk::Call& call, const sdk::Task& task, sdk::Batch samples)
{
    require_all(call, task, samples);
    std::vector<float> values(dimension());
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (i % sentences_per_poll == 0)
            call.check_cancelled();
        std::optional<std::size_t> before; // which role it has is not known here
        for (const sdk::Role role : {sdk::Role::as_is, sdk::Role::query, sdk::Role::document})
            if (const auto row = vectors_.find(samples[i], role); row && row != before) {
                require_finite(*row, samples[i], values);
                before = row;
            }
    }
}

void Encoder::require_finite(std::size_t row,
                             std::string_view sentence,
                             std::vector<float>& values) const
{
    vectors_.rows().read(row, values);
    for (std::size_t j = 0; j < values.size(); ++j)
        if (!std::isfinite(values[j]))
            base::refuse("{}: value {} of {} is {}, in the vector of {}",
                         vectors_.rows().where(row), j + 1, values.size(), values[j],
                         shown(sentence));
}

void Encoder::require_all(const sdk::Call& call, const sdk::Task& task, sdk::Batch samples) const
{
    std::unordered_set<std::string_view> missing;
    std::string first;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (i % sentences_per_poll == 0)
            call.check_cancelled();
        if (!vectors_.has(samples[i]) && missing.insert(samples[i]).second &&
            missing.size() <= listed)
            first += "\n    " + shown(samples[i]);
    }
    if (missing.empty())
        return;
    base::refuse("{} {} of {} no vector{}{}\n  This writes {}, to be encoded and appended:\n    "
                 "senteval sentences --tasks {} --data DIR{} -o more.txt",
                 missing.size(), missing.size() == 1 ? "sentence" : "sentences",
                 fmt::format("{} {}", task.name, missing.size() == 1 ? "has" : "have"),
                 missing.size() > listed ? fmt::format("; the first {}:", listed) : ":", first,
                 missing.size() == 1 ? "it" : "them", task.name,
                 sentences_ ? fmt::format(" --without '{}'", *sentences_) : "");
}

void Encoder::encode_as(sdk::Call& call, sdk::Role role, sdk::Batch batch, sdk::Matrix out) const
{
    for (std::size_t i = 0; i < batch.size(); ++i) {
        if (i % sentences_per_poll == 0)
            call.check_cancelled();
        const auto row = vectors_.find(batch[i], role);
        if (!row)
            base::refuse("{} has no vector{}", shown(batch[i]),
                         role == sdk::Role::query      ? " as a query"
                         : role == sdk::Role::document ? " as a document"
                                                       : "");
        vectors_.rows().read(*row, out.row(i));
    }
}

} // namespace senteval::precomputed
