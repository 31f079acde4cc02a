#include "isolation/server.hpp"

#include "core/blas.hpp"
#include "isolation/served_encoder.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <stop_token>
#include <string_view>
#include <system_error>
#include <thread>

namespace senteval::isolation {
namespace {

/// The next request of a lane, if the program is still there and makes sense.
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

/// What the threads of the process share. Each holds it: one may only be about to begin when the process ends.
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

/// As it is in the program, so that encoders find the same.
void settle_process()
{
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ); // what it prints before a crash is not lost
    struct sigaction action {};
    action.sa_handler = [](int) {};
    action.sa_flags = SA_RESTART;
    sigaction(SIGPIPE, &action, nullptr);
    (void)core::prepare_blas();
}

/// All threads that will ever call the encoder beside this one, as long as memory is there for them.
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

/// The program says so by any message on the socket of the log.
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
              FD_CLOEXEC); // programs that an encoder starts have nothing to do with it
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
