#include "data/sha256.hpp"

#include "base/error.hpp"
#include "base/files.hpp"

#include <openssl/evp.h>

#include <array>

namespace senteval::data {

Sha256::Sha256() : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free)
{
    if (EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1)
        throw base::Error("the system's OpenSSL has no SHA-256");
}

void Sha256::add(std::string_view bytes)
{
    EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size());
}

std::string Sha256::finish()
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    EVP_DigestFinal_ex(context_.get(), digest.data(), &size);
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
    return sha256(base::MappedFile(path).bytes());
}

} // namespace senteval::data
