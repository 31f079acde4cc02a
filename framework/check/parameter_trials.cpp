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

/// As many as there is time for, and the first: each may make an instance.
void for_each_spec(Bench& bench,
                   std::string_view rule,
                   const std::function<void(const senteval_param_spec&)>& use)
{
    const std::size_t count = bench.encoder().param_count;
    for (std::size_t p = 0; p < count; ++p) {
        if (p > 0 && bench.is_slow() && !bench.has_time()) {
            bench.in_part(rule, fmt::format("{} of {} parameters", p, count));
            return;
        }
        use(*bench.encoder().params[p]);
    }
}

/// Nobody's machine shall swap because of a value that is far too large.
void limit_memory()
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    constexpr rlim_t more = rlim_t{4} << 30;
    const rlim_t most = 2 * resident_bytes() + more;
    rlimit limit{};
    getrlimit(RLIMIT_AS, &limit);
    if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > most) {
        limit.rlim_cur = most;
        setrlimit(RLIMIT_AS, &limit);
    }
#endif
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

void try_values(Bench& bench, const senteval_param_spec& spec)
{
    for (const Setting& setting : values_of(spec.default_value.type)) {
        bench.step("8.5", shown_create(spec, setting));
        std::unique_ptr<Instance> instance;
        const Reply reply = bench.create(with(bench, spec, setting), instance);
        if (reply.refused() && !reply.refused_a_value())
            bench.broken(reply.failure());
    }
}

} // namespace

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

void try_parameters(Bench& bench)
{
    for_each_spec(bench, "8.4", [&](const senteval_param_spec& spec) { try_missing(bench, spec); });
    for_each_spec(bench, "8.6",
                  [&](const senteval_param_spec& spec) { try_missing_path(bench, spec); });
    for_each_spec(bench, "8.3", [&](const senteval_param_spec& spec) { try_default(bench, spec); });
    limit_memory();
    for_each_spec(bench, "8.5", [&](const senteval_param_spec& spec) { try_values(bench, spec); });
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
    bool tried = false;
    for_each_spec(bench, "8.7", [&](const senteval_param_spec& spec) {
        // Values of nothing but zeros, whatever they are taken for.
        for (const Setting& setting :
             {boolean(false), integer(0), real(0), text(SENTEVAL_TYPE_STRING, "")}) {
            if (setting.value.type == spec.default_value.type)
                continue;
            if (tried && bench.is_slow() && !bench.has_time()) {
                bench.in_part("8.7", fmt::format("up to parameter '{}'", spec.key));
                return;
            }
            bench.step("8.7", fmt::format("create({}={} as another type)", spec.key,
                                          shown_value(setting)));
            (void)bench.create(with(bench, spec, setting), instance);
            instance.reset();
            tried = true;
        }
    });
}

} // namespace senteval::check
