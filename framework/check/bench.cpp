#include "check/bench.hpp"

#include <fmt/format.h>

#include <sys/mman.h>

#include <bit>
#include <utility>

namespace senteval::check {

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

void Bench::step(std::string_view rule, std::string what)
{
    calls_in_step_ = 0;
    rule_ = rule;
    shown_ = std::move(what);
    report_.doing(rule_, shown_);
    report_.tried(rule_);
}

Reply Bench::call(const char* function,
                  const CallOptions& options,
                  const std::function<senteval_status(const senteval_call*)>& body)
{
    if (is_past_deadline())
        throw TooSlow{};
    auto owner = std::make_unique<TrialCall>(report_, function, options);
    TrialCall& call = *owner;
    Reply reply;
    bool has_thrown = false;
    try {
        reply.status = body(call.get());
    } catch (...) {
        has_thrown = true;
    }
    call.end();
    reply.reason = call.reason();
    const bool was_cancelled = call.was_cancelled();
    { // it may be used too late
        constexpr std::size_t most = 64;
        const std::lock_guard lock(mutex_);
        calls_.push_back(std::move(owner));
        if (calls_.size() > most)
            calls_.pop_front();
    }
    if (has_thrown) {
        broken("4.1", fmt::format("an exception left {}", function));
        return {Reply::Kind::misbehaved, SENTEVAL_INTERNAL, ""};
    }
    end_call(function);
    if (reply.status == SENTEVAL_OK)
        return reply;
    if (reply.status == SENTEVAL_CANCELLED && is_past_deadline())
        throw TooSlow{};
    reply.kind = Reply::Kind::misbehaved;
    if (reply.status > SENTEVAL_INTERNAL)
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
    try {
        body();
    } catch (...) {
        broken("4.1", fmt::format("an exception left {}", function));
    }
    end_call(function);
}

/// The state of the process is compared after each of the first calls of a step, and after some of the others:
/// it takes a hundred system calls.
void Bench::end_call(const char* function)
{
    report_.end_if_forked(shown_);
    constexpr std::size_t always = 4;
    if (std::this_thread::get_id() != thread_ ||
        (++calls_in_step_ > always && !std::has_single_bit(calls_in_step_)))
        return;
    const auto changes = state_.changes();
    for (const Change& one : changes)
        broken(one.rule, fmt::format("after {}, {}", function, one.what));
    if (!changes.empty())
        state_ = Snapshot();
}

Reply Bench::create(const std::vector<Setting>& settings, std::unique_ptr<Instance>& out)
{
    // In memory that can go away with the call: rule 2.1.
    std::vector<GuardedMemory> texts;
    std::vector<senteval_param> params;
    const auto kept = [&](const std::string& text) {
        senteval_string view = texts.emplace_back(text + '\0').view();
        --view.size;
        return view;
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
            text.protect(PROT_NONE);
            gone_.push_back(std::move(text));
        }
    if (reply.done() ? raw == untouched || raw == nullptr : raw != untouched) {
        broken("4.7", reply.done() ? "create() succeeded, but made no instance"
                                   : "create() failed, but wrote to *out");
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

void Bench::require(const Reply& reply, const char* function)
{
    require(reply, function, rule_);
}

void Bench::require_of_text(const Reply& reply, const char* function)
{
    require(reply, function, rule_.starts_with("10.") ? rule_ : "10.1");
}

void Bench::require(const Reply& reply, const char* function, std::string_view rule)
{
    if (reply.done())
        return;
    if (reply.refused())
        broken(rule, fmt::format("{} failed: {}", function,
                                 reply.reason.empty() ? "cancelled" : shown(reply.reason)));
    throw TrialEnded{};
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
    constexpr double rounding = 1e-3;
    constexpr int times = 3;
    for (int time = 0; time < times; ++time)
        if (distance(expected, instance.encode(batch)) > rounding) {
            not_tried("the same batch gets other vectors the next time");
            return false;
        }
    return true;
}

} // namespace senteval::check
