// failures.hpp -- what can be done about a request that failed.
#pragma once

#include <curl/curl.h>

namespace senteval::http {

/// Whether the same may go well a moment later.
bool is_worth_another_attempt(CURLcode code);
bool is_worth_another_attempt(long status);

/// What follows the words of the server for the user; may be empty.
const char* hint_of_status(long status);

/// The same where the certificate of the last transfer was refused: that of a server which nobody vouches for can
/// be named. What has expired, or is of another host, stays refused.
const char* hint_of_certificate(CURL* handle);

} // namespace senteval::http
