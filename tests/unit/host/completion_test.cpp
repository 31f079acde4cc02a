#include "host/completion/complete.hpp"
#include "host/option_text.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace senteval::host {
namespace {

using Words = std::vector<std::string>;
using Paths = Completion::Paths;

/// A program with one option of each kind.
struct Program {
    CLI::App app{"For the test", "program"};
    Words many;
    std::string one;
    bool flag = false;
    std::string asked_of; ///< the encoder whose parameters were wanted last

    Program()
    {
        CLI::App* run = app.add_subcommand("run", "Runs");
        run->add_option("file", one)->type_name("FILE");
        run->add_option("--encoder", many)->type_name("ENCODER")->allow_extra_args(false);
        run->add_option("--set", many)->type_name("KEY=VALUE")->allow_extra_args(false);
        run->add_option("--tasks", many)->type_name("TASKS");
        run->add_option("--format", one)->check(CLI::IsMember({"table", "csv"}));
        run->add_option("--normalise,--normalize", many)
            ->type_name("LIST")
            ->check(known_choices({"none", "z", "z+l2"}));
        run->add_option("-o,--output", one)->type_name("DIR");
        run->add_option("--errors", one)->type_name("N")->expected(0, 1);
        run->add_flag("-q,--quiet", flag, "Says less");
        run->add_flag("--isolate,!--no-isolate", flag);
        run->add_option("--secret", one)->group("");
        CLI::App* data = app.add_subcommand("data", "Data");
        data->add_subcommand("fetch", "Downloads")->add_option("names", many)->type_name("DATASET");
        app.add_subcommand("hidden", "Not for users")->group("");
    }

    Completion after(const Words& words)
    {
        const auto names = [](const Words& all) {
            std::vector<Candidate> candidates;
            for (const std::string& name : all)
                candidates.push_back({name, ""});
            return candidates;
        };
        return complete(app, words,
                        {[=] {
                             return names({"glove", "lstm", "http"});
                         },
                         [=] {
                             return names({"STS12", "STS13", "TREC", "similarity"});
                         },
                         [=] {
                             return names({"MR", "probing"});
                         },
                         [this](const std::string& encoder) {
                             asked_of = encoder;
                             return std::vector<KnownParameter>{{"vectors", "File", false, true},
                                                                {"verbose", "", true, false},
                                                                {"pooling", "", false, false}};
                         }});
    }

    /// The candidates, and "+files" or "+folders PREFIX" where the shell has to offer some.
    Words words(const Words& line)
    {
        const Completion completion = after(line);
        Words all;
        for (const Candidate& one_of_all : completion.candidates)
            all.push_back(one_of_all.text);
        if (completion.paths != Paths::none)
            all.push_back((completion.paths == Paths::files ? "+files " : "+folders ") +
                          completion.prefix);
        return all;
    }
};

TEST_CASE("completion: commands, and those below them, without hidden ones")
{
    Program program;
    CHECK(program.words({""}) == Words{"run", "data"});
    CHECK(program.words({}) == Words{"run", "data"});
    CHECK(program.words({"r"}) == Words{"run"});
    CHECK(program.words({"data", ""}) == Words{"fetch"});
    CHECK(program.words({"data", "fetch", "pro"}) == Words{"probing"});
    CHECK(program.words({"data", "fetch", "MR", ""}) == Words{"MR", "probing"});
    CHECK(program.words({"unknown", "r"}) == Words{"run"});
}

TEST_CASE("completion: options, other spellings only where nothing else fits")
{
    Program program;
    CHECK(program.words({"run", "--e"}) == Words{"--encoder", "--errors"});
    CHECK(program.words({"run", "--norm"}) == Words{"--normalise"});
    CHECK(program.words({"run", "--normaliz"}) == Words{"--normalize"});
    CHECK(program.words({"run", "--no-"}) == Words{"--no-isolate"});
    CHECK(program.words({"run", "--sec"}).empty());
    CHECK(program.words({"run", "--", "--e"}) == Words{"+files "});
    CHECK(program.after({"run", "--q"}).candidates.at(0).help == "Says less");
}

TEST_CASE("completion: values of options, however they are written")
{
    Program program;
    CHECK(program.words({"run", "--format", ""}) == Words{"table", "csv"});
    CHECK(program.words({"run", "--format=c"}) == Words{"--format=csv"});
    CHECK(program.words({"run", "-o", ""}) == Words{"+folders "});
    CHECK(program.words({"run", "--output=a/b"}) == Words{"+folders --output="});
    CHECK(program.words({"run", "-q", "--format", "csv", ""}) == Words{"+files "});
    CHECK(program.words({"run", "a.toml", "--qu"}) == Words{"--quiet"});
    CHECK(program.words({"run", "--unknown=3"}).empty());
    CHECK(program.words({"run", "--quiet=t"}).empty());
    // One that needs no value: the next word may be another option.
    CHECK(program.words({"run", "--errors", "--fo"}) == Words{"--format"});
    // A value is a value, even if it looks like an option.
    CHECK(program.words({"run", "--output", "--format", ""}) == Words{"+files "});
}

TEST_CASE("completion: lists go on behind commas and as further words")
{
    Program program;
    CHECK(program.words({"run", "--tasks", "STS12,ST"}) == Words{"STS12,STS13"});
    CHECK(program.words({"run", "--tasks", "STS12", "T"}) == Words{"TREC"});
    CHECK(program.words({"run", "--tasks", "STS12", "--q"}) == Words{"--quiet"});
    CHECK(program.words({"run", "--tasks", "sts"}) == Words{"STS12", "STS13"});
    CHECK(program.words({"run", "--normalise=z,"}) ==
          Words{"--normalise=z,none", "--normalise=z,z+l2"});
}

TEST_CASE("completion: encoders by name or path, and the parameters of the last one")
{
    Program program;
    CHECK(program.words({"run", "--encoder", ""}) == Words{"glove", "lstm", "http"});
    CHECK(program.words({"run", "--encoder", "./"}) == Words{"+files "});
    CHECK(program.words({"run", "--encoder", "libm"}) == Words{"+files "});
    CHECK(program.words({"run", "--set", ""}).empty());
    CHECK(program.words({"run", "--encoder", "lstm", "--encoder=glove", "--set", "v"}) ==
          Words{"vectors=", "verbose="});
    CHECK(program.asked_of == "glove");
    const Words line{"run", "--encoder", "glove", "--set"};
    const auto with = [&](const std::string& word) {
        Words all = line;
        all.push_back(word);
        return program.words(all);
    };
    CHECK(with("vectors=a/") == Words{"+files vectors="});
    CHECK(with("verbose=") == Words{"verbose=true", "verbose=false"});
    CHECK(with("pooling=m").empty());
    CHECK(with("unknown=").empty());
    CHECK(program.words({"run", "--encoder", "glove", "--set=vectors=x"}) ==
          Words{"+files --set=vectors="});
}

TEST_CASE("completion: no line is too strange")
{
    Program program;
    for (const Words& line :
         {Words{"", "", ""}, Words{"run", "-"}, Words{"run", "--"}, Words{"run", "-oX", ""},
          Words{"run", "=", "=="}, Words{"-", "--", "-"}, Words{"run", "--tasks", ",,,"},
          Words{"data", "fetch", "--x", "--"}})
        CHECK_NOTHROW(program.after(line));
}

} // namespace
} // namespace senteval::host
