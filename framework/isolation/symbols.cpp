#include "isolation/symbols.hpp"

#include "core/error.hpp"
#include "core/files.hpp"

#include <cxxabi.h>
#include <elf.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace senteval::isolation {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_functions = 8; ///< of a message
constexpr std::size_t longest_name = 100;

/// A struct of the file, or nothing where the file ends before.
template <typename T>
std::optional<T> read_at(std::string_view bytes, std::uint64_t offset)
{
    if (offset > bytes.size() || bytes.size() - offset < sizeof(T))
        return std::nullopt;
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

std::optional<Elf64_Ehdr> header_of(std::string_view bytes)
{
    const auto header = read_at<Elf64_Ehdr>(bytes, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB)
        return std::nullopt;
    return header;
}

/// The address that the linker gave to what lies at this place of the file.
std::optional<std::uint64_t>
linked_address(std::string_view bytes, const Elf64_Ehdr& header, std::uint64_t offset)
{
    for (unsigned p = 0; p < header.e_phnum; ++p) {
        const auto part = read_at<Elf64_Phdr>(bytes, header.e_phoff + p * sizeof(Elf64_Phdr));
        if (part && part->p_type == PT_LOAD && offset >= part->p_offset &&
            offset - part->p_offset < part->p_filesz)
            return offset - part->p_offset + part->p_vaddr;
    }
    return std::nullopt;
}

std::string text_at(std::string_view bytes, std::uint64_t offset)
{
    if (offset >= bytes.size())
        return "";
    const std::string_view rest = bytes.substr(offset, 4096);
    return std::string(rest.substr(0, rest.find('\0')));
}

/// The function around an address by one symbol table; empty where there is none.
std::string find_function(std::string_view bytes,
                          const Elf64_Ehdr& header,
                          const Elf64_Shdr& table,
                          std::uint64_t address)
{
    const auto strings =
        read_at<Elf64_Shdr>(bytes, header.e_shoff + table.sh_link * sizeof(Elf64_Shdr));
    if (!strings)
        return "";
    for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
        const auto symbol = read_at<Elf64_Sym>(bytes, table.sh_offset + at);
        if (!symbol)
            return "";
        if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && address >= symbol->st_value &&
            address - symbol->st_value < symbol->st_size)
            return text_at(bytes, strings->sh_offset + symbol->st_name);
    }
    return "";
}

std::string demangled(const std::string& name)
{
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> plain(
        name.starts_with("_Z") // "f" is also the code of a type
            ? abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status)
            : nullptr,
        &std::free);
    std::string text = plain == nullptr ? name : plain.get();
    constexpr std::string_view unnamed = "(anonymous namespace)::";
    for (auto at = text.find(unnamed); at != std::string::npos; at = text.find(unnamed))
        text.erase(at, unnamed.size());
    text.erase(std::min(text.find('('), text.size())); // what it takes says little here
    if (text.size() > longest_name)
        text = text.substr(0, longest_name) + "...";
    return text;
}

std::uint64_t hexadecimal(std::string_view text)
{
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value, 16);
    return value;
}

/// The program of the process: what is mapped first.
std::string_view program_of(std::string_view maps)
{
    const std::string_view line = maps.substr(0, maps.find('\n'));
    const auto path = line.find('/');
    return path == std::string_view::npos ? std::string_view() : line.substr(path);
}

} // namespace

std::optional<CodePlace> find_place(std::string_view maps, std::uint64_t address)
{
    // 7f5c1a400000-7f5c1a422000 r-xp 00026000 fe:00 1234    /path/of/libmine.so
    while (!maps.empty()) {
        const std::string_view line = maps.substr(0, maps.find('\n'));
        maps.remove_prefix(std::min(line.size() + 1, maps.size()));
        const auto dash = line.find('-');
        const auto space = line.find(' ');
        const auto path = line.find('/');
        if (dash == std::string_view::npos || space == std::string_view::npos || dash > space)
            continue;
        const std::uint64_t begin = hexadecimal(line.substr(0, dash));
        const std::uint64_t end = hexadecimal(line.substr(dash + 1, space - dash - 1));
        if (address < begin || address >= end)
            continue;
        const auto offset = line.find(' ', space + 1);
        if (path == std::string_view::npos || offset == std::string_view::npos)
            return std::nullopt;
        return CodePlace{std::string(line.substr(path)),
                         address - begin + hexadecimal(line.substr(offset + 1))};
    }
    return std::nullopt;
}

std::string function_at(const CodePlace& place)
try {
    const core::MappedFile file(place.file);
    const std::string_view bytes = file.bytes();
    const auto header = header_of(bytes);
    if (!header)
        return "";
    const auto address = linked_address(bytes, *header, place.offset);
    for (unsigned s = 0; address && s < header->e_shnum; ++s) {
        const auto section = read_at<Elf64_Shdr>(bytes, header->e_shoff + s * sizeof(Elf64_Shdr));
        if (!section || (section->sh_type != SHT_SYMTAB && section->sh_type != SHT_DYNSYM))
            continue;
        if (const auto name = find_function(bytes, *header, *section, *address); !name.empty())
            return demangled(name);
    }
    return "";
} catch (const core::Error&) { // it is no longer there
    return "";
}

std::string backtrace_text(std::string_view maps, std::span<const std::uint64_t> frames)
{
    std::string text;
    const fs::path program = program_of(maps);
    std::string last_file;
    std::string last;
    std::size_t named = 0;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        // A caller's address is that of the instruction after its call.
        const auto place = find_place(maps, i == 0 ? frames[i] : frames[i] - 1);
        if (!place)
            continue;
        if (place->file == program)
            break;
        const std::string file = place->file.filename().string();
        const std::string function = function_at(*place);
        const std::string name =
            function.empty() ? fmt::format("{}+{:#x}", file, place->offset) : function;
        if (name == last) // it calls itself
            continue;
        if (named++ == most_functions)
            return text + " < ...";
        text += text.empty() ? "" : " < ";
        text += function.empty() || file == last_file ? name : fmt::format("{} ({})", name, file);
        last_file = file;
        last = name;
    }
    return text;
}

} // namespace senteval::isolation
