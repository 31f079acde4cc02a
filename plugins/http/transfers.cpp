#include "http/transfers.hpp"

#include "http/curl_library.hpp"
#include "http/embeddings.hpp"
#include "http/failures.hpp"
#include "remote/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <set>
#include <stdexcept>
#include <utility>

namespace senteval::http {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

} // namespace

/// One place for a request under way; its handle is used again.
struct Transfers::Slot {
    Slot() : handle(Curl::get().easy_init())
    {
        if (handle == nullptr)
            throw std::bad_alloc();
    }
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;
    ~Slot()
    {
        Curl::get().easy_cleanup(handle);
        Curl::get().list_free(headers);
    }

    static std::size_t write(char* bytes, std::size_t, std::size_t size, void* user)
    {
        Slot& self = *static_cast<Slot*>(user);
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

    CURL* handle;
    curl_slist* headers = nullptr;
    std::array<char, CURL_ERROR_SIZE> problem{};
    bool is_busy = false;
    std::size_t request = 0;
    std::string answer;
    std::size_t most_bytes = 0;
    bool is_too_large = false;
};

struct Transfers::Multi {
    Multi() : handle(Curl::get().multi_init())
    {
        if (handle == nullptr)
            throw std::bad_alloc();
    }
    Multi(const Multi&) = delete;
    Multi& operator=(const Multi&) = delete;
    ~Multi()
    {
        slots.clear();
        Curl::get().multi_cleanup(handle);
    }

    CURLM* handle;
    std::vector<std::unique_ptr<Slot>> slots;
};

namespace {

/// Everything about a request but its body. The slot's address stays.
void set_up(CURL* handle, const Server& server, curl_slist* headers, char* problem)
{
    const auto set = Curl::get().set;
    const char* onward = server.url.starts_with("https:") ? "https" : "http,https";
    set(handle, CURLOPT_URL, server.url.c_str());
    set(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    set(handle, CURLOPT_REDIR_PROTOCOLS_STR, onward);
    set(handle, CURLOPT_SSL_VERIFYPEER, 1L);
    set(handle, CURLOPT_SSL_VERIFYHOST, 2L);
    if (!server.ca_file.empty())
        set(handle, CURLOPT_CAINFO, server.ca_file.c_str());
    // What is compressed is understood, asked for or not; between processes of a machine it takes only time.
    set(handle, CURLOPT_ACCEPT_ENCODING, server.is_local ? "identity" : "");
    if (server.is_local)
        set(handle, CURLOPT_PROXY,
            ""); // of the environment: it would look for the server on its own machine
    set(handle, CURLOPT_FOLLOWLOCATION, 1L);
    set(handle, CURLOPT_MAXREDIRS, 5L);
    set(handle, CURLOPT_POSTREDIR, static_cast<long>(CURL_REDIR_POST_ALL));
    set(handle, CURLOPT_UNRESTRICTED_AUTH, 0L); // the key stays with its host
    set(handle, CURLOPT_CONNECTTIMEOUT, server.connect_seconds);
    set(handle, CURLOPT_TIMEOUT, server.request_seconds);
    set(handle, CURLOPT_LOW_SPEED_LIMIT, 1L);
    set(handle, CURLOPT_LOW_SPEED_TIME, server.stall_seconds);
    set(handle, CURLOPT_NOSIGNAL, 1L);
    set(handle, CURLOPT_USERAGENT, "senteval");
    set(handle, CURLOPT_HTTPHEADER, headers);
    set(handle, CURLOPT_ERRORBUFFER, problem);
}

} // namespace

/// The requests of one post().
class Transfers::Round {
public:
    Round(Transfers& owner,
          const std::vector<std::string>& bodies,
          std::size_t most_bytes,
          bool is_probe,
          const Take& take)
        : owner_(owner),
          bodies_(bodies),
          most_bytes_(most_bytes),
          is_probe_(is_probe),
          take_(take),
          attempts_(bodies.size()),
          first_failed_(bodies.size())
    {
        for (std::size_t i = 0; i < bodies.size(); ++i)
            waiting_.insert(waiting_.end(), i);
    }
    Round(const Round&) = delete;
    Round& operator=(const Round&) = delete;
    ~Round()
    {
        for (const auto& slot : slots())
            drop(*slot);
    }

