// symbols.hpp -- names for the addresses of a process that is gone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::isolation {

/// An address in the code of a file.
struct CodePlace {
    std::filesystem::path file;
    std::uint64_t offset = 0; ///< in the file
};

/// Where an address lies, by the text of /proc/PID/maps.
std::optional<CodePlace> find_place(std::string_view maps, std::uint64_t address);

/// The function that the place is in, demangled, by the symbol tables of its ELF file (of 64 bits, this
/// machine's byte order); empty where they do not say.
std::string function_at(const CodePlace& place);

/// "first < second < third (libmine.so)": the functions of a list of addresses, innermost first, up to
/// where they are the process's main program's.
std::string backtrace_text(std::string_view maps, std::span<const std::uint64_t> frames);

} // namespace senteval::isolation
