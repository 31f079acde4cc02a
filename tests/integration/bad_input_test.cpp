// Whatever is wrong is said in one paragraph, with the right exit code, and costs nothing else.
#include "base/files.hpp"
#include "program/program.hpp"
#include "support/support.hpp"

using namespace senteval;
using namespace senteval::test;
namespace fs = std::filesystem;

namespace {

/// The sample STS data and movie reviews, to break.
class Data {
public:
    Data()
    {
        for (const char* folder : {"downstream/STS/STS12-en-test", "downstream/MR"}) {
            fs::create_directories(folder_ / folder);
            fs::copy(samples / folder, folder_ / folder, fs::copy_options::recursive);
        }
    }
    [[nodiscard]] const ScratchFolder& folder() const { return folder_; }
    [[nodiscard]] fs::path file(const std::string& name) const
    {
        return folder_ / "downstream/STS/STS12-en-test" / name;
    }
    /// Runs glove on STS12 and then MR.
    [[nodiscard]] Run run(const std::string& more = "") const
    {
        return host("run" + glove_option + " --tasks STS12,MR --data " + quoted(folder_.path()) +
                    into(folder_ / "results") + more);
    }

private:
    ScratchFolder folder_;
};

/// STS12 failed with these words; MR went on and was stored.
void check_one_failed(const Run& run, const Data& data, const std::string& words)
{
    CAPTURE(run.err);
    CHECK(run.exit_code == 1);
    CHECK(test::contains(run.err, {"glove on STS12: FAILED: ", words, "glove on MR: acc "}));
    CHECK(test::contains(run.out, "failed"));
    CHECK(store_content(data.folder() / "results").size() == 2);
}

Run usage(const std::string& arguments)
{
    Run run = host(2, "run" + arguments);
    CHECK(run.out.empty());
    return run;
}

} // namespace

TEST_CASE("wrong usage is said with the nearest name, and nothing is computed")
{
    const ScratchFolder folder;
    const std::string output = into(folder / "results");
    CHECK(test::contains(usage("").err, {"--encoder NAME", "senteval encoders"}));
    const ScratchFolder model;
    model.write("model.json", R"({"weightsManifest": [{"paths": ["weights.bin"]}]})");
    model.write("vocab.json", "[]");
    const std::string rest = data_option + output;
    for (const auto& [arguments, named] : std::vector<std::pair<std::string, const char*>>{
             {glove_option + " --tasks MR --data /no/data" + output, "'/no/data' does not exist"},
             {glove_option + " --tasks STS41" + rest, "'STS41'. Did you mean 'STS14'?"},
             {" --encoder golve --tasks MR" + rest, "'golve'. Did you mean 'glove'?"},
             {" --encoder glove --set vektors=x --tasks MR" + rest,
              "'vektors'. Did you mean 'vectors'?"},
             {" --encoder glove --tasks MR" + rest, "'vectors'"},
             {" --encoder " + quoted(model.path()) + " --set model=x --tasks MR" + rest, "'model'"},
             {" --encoder ./none.so --tasks MR" + rest, "none.so' does not exist"},
             {glove_option + " --tasks MR --kfold ten" + rest,
              "'--kfold' must be an integer, not \"ten\""},
             {" --tusks MR", "'--tusks'. Did you mean '--tasks'?"},
             {" --task MR", "'--tasks'"},
             {" --equal-dimensions=3", "'--equal-dimension'"},
             {" --label x", ""},
             {" a.toml --tasks MR b.toml", "two run files"},
             {" " + quoted(folder.path()), "is a folder"}})
        CHECK(test::contains(usage(arguments).err, named));
    CHECK(test::contains(host(2, "rum").err, "'rum'. Did you mean 'run'?"));
    CHECK(test::contains(host(2, "data fech").err, "'fech'. Did you mean 'fetch'?"));
    CHECK(test::contains(host(2, "data fetch CR --dirr x").err, "'--dir'"));
    CHECK(!fs::exists(folder / "results"));
    for (const char* setting : {"glove --set vectors=", "fasttext --set model="}) {
        const Run run = host(2, "run --encoder " + std::string(setting) + quoted(folder.path()) +
                                    on_samples("MR") + into(folder / "failed"));
        CHECK(test::contains(run.err, "is a folder"));
    }
    const ScratchFolder data;
    data.write("bad.csv", "text,label\n\"never closed,1\n");
    for (const std::string& wrong :
         {std::string("tasks --data /no/data"), std::string("encoders nonesuch"),
          std::string("inspect nosuch.csv"), "inspect " + quoted(data / "bad.csv"),
          std::string("--version --foo"), std::string("--foo -V")})
        host(2, wrong);
}

