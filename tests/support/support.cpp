#include "support/support.hpp"

#include "base/files.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <stdexcept>

namespace senteval::test {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder()
{
    std::string pattern = (fs::temp_directory_path() / "senteval-test-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
        throw std::runtime_error("cannot make a scratch folder");
    path_ = pattern;
}

ScratchFolder::~ScratchFolder()
{
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

fs::path ScratchFolder::write(std::string_view name, std::string_view bytes) const
{
    fs::path file = path_ / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return file;
}

fs::path source_dir()
{
    return SENTEVAL_SOURCE_DIR;
}

fs::path binary_dir()
{
    return SENTEVAL_BINARY_DIR;
}

std::optional<fs::path> shared_dir()
{
    const char* override_path = std::getenv("SENTEVAL_SHARED");
    const fs::path folder =
        override_path != nullptr ? fs::path(override_path) : source_dir().parent_path() / "shared";
    return fs::is_directory(folder) ? std::optional(folder) : std::nullopt;
}

std::optional<fs::path> shared_or_skip(std::string_view relative)
{
    if (const auto folder = shared_dir(); folder && fs::exists(*folder / relative))
        return *folder / relative;
    std::cout << "skipped: needs " << relative << " of the shared data (SENTEVAL_SHARED)\n";
    return std::nullopt;
}

bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

Run shell(const std::string& command)
{
    const ScratchFolder scratch;
    const std::string full = "( " + command + "\n) </dev/null >" + quoted(scratch / "out") + " 2>" +
                             quoted(scratch / "err");
    const int status = std::system(full.c_str());
    Run run;
    run.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    run.out = base::read_file(scratch / "out");
    run.err = base::read_file(scratch / "err");
    return run;
}

std::string quoted(const fs::path& text)
{
    std::string result = "'";
    for (const char c : text.string())
        result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

} // namespace senteval::test
