// The result documents keep to their schema.
#include "program/program.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace senteval::test;

TEST_CASE("every document of a store is valid by framework/run/result.schema.json")
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
                            quoted(source_dir() / "framework/run/result.schema.json") + " " +
                            quoted(folder / "results") + " | wc -l");
    CAPTURE(check.err);
    CHECK(check.err.empty());
    CHECK(check.out == "8\n");
}
