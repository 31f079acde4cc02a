// A server whose certificate is signed by itself.
#include "http/http_encoder.hpp"
#include "support/plugin_harness.hpp"
#include "support/support.hpp"

#include <doctest/doctest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace test = senteval::test;

template <auto Free>
struct FreedBy {
    template <typename T>
    void operator()(T* object) const
    {
        Free(object);
    }
};
using Key = std::unique_ptr<EVP_PKEY, FreedBy<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, FreedBy<X509_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, FreedBy<X509_EXTENSION_free>>;
using File = std::unique_ptr<FILE, FreedBy<std::fclose>>;

void extend(X509* certificate, int kind, const std::string& value)
{
    const Extension extension(X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str()));
    REQUIRE(X509_add_ext(certificate, extension.get(), -1) == 1);
}

/// Writes a certificate for `names` and its key into the folder.
void write_certificate(const test::ScratchFolder& folder, const std::string& names)
{
    const Key key(EVP_RSA_gen(2048));
    const Certificate certificate(X509_new());
    X509_set_version(certificate.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600 * 24);
    X509_set_pubkey(certificate.get(), key.get());
    X509_NAME* name = X509_get_subject_name(certificate.get());
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>("test"), -1, -1, 0);
    X509_set_issuer_name(certificate.get(), name);
    extend(certificate.get(), NID_subject_alt_name, names);
    extend(certificate.get(), NID_basic_constraints, "critical,CA:TRUE");
    X509_sign(certificate.get(), key.get(), EVP_sha256());
    const File public_part(std::fopen((folder / "certificate.pem").c_str(), "w"));
    const File private_part(std::fopen((folder / "key.pem").c_str(), "w"));
    REQUIRE(PEM_write_X509(public_part.get(), certificate.get()) == 1);
    REQUIRE(PEM_write_PrivateKey(private_part.get(), key.get(), nullptr, nullptr, 0, nullptr,
                                 nullptr) == 1);
}

/// fake_server.py with a certificate for `names`.
class SecureServer {
public:
    explicit SecureServer(const std::string& names)
    {
        setenv("no_proxy", "*", 1);
        write_certificate(folder_, names);
        const auto script = test::source_dir() / "tests/unit/plugins/http/fake_server.py";
        output_ = popen(("exec /usr/bin/python3 " + test::quoted(script) + " " +
                         test::quoted(certificate()) + " " + test::quoted(folder_ / "key.pem"))
                            .c_str(),
                        "r");
        int other = 0;
        if (output_ == nullptr || std::fscanf(output_, "%d %d %d", &port_, &other, &process_) != 3)
            throw std::runtime_error("the fake server does not start");
    }
    SecureServer(const SecureServer&) = delete;
    SecureServer& operator=(const SecureServer&) = delete;
    ~SecureServer()
    {
        kill(process_, SIGKILL);
        pclose(output_);
    }

    [[nodiscard]] std::string certificate() const { return (folder_ / "certificate.pem").string(); }

    /// What the encoder says of this server; empty where all is well.
    [[nodiscard]] std::string failure(std::vector<test::Parameter> parameters) const
    {
        parameters.push_back({"url", "https://127.0.0.1:" + std::to_string(port_) + "/good"});
        parameters.push_back({"model", std::string("m")});
        parameters.push_back({"retries", 0});
        try {
            const auto encoder = test::PluginHarness::of<senteval::http::HttpEncoder>(parameters);
            return encoder.encode(std::string("four"))[0] == 4 ? "" : "another vector";
        } catch (const test::PluginFailure& e) {
            return e.what();
        }
    }

private:
    test::ScratchFolder folder_;
    FILE* output_ = nullptr;
    int port_ = 0;
    int process_ = 0;
};

} // namespace

TEST_CASE("a certificate that nobody vouches for is refused, and accepted where it is named")
{
    const SecureServer server("IP:127.0.0.1");
    const std::string why = server.failure({});
    CAPTURE(why);
    CHECK(test::contains(why, "certificate"));
    const std::string named = server.failure({{"ca_file", server.certificate()}});
    CAPTURE(named);
    CHECK(named.empty());
}

TEST_CASE("a certificate of another host is refused, whoever vouches for it")
{
    const SecureServer server("DNS:elsewhere.example");
    const std::string why = server.failure({{"ca_file", server.certificate()}});
    CAPTURE(why);
    CHECK(test::contains(why, "certificate"));
}
