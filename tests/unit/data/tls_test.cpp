// A server whose certificate nobody vouches for.
#include "data/http.hpp"
#include "support/certificate.hpp"
#include "support/freed_by.hpp"
#include "support/support.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>

using namespace senteval;

namespace {

using Context = std::unique_ptr<SSL_CTX, test::FreedBy<SSL_CTX_free>>;
using Session = std::unique_ptr<SSL, test::FreedBy<SSL_free>>;

/// Answers every TLS connection with a page, should the client accept who it talks to.
class TlsServer {
public:
    TlsServer() : context_(SSL_CTX_new(TLS_server_method()))
    {
        std::signal(SIGPIPE, SIG_IGN); // as the program does: a client may have gone
        const test::ScratchFolder folder;
        const auto files = test::write_certificate(folder.path(), "IP:127.0.0.1");
        REQUIRE(SSL_CTX_use_certificate_file(context_.get(), files.certificate.c_str(),
                                             SSL_FILETYPE_PEM) == 1);
        REQUIRE(SSL_CTX_use_PrivateKey_file(context_.get(), files.key.c_str(), SSL_FILETYPE_PEM) ==
                1);
        listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* generic = reinterpret_cast<sockaddr*>(&address);
        REQUIRE(::bind(listener_, generic, size) == 0);
        REQUIRE(::listen(listener_, 8) == 0);
        REQUIRE(::getsockname(listener_, generic, &size) == 0);
        port_ = ntohs(address.sin_port);
        thread_ = std::thread([this] { serve(); });
    }
    TlsServer(const TlsServer&) = delete;
    TlsServer& operator=(const TlsServer&) = delete;
    TlsServer(TlsServer&&) = delete;
    TlsServer& operator=(TlsServer&&) = delete;
    ~TlsServer()
    {
        ::shutdown(listener_, SHUT_RDWR);
        thread_.join();
        ::close(listener_);
    }

    [[nodiscard]] std::string url() const
    {
        return "https://127.0.0.1:" + std::to_string(port_) + "/file";
    }

private:
    void serve()
    {
        for (;;) {
            const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
            if (connection < 0)
                return;
            const Session session(SSL_new(context_.get()));
            SSL_set_fd(session.get(), connection);
            const std::string page = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfalse";
            char request[1024];
            if (SSL_accept(session.get()) == 1 &&
                SSL_read(session.get(), request, sizeof request) > 0)
                SSL_write(session.get(), page.data(), static_cast<int>(page.size()));
            ::close(connection);
        }
    }

    Context context_;
    int listener_ = -1;
    int port_ = 0;
    std::thread thread_;
};

} // namespace

TEST_CASE("a server that cannot prove who it is gets no second chance and delivers nothing")
{
    const TlsServer server;
    std::string received;
    const data::HttpCallbacks callbacks{[&](std::string_view bytes) {
                                            received += bytes;
                                            return true;
                                        },
                                        [](std::uint64_t) { return true; }};
    const data::HttpOutcome outcome = data::http_get(server.url(), 0, {}, callbacks);
    CHECK(outcome.end == data::HttpEnd::refused);
    CHECK(test::contains(outcome.problem, "certificate"));
    CHECK(received.empty());
}
