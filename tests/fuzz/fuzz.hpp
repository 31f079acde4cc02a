// fuzz.hpp -- what the harnesses share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <sys/mman.h>
#include <unistd.h>

namespace senteval::fuzz {

inline std::string_view text(const std::uint8_t* bytes, std::size_t size)
{
    return {reinterpret_cast<const char*>(bytes), size};
}

/// Ends the program where a property does not hold, so that the input is kept.
inline void require(bool property)
{
    if (!property)
        std::abort();
}

/// A file in memory, with a path.
class MemoryFile {
public:
    explicit MemoryFile(std::string_view bytes) : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC))
    {
        require(::write(descriptor_, bytes.data(), bytes.size()) ==
                static_cast<ssize_t>(bytes.size()));
    }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    MemoryFile(MemoryFile&&) = delete;
    MemoryFile& operator=(MemoryFile&&) = delete;
    ~MemoryFile() { ::close(descriptor_); }

    [[nodiscard]] std::string path() const
    {
        return "/proc/self/fd/" + std::to_string(descriptor_);
    }

private:
    int descriptor_;
};

/// A folder that goes with it.
class Folder {
public:
    Folder() { require(::mkdtemp(path_.data()) != nullptr); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    Folder(Folder&&) = delete;
    Folder& operator=(Folder&&) = delete;
    ~Folder() { std::filesystem::remove_all(path_); }

    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    void write(const std::string& name, std::string_view bytes) const
    {
        std::ofstream(path_ + "/" + name, std::ios::binary)
            .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }

private:
    std::string path_ = "/tmp/senteval-fuzz-XXXXXX";
};

} // namespace senteval::fuzz
