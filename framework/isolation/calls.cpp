#include "isolation/calls.hpp"

#include "base/error.hpp"
#include "encoder/plugin_encoder.hpp"

#include <limits>
#include <new>

namespace senteval::isolation {
namespace {

/// Sends a request, and throws where the answer is that it failed.
Answer ask(const Channel& channel, Request request, const Waiting& waiting)
{
    request.thread_budget = channel.thread_budget;
    const Answer answer = channel.process.call(channel.number, request, waiting);
    if (answer.status == SENTEVAL_OK)
        return answer;
    const std::string why(channel.process.text_of(channel.number, answer));
    if (answer.status == SENTEVAL_CANCELLED && waiting.stop.stop_requested())
        throw base::Cancelled();
    const std::string limits = limits_text(channel.process.limits());
    if (answer.status == SENTEVAL_OUT_OF_MEMORY)
        throw encoder::OutOfMemory("{}{}", why, limits);
    if (answer.status == SENTEVAL_INVALID_ARGUMENT)
        throw base::UsageError("{}{}", why, limits);
    throw base::Error("{}{}", why, limits);
}

Request request_with(Operation operation, const Channel& channel, std::string_view text)
{
    Request request;
    request.operation = operation;
    request.input_used = write_text(text, channel.lane.input);
    return request;
}

/// A request about a batch, whose answer has `columns` values of type T for each sentence.
template <typename T>
Request request_with(Operation operation,
                     const Channel& channel,
                     std::span<const text::Sentence> batch,
                     std::size_t columns)
{
    if (columns > std::numeric_limits<std::size_t>::max() / 16 / (batch.size() + 1))
        throw std::bad_alloc();
    Request request;
    request.operation = operation;
    request.sentences = batch.size();
    request.columns = columns;
    request.input_used = write_texts(batch, channel.lane.input);
    channel.lane.output.grow(batch.size() * columns * sizeof(T));
    return request;
}

template <typename T>
std::span<const T> last_values(const Lane& lane, std::size_t count)
{
    return {reinterpret_cast<const T*>(lane.output.end()) - count, count};
}

} // namespace

std::string describe(const Channel& channel, const std::string& library, const Waiting& waiting)
{
    const Answer answer =
        ask(channel, request_with(Operation::describe, channel, library), waiting);
    return std::string(channel.process.text_of(channel.number, answer));
}

Made make(const Channel& channel, const Order& order, const Waiting& waiting)
{
    const Answer answer =
        ask(channel, request_with(Operation::create, channel, bytes_of(order)), waiting);
    const auto has = [&](std::uint64_t bit) { return (answer.value & bit) != 0; };
    return {has(made::prepare_matters),
            has(made::ranks),
            {has(made::concurrent), has(made::batch_invariant), has(made::deterministic)},
            std::string(channel.process.text_of(channel.number, answer)),
            answer.lanes};
}

void prepare(const Channel& channel, const Prepared& prepared, const Waiting& waiting)
{
    Request request = request_with(Operation::prepare, channel, prepared.task);
    request.sentences = prepared.sentences;
    request.samples_used = prepared.used;
    ask(channel, request, waiting);
}

std::size_t dimension(const Channel& channel, const Waiting& waiting)
{
    Request request;
    request.operation = Operation::dimension;
    return ask(channel, request, waiting).value;
}

std::span<const float> encode(const Channel& channel,
                              std::span<const text::Sentence> batch,
                              std::size_t columns,
                              const Waiting& waiting)
{
    ask(channel, request_with<float>(Operation::encode, channel, batch, columns), waiting);
    return last_values<float>(channel.lane, batch.size() * columns);
}

std::optional<std::span<const std::uint32_t>>
count_known(const Channel& channel, std::span<const text::Sentence> batch, const Waiting& waiting)
{
    const Answer answer = ask(
        channel, request_with<std::uint32_t>(Operation::count_known, channel, batch, 2), waiting);
    if (answer.value == 0)
        return std::nullopt;
    return last_values<std::uint32_t>(channel.lane, batch.size() * 2);
}

void destroy(const Channel& channel, const Waiting& waiting)
{
    Request request;
    request.operation = Operation::destroy;
    ask(channel, request, waiting);
}

} // namespace senteval::isolation
