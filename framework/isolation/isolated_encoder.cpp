#include "isolation/isolated_encoder.hpp"

#include "core/error.hpp"
#include "encoder/offender.hpp"
#include "isolation/texts.hpp"

#include <algorithm>
#include <csignal>
#include <exception>
#include <utility>

namespace senteval::isolation {
namespace {

using std::chrono::milliseconds;

/// How long destroy() and what follows it may take where the user has set no limit.
constexpr milliseconds farewell(20'000);

std::size_t lane_count(const Service& service, const encoder::Capabilities& capabilities)
{
    return capabilities.concurrent ? std::clamp(service.threads, 1U, most_lanes) : 1;
}

/// Death tells nothing about the batches: they are not tried again.
bool is_from_outside(const Death& death)
{
    return death.cause == Death::Cause::task_limit ||
           (death.cause == Death::Cause::ended && death.ending.signal() == SIGKILL);
}

/// Of a death that the suspect proved not to be guilty of, or that tells nothing about it.
std::string unsolved(const Death& death, const Suspect& suspect)
{
    std::string text = "its process " + death.text(suspect.operation);
    if (death.cause == Death::Cause::ended && is_from_outside(death))
        text += !death.for_memory ? ", from outside or by the system for want of memory"
                : *death.for_memory
                    ? ", by the system for want of memory, as it seems: give it less at a time "
                      "(--encode-batch), or see what else takes memory here"
                    : ", from outside: the system itself ended nothing for want of memory";
    else if (!is_from_outside(death))
        text += fmt::format("; in a new process the same {} sentences did no harm",
                            suspect.batch.size());
    return text;
}

} // namespace

IsolatedEncoder::IsolatedEncoder(Service service,
                                 const encoder::Plugin& plugin,
                                 const senteval_encoder& table,
                                 const std::vector<encoder::Parameter>& parameters,
                                 encoder::Identity identity,
                                 encoder::Logger logger,
                                 const encoder::CallContext& context)
    : service_(std::move(service)),
      prepares_(table.prepare != nullptr),
      capabilities_(encoder::capabilities_of(table)),
      identity_(std::move(identity)),
      logger_(std::move(logger)),
      order_{plugin.path(), table.id, identity_.label, parameters},
      printed_([this](std::string_view line) {
          if (logger_)
              logger_(printed, identity_.label, line);
      })
{
    for (std::size_t lane = lane_count(service_, capabilities_); lane > 0; --lane) {
        lanes_.push_back(std::make_unique<Lane>());
        free_lanes_.push_back(lane - 1);
    }
    clock_.reset();
    try {
        const Made made = start(context);
        prepare_matters_ = made.prepare_matters;
        capabilities_ = made.capabilities;
        if (!made.stated.empty())
            encoder::add_statement(identity_, made.stated);
    } catch (const ProcessDied& e) {
        throw core::Error("encoder '{}' cannot start: {}", identity_.label, e.what());
    }
}

IsolatedEncoder::~IsolatedEncoder()
{
    if (process_ && process_->is_alive())
        say_farewell();
    process_.reset(); // what it printed last
    printed_.end();
}

void IsolatedEncoder::say_farewell()
{
    const milliseconds limit = std::min(
        farewell, service_.limits.call > milliseconds::zero() ? service_.limits.call : farewell);
    try {
        Waiting waiting;
        waiting.limit = limit;
        destroy(channel(0, 1), waiting);
        if (const auto death = process_->leave(limit))
            throw ProcessDied(*death, Operation::destroy);
    } catch (const std::exception& e) {
        if (logger_)
            logger_(SENTEVAL_LOG_ERROR, identity_.label, e.what());
    }
}

Waiting IsolatedEncoder::waiting_for(const encoder::CallContext& context)
{
    Waiting waiting;
    waiting.stop = context.stop;
    waiting.progress = context.progress;
    waiting.limit = service_.limits.call;
    waiting.task_limit = service_.limits.task;
    if (service_.limits.task > milliseconds::zero())
        waiting.task_left = [this]() -> std::optional<milliseconds> {
            return service_.limits.task - clock_.spent();
        };
    return waiting;
}

Channel IsolatedEncoder::channel(std::size_t lane, unsigned thread_budget)
{
    return {*process_, *lanes_[lane], lane, thread_budget};
}

Made IsolatedEncoder::start(const encoder::CallContext& context)
{
    process_.reset();
    printed_.end();
    process_ = std::make_unique<EncoderProcess>(service_, lanes_, samples_,
                                                [this](std::uint32_t level, std::string_view text) {
                                                    if (level == printed)
                                                        printed_.add(text);
                                                    else if (logger_)
                                                        logger_(level, identity_.label, text);
                                                });
    is_worn_ = false;
    const TaskClock::Running running(clock_);
    try {
        Made made = make(channel(0, context.thread_budget), order_, waiting_for(context));
        // Threads that could not be had are not waited for.
        std::erase_if(free_lanes_, [&](std::size_t lane) {
            return lane >= (made.capabilities.concurrent ? made.lanes : 1);
        });
        return made;
    } catch (...) {
        process_.reset();
        throw;
    }
}

/// A process in the state that the calls so far left it in.
void IsolatedEncoder::ensure_process(const encoder::CallContext& context)
{
    if (process_ && process_->is_alive())
        return;
    (void)start(context);
    try {
        const TaskClock::Running running(clock_);
        if (prepared_)
            isolation::prepare(channel(0, context.thread_budget), *prepared_, waiting_for(context));
        if (dimension_ > 0)
            (void)isolation::dimension(channel(0, 1), waiting_for(context));
    } catch (...) {
        process_.reset();
        throw;
    }
}

template <typename Body>
auto IsolatedEncoder::alone(const encoder::CallContext& context, const Body& body)
{
    const std::lock_guard lock(mutex_);
    ensure_process(context);
    const TaskClock::Running running(clock_);
    try {
        return body();
    } catch (const encoder::OutOfMemory&) {
        is_worn_ = true;
        throw;
    } catch (const ProcessDied&) {
        process_.reset();
        throw;
    }
}

void IsolatedEncoder::prepare(std::string_view task,
                              std::span<const text::Sentence> samples,
                              const encoder::CallContext& context)
{
    clock_.reset();
    prepared_.reset();
    dimension_ = 0;
    if (is_worn_)
        process_.reset();
    Prepared prepared{std::string(task), samples.size(), 0};
    if (prepares_)
        prepared.used = write_texts(samples, samples_);
    try {
        alone(context, [&] {
            if (prepares_)
                isolation::prepare(channel(0, context.thread_budget), prepared,
                                   waiting_for(context));
        });
    } catch (const ProcessDied& e) {
        if (e.operation() != Operation::prepare)
            throw;
        const Suspect suspect{Operation::prepare, samples, nullptr, task};
        throw core::Error("{}", guilt_of(suspect, e.death(), context.stop));
    }
    if (prepares_)
        prepared_ = std::move(prepared);
}

/// Of prepare(), which no other call overlaps.
std::string
IsolatedEncoder::guilt_of(const Suspect& suspect, const Death& death, const std::stop_token& stop)
{
    if (is_from_outside(death))
        return unsolved(death, suspect);
    const Recipe recipe{service_, order_, samples_, nullptr, 0};
    const Verdict verdict = Investigation(recipe, stop).examine(death, {&suspect, 1}).front();
    return verdict.guilt.empty() ? unsolved(death, suspect) : verdict.guilt;
}

std::size_t IsolatedEncoder::dimension()
{
    const encoder::CallContext context;
    dimension_ =
        alone(context, [&] { return isolation::dimension(channel(0, 1), waiting_for(context)); });
    return dimension_;
}

IsolatedEncoder::Place IsolatedEncoder::enter(const Suspect& suspect,
                                              const encoder::CallContext& context)
{
    Lock lock(mutex_);
    // A process that died is not replaced before everybody at work with it has noticed.
    changed_.wait(lock, [this] {
        return !is_settling_ && !free_lanes_.empty() &&
               (at_work_.empty() || (process_ && process_->is_alive()));
    });
    ensure_process(context);
    const std::size_t lane = free_lanes_.back();
    free_lanes_.pop_back();
    return at_work_.insert(at_work_.end(), AtWork{suspect, lane, {}, {}, false});
}

void IsolatedEncoder::leave(Place place, bool is_worn)
{
    const Lock lock(mutex_);
    is_worn_ |= is_worn;
    free_lanes_.push_back(place->lane);
    at_work_.erase(place);
    changed_.notify_all();
}

template <typename Body>
bool IsolatedEncoder::at_work(const Suspect& suspect,
                              const encoder::CallContext& context,
                              const Body& body)
{
    const auto place = enter(suspect, context);
    try {
        {
            const TaskClock::Running running(clock_);
            body(channel(place->lane, context.thread_budget));
        }
        leave(place);
        return true;
    } catch (const ProcessDied& e) {
        settle(place, e.death(), context); // leaves
        return false;
    } catch (const encoder::OutOfMemory&) {
        leave(place, true);
        throw;
    } catch (...) {
        leave(place);
        throw;
    }
}

/// Waits until all who were at work know that the process is no more; the first of them finds out why.
void IsolatedEncoder::settle(Place place, const Death& death, const encoder::CallContext& context)
{
    Lock lock(mutex_);
    is_settling_ = true;
    place->death = death;
    changed_.notify_all();
    changed_.wait(lock, [&] {
        return place->is_settled ||
               std::all_of(at_work_.begin(), at_work_.end(),
                           [](const AtWork& one) { return one.death.has_value(); });
    });
    if (!place->is_settled)
        investigate(context);
    const auto verdict = std::exchange(place->verdict, std::nullopt);
    free_lanes_.push_back(place->lane);
    at_work_.erase(place);
    is_settling_ = !at_work_.empty();
    changed_.notify_all();
    lock.unlock();
    if (context.stop.stop_requested() || !verdict)
        throw core::Cancelled();
    if (!verdict->guilt.empty())
        throw encoder::Investigated("{}", verdict->guilt);
}

/// Everybody at work is settled afterwards; a verdict is missing where it was stopped.
void IsolatedEncoder::investigate(const encoder::CallContext& context)
{
    process_.reset();
    std::vector<Suspect> suspects;
    suspects.reserve(at_work_.size());
    for (const AtWork& one : at_work_)
        suspects.push_back(one.suspect);
    const Death& death = *at_work_.front().death;
    std::vector<Verdict> verdicts;
    try {
        if (context.stop.stop_requested())
            throw core::Cancelled();
        if (is_from_outside(death))
            verdicts.resize(suspects.size());
        else
            verdicts = Investigation({service_, order_, samples_, prepared_ ? &*prepared_ : nullptr,
                                      dimension_},
                                     context.stop)
                           .examine(death, suspects);
        const bool is_solved = std::any_of(verdicts.begin(), verdicts.end(),
                                           [](const Verdict& one) { return !one.guilt.empty(); });
        // The first answers for a death that nobody is guilty of, and everybody for what was not done.
        for (std::size_t i = 0; i < verdicts.size(); ++i)
            if (verdicts[i].guilt.empty() && (!verdicts[i].is_done || (i == 0 && !is_solved)))
                verdicts[i].guilt = unsolved(death, suspects.front());
    } catch (const core::Cancelled&) {
        verdicts.clear();
    }
    auto verdict = verdicts.begin();
    for (AtWork& one : at_work_) {
        one.is_settled = true;
        if (verdict != verdicts.end())
            one.verdict = *verdict++;
    }
}

void IsolatedEncoder::encode(std::span<const text::Sentence> batch,
                             float* out,
                             const encoder::CallContext& context)
{
    at_work({Operation::encode, batch, out}, context, [&](const Channel& channel) {
        const auto rows = isolation::encode(channel, batch, dimension_, waiting_for(context));
        std::copy(rows.begin(), rows.end(), out);
    });
}

bool IsolatedEncoder::count_known(std::span<const text::Sentence> batch,
                                  std::span<std::uint32_t> tokens,
                                  std::span<std::uint32_t> known)
{
    if (!counts_known_)
        return false;
    const encoder::CallContext context;
    bool tells = false;
    const auto count = [&](const Channel& channel) {
        const auto counts = isolation::count_known(channel, batch, waiting_for(context));
        tells = counts.has_value();
        if (!tells)
            return;
        std::copy_n(counts->begin(), batch.size(), tokens.begin());
        std::copy_n(counts->begin() + static_cast<std::ptrdiff_t>(batch.size()), batch.size(),
                    known.begin());
    };
    // What killed it once is not tried a second time where it proved harmless.
    if (!at_work({Operation::count_known, batch}, context, count))
        at_work({Operation::count_known, batch}, context, count);
    counts_known_ = tells;
    return tells;
}

} // namespace senteval::isolation