TEST_CASE("an option that changes no result is refused, and one that does or is the default is not")
{
    const ScratchFolder folder;
    const std::string rest = data_option + into(folder / "results");
    const auto code = [&](const std::string& arguments) {
        return host("run --dry-run --encoder onehot --tasks " + arguments + rest).exit_code;
    };
    for (const char* idle : {"STS12 --kfold 5",
                             "STS12 --activation tanh",
                             "STS12 --classifier mlp",
                             "STS12 --seeds 5",
                             "STS12 --dropout 0.1",
                             "STS12 --nhid 50",
                             "STS12 --nhid 0,50",
                             "STS12 --resample-training 2",
                             "STS12,STSBenchmark --classifier mlp --nhid 50",
                             "CR --cache-gib 2",
                             "CR --similarity dot",
                             "CR --dropout 0.1",
                             "CR --activation tanh",
                             "CR --tenacity 3 --classifier logreg-newton",
                             "CR --nhid 50 --classifier softmax",
                             "CR --max-iterations 9",
                             "SST2 --kfold 5",
                             "SNLI --max-epoch 5",
                             "WordContent --nhid 9",
                             "STSBenchmark --optim adamax"})
        CHECK_MESSAGE(code(idle) == 2, idle);
    for (const char* useful :
         {"STS12 --kfold 10", "STS12 --classifier softmax", "CR --dropout 0",
          "STS12 --similarity dot", "STS12,CR --kfold 5", "CR --nhid 0",
          "STS12 --similarity cosine", "CR --nhid 50 --dropout 0.1",
          "CR --classifier mlp --nhid 50", "CR --nhid 0,50", "CR --seed 1,2,3 --seeds 4",
          "CR --classifier softmax,mlp --dropout 0.1", "STS12 --equal-dimension 3 --projection pca",
          "STS12 --profile sklearn", "CR --classifier logreg-newton --max-iterations 9",
          "STSBenchmark --seeds 3"})
        CHECK_MESSAGE(code(useful) == 0, useful);
    const auto key = [&](const std::string& classifier) {
        const auto file = folder.write("run.toml", "[classifier]\n" + classifier);
        return code("STS12 " + quoted(file));
    };
    CHECK(key("kfold = 5\n") == 0); // the file may be meant for other tasks as well
    CHECK(key("dropout = 0.1\n") == 2);
    CHECK(key("nhid = 50\nclassifier = \"softmax\"\n") == 2);
}

TEST_CASE("data that is missing is said with the command that brings it")
{
    const ScratchFolder folder;
    const std::string output = into(folder / "results");
    const std::string absent = (folder / "no data").string();
    CHECK(test::contains(
        usage(glove_option + " --tasks CR,trec --data " + test::quoted(absent) + output).err,
        "senteval data fetch CR TREC --data '" + absent + "'"));
    const std::string empty = folder.path().string();
    CHECK(test::contains(usage(glove_option + " --tasks STS14 --data " + empty + output).err,
                         "senteval data fetch STS14 --data " + empty));
    CHECK(test::contains(usage(glove_option + " --tasks MR" + output).err,
                         "senteval data fetch TASK"));

    const Data data;
    const std::string some = " --data " + quoted(data.folder().path()) + output;
    const Run run = host(1, "run" + glove_option + " --tasks MR,CR" + some);
    CHECK(
        test::contains(run.err, {"data of CR is missing in '", "senteval data fetch CR --data "}));
}

