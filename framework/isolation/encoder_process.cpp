#include "isolation/encoder_process.hpp"

#include "base/byte_text.hpp"
#include "base/error.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

namespace senteval::isolation {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

/// Time between two checks of stop requests and limits.
constexpr milliseconds tick(100);

/// Longest wait after a request to stop, and for the end of a process that closed its connection.
constexpr milliseconds patience(1000);

struct Ends {
    base::Descriptor here;
    base::Descriptor there;
};

Ends ends_of(int made, const std::array<int, 2>& ends)
{
    if (made != 0)
        throw base::Error("the process of an encoder cannot be reached: {}",
                          std::generic_category().message(errno));
    return {base::Descriptor(ends[0]), base::Descriptor(ends[1])};
}

Ends make_pair()
{
    std::array<int, 2> ends{};
    const int made = socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data());
    return ends_of(made, ends);
}

Ends make_pipe()
{
    std::array<int, 2> ends{};
    const int made = pipe2(ends.data(), O_CLOEXEC);
    Ends pipe = ends_of(made, ends);
    fcntl(pipe.here.number(), F_SETFL, O_NONBLOCK);
    return pipe;
}

/// Whether the other side has closed its end of a socket.
bool has_closed(ssize_t received)
{
    return received == 0 || (received < 0 && errno != EAGAIN && errno != EINTR);
}

} // namespace

struct EncoderProcess::Watch {
    Clock::time_point begin = Clock::now();
    std::optional<Clock::time_point> stopped;
    std::pair<std::uint64_t, std::uint64_t> shown{0, 0};
};

std::string limits_text(const Limits& limits)
{
    std::vector<std::string> all;
    if (limits.memory > 0)
        all.push_back(fmt::format("allocate {} (--limit-memory)",
                                  base::byte_text(static_cast<double>(limits.memory))));
    if (limits.open_files > 0)
        all.push_back(fmt::format("open {} files (--limit-files)", limits.open_files));
    return all.empty() ? "" : fmt::format("; it may {}", fmt::join(all, " and "));
}

EncoderProcess::EncoderProcess(const Service& service,
                               std::span<const std::unique_ptr<Lane>> lanes,
                               const SharedBuffer& samples,
                               LogSink log)
    : lanes_(lanes), samples_(samples), limits_(service.limits), log_(std::move(log))
{
    sdk::ChildCommand command{service.program};
    command.words.emplace_back(serve_command);
    command.words.push_back(std::to_string(lanes.size()));
    command.memory = service.limits.memory;
    command.open_files = service.limits.open_files;
    // A thread of OpenBLAS that is refused memory waits for ever, and exit() waits for the thread.
    if (constexpr const char* threads = "OPENBLAS_NUM_THREADS";
        command.memory > 0 && std::getenv(threads) == nullptr)
        command.environment.push_back(std::string(threads) + "=1");

    Ends log_pair = make_pair();
    Ends prints = make_pipe();
    command.descriptors = {{prints.there.number(), STDOUT_FILENO},
                           {prints.there.number(), STDERR_FILENO},
                           {status_.descriptor(), passed::status},
                           {log_pair.there.number(), passed::log},
                           {samples.descriptor(), passed::samples}};
    prints_ = std::move(prints.here);
    log_socket_ = std::move(log_pair.here);
    std::vector<base::Descriptor> theirs;
    int next = passed::first_lane;
    for (const auto& lane : lanes) {
        Ends pair = make_pair();
        command.descriptors.push_back({pair.there.number(), next++});
        command.descriptors.push_back({lane->input.descriptor(), next++});
        command.descriptors.push_back({lane->output.descriptor(), next++});
        sockets_.push_back(std::move(pair.here));
        theirs.push_back(std::move(pair.there));
    }
    try {
        child_.emplace(command);
    } catch (const std::system_error& e) {
        throw base::Error("{}", e.what());
    }
}

EncoderProcess::~EncoderProcess()
{
    kill();
    drain_log();
}

Status& EncoderProcess::status() const noexcept
{
    return *reinterpret_cast<Status*>(status_.data());
}

bool EncoderProcess::is_alive()
{
    const std::lock_guard lock(mutex_);
    return !death_;
}

void EncoderProcess::kill()
{
    const std::lock_guard lock(mutex_);
    if (!death_)
        death_ = Death{Cause::ended, child_->end()};
}

encoder::ProcessEnded EncoderProcess::death_in(Operation operation) const
{
    const auto& [cause, ending] = *death_;
    const bool is_from_outside = cause == Cause::ended && ending.signal() == SIGKILL;
    std::string text = cause == Cause::bad_answer ? "sent an invalid answer, and was ended"
                       : cause == Cause::closed   ? "closed its connection to this program, and "
                                                    "was ended"
                                                  : ending.text();
    if (cause == Cause::call_limit)
        text += " for a call";
    text += fmt::format(" {}", phase_of(operation));
    if (cause == Cause::ended && ending.known && ending.signal() == 0)
        text += ": it called exit(), or executed another program, which an encoder must not do";
    if (is_from_outside)
        text += ", from outside or by the system for want of memory";
    else if (cause != Cause::call_limit)
        text += " ('senteval check' looks closer)";
    return {fmt::format("its process {}{}", text, limits_text(limits_)), !is_from_outside};
}

void EncoderProcess::died(Cause cause, Operation operation, const Waiting& waiting)
{
    const std::lock_guard lock(mutex_);
    if (!death_) {
        // It usually ends by itself.
        if (cause == Cause::closed)
            if (const auto own = child_->wait(patience);
                own && !(WIFEXITED(own->status) && WEXITSTATUS(own->status) == lost_connection))
                cause = Cause::ended;
        const bool by_limit = cause == Cause::call_limit;
        const sdk::ChildEnding ending =
            by_limit ? child_->end_at_limit(waiting.limit) : child_->end();
        death_ = Death{by_limit && !ending.limit ? Cause::ended : cause, ending};
    }
    drain_log();
    if (waiting.stop.stop_requested())
        throw base::Cancelled(); // the cause does not matter
    throw death_in(operation);
}

