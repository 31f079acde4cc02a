#include "check/check.hpp"

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "check/process.hpp"
#include "check/report.hpp"
#include "check/trials.hpp"

#include <senteval/child.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <system_error>
#include <utility>

namespace senteval::check {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TrialRequest,
                                   library,
                                   settings,
                                   sentences,
                                   is_table,
                                   encoder,
                                   first,
                                   last,
                                   claims,
                                   hash,
                                   stated,
                                   limit_seconds)

namespace {

constexpr int report_number = 3; ///< the descriptor that the process finds open for its report

Clock::time_point after(double seconds)
{
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(Seconds(seconds));
}

// ---- In the child ----

/// The report of the handler of std::terminate, which gets no argument.
Report* terminating = nullptr;

[[noreturn]] void report_termination()
{
    if (!std::current_exception())
        std::abort();
    terminating->broken("4.1", "an exception that nobody catches", "it ended the process");
    terminating->done();
    _exit(0);
}

/// The reason why the trial cannot be run, or was not run to its end; empty where it was.
std::string_view run_trial(const Trial& trial, Bench& bench)
{
    if (trial.needs_any_text && !bench.texts().are_free())
        return "it has vectors of given sentences only";
    if (!bench.claims(trial.claim))
        return "the encoder does not claim it, or the claim does not hold";
    if (is_past_deadline())
        return no_time;
    try {
        trial.run(bench);
        return {};
    } catch (const TrialEnded&) {
        return {};
    } catch (const TooSlow&) {
        bench.forget_main(); // in the middle of something
        return no_time;
    } catch (const std::bad_alloc&) {
        bench.forget_main();
        return "there is not enough memory";
    } catch (const std::system_error&) { // calls of the plugin throw none
        bench.forget_main();
        return "a thread of the check's own cannot be started";
    }
}

void run_encoder_trials(const TrialRequest& request, Report& report)
{
    const senteval_plugin* const table = load_table(request.library, report);
    if (table == nullptr || request.encoder >= table->encoder_count)
        return;
    const senteval_encoder& encoder = *table->encoders[request.encoder];
    const auto settings = settings_of(encoder, request.settings);
    const Texts texts = request.sentences.empty() ? Texts() : Texts(request.sentences);
    Bench bench(encoder, settings, texts, report, request);
    bench.step("4.2", "create(), prepare() and batcher()");
    for (std::size_t t = request.first; t < request.last && report.count_broken() == 0; ++t) {
        const Trial& trial = all_trials()[t];
        report.begin(t);
        bench.use_role(nullptr, SENTEVAL_ROLE_AS_IS);
        const std::string_view skipped = run_trial(trial, bench);
        for (const std::string_view rule : trial.rules)
            if (!skipped.empty())
                report.skipped(rule, skipped);
            else if (report.count_broken() == 0)
                report.kept(rule);
    }
    bench.step("4.2", "destroy()");
    bench.forget_main();
}

// ---- In the process that waits ----

/// The messages of a child, up to now.
class Messages {
public:
    explicit Messages(std::size_t first) { outcome_.next = first; }

    void add(std::string_view bytes)
    {
        text_ += bytes;
        for (std::size_t end = text_.find('\n'); end != std::string::npos; end = text_.find('\n')) {
            const auto message = base::Json::parse(text_.substr(0, end), nullptr, false);
            if (message.is_discarded())
                add("6.6", Outcome::broken, "it wrote to a descriptor that is not its own");
            else
                take(message);
            text_.erase(0, end + 1);
        }
    }

    /// The child has gone, or is going to: what it was doing is to blame where it did not come to its end.
    TrialOutcome finish(const std::optional<sdk::ChildEnding>& ending, bool hung)
    {
        if (!usage_.empty())
            throw base::UsageError("{}", usage_);
        if (done_)
            return std::move(outcome_);
        outcome_.hung = hung;
        const int signal = ending ? ending->signal() : 0;
        // Nobody can cancel the loading of a library; instances or batches that overlap may keep one another
        // from going on.
        const bool has_own_rule = rule_.starts_with("1.") || rule_ == "5.1" || rule_ == "12.2";
        if (hung)
            add(has_own_rule ? rule_ : "5.5", Outcome::broken,
                "it had not returned when the time was over, see --limit-seconds");
        else if (!ending)
            add("6.7", Outcome::broken, "another program runs, or foreign files were closed");
        else if (outcome_.killed = signal == SIGKILL || signal == SIGTERM; outcome_.killed)
            add(rule_, Outcome::skipped, shown_ + ": the process " + ending->text());
        else
            add(signal == 0 || signal == SIGABRT ? "6.7" : rule_, Outcome::broken,
                "the process " + ending->text());
        return std::move(outcome_);
    }

private:
    void add(const std::string& rule, Outcome outcome, const std::string& detail)
    {
        outcome_.findings.push_back({rule, outcome, shown_, detail});
    }

    void take(const base::Json& message)
    {
        const auto text = [&](const char* key) { return message.value(key, std::string()); };
        if (message.contains("begin")) {
            outcome_.next = message.at("begin").get<std::size_t>() + 1;
        } else if (message.contains("doing")) {
            rule_ = text("doing");
            shown_ = text("shown");
            add(rule_, Outcome::kept, "");
        } else if (message.contains("found")) {
            outcome_.findings.push_back({text("found"),
                                         static_cast<Outcome>(message.at("outcome").get<int>()),
                                         text("shown"), text("detail")});
        } else if (message.contains("stop")) {
            outcome_.stopped = text("stop");
        } else if (message.contains("usage")) {
            usage_ = text("usage");
        } else if (message.contains("result")) {
            outcome_.result = message.at("result");
        }
        done_ = done_ || message.contains("done");
    }