TEST_CASE("output that cannot be written is said before anything is computed")
{
    const ScratchFolder folder;
    const std::string rest = glove_option + on_samples("MR");
    folder.write("file", "x");
    CHECK(test::contains(usage(rest + into(folder / "file/results")).err,
                         "the result store cannot be used"));
    CHECK(test::contains(usage(rest + " --output /proc/results").err,
                         "the result store cannot be used"));
    const std::string good = rest + into(folder / "results");
    CHECK(test::contains(usage(good + " --json " + quoted(folder / "none/run.json")).err,
                         "--json: there is no folder"));
    CHECK(test::contains(usage(good + " --json " + quoted(folder.path())).err, "is a folder"));
    CHECK(
        test::contains(usage(good + " --cache " + quoted(folder / "file/cache")).err, "--cache: "));
    const Run full = host(1, "run" + good + " --json /dev/full");
    CHECK(test::contains(full.err, "--json: cannot write to '/dev/full'"));
    CHECK(fs::is_character_file("/dev/full"));
    CHECK(store_content(folder / "results").size() == 2);
}

TEST_CASE("an encoder that refuses its parameters is told once, with the other tasks counted, and "
          "exit code 2")
{
    const ScratchFolder folder;
    const Run run = host(2, "run --encoder glove --set vectors=/no/vectors.txt" +
                                on_samples("MR,STS12") + into(folder / "results"));
    CHECK(test::contains(run.err, {"glove on MR: FAILED: encoder 'glove' cannot start:",
                                   "/no/vectors.txt", "on 1 more task"}));
    CHECK(test::times(run.err, "cannot start") == 1);
}

TEST_CASE(
    "a file that is missing and a gold score that is none fail their task only, with file and line")
{
    {
        const Data data;
        fs::remove(data.file("STS.gs.MSRpar.txt"));
        check_one_failed(data.run(), data, "STS.gs.MSRpar.txt' does not exist");
    }
    const Data data;
    const std::string gold = base::read_file(data.file("STS.gs.MSRvid.txt"));
    data.folder().write("downstream/STS/STS12-en-test/STS.gs.MSRvid.txt",
                        "much\n" + gold.substr(gold.find('\n') + 1));
    check_one_failed(data.run(), data, "STS.gs.MSRvid.txt:1: ");
}

TEST_CASE("bytes that are not UTF-8 fail their task only, with file and line")
{
    const Data data;
    const std::string input = base::read_file(data.file("STS.input.MSRvid.txt"));
    data.folder().write("downstream/STS/STS12-en-test/STS.input.MSRvid.txt",
                        input.substr(0, input.find('\n') + 1) + "\xff\xfe" +
                            input.substr(input.find('\n') + 1));
    const Run run = data.run(" --json " + quoted(data.folder() / "run.json"));
    check_one_failed(run, data, "STS.input.MSRvid.txt:2: ");
    const auto document = base::Json::parse(base::read_file(data.folder() / "run.json"));
    CHECK(document.at("failures").size() == 1);
    CHECK(document.at("failures").at(0).at("task") == "STS12");
    CHECK(document.at("results").size() == 1);
}

TEST_CASE("a plugin that breaks its promises is refused by name, with exit code 2")
{
    const ScratchFolder folder;
    const std::string rest = on_samples("MR") + into(folder / "results");
    for (const char* name : {"not_a_library", "undefined", "no_entry", "null_table", "other_major",
                             "null_encoder", "plugin_struct_size", "path_id", "param_type"}) {
        CAPTURE(name);
        CHECK(test::contains(usage(bad_plugin(name) + rest).err,
                             std::string(name) + ".so' is not a usable encoder plugin: "));
    }
    CHECK(!fs::exists(folder / "results"));
}

