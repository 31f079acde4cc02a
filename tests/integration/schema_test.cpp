// The result documents keep to their schema.
#include "program/program.hpp"
#include "support/support.hpp"

using namespace senteval::test;

namespace {

bool has_jsonschema()
{
    const bool has = shell("python3 -c 'import jsonschema'").exit_code == 0;
    if (!has)
        MESSAGE("skipped: needs python3-jsonschema");
    return has;
}

/// What `script`, which has a validator and a function check(path, document, valid), prints of the files.
std::string checked(const std::string& check, const std::string& schema, const std::string& files)
{
    const ScratchFolder folder;
    const auto script = folder.write("validate.py", R"(
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
resolver = jsonschema.RefResolver('file://' + sys.argv[1], schema)
validator = jsonschema.Draft7Validator(schema, resolver=resolver)
validator.check_schema(schema)
def valid_without(document, member):
    return validator.is_valid({k: v for k, v in document.items() if k != member})
for path in sorted(sys.argv[2:]):
    document = json.load(open(path))
    for error in validator.iter_errors(document):
        sys.exit(f'{path}: {error.json_path}: {error.message}')
)" + check);
    const Run run = shell(0, "python3 -W ignore " + quoted(script) + " " +
                                 quoted(source_dir() / "framework" / schema) + " " + files);
    CHECK(run.err.empty());
    return run.out;
}

} // namespace

TEST_CASE("every document of a store is valid by framework/results/result.schema.json")
{
    if (!has_jsonschema())
        return;
    const ScratchFolder folder;
    host(0, "run -q" + glove_option +
                " --tasks MR,MRPC,TREC,SICKRelatedness,STS12,STSBenchmarkUnsupervised,BigramShift,"
                "ImageCaptionRetrieval" +
                data_option + into(folder / "results"));
    // Valid as it is, and invalid without any one of its members.
    const std::string output =
        checked(R"(
    for member in document:
        if member not in ('coverage', 'cautions') and valid_without(document, member):
            sys.exit(f'{path}: valid without {member}')
    if validator.is_valid({**document, 'more': 1}):
        sys.exit(f'{path}: valid with more')
    print(path)
)",
                "results/result.schema.json", quoted(folder / "results") + "/*/*.json");
    CHECK(lines_of(output).size() == 8);
}

TEST_CASE("a result of another program is valid by framework/results/imported.schema.json")
{
    if (!has_jsonschema())
        return;
    const ScratchFolder folder;
    folder.write("theirs.json",
                 R"({"CR": {"acc": 78.2, "devacc": 79, "ndev": 3775, "ntest": 3775},
                     "ImageCaptionRetrieval": {"acc": [[30, 60, 70, 4], [20, 50, 60, 5]]},
                     "STS12": {"MSRpar": {"pearson": [0.4, 0.0], "nsamples": 750},
                               "all": {"pearson": {"mean": 0.5, "wmean": null}}}})");
    host(0, "import " + quoted(folder / "theirs.json") + " --encoder theirs -o " +
                quoted(folder / "results"));
    const std::string output =
        checked(R"(
    for member in document:
        if valid_without(document, member):
            sys.exit(f'{path}: valid without {member}')
    print(path)
)",
                "results/imported.schema.json", quoted(folder / "results") + "/*/*.json");
    CHECK(lines_of(output).size() == 2); // STS12 has no value of its headline
}

TEST_CASE("the document of a dry run is valid by framework/run/dry_run.schema.json")
{
    if (!has_jsonschema())
        return;
    const ScratchFolder folder;
    const std::string run = "run -q" + glove_option + " --encoder onehot" + on_samples("MR,STS12") +
                            into(folder / "results");
    const auto foretell = [&](const std::string& name, const std::string& command) {
        return host(command + " --dry-run --json " + quoted(folder / name)).exit_code;
    };
    CHECK(foretell("new.json", run + " --seeds 2 --spill " + quoted(folder.path())) == 0);
    host(0, run);
    CHECK(foretell("stored.json", run) == 0);
    CHECK(foretell("failing.json",
                   "run --encoder process --set command=false" + on_samples("MR")) != 0);
    const std::string output =
        checked(R"(
    for part in (document, document['rows'][0], document['bytes']):
        part['more'] = 1
        if validator.is_valid(document):
            sys.exit(f'{path}: valid with more')
        del part['more']
    print(path.split('/')[-1], len(document['rows']))
)",
                "run/dry_run.schema.json", quoted(folder.path()) + "/*.json");
    CHECK(output == "failing.json 1\nnew.json 4\nstored.json 4\n");
}
