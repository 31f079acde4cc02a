#include "support/certificate.hpp"

#include "support/freed_by.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <memory>
#include <stdexcept>

namespace senteval::test {
namespace {

using Key = std::unique_ptr<EVP_PKEY, FreedBy<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, FreedBy<X509_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, FreedBy<X509_EXTENSION_free>>;
using File = std::unique_ptr<FILE, FreedBy<std::fclose>>;

void require(bool done)
{
    if (!done)
        throw std::runtime_error("a certificate cannot be made");
}

void extend(X509* certificate, int kind, const std::string& value)
{
    const Extension extension(X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str()));
    require(X509_add_ext(certificate, extension.get(), -1) == 1);
}

Certificate self_signed(EVP_PKEY* key, const std::string& names, long hours)
{
    constexpr long hour = 3600;
    Certificate certificate(X509_new());
    X509_set_version(certificate.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), (hours > 0 ? -1 : 2 * hours) * hour);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), hours * hour);
    X509_set_pubkey(certificate.get(), key);
    X509_NAME* name = X509_get_subject_name(certificate.get());
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>("test"), -1, -1, 0);
    X509_set_issuer_name(certificate.get(), name);
    extend(certificate.get(), NID_subject_alt_name, names);
    extend(certificate.get(), NID_basic_constraints, "critical,CA:TRUE");
    require(X509_sign(certificate.get(), key, EVP_sha256()) > 0);
    return certificate;
}

} // namespace

CertificateFiles
write_certificate(const std::filesystem::path& folder, const std::string& names, long hours)
{
    CertificateFiles files{folder / "certificate.pem", folder / "key.pem"};
    const Key key(EVP_RSA_gen(2048));
    const Certificate certificate = self_signed(key.get(), names, hours);
    const File public_part(std::fopen(files.certificate.c_str(), "w"));
    const File private_part(std::fopen(files.key.c_str(), "w"));
    require(public_part != nullptr && private_part != nullptr);
    require(PEM_write_X509(public_part.get(), certificate.get()) == 1);
    require(PEM_write_PrivateKey(private_part.get(), key.get(), nullptr, nullptr, 0, nullptr,
                                 nullptr) == 1);
    return files;
}

} // namespace senteval::test