TEST_CASE("an encoder that misbehaves fails its tasks, and the other encoder goes on")
{
    for (const char* what :
         {"nan", "infinity", "write_nothing", "error", "silent_error", "unknown_status",
          "cancelled", "dimension_zero", "dimension_changes", "dimension_error", "prepare_error",
          "create_silent_error", "create_null"}) {
        CAPTURE(what);
        const ScratchFolder folder;
        const Run run =
            host(1, "run" + bad_plugin("runtime") + " --set what=" + what + " --set always=true" +
                        glove_option + on_samples("STS12") + into(folder / "results"));
        CHECK(test::contains(run.err, {"runtime on STS12: FAILED: encoder 'runtime' ",
                                       "glove on STS12: all.pearson.wmean"}));
        CHECK(store_content(folder / "results").size() == 2);
    }
}

TEST_CASE("a full disk fails the cells it cannot take, which the table shows all the same")
{
    const ScratchFolder folder;
    const fs::path disk = folder / "disk";
    fs::create_directory(disk);
    if (shell("mount -t tmpfs -o size=40k tmpfs " + quoted(disk)).exit_code != 0) {
        MESSAGE("skipped: mounting is not permitted");
        return;
    }
    const Run run = host("run" + glove_option + on_samples("STS12,MR,SUBJ,TREC,STS13,STS14") +
                         " --format csv" + into(disk / "results"));
    const auto stored = store_content(disk / "results");
    shell(0, "umount " + quoted(disk));
    CAPTURE(run.err);
    CHECK(run.exit_code == 1);
    CHECK(test::contains(run.err,
                         {"the result cannot be stored: cannot write", "No space left on device"}));
    CHECK(test::contains(run.out, ",,0,\"these are sample data")); // some were stored
    CHECK(test::contains(
        run.out, ",,1,\"these are sample data")); // the others are shown, and counted as failed
    CHECK(!stored.empty());
}

TEST_CASE(
    "vectors that are all equal are said in log, result and tables, also where a score came out")
{
    const ScratchFolder folder;
    const Run run =
        host(0, "run" + bad_plugin("runtime") + " --set what=constant --tasks CR,STS12 --json " +
                    quoted(folder / "run.json") + data_option + into(folder / "results"));
    for (const char* task : {"CR", "STS12"})
        CHECK(test::contains(run.err,
                             std::string("warning: runtime on ") + task + ": its vectors of "));
    const auto results = base::Json::parse(base::read_file(folder / "run.json")).at("results");
    REQUIRE(results.size() == 2);
    for (const auto& result : results)
        CHECK(test::contains(result.at("document").at("uninformative").get<std::string>(),
                             " sentences are all equal"));
    CHECK(test::contains(run.out, "runtime on CR: its vectors of "));
    const Run compared = host("compare " + quoted(folder / "results"));
    CHECK(test::contains(compared.out, "runtime on CR: its vectors of "));
}

TEST_CASE("an encoder that knows few words is warned of, and one that knows none has no score")
{
    const ScratchFolder folder;
    const auto run_with = [&](const std::string& vectors) {
        folder.write("vectors.txt", vectors);
        return host("run --encoder glove --set vectors=" + quoted(folder / "vectors.txt") +
                    on_samples("STS12") + into(folder / "results"));
    };
    const Run none = run_with("qqqq 1 2 3\nzzzz 3 2 1\n");
    CAPTURE(none.err);
    CHECK(none.exit_code == 1);
    CHECK(test::contains(none.err, "glove on STS12: FAILED: it knows none of the "));
    CHECK(store_content(folder / "results").empty());

    const Run few = run_with("the 1 2 3\na 3 2 1\nis 1 0 1\n");
    CAPTURE(few.err);
    CHECK(few.exit_code == 0);
    CHECK(test::contains(few.err, {"warning: glove knows ",
                                   " % of the words of STS12: its score says little about it"}));
    CHECK(test::contains(few.out, "glove knows few of the words ("));
    const Run compared = host("compare " + quoted(folder / "results"));
    CHECK(test::contains(compared.out, "glove knows few of the words ("));
}
