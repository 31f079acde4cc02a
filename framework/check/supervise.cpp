#include "check/child.hpp"

#include "core/child_process.hpp"
#include "core/descriptor.hpp"
#include "core/error.hpp"
#include "isolation/crash_report.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <system_error>

namespace senteval::check {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

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

    [[nodiscard]] std::size_t part() const noexcept { return outcome_.part; }
    [[nodiscard]] const std::string& shown() const noexcept { return shown_; }

    /// The child has gone: what it was doing is to blame where it did not say that it was done.
    TrialOutcome finish(const core::ChildEnding* ending,
                        const std::optional<isolation::CrashReport>& crash)
    {
        if (!usage_.empty())
            throw core::UsageError("{}", usage_);
        if (done_)
            return std::move(outcome_);
        outcome_.crashed = true;
        outcome_.spent += Clock::now() - spent_at_; // nobody is left who knows better
        if (gave_up_)
            return std::move(outcome_);
        if (ending == nullptr)
            outcome_.not_tried.push_back({rule_, "the process of the trial did not end"});
        else if (ending->signal() == SIGKILL || ending->signal() == SIGTERM)
            outcome_.not_tried.push_back({rule_, "the process of the trial " + ending->text()});
        else
            add_crash({rule_of(*ending), shown_, what_of(*ending, crash)},
                      !crash || crash->is_own_thread);
        return std::move(outcome_);
    }

private:
    void take(const core::Json& message)
    {
        const auto text = [&](const char* key) { return message.value(key, std::string()); };
        if (message.contains("doing")) {
            rule_ = text("doing");
            shown_ = text("shown");
        } else if (message.contains("part")) {
            outcome_.part = message.at("part").get<std::size_t>();
            spent(message);
        } else if (message.contains("spent")) {
            spent(message);
        } else if (message.contains("claims")) {
            outcome_.claims = message.at("claims").get<std::uint32_t>();
            outcome_.is_slow = message.at("slow").get<bool>();
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
        gave_up_ = gave_up_ || message.contains("gave_up");
    }

    void spent(const core::Json& message)
    {
        outcome_.spent = Seconds(message.at("spent").get<double>());
        spent_at_ = Clock::now();
    }

    [[nodiscard]] std::string rule_of(const core::ChildEnding& ending) const
    {
        return ending.signal() == 0 || ending.signal() == SIGABRT ? "6.7" : rule_;
    }

    /// What was tried is not to blame for certain where the crash came on another thread than the call's.
    void add_crash(Finding finding, bool in_call)
    {
        if (in_call || finding.rule == "6.7" || finding.rule == "5.3")
            outcome_.broken.push_back(std::move(finding));
        else
            outcome_.stray = std::move(finding);
    }

    static std::string what_of(const core::ChildEnding& ending,
                               const std::optional<isolation::CrashReport>& crash)
    {
        if (ending.signal() == 0)
            return "it ended the process";
        std::string what = "the process " + ending.text();
        if (crash && crash->operation)
            what += fmt::format(" {}", isolation::phase_of(*crash->operation));
        return what + (crash ? crash->text() : "");
    }

    std::string text_;
    Clock::time_point spent_at_ = Clock::now();
    std::string rule_ = "1.1";
    std::string shown_;
    std::string usage_;
    bool done_ = false;
    bool gave_up_ = false;
    TrialOutcome outcome_;
};

core::ChildCommand command_for(const TrialRequest& request, int report, int crash, int null)
{
    core::ChildCommand command;
    command.words = {"/proc/self/exe", "check", "--trial", to_word(request)};
    // What a plugin prints while it is tried is nobody's result, and its complaints come many times.
    command.descriptors = {{null, STDOUT_FILENO},
                           {null, STDERR_FILENO},
                           {report, report_number},
                           {crash, crash_number}};
    return command;
}

} // namespace

TrialOutcome
supervise(const TrialRequest& request, const std::stop_token& stop, const TrialListener& listener)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        throw core::Error("cannot make a pipe: {}", std::generic_category().message(errno));
    const core::Descriptor reading(ends[0]);
    std::optional<core::Descriptor> writing(ends[1]);
    const core::Descriptor null(open("/dev/null", O_RDWR | O_CLOEXEC));
    const isolation::SharedBuffer crash(isolation::crash_report_size);
    core::ChildProcess child(command_for(request, ends[1], crash.descriptor(), null.number()));
    writing.reset();

    // The child keeps to its limit by its own time; this is for one that cannot.
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                             request.limit * 10 + Seconds(120));
    Messages messages;
    std::array<char, 65536> bytes{};
    while (Clock::now() < deadline) {
        if (stop.stop_requested())
            throw core::Cancelled();
        pollfd wanted{reading.number(), POLLIN, 0};
        const int ready = poll(&wanted, 1, 200);
        if (ready == 0 && child.wait(milliseconds(0)))
            break; // somebody it started holds the pipe open
        if (ready <= 0)
            continue;
        const ssize_t size = read(reading.number(), bytes.data(), bytes.size());
        if (size < 0 && errno == EINTR)
            continue;
        if (size <= 0)
            break;
        messages.add({bytes.data(), static_cast<std::size_t>(size)});
        if (listener)
            listener(messages.part(), messages.shown());
    }
    const auto ending = child.wait(std::chrono::seconds(10));
    return messages.finish(ending ? &*ending : nullptr, isolation::read_crash_report(crash));
}

} // namespace senteval::check
