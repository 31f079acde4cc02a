// certificates.hpp -- where this system keeps the certificates that it trusts: a bundled libcurl knows Debian's place only.
#pragma once

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace senteval::base {

/// $SSL_CERT_FILE, or the first that is there of the places where Debian, Fedora, openSUSE and Alpine have it, or
/// $SENTEVAL_CERTIFI, which Python's entry sets where it has the package certifi; empty: none.
inline std::string certificate_file()
{
    if (const char* given = std::getenv("SSL_CERT_FILE"))
        return given;
    constexpr std::array places = {"/etc/ssl/certs/ca-certificates.crt",
                                   "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
                                   "/etc/ssl/cert.pem"};
    std::error_code unknown;
    for (const char* place : places)
        if (std::filesystem::exists(place, unknown))
            return place;
    const char* certifi = std::getenv("SENTEVAL_CERTIFI");
    return certifi != nullptr ? certifi : "";
}

/// What to do about a certificate that was not accepted.
inline constexpr const char* certificates_hint =
    "; SSL_CERT_FILE names the file of the certificates that are trusted";

} // namespace senteval::base
