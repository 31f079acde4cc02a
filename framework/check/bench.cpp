#include "check/bench.hpp"

#include "check/pages.hpp"
#include "check/watchdog.hpp"
#include "isolation/crash_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

namespace senteval::check {
namespace {

bool is_defined(senteval_status status)
{
    return status <= SENTEVAL_INTERNAL;
}

Sentences copy(const Sentences& sentences)
{
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < sentences.size(); ++i)
        texts.emplace_back(sentences[i]);
    return Sentences(std::move(texts));
}

/// As long, and of as many words, with an x in place of each byte.
Sentences without_characters(const Sentences& sentences)
{
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        texts.emplace_back(sentences[i]);
        std::ranges::replace_if(
            texts.back(), [](char c) { return c != ' '; }, 'x');
    }
    return Sentences(std::move(texts));
}

} // namespace

std::string too_slow(Seconds limit)
{
    return fmt::format("not tried: too slow, --limit-seconds {:g}", limit.count());
}

void watch_this_thread()
{
    thread_local const isolation::WatchedThread watched;
}

Bench::Bench(const senteval_encoder& encoder,
             std::vector<Setting> settings,
             const Texts& texts,
             Reporter& reporter,
             Seconds limit,
             bool again)
    : encoder_(encoder),
      settings_(std::move(settings)),
      texts_(texts),
      reporter_(reporter),
      limit_(limit),
      again_(again),
      host_(reporter)
{
}

void Bench::step(std::string_view rule, std::string shown)
{
    compare_state_now();
    calls_in_step_ = 0;
    rule_ = rule;
    shown_ = std::move(shown);
    reporter_.doing(rule_, shown_);
    reporter_.tried(rule_);
}

void Bench::broken(std::string_view detail)
{
    broken(rule_, detail);
}

void Bench::broken(std::string_view rule, std::string_view detail)
{
    reporter_.broken(rule, shown_, detail);
}

void Bench::in_part(std::string_view tried)
{
    in_part(rule_, tried);
}

void Bench::in_part(std::string_view rule, std::string_view tried)
{
    reporter_.not_tried(rule,
                        fmt::format("tried in part: {}; too slow for more, --limit-seconds {:g}",
                                    tried, limit_.count()));
}

void Bench::keep_for_a_while(std::unique_ptr<TrialCall> ended)
{
    constexpr std::size_t most = 64;
    const std::lock_guard lock(mutex_);
    if (calls_.size() == most)
        calls_.pop_front();
    calls_.push_back(std::move(ended));
}

bool Reply::refused_a_value() const noexcept
{
    return refused() && (status == SENTEVAL_INVALID_ARGUMENT || status == SENTEVAL_NOT_FOUND ||
                         status == SENTEVAL_UNSUPPORTED || status == SENTEVAL_OUT_OF_MEMORY ||
                         status == SENTEVAL_CANCELLED);
}

std::string Reply::failure() const
{
    return fmt::format("it failed with status {}: {}", status, shown(reason));
}

Reply Bench::call(const char* function,
                  const CallOptions& options,
                  const std::function<senteval_status(const senteval_call*)>& body)
{
    if (TrialCall::all_cancelled())
        throw TooSlow{};
    watch_this_thread();
    auto owner = std::make_unique<TrialCall>(reporter_, function, options);
    const TrialCall& call = *owner;
    Reply reply;
    try {
        const Watchdog::Running running(function);
        reply.status = body(call.get());
    } catch (...) {
        owner->end();
        keep_for_a_while(std::move(owner));
        broken("4.1", fmt::format("an exception left {}", function));
        return {Reply::Kind::misbehaved, SENTEVAL_INTERNAL, ""};
    }
    owner->end();
    compare_state(function);
    reply.reason = call.reason();
    const bool was_cancelled = call.was_cancelled();
    keep_for_a_while(std::move(owner));
    if (reply.status == SENTEVAL_OK)
        return reply;
    if (reply.status == SENTEVAL_CANCELLED && TrialCall::all_cancelled())
        throw TooSlow{};
    reply.kind = Reply::Kind::misbehaved;
    if (!is_defined(reply.status))
        broken("4.4", fmt::format("{} returned {}, which is no status", function, reply.status));
    else if (reply.status == SENTEVAL_CANCELLED && !was_cancelled)
        broken("4.5", fmt::format("{} returned SENTEVAL_CANCELLED", function));
    else if (reply.status != SENTEVAL_CANCELLED && reply.reason.empty())
        broken("4.3", fmt::format("{} returned {} and gave no reason", function, reply.status));
    else
        reply.kind = Reply::Kind::refused;
    return reply;
}

void Bench::call_plain(const char* function, const std::function<void()>& body)
{
    watch_this_thread();
    try {
        const Watchdog::Running running(function);
        body();
    } catch (...) {
        broken("4.1", fmt::format("an exception left {}", function));
    }
    compare_state(function);
}

/// After each of the first calls of a step; of many alike, after some and the last.
void Bench::compare_state(std::string_view function)
{
    if (!state_ || !state_->is_of_this_thread())
        return;
    constexpr std::size_t always = 4;
    last_call_ = function;
    if (++calls_in_step_ <= always || std::has_single_bit(calls_in_step_))
        compare_state_now();
}

/// The step as a rule shows the call; else what it shows is where that is.
void Bench::compare_state_now()
{
    if (!state_ || last_call_.empty())
        return;
    const auto name = std::string_view(last_call_).substr(0, last_call_.size() - 1);
    state_->after(shown_.starts_with(name) ? shown_
                                           : fmt::format("{}, in: {}", last_call_, shown_));
    last_call_.clear();
}

