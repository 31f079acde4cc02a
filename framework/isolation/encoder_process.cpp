#include "isolation/encoder_process.hpp"

#include "core/error.hpp"

#include <senteval/encoder.h>

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

/// How often a waiting thread looks at what nothing tells it.
constexpr milliseconds tick(100);

/// How long an encoder may take to answer a request to stop: the program itself has two seconds.
constexpr milliseconds patience(1000);

/// A wait of which the user wants to know what it is for.
constexpr milliseconds noticeable(3'000);

/// How long a process that no longer speaks may take to be gone, however busy the machine is.
constexpr milliseconds end_of_silence(20'000);

struct SocketPair {
    std::unique_ptr<core::Descriptor> here;
    std::unique_ptr<core::Descriptor> there;
};

SocketPair make_pair()
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        throw core::Error("the process of an encoder cannot be reached: {}",
                          std::generic_category().message(errno));
    return {std::make_unique<core::Descriptor>(ends[0]),
            std::make_unique<core::Descriptor>(ends[1])};
}

SocketPair make_pipe()
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        throw core::Error("what an encoder prints cannot be read: {}",
                          std::generic_category().message(errno));
    SocketPair pipe{std::make_unique<core::Descriptor>(ends[0]),
                    std::make_unique<core::Descriptor>(ends[1])};
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return pipe;
}

/// Signals that are sent where the system allows a process no more of something.
std::string_view limit_of_the_system(int signal)
{
    switch (signal) {
    case SIGXFSZ:
        return ": a file came to the largest size that is allowed here (ulimit -f)";
    case SIGXCPU:
        return ": it used up the processor time that is allowed here (ulimit -t)";
    default:
        return "";
    }
}

/// Whether it is over with a socket; the other side's end of it is, too.
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

ProcessDied::ProcessDied(Death how, Operation operation)
    : encoder::Investigated("its process {}", how.text(operation)),
      death_(std::move(how)),
      operation_(operation)
{
}

std::string Death::text(Operation operation) const
{
    const bool is_exit = report && report->signal == 0;
    const Operation at = report && report->operation ? *report->operation : operation;
    std::string text = cause == Cause::nonsense  ? "sent what is no answer, and was ended"
                       : cause == Cause::silence ? "closed its connection, and was ended"
                       : cause == Cause::attack
                           ? "sent this program a signal to stop, and was ended"
                           : ending.text();
    if (cause == Cause::call_limit && ending.limit)
        text += " for a call";
    if (cause == Cause::task_limit && ending.limit)
        text += " for the calls of a task";
    text += fmt::format(" {}", phase_of(at));
    if (cause == Cause::ended && ending.known && ending.signal() == 0)
        text += fmt::format(": it called {}, which an encoder must not do",
                            is_exit ? "exit()"
                                    : "_exit() or quick_exit(), or became another program (exec)");
    if (cause == Cause::ended)
        text += limit_of_the_system(ending.signal());
    return (report ? text + report->text() : text) + shortage;
}

EncoderProcess::EncoderProcess(const Service& service,
                               std::span<const std::unique_ptr<Lane>> lanes,
                               const SharedBuffer& samples,
                               LogSink log)
    : lanes_(lanes), samples_(samples), limits_(service.limits), log_(std::move(log))
{
    core::ChildCommand command{service.program};
    command.words.emplace_back(serve_command);
    command.words.push_back(std::to_string(lanes.size()));
    command.memory = service.limits.memory;
    command.open_files = service.limits.open_files;
    // A thread of OpenBLAS that is refused its memory waits for it without end, and exit() for the thread.
    if (constexpr const char* threads = "OPENBLAS_NUM_THREADS";
        command.memory > 0 && std::getenv(threads) == nullptr)
        command.environment.push_back(std::string(threads) + "=1");

    SocketPair log_pair = make_pair();
    SocketPair prints = make_pipe();
    prints_ = std::move(prints.here);
    command.descriptors = {
        {prints.there->number(), STDOUT_FILENO}, {prints.there->number(), STDERR_FILENO},
        {status_.descriptor(), passed::status},  {report_.descriptor(), passed::report},
        {log_pair.there->number(), passed::log}, {samples.descriptor(), passed::samples}};
    log_socket_ = std::move(log_pair.here);
    std::vector<std::unique_ptr<core::Descriptor>> theirs;
    int next = passed::first_lane;
    for (const auto& lane : lanes) {
        SocketPair pair = make_pair();
        command.descriptors.push_back({pair.there->number(), next++});
        command.descriptors.push_back({lane->input.descriptor(), next++});
        command.descriptors.push_back({lane->output.descriptor(), next++});
        sockets_.push_back(std::move(pair.here));
        theirs.push_back(std::move(pair.there));
    }
    child_.emplace(command);
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
        death_ = Death{Death::Cause::ended, child_->kill(), {}};
}

void EncoderProcess::died(Death::Cause cause, Operation operation, const Waiting& waiting)
{
    const std::lock_guard lock(mutex_);
    if (!death_) {
        // What closes its connection is about to end by itself, as a rule.
        if (cause == Death::Cause::silence)
            if (const auto own = child_->wait(end_of_silence);
                own && !(WIFEXITED(own->status) && WEXITSTATUS(own->status) == lost_connection))
                cause = Death::Cause::ended;
        const bool by_limit =
            cause == Death::Cause::call_limit || cause == Death::Cause::task_limit;
        const milliseconds limit =
            cause == Death::Cause::task_limit ? waiting.task_limit : waiting.limit;
        const core::ChildEnding ending = by_limit ? child_->kill_at_limit(limit) : child_->kill();
        if (by_limit && !ending.limit)
            cause = Death::Cause::ended;
        death_ = Death{cause, ending, {}};
        if (cause == Death::Cause::ended)
            look_for_shortage();
    }
    drain_log();
    if (waiting.stop.stop_requested())
        throw core::Cancelled(); // whatever it died of: nobody waits for it
    throw ProcessDied(*death_, operation);
}

