#include "http/transfers.hpp"

#include "base/certificates.hpp"
#include "remote/text.hpp"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <future>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

namespace senteval::http {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

void start_curl()
{
    static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
    if (code != CURLE_OK)
        throw sdk::Error(SENTEVAL_INTERNAL,
                         std::string("libcurl does not start: ") + curl_easy_strerror(code));
}

/// Whether the same may go well a moment later.
bool is_worth_another_attempt(CURLcode code)
{
    constexpr std::array codes{
        CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_PARTIAL_FILE,
        CURLE_OPERATION_TIMEDOUT,   CURLE_GOT_NOTHING,     CURLE_SEND_ERROR,
        CURLE_RECV_ERROR,           CURLE_HTTP2,           CURLE_HTTP2_STREAM};
    return std::ranges::find(codes, code) != codes.end();
}

bool is_worth_another_attempt(long status)
{
    constexpr long request_timeout = 408;
    constexpr long too_many_requests = 429;
    return status == request_timeout || status == too_many_requests || status >= 500;
}

/// Advice that follows the words of the server; may be empty.
const char* hint_of_status(long status)
{
    constexpr long unauthorised = 401;
    constexpr long forbidden = 403;
    constexpr long not_found = 404;
    constexpr long not_allowed = 405;
    if (status == unauthorised || status == forbidden)
        return " (parameter 'key_env' names the environment variable that holds the API key)";
    if (status == not_found || status == not_allowed)
        return " (parameter 'url' is the whole address, such as "
               "http://127.0.0.1:8080/v1/embeddings)";
    return "";
}

} // namespace

/// A handle of libcurl, which keeps its connection open, and the answer that it is receiving. Used by one
/// thread at a time.
struct Transfers::Connection {
    explicit Connection(const Server& server) : handle(curl_easy_init())
    {
        if (handle == nullptr)
            throw std::bad_alloc();
        add_header("Content-Type: application/json");
        add_header("Expect:"); // no question before a large body
        if (!server.key.empty())
            add_header(server.key.header());
        const auto set = [this](CURLoption option, auto value) {
            curl_easy_setopt(handle, option, value);
        };
        set(CURLOPT_URL, server.url.c_str());
        set(CURLOPT_PROTOCOLS_STR, "http,https");
        set(CURLOPT_REDIR_PROTOCOLS_STR, server.url.starts_with("https:") ? "https" : "http,https");
        set(CURLOPT_SSL_VERIFYPEER, 1L);
        set(CURLOPT_SSL_VERIFYHOST, 2L);
        const std::string trusted =
            server.ca_file.empty() ? base::certificate_file() : server.ca_file;
        if (!trusted.empty())
            set(CURLOPT_CAINFO, trusted.c_str());
        // Compression only takes time between processes of one machine; and a proxy would look for the server on its
        // own machine.
        set(CURLOPT_ACCEPT_ENCODING, server.is_local ? "identity" : "");
        if (server.is_local)
            set(CURLOPT_PROXY, "");
        set(CURLOPT_FOLLOWLOCATION, 1L);
        set(CURLOPT_MAXREDIRS, 5L);
        set(CURLOPT_POSTREDIR, static_cast<long>(CURL_REDIR_POST_ALL));
        set(CURLOPT_UNRESTRICTED_AUTH, 0L); // the key stays with its host
        set(CURLOPT_CONNECTTIMEOUT, server.connect_seconds);
        set(CURLOPT_TIMEOUT, server.request_seconds);
        set(CURLOPT_LOW_SPEED_LIMIT, 1L);
        set(CURLOPT_LOW_SPEED_TIME, server.stall_seconds);
        set(CURLOPT_NOSIGNAL, 1L);
        set(CURLOPT_USERAGENT, "senteval");
        set(CURLOPT_HTTPHEADER, headers);
        set(CURLOPT_ERRORBUFFER, problem.data());
        set(CURLOPT_WRITEFUNCTION, &Connection::write);
        set(CURLOPT_WRITEDATA, this);
        set(CURLOPT_HEADERFUNCTION, &Connection::read_header);
        set(CURLOPT_HEADERDATA, this);
        set(CURLOPT_NOPROGRESS, 0L);
        set(CURLOPT_XFERINFOFUNCTION, &Connection::look_whether_to_stop);
        set(CURLOPT_XFERINFODATA, this);
    }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection()
    {
        curl_easy_cleanup(handle);
        curl_slist_free_all(headers);
    }

    void add_header(const std::string& header)
    {
        headers = curl_slist_append(headers, header.c_str());
    }

