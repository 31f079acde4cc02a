// create() with parameters as users give them, and as no host passes them.
#include "check/trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace senteval::check {
namespace {

using encoder::Parameter;

bool is_given(const Bench& bench, const senteval_param_spec& spec)
{
    return std::ranges::find(bench.settings(), spec.key, &Parameter::key) != bench.settings().end();
}

std::vector<Parameter> without(std::vector<Parameter> settings, const senteval_param_spec& spec)
{
    std::erase_if(settings, [&](const Parameter& one) { return one.key == spec.key; });
    return settings;
}

/// The user's settings with one parameter as given here.
std::vector<Parameter>
with(const Bench& bench, const senteval_param_spec& spec, senteval_type type, base::Json value)
{
    auto settings = without(bench.settings(), spec);
    settings.push_back({spec.key, type, std::move(value)});
    return settings;
}

/// "create(KEY=VALUE)"
std::string shown_create(const std::vector<Parameter>& settings)
{
    const Parameter& last = settings.back();
    return fmt::format("create({}={:.60})", last.key, base::to_text(last.value));
}

std::vector<base::Json> values_of(senteval_type type)
{
    switch (type) {
    case SENTEVAL_TYPE_INTEGER:
        return {std::numeric_limits<std::int64_t>::max(), -1,
                std::numeric_limits<std::int64_t>::min(), 0};
    case SENTEVAL_TYPE_REAL:
        return {1e308, -1e308, 5e-324, 0.0};
    case SENTEVAL_TYPE_STRING:
        return {"senteval-no-such-word", "", std::string(65536, 'x'), std::string("a\0b", 3)};
    default:
        return {};
    }
}

std::vector<const senteval_param_spec*> specs_of(const Bench& bench)
{
    return {bench.encoder().params, bench.encoder().params + bench.encoder().param_count};
}

void try_missing(Bench& bench, const senteval_param_spec& spec)
{
    if ((spec.flags & SENTEVAL_PARAM_REQUIRED) == 0)
        return;
    bench.step("8.4", fmt::format("create() without {}", spec.key));
    std::unique_ptr<Instance> instance;
    if (bench.create(without(bench.settings(), spec), instance).done())
        bench.broken("it succeeded");
}

void try_missing_path(Bench& bench, const senteval_param_spec& spec)
{
    constexpr std::string_view path = "/senteval-no-such-folder/no-such-file";
    if (spec.default_value.type != SENTEVAL_TYPE_PATH ||
        (spec.flags & SENTEVAL_PARAM_NO_EFFECT) != 0)
        return;
    const auto settings = with(bench, spec, SENTEVAL_TYPE_PATH, path);
    bench.step("8.6", shown_create(settings));
    std::unique_ptr<Instance> instance;
    const Reply reply = bench.create(settings, instance);
    if (reply.done())
        bench.broken("it succeeded");
    else if (!reply.refused())
        return;
    else if (reply.status != SENTEVAL_NOT_FOUND && reply.status != SENTEVAL_INVALID_ARGUMENT)
        bench.broken(reply.failure());
    else if (reply.reason.find(path) == std::string::npos &&
             reply.reason.find(spec.key) == std::string::npos)
        bench.broken("the reason names neither path nor key: " + shown(reply.reason));
}

/// create() with each of these, for a second.
void try_each(Bench& bench,
              std::string_view rule,
              const std::vector<std::vector<Parameter>>& cases,
              const std::function<void(const Reply&)>& judge)
{
    std::size_t next = 0;
    const auto try_next = [&] {
        const auto& settings = cases[next++];
        bench.step(rule, shown_create(settings));
        std::unique_ptr<Instance> instance;
        judge(bench.create(settings, instance));
    };
    repeat(cases.size(), try_next, Seconds(1));
}

} // namespace

std::vector<Parameter> default_settings(const Bench& bench)
{
    std::vector<Parameter> defaults;
    for (const senteval_param_spec* spec : specs_of(bench)) {
        const senteval_type type = spec->default_value.type;
        const base::Json value = encoder::to_json(spec->default_value);
        if (type != SENTEVAL_TYPE_PATH && value != "" && !is_given(bench, *spec) &&
            (spec->flags & (SENTEVAL_PARAM_REQUIRED | SENTEVAL_PARAM_LIST)) == 0)
            defaults.push_back({spec->key, type, value});
    }
    return defaults;
}

std::vector<Parameter> other_settings(const Bench& bench, std::uint32_t flags)
{
    auto all = bench.settings();
    for (const senteval_param_spec* spec : specs_of(bench)) {
        if (is_given(bench, *spec) || (spec->flags & SENTEVAL_PARAM_REQUIRED) != 0 ||
            (spec->flags & flags) != flags)
            continue;
        const senteval_value& value = spec->default_value;
        if (value.type == SENTEVAL_TYPE_BOOLEAN)
            all.push_back({spec->key, value.type, value.as.boolean == 0});
        else if (value.type == SENTEVAL_TYPE_INTEGER)
            all.push_back({spec->key, value.type, value.as.integer + 1});
        else if (value.type == SENTEVAL_TYPE_REAL)
            all.push_back({spec->key, value.type, value.as.real / 2 + 0.25});
    }
    return all;
}

void try_missing_parameters(Bench& bench)
{
    for (const senteval_param_spec* spec : specs_of(bench)) {
        try_missing(bench, *spec);
        try_missing_path(bench, *spec);
    }
}

/// The values that are most often wrong come first: making an instance of each may take long.
void try_values(Bench& bench)
{
    limit_memory();
    std::vector<std::vector<Parameter>> cases;
    for (std::size_t v = 0; v < 4; ++v)
        for (const senteval_param_spec* spec : specs_of(bench))
            if (const auto values = values_of(spec->default_value.type); v < values.size())
                cases.push_back(with(bench, *spec, spec->default_value.type, values[v]));
    try_each(bench, "8.5", cases, [&](const Reply& reply) {
        if (reply.refused() && !reply.refused_a_value())
            bench.broken(reply.failure());
    });
}

void try_other_types(Bench& bench)
{
    auto unknown = bench.settings();
    unknown.push_back({"senteval_no_such_key", SENTEVAL_TYPE_INTEGER, 1});
    std::vector<std::vector<Parameter>> cases{unknown};
    // Values of nothing but zeros, whatever they are taken for.
    const Parameter zeros[] = {{"", SENTEVAL_TYPE_BOOLEAN, false},
                               {"", SENTEVAL_TYPE_INTEGER, 0},
                               {"", SENTEVAL_TYPE_REAL, 0.0},
                               {"", SENTEVAL_TYPE_STRING, ""}};
    for (const Parameter& zero : zeros)
        for (const senteval_param_spec* spec : specs_of(bench))
            if (zero.type != spec->default_value.type)
                cases.push_back(with(bench, *spec, zero.type, zero.value));
    try_each(bench, "8.7", cases, [](const Reply& /*any*/) {});
}

void try_irrelevant_parameters(Bench& bench)
{
    const auto settings = other_settings(bench, SENTEVAL_PARAM_NO_EFFECT);
    if (settings.size() == bench.settings().size())
        return;
    bench.step("12.5", fmt::format("create() with another {}", settings.back().key));
    const Vectors* const expected = bench.expected();
    std::unique_ptr<Instance> instance;
    if (!bench.create(settings, instance).done())
        return;
    const Sentences samples(bench.texts().ordinary());
    instance->ready_for(samples);
    const Vectors found = instance->encode(samples);
    if (expected != nullptr)
        bench.same(*expected, found, "without it");
}

} // namespace senteval::check