void EncoderProcess::look_for_shortage()
{
    death_->report = read_crash_report(report_);
    if (death_->report)
        death_->shortage = shortage_text(limits_, death_->report->taken, Failure::death);
    const auto ended_now = ended_for_memory();
    if (death_->ending.signal() == SIGKILL && ended_before_ && ended_now)
        death_->for_memory = *ended_now > *ended_before_;
}

std::string EncoderProcess::shortage(Failure failure) const
{
    return shortage_text(limits_, taken_by(child_->id()), failure);
}

Answer EncoderProcess::call(std::size_t lane, Request request, const Waiting& waiting)
{
    {
        const std::lock_guard lock(mutex_);
        if (death_)
            throw ProcessDied(*death_, request.operation);
        request.number = ++requests_;
    }
    request.input_size = lanes_[lane]->input.size();
    request.output_size = lanes_[lane]->output.size();
    request.samples_size = samples_.size();
    Watch watch;
    while (send(sockets_[lane]->number(), &request, sizeof request, MSG_NOSIGNAL) < 0)
        if (errno != EINTR)
            died(Death::Cause::silence, request.operation, waiting);
    for (;;) {
        const auto answer = receive(lane, request, waiting);
        if (child_->is_accused())
            died(Death::Cause::attack, request.operation, waiting);
        if (answer) {
            show_progress(lane, watch, waiting);
            return *answer;
        }
        look(lane, watch, waiting, request.operation);
    }
}

std::optional<Answer>
EncoderProcess::receive(std::size_t lane, const Request& request, const Waiting& waiting)
{
    std::array<pollfd, 4> sources{{{sockets_[lane]->number(), POLLIN, 0},
                                   {log_socket_->number(), POLLIN, 0},
                                   {child_->descriptor(), POLLIN, 0},
                                   {prints_end(), POLLIN, 0}}};
    (void)poll(sources.data(), sources.size(), static_cast<int>(tick.count()));
    // Where the answer is there, all that was logged before it is, too.
    if ((sources[1].revents & POLLIN) != 0 || sources[3].revents != 0)
        drain_log();
    if (sources[0].revents != 0) {
        Answer answer;
        const ssize_t got =
            recv(sockets_[lane]->number(), &answer, sizeof answer, MSG_DONTWAIT | MSG_TRUNC);
        if (has_closed(got))
            died(Death::Cause::silence, request.operation, waiting);
        if (got < 0)
            return std::nullopt;
        if (got != sizeof answer || answer.mark != answer_mark || answer.number != request.number ||
            answer.operation != request.operation || answer.text > lanes_[lane]->output.size())
            died(Death::Cause::nonsense, request.operation, waiting);
        return answer;
    }
    if (sources[2].revents != 0)
        died(Death::Cause::ended, request.operation, waiting);
    return std::nullopt;
}

/// What a waiting thread does now and then.
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
                (void)send(log_socket_->number(), "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        } else if (now - *watch.stopped > patience) {
            kill();
            throw core::Cancelled();
        }
    }
    if (waiting.limit > milliseconds::zero() && now - watch.begin > waiting.limit)
        died(Death::Cause::call_limit, operation, waiting);
    if (waiting.task_left) {
        const auto left = waiting.task_left();
        if (left && *left <= milliseconds::zero())
            died(Death::Cause::task_limit, operation, waiting);
    }
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

std::optional<Death> EncoderProcess::leave(milliseconds at_most)
{
    const auto begin = Clock::now();
    for (bool is_told = false;;) {
        drain_log();
        if (!is_told && log_ && Clock::now() - begin > noticeable) {
            is_told = true;
            log_(SENTEVAL_LOG_WARNING,
                 fmt::format(
                     "it was destroyed, and its process goes on: waiting for its end, at most "
                     "{:g} s",
                     std::chrono::duration<double>(at_most).count()));
        }
        const std::lock_guard lock(mutex_);
        const auto ending = child_->wait(tick);
        if (!ending && Clock::now() - begin < at_most)
            continue;
        death_ = Death{child_->is_accused() ? Death::Cause::attack
                       : ending             ? Death::Cause::ended
                                            : Death::Cause::call_limit,
                       ending ? child_->kill() : child_->kill_at_limit(at_most),
                       read_crash_report(report_)};
        if (death_->cause != Death::Cause::attack && ending && ending->known &&
            ending->signal() == 0 && ending->status == 0)
            return std::nullopt;
        return death_;
    }
}

int EncoderProcess::prints_end()
{
    const std::lock_guard lock(log_mutex_);
    return prints_ ? prints_->number() : -1; // which poll() passes over
}

/// As much as there is, up to a bound: who prints without end is to meet the limits of its call.
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
        const ssize_t got = recv(log_socket_->number(), buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return;
        const auto size = static_cast<std::size_t>(got);
        if (size < sizeof(LogHead))
            continue; // it is not of the protocol
        LogHead head;
        std::memcpy(&head, buffer.data(), sizeof head);
        if (log_ && head.level <= SENTEVAL_LOG_ERROR)
            log_(head.level, {buffer.data() + sizeof head, size - sizeof head});
    }
}

} // namespace senteval::isolation
