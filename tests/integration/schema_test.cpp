// The result documents keep to their schema.
#include "program/program.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace senteval::test;

TEST_CASE("every document of a store is valid by framework/results/result.schema.json")
{
    if (shell("python3 -c 'import jsonschema'").exit_code != 0) {
        MESSAGE("skipped: needs python3-jsonschema");
        return;
    }
    const ScratchFolder folder;
    const Run run =
        host("run -q" + glove_option +
             " --tasks MR,MRPC,TREC,SICKRelatedness,STS12,STSBenchmarkUnsupervised,BigramShift,"
             "ImageCaptionRetrieval" +
             data_option + " --output " + quoted(folder / "results"));
    CAPTURE(run.err);
    REQUIRE(run.exit_code == 0);
    // Valid as it is, and invalid without any one of its members.
    folder.write("validate.py", R"(
import glob, json, sys, jsonschema
validator = jsonschema.Draft7Validator(json.load(open(sys.argv[1])))
validator.check_schema(validator.schema)
for path in sorted(glob.glob(sys.argv[2] + '/*/*.json')):
    document = json.load(open(path))
    for error in validator.iter_errors(document):
        sys.exit(f'{path}: {error.json_path}: {error.message}')
    for member in document:
        less = {k: v for k, v in document.items() if k != member}
        if member != 'coverage' and validator.is_valid(less):
            sys.exit(f'{path}: valid without {member}')
    if validator.is_valid({**document, 'more': 1}):
        sys.exit(f'{path}: valid with more')
    print(path)
)");
    const Run check = shell("python3 " + quoted(folder / "validate.py") + " " +
                            quoted(source_dir() / "framework/results/result.schema.json") + " " +
                            quoted(folder / "results") + " | wc -l");
    CAPTURE(check.err);
    CHECK(check.err.empty());
    CHECK(check.out == "8\n");
}

TEST_CASE("a result of another program is valid by framework/results/imported.schema.json")
{
    if (shell("python3 -c 'import jsonschema'").exit_code != 0) {
        MESSAGE("skipped: needs python3-jsonschema");
        return;
    }
    const ScratchFolder folder;
    folder.write("theirs.json",
                 R"({"CR": {"acc": 78.2, "devacc": 79, "ndev": 3775, "ntest": 3775},
                     "ImageCaptionRetrieval": {"acc": [[30, 60, 70, 4], [20, 50, 60, 5]]},
                     "STS12": {"MSRpar": {"pearson": [0.4, 0.0], "nsamples": 750},
                               "all": {"pearson": {"mean": 0.5, "wmean": null}}}})");
    const Run import = host("import " + quoted(folder / "theirs.json") + " --encoder theirs -o " +
                            quoted(folder / "results"));
    CAPTURE(import.err);
    REQUIRE(import.exit_code == 0);
    folder.write("validate.py", R"(
import glob, json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
resolver = jsonschema.RefResolver('file://' + sys.argv[1], schema)
validator = jsonschema.Draft7Validator(schema, resolver=resolver)
for path in sorted(glob.glob(sys.argv[2] + '/*/*.json')):
    document = json.load(open(path))
    for error in validator.iter_errors(document):
        sys.exit(f'{path}: {error.json_path}: {error.message}')
    for member in document:
        if validator.is_valid({k: v for k, v in document.items() if k != member}):
            sys.exit(f'{path}: valid without {member}')
    print(path)
)");
    const Run check = shell("python3 -W ignore " + quoted(folder / "validate.py") + " " +
                            quoted(source_dir() / "framework/results/imported.schema.json") + " " +
                            quoted(folder / "results") + " | wc -l");
    CAPTURE(check.err);
    CHECK(check.err.empty());
    CHECK(check.out == "2\n"); // STS12 has no value of its headline
}

TEST_CASE("the document of a dry run is valid by framework/run/dry_run.schema.json")
{
    if (shell("python3 -c 'import jsonschema'").exit_code != 0) {
        MESSAGE("skipped: needs python3-jsonschema");
        return;
    }
    const ScratchFolder folder;
    folder.write("validate.py", R"(
import json, sys, jsonschema
validator = jsonschema.Draft7Validator(json.load(open(sys.argv[1])))
validator.check_schema(validator.schema)
for path in sys.argv[2:]:
    document = json.load(open(path))
    for error in validator.iter_errors(document):
        sys.exit(f'{path}: {error.json_path}: {error.message}')
    for part in (document, document['rows'][0], document['bytes']):
        part['more'] = 1
        if validator.is_valid(document):
            sys.exit(f'{path}: valid with more')
        del part['more']
    print(len(document['rows']))
)");
    const std::string run = "run -q" + glove_option + " --encoder onehot --tasks MR,STS12" +
                            data_option + " --output " + quoted(folder / "results");
    const auto foretell = [&](const std::string& name, const std::string& command) {
        return host(command + " --dry-run --json " + quoted(folder / name)).exit_code;
    };
    CHECK(foretell("new", run + " --seeds 2 --spill " + quoted(folder.path())) == 0);
    REQUIRE(host(run).exit_code == 0);
    CHECK(foretell("stored", run) == 0);
    CHECK(foretell("failing",
                   "run --encoder process --set command=false --tasks MR" + data_option) != 0);
    const Run check = shell("python3 " + quoted(folder / "validate.py") + " " +
                            quoted(source_dir() / "framework/run/dry_run.schema.json") + " " +
                            quoted(folder / "new") + " " + quoted(folder / "stored") + " " +
                            quoted(folder / "failing"));
    CAPTURE(check.err);
    CHECK(check.err.empty());
    CHECK(check.out == "4\n4\n1\n");
}
