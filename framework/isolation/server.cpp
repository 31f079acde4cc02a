#include "isolation/server.hpp"

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "core/blas.hpp"
#include "encoder/plugin_encoder.hpp"
#include "isolation/messages.hpp"
#include "isolation/protocol.hpp"
#include "isolation/shared_buffer.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <stop_token>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace senteval::isolation {
namespace {

/// The descriptors and memory of one thread; threads share none of it.
struct ServedLane {
    explicit ServedLane(unsigned lane_number)
        : number(lane_number),
          socket(passed::first_lane + static_cast<int>(3 * lane_number)),
          input(socket.number() + 1, SharedBuffer::Access::read),
          output(socket.number() + 2, SharedBuffer::Access::write)
    {
    }

    unsigned number;
    base::Descriptor socket;
    SharedBuffer input;
    SharedBuffer output;
    std::vector<text::Sentence> texts; ///< of the call at work
};

class ServedEncoder {
public:
    /// `stop`: of the calls.
    ServedEncoder(Status& status, int log, std::stop_token stop);

    /// Carries out a request. Calls may overlap on different lanes where the program sends them so.
    /// Never throws: what fails is the status of the answer, with a text in the lane's output.
    [[nodiscard]] Answer answer(ServedLane& lane, const Request& request) noexcept;

private:
    void carry_out(ServedLane& lane, const Request& request, Answer& answer);
    void describe(ServedLane& lane, const Request& request, Answer& answer);
    void create(ServedLane& lane, const Request& request, Answer& answer);
    void prepare(ServedLane& lane, const Request& request);
    void encode(ServedLane& lane, const Request& request);
    void count_known(ServedLane& lane, const Request& request, Answer& answer);
    [[nodiscard]] encoder::CallContext context(const ServedLane& lane,
                                               const Request& request) const;
    void log(senteval_log_level level, std::string_view line) const noexcept;

