#include "check/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
    return fmt::format("it failed with status {}: {}", status, told(reason));
}

// ---- Instance ----

namespace {

bool is_untouched(float x)
{
    return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(untouched);
}

} // namespace

Instance::~Instance()
{
    bench_.call_plain("destroy()", [&] { bench_.encoder().destroy(raw_); });
}

Reply Instance::prepare(const Sentences& samples, const char* language)
{
    if (bench_.encoder().prepare == nullptr)
        return {};
    const senteval_task task{sizeof task, 0, "Trial", language};
    senteval_batch batch = samples.batch();
    if (bench_.reranks())
        batch.count = std::min<std::size_t>(batch.count, 1);
    return bench_.call("prepare()", {}, [&](const senteval_call* call) {
        return bench_.encoder().prepare(call, raw_, &task, &batch);
    });
}

Reply Instance::dimension(std::size_t& out)
{
    return bench_.call("dimension()", {}, [&](const senteval_call* call) {
        return bench_.encoder().dimension(call, raw_, &out);
    });
}

Reply Instance::batcher(const Sentences& sentences,
                        senteval_matrix& out,
                        const CallOptions& options)
{
    const senteval_batch batch = sentences.batch();
    if (const auto encode = bench_.encode_of_role())
        return bench_.call("encode()", options, [&](const senteval_call* call) {
            return encode(call, raw_, bench_.role(), &batch, &out);
        });
    return bench_.call("batcher()", options, [&](const senteval_call* call) {
        return bench_.encoder().batcher(call, raw_, &batch, &out);
    });
}

Reply Instance::batcher(const Sentences& sentences, const CallOptions& options)
{
    std::vector<float> memory(sentences.size() * cols_);
    senteval_matrix out{sizeof out, 0, memory.data(), sentences.size(), cols_, cols_};
    return batcher(sentences, out, options);
}

void Instance::ready_for(const Sentences& samples)
{
    bench_.require_of_text(prepare(samples), "prepare()");
    std::size_t cols = 0;
    bench_.require(dimension(cols), "dimension()");
    constexpr std::size_t most = std::size_t{1} << 24;
    if (cols == 0 || cols > most ||
        (bench_.encoder().prepare == nullptr && cols_ != 0 && cols != cols_)) {
        bench_.broken("9.3", fmt::format("the dimension is {}, and was {} before", cols, cols_));
        throw TrialEnded{};
    }
    cols_ = cols;
}

Vectors
Instance::encode(const Sentences& sentences, const CallOptions& options, const Layout& layout)
{
    constexpr std::size_t around = 16; // floats of a cache line, which must stay as they are
    const std::size_t rows = sentences.size();
    const std::size_t stride = cols_ + layout.gap;
    const std::size_t used = rows == 0 ? 0 : (rows - 1) * stride + cols_;
    std::vector<float> memory(used + 3 * around + layout.skew, untouched);
    const auto address = reinterpret_cast<std::uintptr_t>(memory.data()) / sizeof(float);
    const std::size_t begin = around + (around - address % around) % around + layout.skew;
    float* const data = memory.data() + begin;
    for (std::size_t i = 0; i < rows; ++i)
        std::fill_n(data + i * stride, cols_, layout.content);

    senteval_matrix out{sizeof out, 0, data, rows, cols_, stride};
    const Reply reply = batcher(sentences, out, options);
    if (reply.refused() && reply.status == SENTEVAL_CANCELLED)
        throw TooSlow{};
    bench_.require_of_text(reply, "batcher()");

    const auto blame = [&](std::string_view rule, const std::string& detail) {
        bench_.report().broken(rule, fmt::format("batcher({})", sentences.shown()), detail);
        throw TrialEnded{};
    };
    for (std::size_t at = 0; at < memory.size(); ++at) {
        const bool inside = at >= begin && at < begin + used && (at - begin) % stride < cols_;
        if (!inside && !is_untouched(memory[at]))
            blame(rows == 0 ? "10.2" : "11.3", fmt::format("float {} of the matrix was written to",
                                                           static_cast<std::ptrdiff_t>(at) -
                                                               static_cast<std::ptrdiff_t>(begin)));
    }
    Vectors vectors{cols_, {}};
    vectors.values.reserve(rows * cols_);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t k = 0; k < cols_; ++k) {
            const float x = data[i * stride + k];
            if (is_untouched(x)) {
                // Left as it was, or added to?
                const Vectors again = encode(sentences, options, {layout.gap, layout.skew, 1.0F});
                for (std::size_t j = 0; j < cols_; ++j)
                    if (is_untouched(data[i * stride + j]) && again.row(i)[j] != 1.0F)
                        blame("11.5", "the vectors depend on what the matrix held");
                blame(sentences[i].empty() ? "10.3" : "11.1",
                      fmt::format("element {} of the row of {} was not written", k + 1,
                                  shown(sentences[i])));
            }
            if (!std::isfinite(x))
                blame(sentences[i].empty() ? "10.3" : "11.2",
                      fmt::format("element {} of the row of {} is {}", k + 1, shown(sentences[i]),
                                  x));
            vectors.values.push_back(x);
        }
    return vectors;
}

std::size_t repeat(std::size_t most, const std::function<void()>& body, Seconds period)
{
    const auto begin = Clock::now();
    std::size_t times = 0;
    for (; times < most && (times == 0 || Clock::now() - begin < period); ++times)
        body();
    return times;
}

// ---- Bench ----

