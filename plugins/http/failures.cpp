#include "http/failures.hpp"

#include "http/curl_library.hpp"

namespace senteval::http {

bool is_worth_another_attempt(CURLcode code)
{
    switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_PARTIAL_FILE:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
        return true;
    default:
        return false;
    }
}

bool is_worth_another_attempt(long status)
{
    constexpr long request_timeout = 408;
    constexpr long too_many_requests = 429;
    return status == request_timeout || status == too_many_requests || status >= 500;
}

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

const char* hint_of_certificate(CURL* handle)
{
    // X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, and those of an issuer that is not known.
    constexpr long first_unknown = 18;
    constexpr long last_unknown = 21;
    long result = 0;
    Curl::get().info(handle, CURLINFO_SSL_VERIFYRESULT, &result);
    return result >= first_unknown && result <= last_unknown
               ? " (parameter 'ca_file' names a file of certificates to trust, such as the "
                 "server's own)"
               : "";
}

} // namespace senteval::http