    Status& status_;
    const int log_socket_;
    const std::stop_token stop_;
    SharedBuffer samples_;
    std::unique_ptr<encoder::PluginEncoder> encoder_;
};

/// Writes a text to the start of the output, as much as fits.
std::uint64_t write_answer(SharedBuffer& output, std::string_view text) noexcept
{
    const std::size_t size = std::min(text.size(), output.size());
    if (size > 0)
        std::memcpy(output.data(), text.data(), size);
    return size;
}

/// The last elements of the lane's output: writing beyond them hits the guard page.
template <typename T>
std::span<T> last_of(SharedBuffer& output, std::uint64_t rows, std::uint64_t columns)
{
    const std::uint64_t most = output.size() / sizeof(T);
    if (columns != 0 && rows > most / columns)
        throw base::Error("a request exceeds its memory");
    const std::size_t count = rows * columns;
    return {reinterpret_cast<T*>(output.end()) - count, count};
}

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
    } catch (const base::Cancelled& e) {
        failed(SENTEVAL_CANCELLED, e.what());
    } catch (const encoder::OutOfMemory& e) {
        failed(SENTEVAL_OUT_OF_MEMORY, e.what());
    } catch (const std::bad_alloc&) {
        failed(SENTEVAL_OUT_OF_MEMORY, "out of memory");
    } catch (const base::UsageError& e) {
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
        throw base::Error("there is no encoder yet");
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
    throw base::Error("a request is unknown");
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
        throw base::UsageError("its table is larger than {} bytes", lane.output.size());
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
                   (encoder_->ranks() ? made::ranks : 0U) |
                   (capabilities.concurrent ? made::concurrent : 0U) |
                   (capabilities.batch_invariant ? made::batch_invariant : 0U) |
                   (capabilities.deterministic ? made::deterministic : 0U);
    base::Json stated = encoder_->identity().stated;
    if (const std::string& unseen = encoder_->identity().unseen; !unseen.empty())
        stated["unseen"] = unseen;
    if (!stated.is_null())
        answer.text = write_answer(lane.output, base::to_text(stated));
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
    // A value that the encoder forgets to write is noticed: it stays no number.
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

/// The next request of a lane; false where the program has gone or the request is invalid.
bool receive(const ServedLane& lane, Request& request)
{
    ssize_t got = 0;
    do
        got = recv(lane.socket.number(), &request, sizeof request, 0);
    while (got < 0 && errno == EINTR);
    return got == sizeof request && request.mark == request_mark;
}

bool send(const ServedLane& lane, const Answer& answer)
{
    ssize_t sent = 0;
    do
        sent = ::send(lane.socket.number(), &answer, sizeof answer, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == sizeof answer;
}

/// The state that the threads of the process share. Each keeps it alive.
struct Served {
    Served(unsigned count, Status& status) : encoder(status, passed::log, stop.get_token())
    {
        for (unsigned lane = 0; lane < count; ++lane)
            lanes.emplace_back(lane);
    }

    std::deque<ServedLane> lanes;
    std::stop_source stop;
    ServedEncoder encoder;
};

void serve_lane(ServedLane& lane, ServedEncoder& encoder)
{
    for (Request request; receive(lane, request);)
        if (!send(lane, encoder.answer(lane, request)))
            break;
    _exit(lost_connection);
}

unsigned lanes_of(std::span<char* const> arguments)
{
    unsigned lanes = 0;
    if (arguments.size() == 1) {
        const std::string_view text = arguments.front();
        std::from_chars(text.data(), text.data() + text.size(), lanes);
    }
    return lanes;
}

/// Encoders find the same process state as in the program.
void settle_process()
{
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ); // what it prints before a crash is not lost
    struct sigaction action {};
    action.sa_handler = [](int) {};
    action.sa_flags = SA_RESTART;
    sigaction(SIGPIPE, &action, nullptr);
    (void)core::prepare_blas();
}

/// Starts the threads of the other lanes, as many as can be had. Returns the number of lanes.
unsigned start_lanes(const std::shared_ptr<Served>& served)
{
    for (unsigned lane = 1; lane < served->lanes.size(); ++lane)
        try {
            std::thread([served, lane] {
                serve_lane(served->lanes[lane], served->encoder);
            }).detach();
        } catch (const std::system_error&) {
            return lane;
        }
    return static_cast<unsigned>(served->lanes.size());
}

/// Any message on the socket of the log is a request to stop.
void wait_for_stop(const std::shared_ptr<Served>& served)
{
    try {
        std::thread([served] {
            char byte = 0;
            while (recv(passed::log, &byte, 1, 0) < 0 && errno == EINTR) {
            }
            served->stop.request_stop();
        }).detach();
    } catch (const std::system_error&) { // then it will be killed
    }
}

} // namespace

int serve(std::span<char* const> arguments)
{
    const unsigned count = lanes_of(arguments);
    if (count == 0 || count > most_lanes || fcntl(passed::first_lane, F_GETFD) < 0)
        return 2; // nobody starts it by hand
    const int last = passed::first_lane + static_cast<int>(3 * count);
    for (int number = passed::status; number < last; ++number)
        fcntl(number, F_SETFD,
              FD_CLOEXEC); // not for programs that an encoder starts
    settle_process();
    static SharedBuffer status(passed::status, SharedBuffer::Access::write);
    status.follow();

    const auto served = std::make_shared<Served>(count, *reinterpret_cast<Status*>(status.data()));
    wait_for_stop(served);
    const unsigned available = start_lanes(served);

    ServedLane& first = served->lanes.front();
    for (Request request; receive(first, request);) {
        Answer answer = served->encoder.answer(first, request);
        answer.lanes = available;
        if (!send(first, answer))
            break;
        if (request.operation == Operation::destroy)
            return 0;
    }
    _exit(lost_connection);
}

} // namespace senteval::isolation