Bench::Bench(const senteval_encoder& encoder,
             std::vector<encoder::Parameter> settings,
             const Texts& texts,
             Report& report,
             const TrialRequest& request)
    : encoder_(encoder),
      settings_(std::move(settings)),
      texts_(texts),
      report_(report),
      request_(request),
      host_{sizeof(senteval_host),
            SENTEVAL_ABI_VERSION,
            "senteval check",
            SENTEVAL_PROGRAM_VERSION,
            &report,
            log_line,
            [](const senteval_host*, const char*) -> const void* { return nullptr; }}
{
}

void Bench::step(std::string_view rule, std::string shown)
{
    calls_in_step_ = 0;
    rule_ = rule;
    shown_ = std::move(shown);
    report_.doing(rule_, shown_);
}

bool Bench::reranks()
{
    if (!reranks_) {
        reranks_ = false;
        if (encoder_.get_extension != nullptr)
            call_plain("get_extension()", [&] {
                reranks_ =
                    encoder_.get_extension(&encoder_, SENTEVAL_RERANKER_EXTENSION) != nullptr;
            });
    }
    return *reranks_;
}

void Bench::use_role(decltype(senteval_roles::encode) encode, senteval_role role)
{
    if (encode != encode_of_role_ || role != role_)
        first_ = {};
    encode_of_role_ = encode;
    role_ = role;
    constexpr const char* names[] = {"AS_IS", "QUERY", "DOCUMENT"};
    report_.about(encode == nullptr ? ""
                                    : fmt::format("encode(SENTEVAL_ROLE_{}) as ", names[role]));
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
    const auto begin = Clock::now();
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
        throw TooSlow{Clock::now() - begin};
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

/// The state of the process is compared after the first calls of a step: it takes a hundred system calls.
void Bench::end_call(const char* function)
{
    report_.end_if_forked(shown_);
    constexpr int most = 4;
    if (std::this_thread::get_id() != thread_ || ++calls_in_step_ > most)
        return;
    auto now = process_state();
    for (std::size_t i = 0; i < now.size(); ++i)
        if (has_changed(state_[i], now[i]))
            broken(now[i].rule, fmt::format("after {}, {} is '{}' and was '{}'", function,
                                            now[i].name, *now[i].value, *state_[i].value));
        else if (state_[i].value && !now[i].value) {
            report_.skipped(now[i].rule, now[i].name + " cannot be read any more");
            now[i].value = state_[i].value;
        }
    state_ = std::move(now);
}

Reply Bench::create(const std::vector<encoder::Parameter>& settings, std::unique_ptr<Instance>& out)
{
    std::vector<GuardedMemory> texts;
    std::vector<senteval_param> params;
    const auto kept = [&](const std::string& text) {
        senteval_string view = texts.emplace_back(text + '\0').view();
        --view.size;
        return view;
    };
    for (const encoder::Parameter& setting : settings) {
        senteval_param param{kept(setting.key), encoder::to_value(setting.type, setting.value)};
        if (setting.value.is_string())
            param.value.as.string = kept(setting.value.get<std::string>());
        params.push_back(param);
    }
    if (is_past_deadline(2 * slowest_create_)) // it could not be cancelled in time
        throw TooSlow{};
    const auto begin = Clock::now();
    auto* const none = reinterpret_cast<senteval_instance*>(this);
    senteval_instance* raw = none;
    Reply reply = call("create()", {}, [&](const senteval_call* call) {
        return encoder_.create(call, &host_, params.data(), params.size(), &raw);
    });
    slowest_create_ = std::max<Seconds>(slowest_create_, Clock::now() - begin);
    for (GuardedMemory& text : texts)
        text.take_away(); // rule 2.1
    if (reply.done() ? raw == none || raw == nullptr : raw != none) {
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

Instance& Bench::main()
{
    if (main_ && !first_.values.empty())
        return *main_;
    const Sentences samples(texts_.ordinary());
    if (!main_)
        main_ = create_for(samples);
    first_ = main_->encode(samples);
    const auto begin = Clock::now();
    second_ = main_->encode(samples);
    per_sentence_ = (Clock::now() - begin) / static_cast<double>(samples.size());
    return *main_;
}

const Vectors* Bench::expected()
{
    if (difference(first(), second()).size <= encoder::rounding)
        return &first_;
    skip("the same batch gets other vectors the next time");
    return nullptr;
}

void Bench::forget_main()
{
    main_.reset();
    first_ = {};
}

std::size_t Bench::fitting(std::size_t most)
{
    (void)main();
    return static_cast<std::size_t>(
        std::clamp(a_while / per_sentence_, 1.0, static_cast<double>(most)));
}

void Bench::require_of_text(const Reply& reply, const char* function)
{
    require(reply, function, rule_.starts_with("10.") ? std::string_view(rule_) : "10.1");
}

void Bench::require(const Reply& reply, const char* function, std::string_view rule)
{
    if (reply.done())
        return;
    if (reply.refused())
        broken(rule, fmt::format("{} failed: {}", function,
                                 reply.reason.empty() ? "cancelled" : told(reply.reason)));
    throw TrialEnded{};
}

bool Bench::same(const Vectors& expected,
                 const Vectors& found,
                 std::string_view how,
                 double tolerance,
                 std::string_view rule)
{
    if (rule.empty())
        rule = rule_;
    const auto most = difference(expected, found);
    if (most.size <= tolerance)
        return true;
    if (expected.values.size() != found.values.size() || expected.dimension != found.dimension)
        broken(rule, fmt::format("the dimension is {} in place of {} {}", found.dimension,
                                 expected.dimension, how));
    else
        broken(rule, fmt::format("element {} of row {} is {} in place of {} {}",
                                 most.at % expected.dimension + 1, most.at / expected.dimension + 1,
                                 found.values[most.at], expected.values[most.at], how));
    return false;
}

} // namespace senteval::check
