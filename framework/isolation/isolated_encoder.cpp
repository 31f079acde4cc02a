#include "isolation/isolated_encoder.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace senteval::isolation {
namespace {

using std::chrono::milliseconds;

/// Longest wait for destroy() and the end of the process where the user has set no limit.
constexpr milliseconds longest_end(20'000);

std::size_t lane_count(const Service& service, const encoder::Capabilities& capabilities)
{
    return capabilities.concurrent ? std::clamp(service.threads, 1U, most_lanes) : 1;
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
    try {
        const Made made = start(context);
        prepare_matters_ = made.prepare_matters;
        ranks_ = made.ranks;
        capabilities_ = made.capabilities;
        if (!made.stated.empty())
            encoder::add_statement(identity_, {made.stated.data(), made.stated.size()});
    } catch (const encoder::ProcessEnded& e) {
        throw base::Error("encoder '{}' cannot start: {}", identity_.label, e.what());
    }
}

IsolatedEncoder::~IsolatedEncoder()
{
    if (process_ && process_->is_alive())
        end_process();
    process_.reset(); // what it printed last
}

void IsolatedEncoder::end_process()
{
    const milliseconds limit =
        std::min(longest_end,
                 service_.limits.call > milliseconds::zero() ? service_.limits.call : longest_end);
    try {
        Waiting waiting;
        waiting.limit = limit;
        destroy(channel(0, 1), waiting);
        process_->leave(limit);
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
    if (context.deadline) {
        const auto left = std::max(
            milliseconds(1),
            std::chrono::ceil<milliseconds>(*context.deadline - std::chrono::steady_clock::now()));
        waiting.limit = waiting.limit > milliseconds::zero() ? std::min(waiting.limit, left) : left;
    }
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
    process_ = std::make_shared<EncoderProcess>(service_, lanes_, samples_,
                                                [this](std::uint32_t level, std::string_view text) {
                                                    if (level == printed)
                                                        printed_.add(text);
                                                    else if (logger_)
                                                        logger_(level, identity_.label, text);
                                                });
    is_worn_ = false;
    try {
        Made made = make(channel(0, context.thread_budget), order_, waiting_for(context));
        // Lanes without a thread are not used.
        std::erase_if(free_lanes_, [&](std::size_t lane) {
            return lane >= (made.capabilities.concurrent ? made.lanes : 1);
        });
        return made;
    } catch (...) {
        process_.reset();
        throw;
    }
}

/// Starts a process where there is none, in the state that earlier calls left.
void IsolatedEncoder::ensure_process(const encoder::CallContext& context)
{
    if (process_ && process_->is_alive())
        return;
    (void)start(context);
    try {
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
    try {
        return body();
    } catch (const encoder::OutOfMemory&) {
        is_worn_ = true;
        throw;
    } catch (const encoder::ProcessEnded&) {
        process_.reset();
        throw;
    }
}

void IsolatedEncoder::prepare(std::string_view task,
                              std::span<const text::Sentence> samples,
                              const encoder::CallContext& context)
{
    prepared_.reset();
    dimension_ = 0;
    if (is_worn_)
        process_.reset();
    Prepared prepared{std::string(task), samples.size(), 0};
    if (prepares_)
        prepared.used = write_texts(samples, samples_);
    alone(context, [&] {
        if (prepares_)
            isolation::prepare(channel(0, context.thread_budget), prepared, waiting_for(context));
    });
    if (prepares_)
        prepared_ = std::move(prepared);
}

std::size_t IsolatedEncoder::dimension()
{
    const encoder::CallContext context;
    dimension_ =
        alone(context, [&] { return isolation::dimension(channel(0, 1), waiting_for(context)); });
    return dimension_;
}

template <typename Body>
void IsolatedEncoder::on_lane(const encoder::CallContext& context, const Body& body)
{
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !free_lanes_.empty(); });
    ensure_process(context);
    const auto process = process_;
    const std::size_t lane = free_lanes_.back();
    free_lanes_.pop_back();
    lock.unlock();
    const auto leave = [&](bool is_worn) {
        lock.lock();
        is_worn_ |= is_worn;
        free_lanes_.push_back(lane);
        changed_.notify_one();
    };
    try {
        body(Channel{*process, *lanes_[lane], lane, context.thread_budget});
    } catch (const encoder::OutOfMemory&) {
        leave(true);
        throw;
    } catch (...) {
        leave(false);
        throw;
    }
    leave(false);
}

void IsolatedEncoder::encode(std::span<const text::Sentence> batch,
                             float* out,
                             const encoder::CallContext& context)
{
    on_lane(context, [&](const Channel& channel) {
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
    on_lane(context, [&](const Channel& channel) {
        const auto counts = isolation::count_known(channel, batch, waiting_for(context));
        if (!counts) {
            counts_known_ = false;
            return;
        }
        std::copy_n(counts->begin(), batch.size(), tokens.begin());
        std::copy_n(counts->begin() + static_cast<std::ptrdiff_t>(batch.size()), batch.size(),
                    known.begin());
    });
    return counts_known_;
}

} // namespace senteval::isolation