    static std::size_t write(char* bytes, std::size_t, std::size_t size, void* user)
    {
        Connection& self = *static_cast<Connection*>(user);
        if (size > self.most_bytes - self.answer.size()) {
            self.is_too_large = true;
            return size + 1; // any other number than size stops the transfer
        }
        try {
            self.answer.append(bytes, size);
        } catch (const std::exception&) {
            return size + 1;
        }
        return size;
    }

    static std::size_t read_header(char* bytes, std::size_t, std::size_t size, void* user)
    {
        const std::string_view line(bytes, size);
        if (line.starts_with("HTTP/") || line == "\r\n" || line == "\n")
            static_cast<Connection*>(user)->has_whole_header = !line.starts_with("HTTP/");
        return size;
    }

    static int look_whether_to_stop(void* user, curl_off_t, curl_off_t, curl_off_t, curl_off_t)
    {
        return static_cast<Connection*>(user)->is_given_up() ? 1 : 0;
    }

    CURL* handle;
    curl_slist* headers = nullptr;
    std::array<char, CURL_ERROR_SIZE> problem{};
    std::string answer;
    std::size_t most_bytes = 0;
    bool is_too_large = false;
    bool has_whole_header = false; ///< up to its empty line
    std::function<bool()> is_given_up;
};

/// The requests of one post(). Threads take them in their order, each with a connection of its own.
class Transfers::Round {
public:
    Round(Transfers& owner,
          const std::vector<std::string>& bodies,
          std::size_t most_bytes,
          bool is_probe,
          const Take& take)
        : server_(owner.server_),
          host_(owner.host_),
          bodies_(bodies),
          most_bytes_(most_bytes),
          is_probe_(is_probe),
          take_(take),
          first_failed_(bodies.size())
    {
    }

    void run(const std::vector<std::unique_ptr<Connection>>& connections, const Stop& stop)
    {
        std::vector<std::future<void>> threads;
        for (std::size_t i = 0; i < std::min(connections.size(), bodies_.size()); ++i)
            threads.push_back(
                std::async(std::launch::async, [&, i] { take_requests(*connections[i]); }));
        // Only this thread may ask whether to stop.
        for (const auto& thread : threads)
            while (thread.wait_for(step) != std::future_status::ready)
                if (!stopped_ && stop())
                    stopped_ = true;
        for (auto& thread : threads)
            thread.get();
        if (stopped_)
            throw sdk::Cancelled();
        if (failure_)
            std::rethrow_exception(failure_);
    }

private:
    static constexpr milliseconds step{100};

    /// Whether a failure makes the request useless. Those before it go on: one may fail yet, and is then reported.
    [[nodiscard]] bool is_given_up(std::size_t request) const
    {
        return stopped_ || request > first_failed_;
    }

    void take_requests(Connection& connection)
    {
        for (std::size_t i = next_++; i < bodies_.size() && !is_given_up(i); i = next_++) {
            connection.is_given_up = [this, i] { return is_given_up(i); };
            for (int attempt = 1; attempt_request(connection, i, attempt); ++attempt) {
            }
        }
    }

