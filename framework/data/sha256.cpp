#include "data/sha256.hpp"

#include "core/error.hpp"
#include "core/files.hpp"
#include "data/system_library.hpp"

#include <openssl/evp.h>
#include <openssl/opensslv.h>

#include <array>

namespace senteval::data {

#define SENTEVAL_TEXT_OF(number) #number
#define SENTEVAL_VERSIONED(name, version) name SENTEVAL_TEXT_OF(version)

/// OpenSSL, loaded by the first checksum. (Not in an anonymous namespace: Context has one.)
struct Crypto {
    static const Crypto& get()
    {
        static const Crypto crypto;
        return crypto;
    }

    SystemLibrary library{SENTEVAL_VERSIONED("libcrypto.so.", OPENSSL_SHLIB_VERSION), "checksums"};
    decltype(&EVP_MD_CTX_new) create = library.function<decltype(create)>("EVP_MD_CTX_new");
    decltype(&EVP_MD_CTX_free) free = library.function<decltype(free)>("EVP_MD_CTX_free");
    decltype(&EVP_sha256) sha256 = library.function<decltype(sha256)>("EVP_sha256");
    decltype(&EVP_DigestInit_ex) begin = library.function<decltype(begin)>("EVP_DigestInit_ex");
    decltype(&EVP_DigestUpdate) add = library.function<decltype(add)>("EVP_DigestUpdate");
    decltype(&EVP_DigestFinal_ex) end = library.function<decltype(end)>("EVP_DigestFinal_ex");
};

struct Sha256::Context {
    const Crypto& crypto = Crypto::get();
    std::unique_ptr<EVP_MD_CTX, decltype(Crypto::free)> digest{crypto.create(), crypto.free};
};

Sha256::Sha256() : context_(std::make_unique<Context>())
{
    if (context_->crypto.begin(context_->digest.get(), context_->crypto.sha256(), nullptr) != 1)
        throw core::Error("the system's OpenSSL has no SHA-256");
}

Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::add(std::string_view bytes)
{
    context_->crypto.add(context_->digest.get(), bytes.data(), bytes.size());
}

std::string Sha256::finish()
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    context_->crypto.end(context_->digest.get(), digest.data(), &size);
    std::string text;
    for (unsigned i = 0; i < size; ++i)
        text += fmt::format("{:02x}", digest[i]);
    return text;
}

std::string sha256(std::string_view bytes)
{
    Sha256 sum;
    sum.add(bytes);
    return sum.finish();
}

std::string sha256_file(const std::filesystem::path& path)
{
    return sha256(core::MappedFile(path).bytes());
}

} // namespace senteval::data
