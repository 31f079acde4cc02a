// create() with parameters as users give them, and as no host passes them.
#include "check/trials.hpp"

#include <fmt/format.h>

#include <sys/resource.h>

#include <algorithm>
#include <limits>

namespace senteval::check {
namespace {

bool same_key(const Setting& setting, const senteval_param_spec& spec)
{
    return setting.key == spec.key;
}

std::vector<Setting> without(std::vector<Setting> settings, const senteval_param_spec& spec)
{
    std::erase_if(settings, [&](const Setting& one) { return same_key(one, spec); });
    return settings;
}

/// The user's settings with one parameter as given here.
std::vector<Setting> with(const Bench& bench, const senteval_param_spec& spec, Setting setting)
{
    setting.key = spec.key;
    auto settings = without(bench.settings(), spec);
    settings.push_back(std::move(setting));
    return settings;
}

Setting integer(std::int64_t value)
{
    Setting setting{{}, {SENTEVAL_TYPE_INTEGER, 0, {}}, {}};
    setting.value.as.integer = value;
    return setting;
}

Setting real(double value)
{
    Setting setting{{}, {SENTEVAL_TYPE_REAL, 0, {}}, {}};
    setting.value.as.real = value;
    return setting;
}

Setting boolean(bool value)
{
    Setting setting{{}, {SENTEVAL_TYPE_BOOLEAN, 0, {}}, {}};
    setting.value.as.boolean = value ? 1 : 0;
    return setting;
}

Setting text(senteval_type type, std::string value)
{
    return {{}, {type, 0, {}}, std::move(value)};
}

std::string shown_value(const Setting& setting)
{
    switch (setting.value.type) {
    case SENTEVAL_TYPE_BOOLEAN:
        return setting.value.as.boolean != 0 ? "true" : "false";
    case SENTEVAL_TYPE_INTEGER:
        return std::to_string(setting.value.as.integer);
    case SENTEVAL_TYPE_REAL:
        return fmt::format("{}", setting.value.as.real);
    default:
        return shown(setting.text);
    }
}

std::string shown_create(const senteval_param_spec& spec, const Setting& setting)
{
    return fmt::format("create({}={})", spec.key, shown_value(setting));
}

std::vector<Setting> values_of(senteval_type type)
{
    switch (type) {
    case SENTEVAL_TYPE_BOOLEAN:
        return {boolean(false), boolean(true)};
    case SENTEVAL_TYPE_INTEGER:
        return {integer(0), integer(-1), integer(std::numeric_limits<std::int64_t>::min()),
                integer(std::numeric_limits<std::int64_t>::max())};
    case SENTEVAL_TYPE_REAL:
        return {real(0), real(-1e308), real(1e308), real(5e-324)};
    case SENTEVAL_TYPE_STRING:
        return {text(type, ""), text(type, "senteval-no-such-word"),
                text(type, std::string(65536, 'x')), text(type, std::string("a\0b", 3))};
    default:
        return {};
    }
}

/// Nobody's machine shall swap because of a value that is far too large.
void limit_memory()
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    constexpr rlim_t more = rlim_t{4} << 30;
    rlimit limit{};
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_cur, mapped_bytes() + more);
    setrlimit(RLIMIT_AS, &limit);
#endif
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

void try_default(Bench& bench, const senteval_param_spec& spec)
{
    const senteval_value& fallback = spec.default_value;
    const bool is_text =
        fallback.type == SENTEVAL_TYPE_STRING || fallback.type == SENTEVAL_TYPE_PATH;
    const std::string words = is_text && fallback.as.string.size > 0
                                  ? std::string(fallback.as.string.data, fallback.as.string.size)
                                  : std::string();
    // Of a list, a path and a text, "nothing" is no value.
    if ((spec.flags & (SENTEVAL_PARAM_REQUIRED | SENTEVAL_PARAM_LIST)) != 0 ||
        (is_text && words.empty()) || fallback.type == SENTEVAL_TYPE_PATH ||
        std::ranges::any_of(bench.settings(),
                            [&](const Setting& one) { return same_key(one, spec); }))
        return;
    const Setting setting{{}, fallback, words};
    bench.step("8.3", shown_create(spec, setting));
    std::unique_ptr<Instance> instance;
    const Reply reply = bench.create(with(bench, spec, setting), instance);
    if (reply.refused())
        bench.broken("the default is refused: " + shown(reply.reason));
}

void try_missing_path(Bench& bench, const senteval_param_spec& spec)
{
    constexpr std::string_view path = "/senteval-no-such-folder/no-such-file";
    if (spec.default_value.type != SENTEVAL_TYPE_PATH ||
        (spec.flags & SENTEVAL_PARAM_NO_EFFECT) != 0)
        return;
    const Setting setting = text(SENTEVAL_TYPE_PATH, std::string(path));
    bench.step("8.6", shown_create(spec, setting));
    std::unique_ptr<Instance> instance;
    const Reply reply = bench.create(with(bench, spec, setting), instance);
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

} // namespace

void try_defaults(Bench& bench)
{
    for (const senteval_param_spec* spec : specs_of(bench)) {
        try_missing(bench, *spec);
        try_missing_path(bench, *spec);
        try_default(bench, *spec);
    }
}

void try_values(Bench& bench)
{
    limit_memory();
    for (const senteval_param_spec* spec : specs_of(bench))
        for (const Setting& setting : values_of(spec->default_value.type)) {
            bench.step("8.5", shown_create(*spec, setting));
            std::unique_ptr<Instance> instance;
            const Reply reply = bench.create(with(bench, *spec, setting), instance);
            if (reply.refused() && !reply.refused_a_value())
                bench.broken(reply.failure());
        }
}

void try_other_types(Bench& bench)
{
    limit_memory();
    std::unique_ptr<Instance> instance;
    Setting unknown = integer(1);
    unknown.key = "senteval_no_such_key";
    auto settings = bench.settings();
    settings.push_back(unknown);
    bench.step("8.7", "create(senteval_no_such_key=1)");
    (void)bench.create(settings, instance);
    instance.reset();
    for (const senteval_param_spec* spec : specs_of(bench))
        // Values of nothing but zeros, whatever they are taken for.
        for (const Setting& setting :
             {boolean(false), integer(0), real(0), text(SENTEVAL_TYPE_STRING, "")}) {
            if (setting.value.type == spec->default_value.type)
                continue;
            bench.step("8.7", shown_create(*spec, setting) + " as another type");
            (void)bench.create(with(bench, *spec, setting), instance);
            instance.reset();
        }
}

std::optional<Setting> another_value(const senteval_param_spec& spec)
{
    Setting setting{spec.key, spec.default_value, {}};
    switch (spec.default_value.type) {
    case SENTEVAL_TYPE_BOOLEAN:
        setting.value.as.boolean = 1 - setting.value.as.boolean;
        return setting;
    case SENTEVAL_TYPE_INTEGER:
        setting.value.as.integer += 1;
        return setting;
    case SENTEVAL_TYPE_REAL:
        setting.value.as.real = setting.value.as.real / 2 + 0.25;
        return setting;
    default:
        return std::nullopt;
    }
}

void try_irrelevant_parameters(Bench& bench)
{
    const Sentences samples(bench.texts().ordinary());
    bench.step("12.5", "batcher(" + samples.shown() + ")");
    const Vectors expected = bench.create_for(samples)->encode(samples);
    for (const senteval_param_spec* spec : specs_of(bench)) {
        const auto setting = another_value(*spec);
        if ((spec->flags & SENTEVAL_PARAM_NO_EFFECT) == 0 || !setting ||
            spec->default_value.type == SENTEVAL_TYPE_REAL)
            continue;
        bench.step("12.5", fmt::format("create() with another {}", spec->key));
        std::unique_ptr<Instance> instance;
        if (!bench.create(with(bench, *spec, *setting), instance).done())
            continue;
        instance->ready_for(samples);
        bench.same(expected, instance->encode(samples), false, "without it");
    }
}

} // namespace senteval::check
