#include "http/curl_library.hpp"

#include <senteval/encoder.hpp>

#include <dlfcn.h>

#include <string>

namespace senteval::http {

namespace {

void* load_curl()
{
    void* const library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        throw sdk::Error(SENTEVAL_NOT_FOUND,
                         std::string("the encoder http needs libcurl: ") + dlerror());
    return library;
}

} // namespace

Curl::Curl() : library_(load_curl())
{
    const auto start = function<decltype(&curl_global_init)>("curl_global_init");
    if (const CURLcode code = start(CURL_GLOBAL_DEFAULT); code != CURLE_OK)
        throw sdk::Error(SENTEVAL_INTERNAL,
                         std::string("libcurl does not start: ") + describe(code));
}

const Curl& Curl::get()
{
    static const Curl curl;
    return curl;
}

void* Curl::address(const char* name) const
{
    void* const found = dlsym(library_, name);
    if (found == nullptr)
        throw sdk::Error(SENTEVAL_UNSUPPORTED,
                         std::string("the encoder http needs another libcurl: ") + dlerror());
    return found;
}

} // namespace senteval::http
