#include "encoder/linked_libraries.hpp"

#include "core/error.hpp"
#include "core/files.hpp"

#include <elf.h>

#include <cstddef>
#include <cstring>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace senteval::encoder {
namespace {

namespace fs = std::filesystem;

/// The dynamic section of a 64-bit ELF file, in which nothing is believed that points outside of it.
class ElfFile {
public:
    explicit ElfFile(const fs::path& path) : file_(path), bytes_(file_.bytes())
    {
        const auto header = at<Elf64_Ehdr>(0);
        if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
            header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB)
            return;
        for (std::size_t i = 0; i < header->e_phnum; ++i)
            if (const auto segment = at<Elf64_Phdr>(header->e_phoff + i * sizeof(Elf64_Phdr)))
                segments_.push_back(*segment);
        read_dynamic();
    }

    [[nodiscard]] const std::vector<std::string>& needed() const noexcept { return needed_; }
    /// As linked in: folders with ':' between them, which may begin with $ORIGIN.
    [[nodiscard]] const std::string& run_path() const noexcept { return run_path_; }

private:
    template <typename T>
    [[nodiscard]] std::optional<T> at(std::uint64_t offset) const
    {
        if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T))
            return std::nullopt;
        T value;
        std::memcpy(&value, bytes_.data() + offset, sizeof value);
        return value;
    }

    [[nodiscard]] std::uint64_t offset_of(std::uint64_t address) const
    {
        for (const Elf64_Phdr& segment : segments_)
            if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
                address - segment.p_vaddr < segment.p_filesz)
                return address - segment.p_vaddr + segment.p_offset;
        return bytes_.size();
    }

    [[nodiscard]] std::string text_at(std::uint64_t offset) const
    {
        if (offset >= bytes_.size())
            return {};
        const std::string_view rest = bytes_.substr(offset);
        return std::string(rest.substr(0, rest.find('\0')));
    }

    void read_dynamic()
    {
        std::vector<Elf64_Dyn> entries;
        for (const Elf64_Phdr& segment : segments_)
            for (std::uint64_t i = 0; segment.p_type == PT_DYNAMIC; ++i) {
                const auto entry = at<Elf64_Dyn>(segment.p_offset + i * sizeof(Elf64_Dyn));
                if (!entry || entry->d_tag == DT_NULL || i * sizeof(Elf64_Dyn) >= segment.p_filesz)
                    break;
                entries.push_back(*entry);
            }
        std::uint64_t texts = bytes_.size();
        for (const Elf64_Dyn& entry : entries)
            if (entry.d_tag == DT_STRTAB)
                texts = offset_of(entry.d_un.d_ptr);
        for (const Elf64_Dyn& entry : entries) {
            if (entry.d_tag == DT_NEEDED)
                needed_.push_back(text_at(texts + entry.d_un.d_val));
            else if (entry.d_tag == DT_RUNPATH || entry.d_tag == DT_RPATH)
                run_path_ += (run_path_.empty() ? "" : ":") + text_at(texts + entry.d_un.d_val);
        }
    }

    core::MappedFile file_;
    std::string_view bytes_;
    std::vector<Elf64_Phdr> segments_;
    std::vector<std::string> needed_;
    std::string run_path_;
};

/// The folder itself, and those of a run path.
std::vector<fs::path> folders_of(const fs::path& origin, std::string_view run_path)
{
    std::vector<fs::path> folders = {origin};
    while (!run_path.empty()) {
        const std::size_t end = std::min(run_path.find(':'), run_path.size());
        std::string folder(run_path.substr(0, end));
        for (const std::string_view name : {"${ORIGIN}", "$ORIGIN"})
            if (const auto at = folder.find(name); at != std::string::npos)
                folder.replace(at, name.size(), origin.string());
        if (!folder.empty())
            folders.emplace_back(std::move(folder));
        run_path.remove_prefix(std::min(end + 1, run_path.size()));
    }
    return folders;
}

} // namespace

std::vector<fs::path> linked_libraries(const fs::path& library)
{
    std::error_code error;
    const fs::path own = fs::weakly_canonical(library, error);
    std::set<fs::path> found;
    std::vector<fs::path> open = {fs::absolute(library, error), own}; // a link, and what it names
    while (!open.empty()) {
        const fs::path at = std::move(open.back());
        open.pop_back();
        const ElfFile elf(at);
        for (const std::string& name : elf.needed())
            for (const fs::path& folder : folders_of(at.parent_path(), elf.run_path())) {
                const fs::path candidate = fs::weakly_canonical(folder / name, error);
                if (!fs::is_regular_file(candidate, error))
                    continue;
                if (candidate != own && found.insert(candidate).second)
                    open.push_back(candidate);
                break;
            }
    }
    return {found.begin(), found.end()};
}

} // namespace senteval::encoder
