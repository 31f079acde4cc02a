#include "isolation/served_encoder.hpp"

#include "core/error.hpp"
#include "isolation/messages.hpp"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <utility>

namespace senteval::isolation {
namespace {

/// A text for the program at the start of the output, as far as there is room.
std::uint64_t write_answer(SharedBuffer& output, std::string_view text) noexcept
{
    const std::size_t size = std::min(text.size(), output.size());
    if (size > 0)
        std::memcpy(output.data(), text.data(), size);
    return size;
}

/// The end of the lane's output, of this many elements; what runs beyond it hits a guard.
template <typename T>
std::span<T> last_of(SharedBuffer& output, std::uint64_t rows, std::uint64_t columns)
{
    const std::uint64_t most = output.size() / sizeof(T);
    if (columns != 0 && rows > most / columns)
        throw core::Error("a request asks for more than there is room for");
    const std::size_t count = rows * columns;
    return {reinterpret_cast<T*>(output.end()) - count, count};
}

} // namespace

ServedEncoder::ServedEncoder(Status& status, int log, std::stop_token stop)
    : status_(status),
      log_socket_(log),
      stop_(std::move(stop)),
      samples_(passed::samples, SharedBuffer::Access::read)
{
}

Answer ServedEncoder::answer(ServedLane& lane, const Request& request) noexcept
{
    Answer answer;
    answer.operation = request.operation;
    answer.number = request.number;
    const auto failed = [&](senteval_status status, std::string_view why) {
        answer.status = status;
        answer.text = write_answer(lane.output, why.substr(0, longest_text));
    };
    try {
        lane.input.follow(request.input_size);
        lane.output.follow(request.output_size);
        carry_out(lane, request, answer);
    } catch (const core::Cancelled& e) {
        failed(SENTEVAL_CANCELLED, e.what());
    } catch (const encoder::OutOfMemory& e) {
        failed(SENTEVAL_OUT_OF_MEMORY, e.what());
    } catch (const std::bad_alloc&) {
        failed(SENTEVAL_OUT_OF_MEMORY, "out of memory");
    } catch (const core::UsageError& e) {
        failed(SENTEVAL_INVALID_ARGUMENT, e.what());
    } catch (const std::exception& e) {
        failed(SENTEVAL_INTERNAL, e.what());
    } catch (...) {
        failed(SENTEVAL_INTERNAL, "it threw something that is no std::exception");
    }
    return answer;
}

void ServedEncoder::carry_out(ServedLane& lane, const Request& request, Answer& answer)
{
    if (request.operation > Operation::create && encoder_ == nullptr)
        throw core::Error("there is no encoder yet");
    switch (request.operation) {
    case Operation::describe:
        return describe(lane, request, answer);
    case Operation::create:
        return create(lane, request, answer);
    case Operation::prepare:
        return prepare(lane, request);
    case Operation::dimension:
        answer.value = encoder_->dimension();
        return;
    case Operation::encode:
        return encode(lane, request);
    case Operation::count_known:
        return count_known(lane, request, answer);
    case Operation::destroy:
        encoder_.reset();
        return;
    }
    throw core::Error("a request asks for what is not known");
}

encoder::CallContext ServedEncoder::context(const ServedLane& lane, const Request& request) const
{
    Status::Progress& progress = status_.progress[lane.number];
    return {request.thread_budget, stop_, [&progress](std::uint64_t done, std::uint64_t total) {
                progress.total = total;
                progress.done = done;
            }};
}

void ServedEncoder::describe(ServedLane& lane, const Request& request, Answer& answer)
{
    read_texts(lane.input, request.input_used, 1, lane.texts);
    const std::string text = table_text(*encoder::Plugin::load(std::string(lane.texts[0].text)));
    if (text.size() > lane.output.size())
        throw core::UsageError("its table is larger than {} bytes", lane.output.size());
    answer.text = write_answer(lane.output, text);
}

void ServedEncoder::create(ServedLane& lane, const Request& request, Answer& answer)
{
    read_texts(lane.input, request.input_used, 1, lane.texts);
    const Order order = order_of(lane.texts[0].text);
    encoder::Identity identity;
    identity.label = order.label;
    auto plugin = encoder::Plugin::load(order.library);
    const senteval_encoder& table = plugin->encoder(order.encoder);
    encoder_ = std::make_unique<encoder::PluginEncoder>(
        std::move(plugin), table, order.parameters, std::move(identity),
        [this](senteval_log_level level, std::string_view, std::string_view line) {
            log(level, line);
        },
        context(lane, request));
    const encoder::Capabilities capabilities = encoder_->capabilities();
    answer.value = (encoder_->has_prepare() ? made::prepare_matters : 0U) |
                   (capabilities.concurrent ? made::concurrent : 0U) |
                   (capabilities.batch_invariant ? made::batch_invariant : 0U) |
                   (capabilities.deterministic ? made::deterministic : 0U);
    if (const core::Json& stated = encoder_->identity().stated; !stated.is_null())
        answer.text = write_answer(lane.output, core::to_text(stated));
}

void ServedEncoder::prepare(ServedLane& lane, const Request& request)
{
    read_texts(lane.input, request.input_used, 1, lane.texts);
    const std::string task(lane.texts[0].text);
    samples_.follow(request.samples_size);
    std::vector<text::Sentence> samples;
    read_texts(samples_, request.samples_used, request.sentences, samples);
    encoder_->prepare(task, samples, context(lane, request));
}

void ServedEncoder::encode(ServedLane& lane, const Request& request)
{
    read_texts(lane.input, request.input_used, request.sentences, lane.texts);
    const auto rows = last_of<float>(lane.output, request.sentences, request.columns);
    // Not a number to begin with, so that a value which the encoder forgets to write is noticed.
    std::fill(rows.begin(), rows.end(), std::numeric_limits<float>::quiet_NaN());
    encoder_->encode(lane.texts, rows.data(), context(lane, request));
}

void ServedEncoder::count_known(ServedLane& lane, const Request& request, Answer& answer)
{
    read_texts(lane.input, request.input_used, request.sentences, lane.texts);
    const auto counts = last_of<std::uint32_t>(lane.output, request.sentences, 2);
    std::fill(counts.begin(), counts.end(), 0U);
    answer.value = encoder_->count_known(lane.texts, counts.first(request.sentences),
                                         counts.last(request.sentences))
                       ? 1
                       : 0;
}

void ServedEncoder::log(senteval_log_level level, std::string_view line) const noexcept
{
    LogHead head{level};
    std::array<iovec, 2> parts{
        {{&head, sizeof head},
         {const_cast<char*>(line.data()), std::min(line.size(), longest_log_line)}}};
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = parts.size();
    while (sendmsg(log_socket_, &message, MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
}

} // namespace senteval::isolation
