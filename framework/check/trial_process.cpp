#include "check/trial_process.hpp"

#include "check/library.hpp"
#include "check/process.hpp"
#include "check/report.hpp"
#include "check/trials.hpp"
#include "core/descriptor.hpp"
#include "core/error.hpp"

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
namespace {

// ---- In the child ----

/// For the handler of std::terminate, which gets no argument.
Report* terminating = nullptr;

[[noreturn]] void report_termination()
{
    if (!std::current_exception())
        std::abort();
    terminating->broken("4.1", "an exception that nobody catches", "it ended the process");
    terminating->done();
    _exit(0);
}

void run_encoder_trial(const TrialRequest& request, const Trial& trial, Report& report)
{
    const senteval_plugin* const table = load_table(request.library, report);
    if (table == nullptr || request.encoder >= table->encoder_count)
        return;
    const senteval_encoder& encoder = *table->encoders[request.encoder];
    const auto settings = settings_of(encoder, request.settings);
    const Texts texts = request.sentences.empty() ? Texts() : Texts(request.sentences);
    Bench bench(encoder, settings, texts, report, request.claims, request.enough);
    const auto skip = [&](const std::string& why) {
        for (const std::string_view rule : trial.rules)
            report.not_tried(rule, why);
    };
    const std::size_t found = report.found();
    try {
        if (trial.needs_any_text && !texts.are_free())
            skip("it has vectors of given sentences only");
        else if (!bench.claims(trial.claim))
            skip((encoder.capabilities & trial.claim) == trial.claim
                     ? "the claim does not hold, or not for these parameters"
                     : "the encoder does not claim it");
        else
            trial.run(bench);
    } catch (const TrialEnded&) {
    } catch (const TooSlow&) {
        skip("there was no time left, see --limit-seconds");
    } catch (const std::bad_alloc&) {
        skip("there is not enough memory");
    }
    if (report.found() == found)
        for (const std::string_view rule : trial.rules)
            report.tried(rule);
}

TrialRequest request_of(const std::string& word)
{
    const auto json = core::Json::parse(word, nullptr, false);
    if (json.is_discarded())
        throw core::UsageError("--trial is for the program itself");
    return {json.at("library").get<std::string>(),
            json.at("settings").get<std::vector<std::string>>(),
            json.at("sentences").get<std::string>(),
            json.at("trial").get<std::string>(),
            json.at("encoder").get<std::size_t>(),
            json.at("claims").get<std::uint32_t>(),
            Seconds(json.at("limit").get<double>()),
            Seconds(json.at("enough").get<double>())};
}

// ---- In the process that waits ----

/// The messages of a child, up to now.
class Messages {
public:
    void add(std::string_view bytes)
    {
        text_ += bytes;
        for (std::size_t end = text_.find('\n'); end != std::string::npos; end = text_.find('\n')) {
            take(core::Json::parse(text_.substr(0, end), nullptr, false));
            text_.erase(0, end + 1);
        }
    }

    [[nodiscard]] const std::string& shown() const noexcept { return shown_; }

    /// The child has gone, or is going to: what it was doing is to blame where it did not come to its end.
    TrialOutcome finish(const std::optional<sdk::ChildEnding>& ending, bool hung)
    {
        if (!usage_.empty())
            throw core::UsageError("{}", usage_);
        if (done_)
            return std::move(outcome_);
        outcome_.hung = hung;
        const int signal = ending ? ending->signal() : 0;
        outcome_.killed = !hung && (signal == SIGKILL || signal == SIGTERM);
        if (outcome_.killed)
            outcome_.not_tried.push_back({rule_, shown_ + ": the process " + ending->text()});
        else if (hung)
            outcome_.fatal = {has_own_rule_of_hanging() ? rule_ : "5.5", shown_,
                              "it had not returned some seconds after it was cancelled"};
        else if (!ending)
            outcome_.fatal = {"6.7", shown_, "another program runs, or foreign files were closed"};
        else
            outcome_.fatal = {signal == 0 || signal == SIGABRT ? "6.7" : rule_, shown_,
                              "the process " + ending->text()};
        return std::move(outcome_);
    }

private:
    /// Where the library is loaded nobody can cancel; where instances or batches overlap, one keeps the other
    /// from going on.
    [[nodiscard]] bool has_own_rule_of_hanging() const
    {
        return rule_.starts_with("1.") || rule_ == "5.1" || rule_ == "12.2";
    }

