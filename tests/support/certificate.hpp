// certificate.hpp -- a certificate that nobody vouches for.
#pragma once

#include <filesystem>
#include <string>

namespace senteval::test {

/// PEM files.
struct CertificateFiles {
    std::filesystem::path certificate;
    std::filesystem::path key; ///< RSA, not encrypted
};

/// Writes a certificate of so many hours from now, or until so many hours ago, signed by its own key, for names as OpenSSL's subjectAltName has them:
/// "IP:127.0.0.1", "DNS:localhost". Throws std::runtime_error.
CertificateFiles
write_certificate(const std::filesystem::path& folder, const std::string& names, long hours = 24);

} // namespace senteval::test
