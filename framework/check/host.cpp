#include "check/host.hpp"

#include "base/unicode.hpp"

#include <senteval/printable.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace senteval::check {
namespace {

std::atomic<Clock::time_point> the_deadline{Clock::time_point::max()};

std::string_view view(senteval_string text)
{
    return text.size == 0 ? std::string_view() : std::string_view(text.data, text.size);
}

} // namespace

void set_deadline(Clock::time_point deadline) noexcept
{
    the_deadline = deadline;
}

bool is_past_deadline(Seconds soon) noexcept
{
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(soon) >= the_deadline.load();
}

std::optional<std::string> wrong_text(std::string_view text, bool lines_allowed)
{
    if (base::find_invalid_utf8(text) != std::string_view::npos)
        return shown(text) + " is not UTF-8";
    const auto is_control = [&](char c) {
        const bool is_line = lines_allowed && (c == '\n' || c == '\t');
        return (static_cast<unsigned char>(c) < 0x20 && !is_line) || c == 0x7f;
    };
    if (std::ranges::any_of(text, is_control))
        return shown(text) + " holds a control character";
    return std::nullopt;
}

std::string shown(std::string_view text)
{
    constexpr std::size_t longest = 60;
    return sdk::printable_line(text, longest, true);
}

std::string told(std::string_view reason)
{
    constexpr std::size_t most = 10'000;
    return sdk::printable(reason.substr(0, most)) + (reason.size() > most ? "..." : "");
}

void log_line(const senteval_host* host, senteval_log_level, senteval_string line)
{
    if (const auto wrong = wrong_text(view(line), true))
        static_cast<Report*>(host->ctx)->broken("3.1", "host->log()", *wrong);
}

TrialCall::TrialCall(Report& report, std::string_view function, const CallOptions& options)
    : report_(report), function_(function), yields_(options.yields)
{
    if (options.cancelled_after)
        cancelled_at_ =
            Clock::now() + std::chrono::duration_cast<Clock::duration>(*options.cancelled_after);
    call_.struct_size = sizeof call_;
    call_.thread_budget = options.thread_budget;
    call_.ctx = this;
    call_.fail = [](const senteval_call* call, senteval_string message) {
        TrialCall& self = used(call, "fail");
        if (!self.is_in_call())
            return;
        self.reason_ = view(message);
        if (const auto wrong = wrong_text(self.reason_, true))
            self.report_.broken("3.1", fmt::format("call->fail() in {}", self.function_), *wrong);
    };
    call_.progress = [](const senteval_call* call, std::uint64_t done, std::uint64_t total) {
        TrialCall& self = used(call, "progress");
        if (!self.is_in_call())
            return;
        if (done < self.done_ || (total != 0 && done > total))
            self.report_.broken("5.6", fmt::format("call->progress() in {}", self.function_),
                                fmt::format("{} of {} after {}", done, total, self.done_));
        self.done_ = done;
    };
    call_.is_cancelled = [](const senteval_call* call) -> std::uint32_t {
        TrialCall& self = used(call, "is_cancelled");
        if (!is_past_deadline() && !(self.cancelled_at_ && Clock::now() >= *self.cancelled_at_))
            return 0;
        self.told_cancelled_ = true;
        return 1;
    };
}

TrialCall& TrialCall::used(const senteval_call* call, const char* service)
{
    TrialCall& self = *static_cast<TrialCall*>(call->ctx);
    const bool is_elsewhere = self.thread_ != std::this_thread::get_id();
    if (self.ended_ || is_elsewhere)
        self.report_.broken("5.2", fmt::format("call->{}() in {}", service, self.function_),
                            self.ended_ ? "was called after the call had returned"
                                        : "was called on another thread than the call");
    if (self.yields_)
        std::this_thread::sleep_for(std::chrono::microseconds(20));
    return self;
}

} // namespace senteval::check
