#include "host/manual/manual.hpp"

#include "core/files.hpp"
#include "host/completion/completion.hpp"
#include "host/option_text.hpp"
#include "report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>
#include <string>
#include <utility>

namespace senteval::host {
namespace {

namespace fs = std::filesystem;

/// As roff prints it, character by character: a hyphen that can be copied, an apostrophe that is one.
std::string escaped(std::string_view text)
{
    static constexpr std::array<std::pair<char, std::string_view>, 6> escapes{{{'\\', "\\e"},
                                                                               {'-', "\\-"},
                                                                               {'\'', "\\(aq"},
                                                                               {'`', "\\(ga"},
                                                                               {'~', "\\(ti"},
                                                                               {'^', "\\(ha"}}};
    std::string roff;
    for (const char c : text) {
        const auto* const found = std::find_if(escapes.begin(), escapes.end(),
                                               [c](const auto& one) { return one.first == c; });
        roff += found == escapes.end() ? std::string(1, c) : std::string(found->second);
    }
    return roff;
}

/// A line of text, which a first '.' would make a request.
std::string text_line(std::string_view line)
{
    return (line.starts_with('.') ? "\\&" : "") + escaped(line) + "\n";
}

/// Lines that roff fills anew; short ones, since it counts escapes as one character and an editor does not.
std::string paragraph(const std::string& text)
{
    constexpr std::size_t columns = 64;
    std::istringstream lines(report::wrapped(text, columns, 0));
    std::string roff;
    for (std::string line; std::getline(lines, line);)
        roff += text_line(line);
    return roff;
}

std::string bold(std::string_view text)
{
    return "\\fB" + escaped(text) + "\\fR";
}

std::string italic(std::string_view text)
{
    return "\\fI" + escaped(text) + "\\fR";
}

std::string entry(const std::string& head, const std::string& text)
{
    return ".TP\n" + head + "\n" + paragraph(text);
}

/// "-o, --output DIR"
std::string head_of(const CLI::Option& option)
{
    std::string head = bold(names_of(option));
    if (option.get_type_size() != 0)
        head += " " + italic(placeholder(option));
    return head;
}

/// Examples are indented and stay as they are; other lines are text.
std::string notes(const std::string& footer)
{
    std::string roff;
    std::istringstream lines(footer);
    bool is_example = false;
    for (std::string line; std::getline(lines, line);) {
        const bool is_indented = line.starts_with(' ');
        if (is_indented && !is_example)
            roff += (roff.empty() ? ".nf\n" : ".PP\n.nf\n");
        if (!is_indented && is_example)
            roff += ".fi\n";
        if (!is_indented && !line.empty())
            roff += (roff.empty() ? "" : ".PP\n") + paragraph(line);
        if (is_indented)
            roff += text_line(line);
        is_example = is_indented;
    }
    return roff + (is_example ? ".fi\n" : "");
}

std::string synopsis(const CLI::App& command, const std::string& path)
{
    std::string roff = bold(path) + "\n[" + italic("OPTIONS") + "]\n";
    if (!shown_commands(command).empty())
        roff += italic("COMMAND") + "\n";
    for (const CLI::Option* option : shown_options(command))
        if (option->get_positional()) {
            const std::string name =
                italic(option->get_name(true, false)) + (takes_several(*option) ? " ..." : "");
            roff += (option->get_required() ? name : "[" + name + "]") + "\n";
        }
    return roff;
}

std::string arguments(const CLI::App& command)
{
    std::string roff;
    for (const CLI::Option* option : shown_options(command))
        if (option->get_positional())
            roff += entry(italic(option->get_name(true, false)), full_description(*option));
    return roff.empty() ? roff : ".SH ARGUMENTS\n" + roff;
}

/// Group by group, in the order in which help shows them.
std::string options(const CLI::App& command)
{
    std::string roff = ".SH OPTIONS\n";
    for (const std::string& group : command.get_groups()) {
        std::string of_group;
        for (const CLI::Option* option : shown_options(command))
            if (option->nonpositional() && option->get_group() == group)
                of_group += entry(head_of(*option), full_description(*option));
        if (!of_group.empty())
            roff += (group == "Options" ? "" : ".SS " + escaped(group) + "\n") + of_group;
    }
    return roff;
}

std::string dashed(std::string path)
{
    std::replace(path.begin(), path.end(), ' ', '-');
    return path;
}

std::string commands(const CLI::App& command, const std::string& path)
{
    std::string roff;
    for (const CLI::App* one : shown_commands(command))
        roff += entry(bold(dashed(path + " " + one->get_name())) + "(1)", one->get_description());
    return roff.empty() ? roff : ".SH COMMANDS\n" + roff;
}

constexpr std::array<std::pair<const char*, const char*>, 4> exit_codes{
    {{"0", "Done."},
     {"1", "A task failed (the others are kept), or output could not be written; of check: a rule "
           "is broken."},
     {"2", "Usage or configuration: what is wrong stands on standard error."},
     {"130", "Stopped by Ctrl-C; the same command goes on."}}};

constexpr std::array<std::pair<const char*, const char*>, 6> environment{
    {{"SENTEVAL_DATA", "The data folder, where --data is not given."},
     {"SENTEVAL_PLUGIN_PATH",
      "Folders, separated by colons, whose encoders are known by name, before the bundled ones."},
     {"XDG_CACHE_HOME", "Where fingerprints of large files are kept, in senteval/ "
                        "(default: ~/.cache)."},
     {"OPENBLAS_CORETYPE",
      "The kernels that OpenBLAS is to run; by default those that fit the processor."},
     {"VIRTUAL_ENV",
      "The virtual environment whose Python runs the scripts of the encoder python."},
     {"NO_COLOR", "If set, nothing is coloured."}}};

std::string section(const char* title, const auto& entries)
{
    std::string roff = fmt::format(".SH {}\n", title);
    for (const auto& [name, text] : entries)
        roff += entry(bold(name), text);
    return roff;
}

std::string see_also(const std::string& path)
{
    std::string roff = ".SH SEE ALSO\n";
    if (const std::size_t last = path.rfind(' '); last != std::string::npos)
        roff += bold(dashed(path.substr(0, last))) + "(1),\n";
    return roff + "the documents in\n.I share/doc/senteval\nof the installation\n";
}

/// `path`: "senteval data fetch"
std::string page(const CLI::App& command, const std::string& path, bool is_program)
{
    std::string title = dashed(path);
    std::transform(title.begin(), title.end(), title.begin(), [](char c) {
        return static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    });
    std::string roff = fmt::format(
        ".\\\" Made by senteval from the table of its options.\n"
        ".TH {} 1 {} \"senteval {}\" \"senteval manual\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n",
        escaped(title), SENTEVAL_PROGRAM_DATE, SENTEVAL_PROGRAM_VERSION, escaped(dashed(path)),
        escaped(command.get_description()));
    roff += synopsis(command, path);
    const std::string description = command.get_description();
    roff += ".SH DESCRIPTION\n" + paragraph(description + (description.ends_with('?') ? "" : "."));
    roff += commands(command, path) + arguments(command) + options(command);
    if (const std::string footer = command.get_footer(); !footer.empty())
        roff += ".SH NOTES\n" + notes(footer);
    roff += section("EXIT STATUS", exit_codes);
    if (is_program)
        roff += section("ENVIRONMENT", environment);
    return roff + see_also(path);
}

void write(const fs::path& file, std::string_view text)
{
    fs::create_directories(file.parent_path());
    core::write_file_atomically(file, text);
}

/// Of the command and all below it.
void write_pages(const CLI::App& command,
                 const std::string& path,
                 bool is_program,
                 const fs::path& folder)
{
    write(folder / (dashed(path) + ".1"), page(command, path, is_program));
    for (const CLI::App* one : shown_commands(command))
        write_pages(*one, path + " " + one->get_name(), false, folder);
}

} // namespace

void write_manual(const CLI::App& app, const fs::path& share)
{
    fs::remove_all(share / "man/man1"); // of commands that there are no longer
    write_pages(app, app.get_name(), true, share / "man/man1");
    write(share / "bash-completion/completions/senteval", completion_script("bash"));
    write(share / "zsh/vendor-completions/_senteval", completion_script("zsh"));
    write(share / "fish/vendor_completions.d/senteval.fish", completion_script("fish"));
}

} // namespace senteval::host
