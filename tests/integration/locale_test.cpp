// No score depends on the locale: neither on the user's, nor on one that an encoder sets.
#include "base/files.hpp"
#include "program/program.hpp"
#include "support/support.hpp"

using namespace senteval;
using namespace senteval::test;

namespace {

/// What the environment needs for a locale whose decimals have a comma; nothing where none can be made.
std::optional<std::string> comma_locale(const ScratchFolder& folder)
{
    (void)shell("localedef -i de_DE -f UTF-8 " + quoted(folder / "de_DE.UTF-8")); // it may warn
    // glibc keeps a copy of LOCPATH for ever, which a sanitizer takes for a leak.
    const std::string environment =
        "ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0 LOCPATH=" + quoted(folder.path()) +
        " LC_ALL=de_DE.UTF-8 ";
    if (contains(shell(environment + "locale decimal_point").out, ","))
        return environment;
    std::cout << "skipped: needs the locale de_DE (package locales)\n";
    return std::nullopt;
}

/// The metrics of a task, as the run's document has them.
base::Json metrics(const std::string& environment,
                   const std::string& encoder,
                   const std::string& task,
                   const ScratchFolder& folder)
{
    const Run run = shell(0, environment + program + " run --json - --threads 1 --tasks " + task +
                                 encoder + data_option + into(folder / "results"));
    return json_of(run).at("results").at(0).at("metrics");
}

} // namespace

TEST_CASE("scores are the same under a locale with decimal commas, also where an encoder sets it")
{
    const ScratchFolder folder;
    const auto comma = comma_locale(folder);
    if (!comma)
        return;
    const std::string runtime = bad_plugin("runtime") + " --set what=";
    const base::Json expected = metrics("", runtime + "nothing", "TREC --kfold 3", folder);
    CHECK(metrics(*comma, runtime + "nothing", "TREC --kfold 3", folder) == expected);
    CHECK(metrics(*comma, runtime + "setlocale", "TREC --kfold 3", folder) == expected);
    CHECK(metrics(*comma, runtime + "setlocale_in_create", "TREC --kfold 3", folder) == expected);

    const std::string words =
        " --encoder glove --set vectors=" +
        quoted(folder.write("vectors.txt", "the 0.5 1e-400 -1.5e-3\na 2.25 1 0\n"));
    CHECK(metrics(*comma, words, "STS14", folder) == metrics("", words, "STS14", folder));
}