    void take(const core::Json& message)
    {
        const auto text = [&](const char* key) { return message.value(key, std::string()); };
        if (message.contains("doing")) {
            rule_ = text("doing");
            shown_ = text("shown");
        } else if (message.contains("tried")) {
            outcome_.tried.push_back(text("tried"));
        } else if (message.contains("broken")) {
            outcome_.broken.push_back({text("broken"), text("shown"), text("detail")});
        } else if (message.contains("not_tried")) {
            outcome_.not_tried.push_back({text("not_tried"), text("why")});
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
            const std::function<void(std::string_view bytes)>& take)
{
    std::array<char, 65536> bytes{};
    while (Clock::now() < end) {
        if (stop.stop_requested())
            throw core::Cancelled();
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
        take({bytes.data(), static_cast<std::size_t>(size)});
    }
    return false;
}

} // namespace

std::span<const Trial> all_trials()
{
    static const std::vector<Trial> trials = {
        {"an ordinary run",
         {"4.1", "4.2", "4.3", "4.4", "4.5", "4.7", "5.2",  "5.6",  "6.1",  "6.2",  "6.3",
          "6.4", "6.5", "6.6", "6.7", "6.8", "9.3", "10.1", "11.1", "11.2", "11.3", "11.5"},
         try_start},
        // Where a thread is left behind, it may crash whenever it likes.
        {"threads end with their instance", {"5.3"}, try_threads_end},
        // Where an instance keeps others from going on, nothing else that makes a second one is to blame.
        {"several instances at once", {"5.1"}, try_instances_at_once},
        // Claims that do not hold are not believed by the trials that follow.
        {"the same bits again", {"12.3"}, try_determinism, SENTEVAL_CAP_DETERMINISTIC, false, true},
        {"batches in another order", {"12.1"}, try_order, SENTEVAL_CAP_BATCH_INVARIANT},
        {"batches of other sentences", {"11.6", "12.1"}, try_batches, SENTEVAL_CAP_BATCH_INVARIANT},
        {"two instances", {"5.1"}, try_two_instances},
        {"parameters left out", {"8.3", "8.4", "8.6"}, try_defaults},
        {"values of parameters", {"8.5"}, try_values},
        {"parameters of other types", {"8.7"}, try_other_types},
        {"before prepare()", {"9.2"}, try_before_prepare},
        {"prepare() again", {"9.1"}, try_prepare_again},
        {"extensions", {"13.1"}, try_extensions},
        {"many batches", {"2.3"}, try_many_batches},
        {"after a failed call", {"4.6"}, try_failed_call},
        {"many instances", {"2.2"}, try_many_instances},
        {"pointers", {"2.1"}, try_kept_pointers},
        {"an empty batch", {"10.2"}, try_empty_batch},
        {"an empty sentence", {"10.3"}, try_empty_sentence, 0, true},
        {"characters", {"10.4"}, try_characters, 0, true},
        {"lengths", {"10.5"}, try_lengths, 0, true},
        {"where text lies", {"3.2", "3.3", "10.6"}, try_places},
        {"the matrix", {"11.3", "11.4", "11.5"}, try_matrix},
        {"prepare() that does not matter",
         {"12.4"},
         try_irrelevant_prepare,
         SENTEVAL_CAP_PREPARE_IRRELEVANT},
        {"parameters that do not matter",
         {"12.5"},
         try_irrelevant_parameters,
         SENTEVAL_CAP_DETERMINISTIC},
        {"threads", {"5.4"}, try_thread_budget},
        {"cancellation", {"5.5"}, try_cancellation},
        {"overlapping batches", {"12.2"}, try_concurrent_batches, SENTEVAL_CAP_CONCURRENT_BATCHER},
    };
    return trials;
}

std::string to_word(const TrialRequest& request)
{
    return core::to_text({{"library", request.library.string()},
                          {"settings", request.settings},
                          {"sentences", request.sentences},
                          {"trial", request.trial},
                          {"encoder", request.encoder},
                          {"claims", request.claims},
                          {"limit", request.limit.count()},
                          {"enough", request.enough.count()}});
}

void run_trial(const std::string& word)
{
    const TrialRequest request = request_of(word);
    set_deadline(Clock::now() + std::chrono::duration_cast<Clock::duration>(request.limit));
    fcntl(report_number, F_SETFD, FD_CLOEXEC);
    Report report(report_number);
    terminating = &report;
    std::set_terminate(report_termination);
    // The last to be registered is the first to be called: nothing else happens at the plugin's exit().
    std::atexit([] { _exit(0); });
    std::at_quick_exit([] { _exit(0); });
    keep_stdout_in_memory();
    const auto trial = std::ranges::find(all_trials(), request.trial, &Trial::name);
    try {
        if (trial == all_trials().end())
            try_table(request.library, request.settings, report);
        else
            run_encoder_trial(request, *trial, report);
    } catch (const core::UsageError& e) {
        report.usage(e.what());
    }
    report.done();
    _exit(0); // what the plugin left to be done at the end is none of this trial
}

TrialOutcome run_in_child(const TrialRequest& request,
                          const std::stop_token& stop,
                          const std::function<void(std::string_view shown)>& listener)
{
    constexpr Seconds patience(5); // with a call that is cancelled
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        throw core::Error("cannot make a pipe: {}", std::generic_category().message(errno));
    const core::Descriptor reading(ends[0]);
    std::optional<core::Descriptor> writing(ends[1]);
    const core::Descriptor null(open("/dev/null", O_RDWR | O_CLOEXEC));
    sdk::ChildCommand command;
    command.words = {"/proc/self/exe", "check", "--trial", to_word(request)};
    // What a plugin prints while it is tried is nobody's result, and its complaints come many times.
    command.descriptors = {
        {null.number(), STDOUT_FILENO}, {null.number(), STDERR_FILENO}, {ends[1], report_number}};
    sdk::Child child(command);
    writing.reset();
    Messages messages;
    const bool over =
        listen(reading.number(), child,
               Clock::now() + std::chrono::duration_cast<Clock::duration>(request.limit + patience),
               stop, [&](std::string_view bytes) {
                   messages.add(bytes);
                   listener(messages.shown());
               });
    const auto ending = child.wait(over ? std::chrono::seconds(1) : std::chrono::seconds(0));
    return messages.finish(ending, !over);
}

} // namespace senteval::check