    /// Whether another attempt is to be made.
    bool attempt_request(Connection& connection, std::size_t request, int attempt)
    {
        while (!is_given_up(request) && Clock::now() < not_before_.load())
            std::this_thread::sleep_for(
                std::min<Clock::duration>(not_before_.load() - Clock::now(), step));
        if (is_given_up(request))
            return false;
        CURL* const handle = connection.handle;
        connection.answer.clear();
        connection.most_bytes = most_bytes_;
        connection.is_too_large = false;
        connection.problem.front() = '\0';
        curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE,
                         static_cast<curl_off_t>(bodies_[request].size()));
        curl_easy_setopt(handle, CURLOPT_POSTFIELDS, bodies_[request].c_str());
        const CURLcode code = curl_easy_perform(handle);
        if (is_given_up(request))
            return false;
        long status = 0;
        curl_off_t retry_after = 0;
        curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
        curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &retry_after);
        if (code != CURLE_OK)
            return is_broken(connection, code, request, attempt);
        if (!connection.has_whole_header || (status == 200 && connection.answer.empty()))
            return try_again(request, attempt, "the server broke off before its answer began", {});
        if (status < 200 || status >= 300)
            return is_refused(connection, status, retry_after, request, attempt);
        try {
            take_(request, connection.answer);
        } catch (const remote::CutOff& e) { // as a proxy leaves it whose own server broke off
            return try_again(request, attempt, not_taken(connection, e.what()), {});
        } catch (const std::runtime_error& e) {
            fail(request, not_taken(connection, e.what()));
        }
        return false;
    }

    [[nodiscard]] std::string not_taken(const Connection& connection, const char* why) const
    {
        return fmt::format("the server gave {}; its answer begins with {}", why,
                           remote::shown(hidden(connection.answer), 100));
    }

    bool is_broken(const Connection& connection, CURLcode code, std::size_t request, int attempt)
    {
        std::string what = connection.problem.front() != '\0' ? connection.problem.data()
                                                              : curl_easy_strerror(code);
        const bool is_distrusted =
            code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE;
        if (is_distrusted && server_.ca_file.empty())
            what += " (parameter 'ca_file' names a file of certificates to trust, such as the "
                    "server's own)";
        if (connection.is_too_large)
            what = fmt::format("the server's answer is larger than {} bytes", most_bytes_);
        if (code == CURLE_OPERATION_TIMEDOUT)
            what += fmt::format(
                " (of each attempt: connect_seconds {}, stall_seconds {}, request_seconds {})",
                server_.connect_seconds, server_.stall_seconds, server_.request_seconds);
        const bool is_missing = code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_HOST;
        if (is_worth_another_attempt(code) && !(is_probe_ && is_missing))
            return try_again(request, attempt, what, {});
        fail(request, what, is_missing ? SENTEVAL_NOT_FOUND : SENTEVAL_INTERNAL);
        return false;
    }

    bool is_refused(const Connection& connection,
                    long status,
                    curl_off_t retry_after,
                    std::size_t request,
                    int attempt)
    {
        const std::string what =
            fmt::format("the server answered {}: {}{}", status,
                        remote::shown(hidden(error_message(hidden(connection.answer))), 300),
                        hint_of_status(status));
        if (is_worth_another_attempt(status))
            return try_again(request, attempt, what,
                             std::chrono::seconds(std::min<std::int64_t>(retry_after, 1'000'000)));
        fail(request, what);
        return false;
    }

    /// `asked`: how long the server wants to be left alone; 0 where it does not say.
    bool try_again(std::size_t request, int attempt, const std::string& what, milliseconds asked)
    {
        if (attempt > server_.retries) {
            fail(request, attempt == 1
                              ? what
                              : fmt::format("{}, at the last of {} attempts", what, attempt));
            return false;
        }
        const milliseconds wait =
            std::min(server_.longest_wait, asked.count() > 0 ? asked : backoff(attempt));
        {
            const std::lock_guard lock(mutex_);
            not_before_ = std::max(not_before_.load(), Clock::now() + wait);
        }
        host_.warn(
            hidden(fmt::format("{}: {}; attempt {} of {} in {:g} s", server_.url, what, attempt + 1,
                               server_.retries + 1, std::chrono::duration<double>(wait).count())));
        return true;
    }

    [[nodiscard]] milliseconds backoff(int attempt) const
    {
        milliseconds wait = server_.backoff;
        for (int i = 1; i < attempt && wait < server_.longest_wait; ++i)
            wait *= 2;
        return wait;
    }

    void
    fail(std::size_t request, const std::string& what, senteval_status status = SENTEVAL_INTERNAL)
    {
        const std::lock_guard lock(mutex_);
        if (request > first_failed_)
            return;
        first_failed_ = request;
        failure_ = std::make_exception_ptr(RequestFailed(
            request, status,
            hidden(fmt::format("{}: {}", remote::printable(server_.url, 500), what))));
    }

    [[nodiscard]] std::string hidden(std::string_view text) const
    {
        return server_.key.without(text);
    }

    const Server& server_;
    const sdk::Host& host_;
    const std::vector<std::string>& bodies_;
    std::size_t most_bytes_;
    bool is_probe_;
    const Take& take_;
    std::atomic<std::size_t> next_{0};
    std::atomic<std::size_t> first_failed_; ///< the number of requests where none has
    std::atomic<bool> stopped_{false};
    std::atomic<Clock::time_point> not_before_{Clock::time_point()};
    std::mutex mutex_;
    std::exception_ptr failure_;
};

Transfers::Transfers(Server server, sdk::Host host) : server_(std::move(server)), host_(host)
{
    start_curl();
    for (std::size_t i = 0; i < server_.parallel; ++i)
        connections_.push_back(std::make_unique<Connection>(server_));
}

Transfers::~Transfers() = default;

void Transfers::post(const std::vector<std::string>& bodies,
                     std::size_t most_bytes,
                     bool is_probe,
                     const Stop& stop,
                     const Take& take)
{
    Round(*this, bodies, most_bytes, is_probe, take).run(connections_, stop);
}

} // namespace senteval::http
