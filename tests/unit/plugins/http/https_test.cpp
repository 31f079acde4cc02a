// A server whose certificate is signed by itself.
#include "http/http_encoder.hpp"
#include "support/certificate.hpp"
#include "support/plugin_harness.hpp"
#include "support/support.hpp"

#include <csignal>
#include <cstdio>

namespace {

namespace test = senteval::test;

/// fake_server.py with a certificate for `names`.
class SecureServer {
public:
    explicit SecureServer(const std::string& names, long hours = 24)
        : files_(test::write_certificate(folder_.path(), names, hours))
    {
        setenv("no_proxy", "*", 1);
        const auto script = test::source_dir() / "tests/unit/plugins/http/fake_server.py";
        output_ = popen(("exec /usr/bin/python3 " + test::quoted(script) + " " +
                         test::quoted(certificate()) + " " + test::quoted(files_.key))
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

    [[nodiscard]] std::string certificate() const { return files_.certificate.string(); }

    /// What the encoder says of this server; empty where all is well.
    [[nodiscard]] std::string failure(std::vector<test::Parameter> parameters) const
    {
        parameters.push_back({"url", "https://127.0.0.1:" + std::to_string(port_) + "/good"});
        parameters.push_back({"model", std::string("m")});
        parameters.push_back({"retries", 0});
        return test::error_of<test::PluginFailure>([&] {
            const auto encoder = test::PluginHarness::of<senteval::http::HttpEncoder>(parameters);
            CHECK(encoder.encode(std::string("four"))[0] == 4);
        });
    }

private:
    test::ScratchFolder folder_;
    test::CertificateFiles files_;
    FILE* output_ = nullptr;
    int port_ = 0;
    int process_ = 0;
};

} // namespace

TEST_CASE("a certificate that nobody vouches for is refused, and accepted where it is named")
{
    const SecureServer server("IP:127.0.0.1");
    const std::string why = server.failure({});
    CHECK(test::contains(why, {"certificate", "'ca_file'"}));
    const std::string named = server.failure({{"ca_file", server.certificate()}});
    CAPTURE(named);
    CHECK(named.empty());
}

TEST_CASE("a certificate of another host is refused, whoever vouches for it")
{
    const SecureServer server("DNS:elsewhere.example");
    const std::string why = server.failure({{"ca_file", server.certificate()}});
    CHECK(test::contains(why, "certificate"));
    CHECK(!test::contains(why, "'ca_file'"));
}

TEST_CASE("a certificate of yesterday is refused, whoever vouches for it")
{
    const SecureServer server("IP:127.0.0.1", -24);
    const std::string why = server.failure({{"ca_file", server.certificate()}});
    CHECK(test::contains(why, "expired"));
}
