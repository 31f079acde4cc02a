#include "fault_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace senteval::test {
namespace {

bool send_all(int connection, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t sent = ::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

std::string receive_head(int connection)
{
    std::string head;
    char buffer[4096];
    while (head.find("\r\n\r\n") == std::string::npos) {
        const ssize_t size = ::recv(connection, buffer, sizeof buffer, 0);
        if (size <= 0)
            return "";
        head.append(buffer, static_cast<std::size_t>(size));
    }
    return head;
}

Request parse(const std::string& head)
{
    Request request;
    const std::size_t start = head.find(' ') + 1;
    request.path = head.substr(start, head.find(' ', start) - start);
    constexpr std::string_view range = "Range: bytes=";
    if (const std::size_t at = head.find(range); at != std::string::npos)
        request.offset = std::stoull(head.substr(at + range.size()));
    return request;
}

} // namespace

FaultServer::FaultServer(Handler handler) : handler_(std::move(handler))
{
    ::setenv("no_proxy", "127.0.0.1", 1);
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (listener_ < 0 || ::bind(listener_, generic, size) != 0 || ::listen(listener_, 64) != 0 ||
        ::getsockname(listener_, generic, &size) != 0)
        throw std::runtime_error("cannot serve on this machine");
    port_ = ntohs(address.sin_port);
    accepting_ = std::thread([this] { serve(); });
}

FaultServer::~FaultServer()
{
    stopping_ = true;
    accepting_.join();
    for (std::thread& connection : connections_)
        connection.join();
    ::close(listener_);
}

std::string FaultServer::url(const std::string& path) const
{
    return "http://127.0.0.1:" + std::to_string(port_) + path;
}

std::vector<Request> FaultServer::requests() const
{
    const std::scoped_lock lock(mutex_);
    return requests_;
}

void FaultServer::serve()
{
    while (!stopping_) {
        pollfd waiting{listener_, POLLIN, 0};
        if (::poll(&waiting, 1, 20) <= 0)
            continue;
        const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (connection < 0)
            continue;
        connections_.emplace_back([this, connection] {
            answer(connection);
            ::close(connection);
        });
    }
}

void FaultServer::answer(int connection)
{
    const std::string head = receive_head(connection);
    if (head.empty())
        return;
    Request request = parse(head);
    {
        const std::scoped_lock lock(mutex_);
        request.number = requests_.size();
        requests_.push_back(request);
    }
    send_reply(connection, request, handler_(request));
}

void FaultServer::send_reply(int connection, const Request& request, const Reply& reply)
{
    const bool ranged = request.offset > 0 && reply.knows_ranges && reply.status == 200;
    const bool beyond = ranged && request.offset >= reply.body.size();
    const std::string_view body =
        std::string_view(reply.body).substr(ranged && !beyond ? request.offset : 0);
    std::string head = "HTTP/1.1 " +
                       std::to_string(beyond   ? 416
                                      : ranged ? 206
                                               : reply.status) +
                       " X\r\nConnection: close\r\n";
    if (ranged && !beyond)
        head += "Content-Range: bytes " + std::to_string(request.offset) + "-" +
                std::to_string(reply.body.size() - 1) + "/" + std::to_string(reply.body.size()) +
                "\r\n";
    if (!reply.location.empty())
        head += "Location: " + reply.location + "\r\n";
    if (reply.declares_length)
        head += "Content-Length: " + std::to_string(reply.declared_length.value_or(body.size())) +
                "\r\n";
    if (!send_all(connection, head + "\r\n"))
        return;

    const std::string_view sent = body.substr(0, reply.send_only);
    if (reply.drip.count() == 0) {
        send_all(connection, sent);
    } else {
        for (std::size_t i = 0; i < sent.size() && !stopping_; ++i) {
            if (!send_all(connection, sent.substr(i, 1)))
                return;
            std::this_thread::sleep_for(reply.drip);
        }
    }
    if (reply.afterwards == Reply::Afterwards::stall) {
        pollfd leaving{connection, POLLIN, 0}; // readable as soon as the other side has gone
        while (!stopping_ && ::poll(&leaving, 1, 20) == 0) {
        }
    }
}

} // namespace senteval::test
