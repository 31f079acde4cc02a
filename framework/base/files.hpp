// files.hpp -- reading whole files and replacing them atomically.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::base {

/// A file's bytes, mapped read-only. Movable; the bytes stay where they are.
class MappedFile {
public:
    MappedFile() = default;

    /// Throws Error naming the file when it is missing, a directory or not readable.
    explicit MappedFile(const std::filesystem::path& path);

    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    ~MappedFile();

    [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }

private:
    std::string_view bytes_; ///< none where the file is empty
};

/// The whole file as a string. Throws Error naming the file.
std::string read_file(const std::filesystem::path& path);

/// Makes a folder and those above it, where they are not there. Throws SystemError naming it.
void create_folders(const std::filesystem::path& folder);

/// A new file in `folder` that nothing but its descriptor leads to, to be closed; below 0 where there
/// can be none (errno).
int open_without_name(const std::filesystem::path& folder);

/// Throws Error with the reason where no file can be put into `folder` or, as long as it is not there,
/// into the one above it in which it would be made. Leaves nothing there.
void check_folder(const std::filesystem::path& folder);

/// Throws Error with the reason where a Replacement of `path` could not be written, as far as that can
/// be seen beforehand. Leaves nothing there.
void check_replaceable(const std::filesystem::path& path);

/// A file that appears under its name only when it is whole, so that a reader, or a power cut, finds
/// the old or the new content and nothing between. It is written piece by piece beside its place,
/// where the file system allows it without a name; commit() moves it there (fsync, rename, fsync of the
/// folder, and of those above that had to be made). Without commit() nothing is left behind, also where
/// the process is killed. A symbolic link is followed and stays; a folder, device, pipe or socket is
/// refused, and so is what a process has open ("/dev/stdout").
/// Several processes may replace one file at once. Everything throws Error with the path and the
/// system's reason.
class Replacement {
public:
    /// Creates missing parent folders.
    explicit Replacement(std::filesystem::path path);
    Replacement(const Replacement&) = delete;
    Replacement& operator=(const Replacement&) = delete;
    Replacement(Replacement&&) = delete;
    Replacement& operator=(Replacement&&) = delete;
    ~Replacement();

    /// A path by which this process can read the bytes until commit().
    [[nodiscard]] const std::filesystem::path& temporary() const noexcept { return temporary_; }

    void write(std::string_view bytes);
    void commit();

private:
    void open_named();
    void give_name();

    std::filesystem::path path_;
    std::filesystem::path temporary_; ///< empty once it has been moved
    std::filesystem::path named_;     ///< a name beside path_, to be removed; empty: it has none
    std::vector<std::filesystem::path> made_; ///< folders, the innermost first
    int descriptor_ = -1;
};

/// Replaces `path` by `bytes` so.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

} // namespace senteval::base
