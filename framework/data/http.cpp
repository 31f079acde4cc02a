#include "data/http.hpp"

#include "base/certificates.hpp"
#include "base/error.hpp"

#include <curl/curl.h>

#include <exception>
#include <memory>

namespace senteval::data {
namespace {

/// Starts libcurl, once. Throws base::Error where it does not start.
void start_curl()
{
    static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
    if (code != CURLE_OK)
        throw base::Error("libcurl does not start: {}", curl_easy_strerror(code));
}

using Handle = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;

/// State that the callbacks of one transfer share. An exception must not pass through libcurl: it waits here until
/// the transfer has ended.
struct Transfer {
    const HttpCallbacks& callbacks;
    bool cancelled = false;
    std::exception_ptr thrown;
    std::uint64_t offset = 0;

    template <typename Call>
    bool guard(Call call)
    {
        try {
            cancelled = cancelled || !call();
        } catch (...) {
            thrown = std::current_exception();
            cancelled = true;
        }
        return !cancelled;
    }
};

std::size_t on_write(char* bytes, std::size_t, std::size_t size, void* user)
{
    auto& transfer = *static_cast<Transfer*>(user);
    const bool go_on = transfer.guard([&] { return transfer.callbacks.write({bytes, size}); });
    return go_on ? size : size + 1; // any other number than size stops the transfer
}

int on_progress(void* user, curl_off_t total, curl_off_t, curl_off_t, curl_off_t)
{
    auto& transfer = *static_cast<Transfer*>(user);
    const std::uint64_t whole = total > 0 ? transfer.offset + static_cast<std::uint64_t>(total) : 0;
    return transfer.guard([&] { return transfer.callbacks.progress(whole); }) ? 0 : 1;
}

void set_limits(CURL* handle, const std::string& url, const HttpLimits& limits)
{
    // A page that was asked for safely is not taken over an unsafe line.
    const char* onward = url.starts_with("https:") ? "https" : "http,https";
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, onward);
    curl_easy_setopt(handle, CURLOPT_SSL_VERIFYPEER, 1L);
    curl_easy_setopt(handle, CURLOPT_SSL_VERIFYHOST, 2L);
    if (const std::string trusted = base::certificate_file(); !trusted.empty())
        curl_easy_setopt(handle, CURLOPT_CAINFO, trusted.c_str());
    curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(handle, CURLOPT_MAXREDIRS, limits.redirects);
    curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(limits.connect.count()));
    curl_easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, limits.bytes_per_second);
    curl_easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, static_cast<long>(limits.stall.count()));
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_FAILONERROR, 1L);
    curl_easy_setopt(handle, CURLOPT_USERAGENT, "senteval");
}

HttpOutcome outcome_of(CURLcode code, long status, const char* details)
{
    const std::string problem =
        status >= 400 ? fmt::format("the server answered {}", status)
                      : std::string(*details != '\0' ? details : curl_easy_strerror(code));
    constexpr long request_timeout = 408;
    constexpr long range_not_satisfiable = 416;
    constexpr long too_many_requests = 429;
    switch (code) {
    case CURLE_OK:
        return {};
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
        return {HttpEnd::unreachable, problem};
    case CURLE_RANGE_ERROR:
        return {HttpEnd::no_resume, problem};
    case CURLE_HTTP_RETURNED_ERROR:
        if (status == range_not_satisfiable)
            return {HttpEnd::no_resume, problem};
        if (status >= 500 || status == request_timeout || status == too_many_requests)
            return {HttpEnd::interrupted, problem};
        return {HttpEnd::refused, problem};
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
    case CURLE_TOO_MANY_REDIRECTS:
        return {HttpEnd::refused, problem};
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
        return {HttpEnd::refused, problem + base::certificates_hint};
    default:
        return {HttpEnd::interrupted, problem};
    }
}

} // namespace

HttpOutcome http_get(const std::string& url,
                     std::uint64_t offset,
                     const HttpLimits& limits,
                     const HttpCallbacks& callbacks)
{
    start_curl();
    const Handle handle(curl_easy_init(), &curl_easy_cleanup);
    if (handle == nullptr)
        throw base::Error("libcurl does not start");
    Transfer transfer{callbacks, false, nullptr, offset};
    std::string details(CURL_ERROR_SIZE, '\0');
    curl_easy_setopt(handle.get(), CURLOPT_URL, url.c_str());
    curl_easy_setopt(handle.get(), CURLOPT_ERRORBUFFER, details.data());
    curl_easy_setopt(handle.get(), CURLOPT_WRITEFUNCTION, &on_write);
    curl_easy_setopt(handle.get(), CURLOPT_WRITEDATA, &transfer);
    curl_easy_setopt(handle.get(), CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(handle.get(), CURLOPT_XFERINFOFUNCTION, &on_progress);
    curl_easy_setopt(handle.get(), CURLOPT_XFERINFODATA, &transfer);
    curl_easy_setopt(handle.get(), CURLOPT_RESUME_FROM_LARGE, static_cast<curl_off_t>(offset));
    set_limits(handle.get(), url, limits);

    const CURLcode code = curl_easy_perform(handle.get());
    if (transfer.thrown)
        std::rethrow_exception(transfer.thrown);
    if (transfer.cancelled)
        return {HttpEnd::cancelled, "stopped"};
    long status = 0;
    curl_easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &status);
    return outcome_of(code, status, details.c_str());
}

} // namespace senteval::data