Answer EncoderProcess::call(std::size_t lane, Request request, const Waiting& waiting)
{
    {
        const std::lock_guard lock(mutex_);
        if (death_)
            throw death_in(request.operation);
        request.number = ++requests_;
    }
    request.input_size = lanes_[lane]->input.size();
    request.output_size = lanes_[lane]->output.size();
    request.samples_size = samples_.size();
    Watch watch;
    while (send(sockets_[lane].number(), &request, sizeof request, MSG_NOSIGNAL) < 0)
        if (errno != EINTR)
            died(Cause::closed, request.operation, waiting);
    for (;;) {
        if (const auto answer = receive(lane, request, waiting)) {
            show_progress(lane, watch, waiting);
            return *answer;
        }
        look(lane, watch, waiting, request.operation);
    }
}

std::optional<Answer>
EncoderProcess::receive(std::size_t lane, const Request& request, const Waiting& waiting)
{
    std::array<pollfd, 4> sources{{{sockets_[lane].number(), POLLIN, 0},
                                   {log_socket_.number(), POLLIN, 0},
                                   {child_->descriptor(), POLLIN, 0},
                                   {prints_end(), POLLIN, 0}}};
    (void)poll(sources.data(), sources.size(), static_cast<int>(tick.count()));
    // Log lines come before the answer.
    if ((sources[1].revents & POLLIN) != 0 || sources[3].revents != 0)
        drain_log();
    if (sources[0].revents != 0) {
        Answer answer;
        const ssize_t got =
            recv(sockets_[lane].number(), &answer, sizeof answer, MSG_DONTWAIT | MSG_TRUNC);
        if (has_closed(got))
            died(Cause::closed, request.operation, waiting);
        if (got < 0)
            return std::nullopt;
        if (got != sizeof answer || answer.mark != answer_mark || answer.number != request.number ||
            answer.operation != request.operation || answer.text > lanes_[lane]->output.size())
            died(Cause::bad_answer, request.operation, waiting);
        return answer;
    }
    if (sources[2].revents != 0)
        died(Cause::ended, request.operation, waiting);
    return std::nullopt;
}

/// Shows progress, and checks stop requests and limits.
void EncoderProcess::look(std::size_t lane,
                          Watch& watch,
                          const Waiting& waiting,
                          Operation operation)
{
    const auto now = Clock::now();
    show_progress(lane, watch, waiting);
    if (waiting.stop.stop_requested()) {
        if (!watch.stopped) {
            watch.stopped = now;
            const std::lock_guard lock(mutex_);
            if (!std::exchange(is_stop_told_, true))
                (void)send(log_socket_.number(), "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        } else if (now - *watch.stopped > patience) {
            kill();
            throw base::Cancelled();
        }
    }
    if (waiting.limit > milliseconds::zero() && now - watch.begin > waiting.limit)
        died(Cause::call_limit, operation, waiting);
}

void EncoderProcess::show_progress(std::size_t lane, Watch& watch, const Waiting& waiting) const
{
    if (!waiting.progress)
        return;
    const Status::Progress& progress = status().progress[lane];
    const std::pair<std::uint64_t, std::uint64_t> now{progress.done, progress.total};
    if (now == watch.shown)
        return;
    watch.shown = now;
    waiting.progress(now.first, now.second);
}

std::string_view EncoderProcess::text_of(std::size_t lane, const Answer& answer) const
{
    return {reinterpret_cast<const char*>(lanes_[lane]->output.data()), answer.text};
}

void EncoderProcess::leave(milliseconds at_most)
{
    const auto begin = Clock::now();
    for (;;) {
        drain_log();
        const std::lock_guard lock(mutex_);
        const auto ending = child_->wait(tick);
        if (!ending && Clock::now() - begin < at_most)
            continue;
        death_ = ending ? Death{Cause::ended, child_->end()}
                        : Death{Cause::call_limit, child_->end_at_limit(at_most)};
        if (ending && ending->known && ending->signal() == 0 && ending->status == 0)
            return;
        throw death_in(Operation::destroy);
    }
}

int EncoderProcess::prints_end()
{
    const std::lock_guard lock(log_mutex_);
    return prints_ ? prints_->number() : -1; // which poll() passes over
}

/// Bounded: an encoder that prints without end must meet the limits of its call.
void EncoderProcess::drain_prints()
{
    std::array<char, 65536> block;
    for (int blocks = 0; prints_ && blocks < 64; ++blocks) {
        const ssize_t got = ::read(prints_->number(), block.data(), block.size());
        if (got == 0)
            prints_.reset();
        else if (got > 0 && log_)
            log_(printed, {block.data(), static_cast<std::size_t>(got)});
        else if (got < 0 && errno != EINTR)
            return;
    }
}

void EncoderProcess::drain_log()
{
    const std::lock_guard lock(log_mutex_);
    drain_prints();
    std::array<char, sizeof(LogHead) + longest_log_line> buffer;
    for (;;) {
        const ssize_t got = recv(log_socket_.number(), buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return;
        const auto size = static_cast<std::size_t>(got);
        if (size < sizeof(LogHead))
            continue; // not of the protocol
        LogHead head;
        std::memcpy(&head, buffer.data(), sizeof head);
        if (log_ && head.level <= SENTEVAL_LOG_ERROR)
            log_(head.level, {buffer.data() + sizeof head, size - sizeof head});
    }
}

} // namespace senteval::isolation