Reply Bench::create(const std::vector<Setting>& settings, std::unique_ptr<Instance>& out)
{
    // In memory that goes away with the call: rule 2.1.
    std::vector<GuardedMemory> texts;
    std::vector<senteval_param> params;
    const auto kept = [&](const std::string& text) {
        texts.emplace_back(text.size(), true);
        std::memcpy(texts.back().bytes().data(), text.data(), text.size());
        return senteval_string{reinterpret_cast<const char*>(texts.back().bytes().data()),
                               text.size()};
    };
    for (const Setting& setting : settings) {
        senteval_param param{kept(setting.key), setting.value};
        if (setting.value.type == SENTEVAL_TYPE_STRING || setting.value.type == SENTEVAL_TYPE_PATH)
            param.value.as.string = kept(setting.text);
        params.push_back(param);
    }
    auto* const untouched = reinterpret_cast<senteval_instance*>(this);
    senteval_instance* raw = untouched;
    Reply reply = call("create()", {}, [&](const senteval_call* call) {
        return encoder_.create(call, host_.get(), params.data(), params.size(), &raw);
    });
    if (takes_texts_away_)
        for (GuardedMemory& text : texts) {
            text.forbid();
            gone_.push_back(std::move(text));
        }
    if (reply.done() && (raw == untouched || raw == nullptr)) {
        broken("4.7", "create() succeeded, but made no instance");
        reply.kind = Reply::Kind::misbehaved;
    } else if (!reply.done() && raw != untouched) {
        broken("4.7", "create() failed, but wrote to *out");
        reply.kind = Reply::Kind::misbehaved;
    }
    if (reply.done())
        out = std::make_unique<Instance>(*this, raw);
    return reply;
}

std::unique_ptr<Instance> Bench::create()
{
    std::unique_ptr<Instance> instance;
    require(create(settings_, instance), "create()");
    return instance;
}

std::unique_ptr<Instance> Bench::create_for(const Sentences& samples)
{
    auto instance = create();
    instance->ready_for(samples);
    return instance;
}

std::shared_ptr<Instance> Bench::instance()
{
    if (!is_slow_)
        return create();
    if (!shared_)
        shared_ = create();
    return shared_;
}

std::shared_ptr<Instance> Bench::instance_for(const Sentences& samples)
{
    auto any = instance();
    any->ready_for(samples);
    return any;
}

void Bench::require(const Reply& reply, const char* function)
{
    if (reply.done())
        return;
    if (reply.refused())
        broken(fmt::format("{} failed: {}", function,
                           reply.reason.empty() ? "cancelled" : shown(reply.reason)));
    throw TrialEnded{};
}

bool Bench::is_refused_anyway(const Sentences& tried)
{
    const bool characters = rule_ == "10.4";
    if ((rule_.starts_with("10.") && !characters) || !state_ || !state_->is_of_this_thread())
        return false;
    const Sentences sentences = characters ? without_characters(tried) : copy(tried);
    std::unique_ptr<Instance> another;
    const auto refuses = [&](const Sentences& given) {
        const Reply reply = another->put_to_use(given);
        if (!reply.refused() || reply.status == SENTEVAL_CANCELLED)
            return false;
        reporter_.broken(given.size() == 1 && given[0].empty() ? "10.3" : "10.1",
                         fmt::format("prepare() and batcher({})", given.shown()),
                         "it failed: " + shown(reply.reason));
        return true;
    };
    if (!create(settings_, another).done() || !another->put_to_use(sentences).refused())
        return false;
    for (std::size_t i = 0; i < sentences.size() && has_time(); ++i) // alone it says more
        if (refuses(Sentences({std::string(sentences[i])})))
            return true;
    return refuses(sentences);
}

void Bench::require_of(const Sentences& sentences, const Reply& reply, const char* function)
{
    if (reply.refused() && reply.status != SENTEVAL_CANCELLED && is_refused_anyway(sentences)) {
        reporter_.not_tried(rule_, "a sentence that it was to be tried with is refused");
        throw TrialEnded{};
    }
    require(reply, function);
}

bool Bench::same(const Vectors& expected, const Vectors& found, bool bits, std::string_view how)
{
    if (expected.dimension != found.dimension) {
        broken(fmt::format("the dimension is {} in place of {} {}", found.dimension,
                           expected.dimension, how));
        return false;
    }
    if (expected.dimension == 0)
        return true;
    for (std::size_t i = 0; i < expected.values.size() / expected.dimension; ++i) {
        const auto at = difference(expected.row(i), found.row(i), bits);
        if (at < 0)
            continue;
        const auto k = static_cast<std::size_t>(at);
        broken(fmt::format("element {} of row {} is {} in place of {} {}", k + 1, i + 1,
                           found.row(i)[k], expected.row(i)[k], how));
        return false;
    }
    return true;
}

bool Bench::comes_again(Instance& instance, const Sentences& batch, const Vectors& expected)
{
    constexpr int times = 3;
    const Seconds enough = passed() + (most() - passed()) * 0.1;
    for (int time = 0; time < times && (time == 0 || passed() < enough); ++time) {
        const Vectors found = instance.encode(batch);
        for (std::size_t i = 0; i < batch.size(); ++i)
            if (difference(expected.row(i), found.row(i), false) >= 0) {
                reporter_.not_tried(rule_, "the same batch gets other vectors the next time");
                return false;
            }
    }
    return true;
}

} // namespace senteval::check
