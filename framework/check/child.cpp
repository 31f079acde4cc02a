#include "check/child.hpp"

#include "check/library.hpp"
#include "check/reporter.hpp"
#include "check/services.hpp"
#include "check/trials.hpp"
#include "check/watchdog.hpp"
#include "core/error.hpp"
#include "isolation/crash_report.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <optional>

namespace senteval::check {
namespace {

/// For the handler of std::terminate, which gets no argument.
Reporter* terminating = nullptr;

[[noreturn]] void report_termination()
{
    if (std::current_exception()) {
        terminating->broken("4.1", "an exception that nobody catches", "it ended the process");
        terminating->give_up();
        _exit(0);
    }
    std::abort();
}

const Trial& trial_named(std::string_view name)
{
    for (const Trial& trial : all_trials())
        if (trial.name == name)
            return trial;
    throw core::UsageError("there is no trial '{}'", name);
}

/// Makes an instance, for what it says that it keeps: all, where it says nothing.
std::uint32_t claims_of_instance(Bench& bench)
{
    constexpr std::uint32_t all = ~std::uint32_t{0};
    const senteval_encoder& encoder = bench.encoder();
    bench.step("4.2", "create()");
    std::unique_ptr<Instance> instance;
    if (!bench.create(bench.settings(), instance).done())
        return all;
    std::uint32_t claims = all;
    if (encoder.get_extension != nullptr)
        bench.call_plain("capabilities()", [&] {
            const auto* identity = static_cast<const senteval_identity*>(
                encoder.get_extension(&encoder, SENTEVAL_IDENTITY_EXTENSION));
            if (identity != nullptr && SENTEVAL_HAS(identity, senteval_identity, capabilities) &&
                identity->capabilities != nullptr)
                claims = identity->capabilities(instance->raw());
        });
    bench.step("4.2", "destroy()");
    return claims;
}

constexpr const char* not_comparable = "vectors cannot be compared, since 12.3 is broken";

/// What a user means by an encoder that takes long to make.
constexpr Seconds slow_to_make(0.1);

/// The same of the first trial, an ordinary run, whose few calls take hardly a hundredth of it as a rule.
constexpr Seconds slow_to_run(1);

/// Its claims, and whether it takes long to make: by the first process of an encoder that asks.
void know(Bench& bench, TrialRequest& request)
{
    if (request.claims)
        return;
    const OwnTime time;
    request.claims = claims_of_instance(bench);
    request.is_slow = time.passed() > slow_to_make;
    bench.reporter().known(*request.claims, request.is_slow);
}

void run_part(const Part& part, Bench& bench, TrialRequest& request)
{
    Reporter& reporter = bench.reporter();
    const auto skip = [&](const std::string& why) {
        for (const std::string_view rule : part.rules)
            reporter.not_tried(rule, why);
    };
    if (part.needs_any_text && !bench.texts().are_free()) {
        skip("it has vectors of given sentences only");
        return;
    }
    const std::size_t found = reporter.found();
    try {
        const Watchdog watchdog(reporter, bench.most());
        know(bench, request);
        bench.set_claims(*request.claims);
        bench.set_slow(request.is_slow);
        if (part.claim != 0 && !bench.claims(part.claim)) {
            skip("the encoder does not claim it");
            return;
        }
        const bool compares = !bench.claims(request.untrue & part.compares);
        bench.set_claims(*request.claims & ~request.untrue);
        if (part.claim != 0 && !bench.claims(part.claim)) {
            skip(not_comparable);
            return;
        }
        part.run(bench);
        bench.end();
        if (!compares)
            skip(not_comparable);
    } catch (const TrialEnded&) {
    } catch (const TooSlow&) {
        skip(too_slow(request.limit));
    } catch (const std::bad_alloc&) {
        skip("there is not enough memory");
    }
    TrialCall::cancel_all(false); // the watchdog has gone
    if (reporter.found() == found && !reporter.has_stopped())
        for (const std::string_view rule : part.rules)
            reporter.tried(rule);
}

void run_encoder_trial(TrialRequest request, Reporter& reporter)
{
    const OwnTime time;
    const Trial& trial = trial_named(request.trial);
    const senteval_plugin* const table = load_table(request.library, reporter);
    if (table == nullptr || request.encoder >= table->encoder_count)
        return;
    const senteval_encoder& encoder = *table->encoders[request.encoder];
    const auto settings = settings_of(encoder, request.settings);
    const Texts texts = request.sentences.empty() ? Texts() : Texts(request.sentences);
    // Never destroyed: an instance that parts share goes with the process.
    auto& bench = *new Bench(encoder, settings, texts, reporter, request.limit, request.again);
    for (std::size_t part = request.part; part < trial.parts.size(); ++part) {
        reporter.part(part, time.passed());
        bench.begin(
            allowance(trial, part, request.limit, request.spent + time.passed(), request.is_slow));
        run_part(trial.parts[part], bench, request);
    }
    if (&trial == &all_trials().front() && request.claims && bench.passed() > slow_to_run)
        reporter.known(*request.claims, true);
    reporter.spent(time.passed());
}

} // namespace

std::string to_word(const TrialRequest& request)
{
    return core::to_text({{"library", request.library.string()},
                          {"settings", request.settings},
                          {"limit", request.limit.count()},
                          {"sentences", request.sentences},
                          {"trial", request.trial},
                          {"encoder", request.encoder},
                          {"part", request.part},
                          {"untrue", request.untrue},
                          {"spent", request.spent.count()},
                          {"claims", request.claims ? core::Json(*request.claims) : core::Json()},
                          {"is_slow", request.is_slow},
                          {"again", request.again}});
}

TrialRequest request_of(const std::string& word)
{
    const auto json = core::Json::parse(word, nullptr, false);
    if (json.is_discarded())
        throw core::UsageError("--trial is for the program itself");
    TrialRequest request;
    request.library = json.at("library").get<std::string>();
    request.settings = json.at("settings").get<std::vector<std::string>>();
    request.limit = Seconds(json.at("limit").get<double>());
    request.sentences = json.at("sentences").get<std::string>();
    request.trial = json.at("trial").get<std::string>();
    request.encoder = json.at("encoder").get<std::size_t>();
    request.part = json.at("part").get<std::size_t>();
    request.untrue = json.at("untrue").get<std::uint32_t>();
    request.spent = Seconds(json.at("spent").get<double>());
    if (!json.at("claims").is_null())
        request.claims = json.at("claims").get<std::uint32_t>();
    request.is_slow = json.at("is_slow").get<bool>();
    request.again = json.at("again").get<bool>();
    return request;
}

void run_trial(const TrialRequest& request, int descriptor)
{
    Reporter reporter(descriptor);
    static isolation::SharedBuffer crash(crash_number, isolation::SharedBuffer::Access::write);
    fcntl(crash_number, F_SETFD, FD_CLOEXEC);
    crash.follow();
    // A sanitizer, or whoever else handles them, would make an exit of a crash.
    isolation::record_crashes(crash);
    watch_this_thread();
    terminating = &reporter;
    std::set_terminate(report_termination);
    do_not_count_threads_so_far();
    // The last to be registered is the first to be called: nothing else happens at the plugin's exit().
    std::atexit([] { _exit(0); });
    std::at_quick_exit([] { _exit(0); });
    try {
        if (request.trial == "table") {
            const Watchdog watchdog(reporter, request.limit);
            try_table(request.library, request.settings, reporter);
        } else {
            run_encoder_trial(request, reporter);
        }
    } catch (const core::UsageError& e) {
        reporter.usage(e.what());
    }
    reporter.done();
}

} // namespace senteval::check
