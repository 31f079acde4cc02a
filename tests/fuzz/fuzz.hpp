// fuzz.hpp -- what the harnesses share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
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
        const std::filesystem::path file = std::filesystem::path(path_) / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary)
            .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }

private:
    std::string path_ = "/tmp/senteval-fuzz-XXXXXX";
};

/// Hands `use` a folder with these files (name and content), of which one, by the first byte, has the other bytes.
template <typename Files, typename Use>
void with_one_file_changed(const Files& whole,
                           const std::uint8_t* bytes,
                           std::size_t size,
                           const Use& use)
{
    static const Folder folder;
    static const bool is_written = [&] {
        for (const auto& [name, content] : whole)
            folder.write(name, content);
        return true;
    }();
    if (size == 0 || !is_written)
        return;
    const auto at = static_cast<std::ptrdiff_t>(bytes[0] % whole.size());
    const auto& [name, content] = *std::next(whole.begin(), at);
    folder.write(name, text(bytes + 1, size - 1));
    use(folder.path());
    folder.write(name, content);
}

} // namespace senteval::fuzz