    void run(const Stop& stop)
    {
        constexpr int step = 100; // milliseconds between two looks whether to stop
        const Curl& curl = Curl::get();
        while (!waiting_.empty() || is_busy()) {
            if (stop())
                throw sdk::Cancelled();
            begin_requests();
            int running = 0;
            curl.multi_perform(multi(), &running);
            int left = 0;
            while (const CURLMsg* message = curl.multi_next(multi(), &left))
                if (message->msg == CURLMSG_DONE)
                    finish(message->easy_handle, message->data.result);
            if (!waiting_.empty() || is_busy())
                curl.multi_poll(multi(), nullptr, 0, poll_time(step), nullptr);
        }
        if (failure_)
            std::rethrow_exception(failure_);
    }

private:
    [[nodiscard]] CURLM* multi() const { return owner_.multi_->handle; }
    [[nodiscard]] std::vector<std::unique_ptr<Slot>>& slots() const { return owner_.multi_->slots; }
    [[nodiscard]] bool is_busy() const
    {
        return std::ranges::any_of(slots(), [](const auto& slot) { return slot->is_busy; });
    }

    [[nodiscard]] int poll_time(int step) const
    {
        if (waiting_.empty())
            return step;
        const auto until = std::chrono::ceil<milliseconds>(not_before_ - Clock::now()).count();
        return until <= 0 ? (is_busy() ? step : 0)
                          : static_cast<int>(std::min<std::int64_t>(until, step));
    }

    void begin_requests()
    {
        if (Clock::now() < not_before_)
            return;
        for (const auto& slot : slots())
            if (!slot->is_busy && !waiting_.empty())
                begin(*slot, waiting_.extract(waiting_.begin()).value());
    }

    void begin(Slot& slot, std::size_t request)
    {
        const auto set = Curl::get().set;
        slot.request = request;
        slot.answer.clear();
        slot.most_bytes = most_bytes_;
        slot.is_too_large = false;
        slot.problem.front() = '\0';
        set(slot.handle, CURLOPT_POSTFIELDSIZE_LARGE,
            static_cast<curl_off_t>(bodies_[request].size()));
        set(slot.handle, CURLOPT_POSTFIELDS, bodies_[request].c_str());
        slot.is_busy = Curl::get().multi_add(multi(), slot.handle) == CURLM_OK;
        ++attempts_[request];
        if (!slot.is_busy)
            throw sdk::Error(SENTEVAL_INTERNAL, "libcurl takes no request");
    }

    void drop(Slot& slot) const
    {
        if (std::exchange(slot.is_busy, false))
            Curl::get().multi_remove(multi(), slot.handle);
    }

    void finish(CURL* handle, CURLcode code)
    {
        const auto found =
            std::ranges::find_if(slots(), [&](const auto& slot) { return slot->handle == handle; });
        Slot& slot = **found;
        long status = 0;
        curl_off_t retry_after = 0;
        Curl::get().info(handle, CURLINFO_RESPONSE_CODE, &status);
        Curl::get().info(handle, CURLINFO_RETRY_AFTER, &retry_after);
        drop(slot);
        if (code != CURLE_OK)
            finish_broken(slot, code);
        else if (status >= 200 && status < 300)
            finish_answered(slot);
        else
            finish_refused(slot, status, retry_after);
    }

    void finish_answered(const Slot& slot)
    {
        try {
            take_(slot.request, slot.answer);
        } catch (const remote::CutOff& e) { // as a proxy leaves it whose own server broke off
            try_again(slot, not_taken(slot, e.what()), {});
        } catch (const std::runtime_error& e) {
            fail(slot.request, not_taken(slot, e.what()));
        }
    }

    [[nodiscard]] std::string not_taken(const Slot& slot, const char* why) const
    {
        return fmt::format("the server gave {}; its answer begins with {}", why,
                           remote::shown(hidden(slot.answer), 100));
    }

    void finish_broken(const Slot& slot, CURLcode code)
    {
        std::string what =
            slot.problem.front() != '\0' ? slot.problem.data() : Curl::get().describe(code);
        if (code == CURLE_PEER_FAILED_VERIFICATION)
            what += hint_of_certificate(slot.handle);
        if (slot.is_too_large)
            what = fmt::format("the server's answer is larger than {} bytes", most_bytes_);
        if (code == CURLE_OPERATION_TIMEDOUT)
            what += fmt::format(
                " (of each attempt: connect_seconds {}, stall_seconds {}, request_seconds {})",
                owner_.server_.connect_seconds, owner_.server_.stall_seconds,
                owner_.server_.request_seconds);
        const bool is_missing = code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_HOST;
        if (is_worth_another_attempt(code) && !(is_probe_ && is_missing))
            try_again(slot, what, {});
        else
            fail(slot.request, what, is_missing ? SENTEVAL_NOT_FOUND : SENTEVAL_INTERNAL);
    }

