// sha256.hpp -- the checksum that downloads and prepared files are verified by.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace senteval::data {

/// SHA-256 of bytes that arrive in pieces.
class Sha256 {
public:
    Sha256();
    Sha256(const Sha256&) = delete;
    Sha256& operator=(const Sha256&) = delete;
    ~Sha256();
    Sha256(Sha256&&) noexcept;
    Sha256& operator=(Sha256&&) noexcept;

    void add(std::string_view bytes);

    /// The checksum of everything added, as 64 hexadecimal digits. Once.
    [[nodiscard]] std::string finish();

private:
    struct Context;
    std::unique_ptr<Context> context_;
};

std::string sha256(std::string_view bytes);

/// Throws core::Error naming the file.
std::string sha256_file(const std::filesystem::path& path);

} // namespace senteval::data
