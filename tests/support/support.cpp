#include "support/support.hpp"

#include "base/files.hpp"

#include <sys/wait.h>
#include <unistd.h>

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

fs::path program_file()
{
    const char* installed = std::getenv("SENTEVAL_PROGRAM");
    return installed != nullptr ? fs::path(installed) : binary_dir() / "senteval";
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

Found contains(std::string_view text, std::initializer_list<std::string_view> parts)
{
    for (const std::string_view part : parts)
        if (text.find(part) == std::string_view::npos)
            return {std::string(part), std::string(text)};
    return {};
}

Found contains(std::string_view text, std::string_view part)
{
    return contains(text, {part});
}

std::size_t times(std::string_view text, std::string_view part)
{
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

std::vector<std::string> lines_of(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

std::ostream& operator<<(std::ostream& out, const Found& found)
{
    if (found)
        return out << "there";
    return out << "no '" << found.lacking << "' in: " << found.text.substr(0, 5000);
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

Run shell(int exit_code, const std::string& command)
{
    Run run = shell(command);
    INFO(command);
    INFO(run.out.substr(0, 5000));
    INFO(run.err.substr(0, 5000));
    CHECK(run.exit_code == exit_code);
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
