// sha256.hpp -- the checksum that downloads and prepared files are verified by.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st; // OpenSSL's EVP_MD_CTX

namespace senteval::data {

/// SHA-256 of bytes that arrive in pieces.
class Sha256 {
public:
    Sha256();

    void add(std::string_view bytes);

    /// The checksum of everything added, as 64 hexadecimal digits. Once.
    [[nodiscard]] std::string finish();

private:
    std::unique_ptr<evp_md_ctx_st, void (*)(evp_md_ctx_st*)> context_;
};

std::string sha256(std::string_view bytes);

/// Throws base::Error naming the file.
std::string sha256_file(const std::filesystem::path& path);

} // namespace senteval::data
