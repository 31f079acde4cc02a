// curl_library.hpp -- libcurl, loaded by the first encoder that needs it: it brings many others along,
// which would be a good part of the start of a command that lists encoders.
#pragma once

#include <curl/curl.h>

namespace senteval::http {

/// The functions of libcurl under their names without prefix. The library stays loaded.
class Curl {
    void* library_;

    template <typename Function>
    [[nodiscard]] Function function(const char* name) const
    {
        return reinterpret_cast<Function>(address(name));
    }
    [[nodiscard]] void* address(const char* name) const;

public:
    /// Throws sdk::Error where libcurl is missing or does not start. Any thread.
    static const Curl& get();

    decltype(&curl_easy_init) easy_init = function<decltype(easy_init)>("curl_easy_init");
    decltype(&curl_easy_cleanup) easy_cleanup =
        function<decltype(easy_cleanup)>("curl_easy_cleanup");
    decltype(&curl_easy_setopt) set = function<decltype(set)>("curl_easy_setopt");
    decltype(&curl_easy_getinfo) info = function<decltype(info)>("curl_easy_getinfo");
    decltype(&curl_easy_strerror) describe = function<decltype(describe)>("curl_easy_strerror");
    decltype(&curl_multi_init) multi_init = function<decltype(multi_init)>("curl_multi_init");
    decltype(&curl_multi_cleanup) multi_cleanup =
        function<decltype(multi_cleanup)>("curl_multi_cleanup");
    decltype(&curl_multi_add_handle) multi_add =
        function<decltype(multi_add)>("curl_multi_add_handle");
    decltype(&curl_multi_remove_handle) multi_remove =
        function<decltype(multi_remove)>("curl_multi_remove_handle");
    decltype(&curl_multi_perform) multi_perform =
        function<decltype(multi_perform)>("curl_multi_perform");
    decltype(&curl_multi_poll) multi_poll = function<decltype(multi_poll)>("curl_multi_poll");
    decltype(&curl_multi_info_read) multi_next =
        function<decltype(multi_next)>("curl_multi_info_read");
    decltype(&curl_slist_append) list_append = function<decltype(list_append)>("curl_slist_append");
    decltype(&curl_slist_free_all) list_free = function<decltype(list_free)>("curl_slist_free_all");

private:
    Curl();
};

} // namespace senteval::http