    void finish_refused(const Slot& slot, long status, curl_off_t retry_after)
    {
        const std::string what = fmt::format(
            "the server answered {}: {}{}", status,
            remote::shown(hidden(error_message(hidden(slot.answer))), 300), hint_of_status(status));
        const auto asked = std::min<std::int64_t>(retry_after, 1'000'000);
        if (is_worth_another_attempt(status))
            try_again(slot, what, std::chrono::seconds(asked));
        else
            fail(slot.request, what);
    }

    /// `asked`: how long the server wants to be left alone; 0 where it does not say.
    void try_again(const Slot& slot, const std::string& what, milliseconds asked)
    {
        const int attempt = attempts_[slot.request];
        if (attempt > owner_.server_.retries) {
            fail(slot.request, attempt == 1
                                   ? what
                                   : fmt::format("{}, at the last of {} attempts", what, attempt));
            return;
        }
        if (slot.request > first_failed_)
            return;
        const milliseconds wait =
            std::min(owner_.server_.longest_wait, asked.count() > 0 ? asked : backoff(attempt));
        not_before_ = std::max(not_before_, Clock::now() + wait);
        waiting_.insert(slot.request);
        owner_.host_.warn(hidden(
            fmt::format("{}: {}; attempt {} of {} in {:g} s", owner_.server_.url, what, attempt + 1,
                        owner_.server_.retries + 1, std::chrono::duration<double>(wait).count())));
    }

    [[nodiscard]] milliseconds backoff(int attempt) const
    {
        milliseconds wait = owner_.server_.backoff;
        for (int i = 1; i < attempt && wait < owner_.server_.longest_wait; ++i)
            wait *= 2;
        return wait;
    }

    /// What comes after it is given up; what comes before may fail yet, and is then what is told.
    void
    fail(std::size_t request, const std::string& what, senteval_status status = SENTEVAL_INTERNAL)
    {
        if (request > first_failed_)
            return;
        first_failed_ = request;
        failure_ = std::make_exception_ptr(RequestFailed(
            request, status,
            hidden(fmt::format("{}: {}", remote::printable(owner_.server_.url, 500), what))));
        waiting_.erase(waiting_.lower_bound(request), waiting_.end());
        for (const auto& slot : slots())
            if (slot->is_busy && slot->request > request)
                drop(*slot);
    }

    [[nodiscard]] std::string hidden(std::string_view text) const
    {
        return owner_.server_.key.without(text);
    }

    Transfers& owner_;
    const std::vector<std::string>& bodies_;
    std::size_t most_bytes_;
    bool is_probe_;
    const Take& take_;
    std::vector<int> attempts_;
    std::set<std::size_t> waiting_;
    Clock::time_point not_before_;
    std::size_t first_failed_; ///< of all requests so far; their number where none has
    std::exception_ptr failure_;
};

Transfers::Transfers(Server server, sdk::Host host)
    : server_(std::move(server)), host_(host), multi_(std::make_unique<Multi>())
{
    const Curl& curl = Curl::get();
    for (std::size_t i = 0; i < server_.parallel; ++i) {
        auto slot = std::make_unique<Slot>();
        const auto add = [&](const std::string& header) {
            slot->headers = curl.list_append(slot->headers, header.c_str());
        };
        add("Content-Type: application/json");
        add("Expect:"); // no question before a large body
        if (!server_.key.empty())
            add(server_.key.header());
        set_up(slot->handle, server_, slot->headers, slot->problem.data());
        curl.set(slot->handle, CURLOPT_WRITEFUNCTION, &Slot::write);
        curl.set(slot->handle, CURLOPT_WRITEDATA, slot.get());
        multi_->slots.push_back(std::move(slot));
    }
}

Transfers::~Transfers() = default;

void Transfers::post(const std::vector<std::string>& bodies,
                     std::size_t most_bytes,
                     bool is_probe,
                     const Stop& stop,
                     const Take& take)
{
    Round(*this, bodies, most_bytes, is_probe, take).run(stop);
}

} // namespace senteval::http