    std::string text_;
    std::string rule_ = "1.1";
    std::string shown_;
    std::string usage_;
    bool done_ = false;
    TrialOutcome outcome_;
};

/// Reads until the child has no more to say; whether it is over by then, and not only its time.
bool listen(int report,
            sdk::Child& child,
            Clock::time_point end,
            const std::stop_token& stop,
            Messages& messages)
{
    std::array<char, 65536> bytes{};
    while (Clock::now() < end) {
        if (stop.stop_requested())
            throw base::Cancelled();
        pollfd wanted{report, POLLIN, 0};
        const int ready = poll(&wanted, 1, 100);
        if (ready == 0 && child.wait(std::chrono::milliseconds(0)))
            return true; // somebody it started holds the pipe open
        if (ready <= 0)
            continue;
        const ssize_t size = read(report, bytes.data(), bytes.size());
        if (size < 0 && errno == EINTR)
            continue;
        if (size <= 0)
            return true;
        messages.add({bytes.data(), static_cast<std::size_t>(size)});
    }
    return false;
}

} // namespace

std::span<const Trial> all_trials()
{
    static const std::vector<Trial> trials = {
        {{"4.1", "4.2", "4.3", "4.4", "4.5", "4.7", "5.2",  "5.3",  "5.6",  "6.1",  "6.2", "6.3",
          "6.4", "6.5", "6.6", "6.7", "6.8", "9.3", "10.1", "11.1", "11.2", "11.3", "11.5"},
         try_ordinary_run},
        {{"12.3"}, try_determinism, SENTEVAL_CAP_DETERMINISTIC, false, true},
        {{"12.1"}, try_repetition, SENTEVAL_CAP_BATCH_INVARIANT, false, true},
        // This one comes before all others that make a second instance: one may keep another from going on.
        {{"2.1", "5.1", "8.3", "9.1", "9.2"}, try_more_instances},
        {{"13.1"}, try_extensions},
        {{"4.6"}, try_failed_call},
        {{"10.2", "11.3", "11.4", "11.5"}, try_matrix, 0, false, true},
        {{"3.2", "3.3", "10.6"}, try_places, 0, false, true},
        {{"10.3", "10.4"}, try_strange_text, 0, true, true},
        {{"5.5"}, try_cancellation},
        {{"11.6"}, try_order, 0, false, true},
        {{"11.6", "12.1"}, try_batches, SENTEVAL_CAP_BATCH_INVARIANT, false, true},
        {{"2.3"}, try_many_batches, 0, false, true},
        {{"12.2"}, try_concurrent_batches, SENTEVAL_CAP_CONCURRENT_BATCHER, false, true},
        {{"8.4", "8.6"}, try_missing_parameters},
        {{"10.5"}, try_long_text, 0, true, true},
        {{"5.4"}, try_thread_budget},
        {{"8.7"}, try_other_types},
        {{"12.5"}, try_irrelevant_parameters},
        {{"2.2"}, try_many_instances},
        {{}, try_roles},
        {{"8.5"}, try_values},
    };
    return trials;
}

void run_trials(const std::string& word)
{
    const auto json = nlohmann::json::parse(word, nullptr, false);
    if (json.is_discarded())
        throw base::UsageError("--trial is for the program itself");
    const auto request = json.get<TrialRequest>();
    set_deadline(after(request.limit_seconds));
    fcntl(report_number, F_SETFD, FD_CLOEXEC);
    Report report(report_number);
    terminating = &report;
    std::set_terminate(report_termination);
    // The last to be registered is the first to be called: nothing else happens at the plugin's exit().
    std::atexit([] { _exit(0); });
    std::at_quick_exit([] { _exit(0); });
    keep_stdout_in_memory();
    try {
        if (request.is_table)
            try_table(request.library, request.settings, report);
        else
            run_encoder_trials(request, report);
    } catch (const base::UsageError& e) {
        report.usage(e.what());
    }
    report.done();
    _exit(0); // what the plugin left to be done at the end is none of these trials
}

TrialOutcome run_in_child(const TrialRequest& request, const std::stop_token& stop)
{
    // A call that is cancelled has a while to return, and all ends a second after the limit.
    constexpr double late = 1;
    const double patience = std::clamp(request.limit_seconds / 4, late, 5.0);
    TrialRequest told = request;
    told.limit_seconds += late - patience;
    base::Pipe pipe;
    const base::Descriptor null(open("/dev/null", O_RDWR | O_CLOEXEC));
    sdk::ChildCommand command;
    command.words = {"/proc/self/exe", "check", "--trial", nlohmann::json(told).dump()};
    // Output of a plugin on trial is nobody's result, and its complaints come many times.
    command.descriptors = {{null.number(), STDOUT_FILENO},
                           {null.number(), STDERR_FILENO},
                           {pipe.writing.number(), report_number}};
    sdk::Child child(command);
    pipe.writing.close();
    Messages messages(request.first);
    const bool over =
        listen(pipe.reading.number(), child, after(request.limit_seconds + late), stop, messages);
    const auto ending = child.wait(over ? std::chrono::seconds(1) : std::chrono::seconds(0));
    return messages.finish(ending, !over);
}

} // namespace senteval::check
