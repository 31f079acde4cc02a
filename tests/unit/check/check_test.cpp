// senteval check: each broken plugin is caught for its own reason and no other; the bundled ones pass.
#include "base/json.hpp"
#include "check/findings.hpp"
#include "check/trials.hpp"
#include "support/loaded_plugin.hpp"
#include "support/support.hpp"

#include <regex>
#include <sstream>

namespace {

namespace fs = std::filesystem;
using namespace senteval;
using base::Json;

fs::path bad(const std::string& name)
{
    return test::binary_dir() / "tests/bad_plugins" / (name + ".so");
}

test::Run check_command(const std::string& arguments)
{
    return test::shell(test::quoted(test::program_file()) + " check " + arguments);
}

struct Outcome {
    int exit_code = -1;
    Json json;
};

Outcome check_json(const std::string& arguments)
{
    const test::Run run = check_command(arguments + " --format json");
    INFO(run.err);
    REQUIRE(run.exit_code < 2);
    return {run.exit_code, Json::parse(run.out)};
}

/// The check of all encoders of `conduct`, which takes minutes.
const Outcome& check_of_conduct()
{
    static const Outcome outcome = check_json(test::quoted(bad("conduct")) + " --limit-seconds 20");
    return outcome;
}

/// The broken rules of one entry of "encoders", with what shows them.
std::map<std::string, std::string> broken_rules(const Json& encoder)
{
    std::map<std::string, std::string> rules;
    for (const Json& rule : encoder.at("rules"))
        if (rule.at("outcome") == "broken")
            rules[rule.at("rule")] =
                rule.at("case").get<std::string>() + ": " + rule.at("detail").get<std::string>();
    return rules;
}

/// These rules, with blanks between, and no other.
void check_broken(const std::map<std::string, std::string>& broken, const std::string& rules)
{
    std::string found;
    for (const auto& [number, shown] : broken)
        found += (found.empty() ? "" : " ") + number;
    CAPTURE((broken.empty() ? "" : broken.begin()->second));
    CHECK(found == rules);
}

/// Words of the sentences that are tried, with small numbers.
constexpr std::string_view vectors = "the 0.5 -0.25 0.125 0.75\n"
                                     "a 0.25 0.5 -0.5 0.25\n"
                                     "small -0.75 0.25 0.5 0.125\n"
                                     "dog 0.125 0.375 0.25 -0.5\n"
                                     "dogs 0.25 0.375 0.25 -0.625\n"
                                     "cat 0.625 -0.125 0.75 0.25\n"
                                     "rain -0.375 0.5 0.25 0.875\n"
                                     "old 0.5 0.25 -0.125 0.375\n"
                                     "stones 0.125 -0.5 0.625 0.25\n"
                                     ". 0.0625 0.125 0.25 -0.125\n"
                                     "UUUNKKK 0.25 0.125 -0.25 0.5\n";

} // namespace

TEST_CASE("a plugin that breaks one rule while it runs is caught for that, and for nothing else")
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    std::cout << "skipped: a sanitizer finds these before their rule is tried\n";
    return;
#else
    const test::LoadedPlugin library(bad("conduct"));
    std::map<std::string, std::string> expected;
    for (std::size_t e = 0; e < library.table()->encoder_count; ++e)
        expected[library.table()->encoders[e]->id] = library.table()->encoders[e]->description;
    CHECK(expected.size() >= 50);

    const Outcome& outcome = check_of_conduct();
    CHECK(outcome.exit_code == 1);
    CHECK(outcome.json.at("outcome") == "broken");
    std::set<std::string> rules;
    for (const Json& encoder : outcome.json.at("encoders")) {
        const auto id = encoder.at("id").get<std::string>();
        CAPTURE(id);
        if (id == "bad.starts_without_its_file")
            continue;
        const auto broken = broken_rules(encoder);
        check_broken(broken, expected[id]);
        rules.insert(expected[id]);
        expected.erase(id);
    }
    CHECK(expected.size() == 1);
    CHECK(rules.size() >= 45);
    const Outcome with_file = check_json(
        test::quoted(bad("conduct").string() + ":starts_without_its_file") + " --set file=x");
    check_broken(broken_rules(with_file.json.at("encoders").at(1)), "8.4");
#endif
}

TEST_CASE("what a run refuses, a check finds broken, under the rule that the run names")
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return; // a sanitizer ends both
#else
    const test::ScratchFolder scratch;
    scratch.write("corpus.jsonl", R"({"_id": "a", "text": "The cat sat."}
{"_id": "b", "text": "Rain fell all day, and then some more, until the evening came; it was dark and very cold outside."}
{"_id": "c", "text": "A dog."}
)");
    scratch.write("queries.jsonl", "{\"_id\": \"q\", \"text\": \"cats\"}\n"
                                   "{\"_id\": \"r\", \"text\": \"some rain\"}\n");
    scratch.write("judgements.tsv", "query-id\tcorpus-id\tscore\nq\ta\t1\nr\tb\t1\n");
    std::string file = "[run]\ndata = '" + (test::source_dir() / "data/samples").string() +
                       "'\ntasks = ['STS14', 'Own']\nthreads = 2\n[[task]]\nname = 'Own'\n"
                       "protocol = 'search'\ncorpus = 'corpus.jsonl'\nqueries = 'queries.jsonl'\n"
                       "judgements = 'judgements.tsv'\n";
    std::map<std::string, std::string> checks; // label -> arguments of the check
    const auto add = [&](const std::string& library,
                         const std::map<std::string, std::string>& settings) {
        std::string label = library;
        std::string arguments = test::quoted(bad("").parent_path() / library);
        std::string parameters;
        for (const auto& [key, value] : settings) {
            label += " " + value;
            arguments += " --set " + test::quoted(key + "=" + value);
            parameters += key + " = '" + value + "'\n";
        }
        file += "[[encoder]]\nname = '" + (bad("").parent_path() / library).string() +
                "'\nlabel = '" + label + "'\n[encoder.parameters]\n" + parameters;
        checks[label] = arguments + " --limit-seconds 12";
    };
    std::map<std::string, std::map<std::string, std::string>> of_conduct; // label -> broken rules
    for (const Json& encoder : check_of_conduct().json.at("encoders"))
        if (const std::string id = encoder.at("id");
            id != "" && id != "bad.starts_without_its_file") {
            add("conduct.so:" + id, {});
            of_conduct["conduct.so:" + id] = broken_rules(encoder);
        }
    for (const char* fault :
         {"segv",  "abort",   "fpe",        "kill",      "term",        "stack",    "exit",
          "_exit", "exec",    "free_twice", "terminate", "thread_segv", "garbage",  "close",
          "throw", "handler", "past_rows",  "message",   "files",       "unwritten"})
        add("faults.so", {{"fault", fault}});
    for (const char* in : {"create", "prepare", "dimension", "count_known"})
        for (const char* fault : {"segv", "throw", "exit", "kill"})
            add("faults.so", {{"fault", fault}, {"in", in}});
    for (const char* what : {"create_silent_error", "create_null", "dimension_zero",
                             "dimension_changes", "dimension_error", "error", "silent_error",
                             "unknown_status", "cancelled", "write_nothing", "fork"})
        add("runtime.so", {{"what", what}});
    for (const char* where : {"create", "prepare", "dimension", "encode", "count_known"})
        for (const char* what : {"standard", "foreign", "ok_error"})
            add("throwing.so", {{"where", where}, {"what", what}});
    add("stating.so", {{"states", R"({"similarity": "cosin"})"}});
    const std::string run_file = test::quoted(scratch.write("run.toml", file));
    const test::Run run =
        test::shell(test::quoted(test::program_file()) + " run " + run_file + " --output " +
                    test::quoted(scratch / "store") + " --limit-seconds 5");
    CHECK(run.exit_code != 0);
    std::map<std::string, std::set<std::string>> refused; // label -> the rules that are named
    static const std::regex failed(R"(\] (.*) on (STS14|Own): FAILED: (.*))");
    static const std::regex rule(R"(rule (\d+\.\d+))");
    std::istringstream lines(run.err);
    std::smatch match;
    for (std::string line; std::getline(lines, line);)
        if (std::regex_search(line, match, failed)) {
            auto& rules = refused[match[1]];
            const std::string why = match[3];
            if (std::smatch named; std::regex_search(why, named, rule))
                rules.insert(named[1]);
        }
    CHECK(refused.size() >= 80);
    for (const auto& [label, rules] : refused) {
        const std::string& encoder = label; // some compilers capture no structured binding
        CAPTURE(encoder);
        const auto broken =
            of_conduct.contains(label)
                ? of_conduct[label]
                : broken_rules(check_json(checks.at(label)).json.at("encoders").back());
        CHECK(!broken.empty());
        for (const std::string& named : rules)
            CHECK(broken.contains(named));
    }
#endif
}

TEST_CASE("instances that keep others from going on are caught for that")
{
    if (test::is_sanitized)
        return; // who finds the lock that is taken twice
    const Outcome outcome = check_json(test::quoted(bad("waiting")) + " --limit-seconds 8");
    CHECK(outcome.exit_code == 1);
    std::map<std::string, std::map<std::string, std::string>> broken;
    for (const Json& encoder : outcome.json.at("encoders"))
        broken[encoder.at("id")] = broken_rules(encoder);
    check_broken(broken["bad.nothing"], "");
    check_broken(broken["bad.waits_for_another_instance"], "5.1");
    CHECK(test::contains(broken["bad.waits_for_another_instance"]["5.1"], "had not returned"));
    check_broken(broken["bad.asks_while_it_waits_for_another_instance"], "5.1");
    CHECK(test::contains(broken["bad.asks_while_it_waits_for_another_instance"]["5.1"],
                         "calls did not return until they were cancelled"));
}

TEST_CASE("a plugin whose table is broken is caught for that, and for nothing else")
{
    const std::vector<std::pair<std::string, std::string>> expected = {
        {"not_a_library", "1.1"},       {"no_entry", "1.1"},
        {"crash_on_load", "1.1"},       {"crash_in_entry", "1.2"},
        {"throws_in_entry", "4.1"},     {"null_table", "1.2"},
        {"another_table", "1.2"},       {"future_host", "1.2"},
        {"other_major", "1.3"},         {"plugin_struct_size", "1.4"},
        {"null_encoder", "1.5"},        {"starts_a_thread", "1.6"},
        {"masks_files_on_load", "6.5"}, {"opens_a_file", "1.6"},
        {"lines_in_name", "3.1"},       {"path_id", "7.1"},
        {"no_version", "7.2"},          {"param_type", "8.1"},
        {"upper_key", "8.2"},
    };
    for (const auto& [name, rule] : expected) {
        const std::string& called = name; // some compilers capture no structured binding
        CAPTURE(called);
        if (test::is_sanitized && name.starts_with("crash"))
            continue; // ended by the sanitizer, before there is a signal
        const Outcome outcome = check_json(test::quoted(bad(name)) + " --limit-seconds 12");
        CHECK(outcome.exit_code == 1);
        std::map<std::string, std::string> broken;
        for (const Json& encoder : outcome.json.at("encoders"))
            broken.merge(broken_rules(encoder));
        check_broken(broken, rule);
    }
}

TEST_CASE("rankers have a dimension for each document, rerankers one")
{
    const test::LoadedPlugin library(bad("ranking"));
    const Outcome outcome = check_json(test::quoted(bad("ranking")) + " --limit-seconds 12");
    for (const Json& encoder : outcome.json.at("encoders"))
        for (std::size_t e = 0; e < library.table()->encoder_count; ++e)
            if (encoder.at("id") == library.table()->encoders[e]->id) {
                CAPTURE(library.table()->encoders[e]->id);
                check_broken(broken_rules(encoder), library.table()->encoders[e]->description);
                CHECK(encoder.at("skipped") == "");
            }
    CHECK(outcome.json.at("encoders").size() == 7);
}

TEST_CASE("the bundled encoders keep every rule that can be tried")
{
    const test::ScratchFolder scratch;
    const std::string words =
        " --set vectors=" + test::quoted(scratch.write("vectors.txt", vectors));
    std::vector<std::string> encoders = {
        "onehot",
        "onehot --set dimension=8",
        "bm25",
        "bm25 --set formula=bm25l --set tokens=words",
        "glove" + words,
        "glove --set pooling=max" + words,
        "glove --set pooling=pmeans" + words,
        "paragram" + words,
        "borep --set dimension=16" + words,
        "lstm --set dimension=16" + words,
        "esn --set dimension=16" + words,
        "fasttext --set model=" +
            test::quoted(scratch.write("words.vec", "11 4\n" + std::string(vectors))),
    };
    std::string text;
    for (int line = 0; line < 40; ++line)
        text += "the old dog sleeps on the warm stone\na small cat and the rain\n";
    scratch.write("text.txt", text);
    if (test::shell(
            "cd " + test::quoted(scratch.path()) +
            " && fasttext skipgram -input text.txt -output model -dim 4 -minCount 1 -bucket 50 "
            "-epoch 1 -thread 1")
            .exit_code == 0)
        encoders.push_back("fasttext --set model=" + test::quoted(scratch / "model.bin"));
    for (const std::string& arguments : encoders) {
        CAPTURE(arguments);
        const Outcome outcome = check_json(arguments);
        CHECK(outcome.exit_code == 0);
        CHECK(outcome.json.at("outcome") == "kept");
        for (const Json& encoder : outcome.json.at("encoders")) {
            check_broken(broken_rules(encoder), "");
            CHECK(encoder.at("skipped") == "");
            if (!encoder.at("id").get<std::string>().empty())
                CHECK(encoder.at("rules").size() > 40);
        }
    }
}

TEST_CASE("what an encoder needs and does not have is skipped, not broken")
{
    const test::Run missing_file = check_command("glove --set vectors=/nowhere/vectors.txt");
    CHECK(missing_file.exit_code == 1);
    CHECK(test::contains(missing_file.out, {"skipped       create() does not find what it needs",
                                            "/nowhere/vectors.txt"}));
    const test::Run missing_parameter = check_command("glove");
    CHECK(missing_parameter.exit_code == 1);
    CHECK(test::contains(missing_parameter.out,
                         {"skipped       it needs --set vectors=...", "that is no pass."}));
}

TEST_CASE("an encoder that could not be tried is not taken for one that keeps the rules")
{
    for (const char* fault : {"kill", "stop", "exec"}) {
        CAPTURE(fault);
        const Outcome outcome = check_json(test::quoted(bad("faults")) + " --set fault=" + fault +
                                           " --limit-seconds 3");
        CHECK(outcome.exit_code == 1);
        CHECK(outcome.json.at("outcome") != "kept");
    }
}

TEST_CASE("a check ends soon after its limit, whatever the library does")
{
    const auto begin = std::chrono::steady_clock::now();
    const Outcome outcome = check_json(test::quoted(bad("hang_in_entry")) + " --limit-seconds 1");
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(4));
    CHECK(outcome.json.at("outcome") == "broken");
    check_broken(broken_rules(outcome.json.at("encoders").at(0)), "1.2");
}

TEST_CASE("what there was no time for is told, and does not read as kept")
{
    const Outcome outcome = check_json("onehot --limit-seconds 0.1");
    const Json& rules = outcome.json.at("encoders").back().at("rules");
    CHECK(std::ranges::any_of(rules, [](const Json& rule) {
        return test::contains(rule.value("why", ""), "--limit-seconds");
    }));
}

TEST_CASE("an encoder that has vectors of given sentences only is tried with these")
{
    const test::ScratchFolder scratch;
    const std::string sentences =
        test::quoted(scratch.write("sentences.txt", "rain\nsnow\r\n\nrain\nsun\n"));
    const std::string lines = test::quoted(scratch.write("lines.txt", "rain\nsnow\nsun\n"));
    const std::string rows = test::quoted(scratch.write("rows.txt", "1 2\n3 4\n5 6\n"));
    const std::string named =
        "precomputed --set vectors=" +
        test::quoted(scratch.write("named.txt", "3 2\nrain 1 2\nsnow 3 4\nsun 5 6\n"));
    for (const std::string& arguments :
         {"precomputed --set vectors=" + rows + " --set sentences=" + lines,
          named + " --sentences " + sentences}) {
        CAPTURE(arguments);
        const Outcome outcome = check_json(arguments);
        CHECK(outcome.exit_code == 0);
        const Json& encoder = outcome.json.at("encoders").back();
        check_broken(broken_rules(encoder), "");
        CHECK(encoder.at("skipped") == "");
        std::map<std::string, std::string> outcomes;
        for (const Json& rule : encoder.at("rules"))
            outcomes[rule.at("rule")] = rule.at("outcome");
        for (const char* rule :
             {"2.2", "3.2", "5.1", "6.4", "9.1", "10.6", "11.3", "12.1", "12.2", "12.3"})
            CHECK(outcomes[rule] == "kept");
        for (const char* rule : {"10.3", "10.4", "10.5"})
            CHECK(outcomes[rule] == "skipped");
    }
    const test::Run unknown = check_command(named);
    CHECK(unknown.exit_code == 1);
    CHECK(test::contains(unknown.out, "(--sentences FILE names"));
    const test::Run none = check_command(named + " --sentences /dev/null");
    CHECK(none.exit_code == 2);
    CHECK(test::contains(none.err, "there are no sentences to try in '/dev/null'"));
}

TEST_CASE("a finding names the rule, what it says and the case; wrong usage is told as such")
{
    const test::Run run = check_command(test::quoted(bad("conduct").string() + ":makes_nan"));
    CHECK(run.exit_code == 1);
    CHECK(test::contains(
        run.out, {"broken  11.2  Each of them is finite.", "\"rain\" is nan", "are broken"}));
    const test::Run crashed =
        check_command(test::quoted(bad("conduct").string() + ":crashes_in_destroy"));
    CHECK((test::is_sanitized ||
           test::contains(crashed.out, "destroy(): the process was killed by SIGSEGV")));

    for (const auto& [arguments, words] : std::vector<std::pair<std::string, std::string>>{
             {"", "libmine.so"},
             {"./no-such-file.so", "no-such-file.so' does not exist"},
             {"no-such-encoder", "there is no encoder 'no-such-encoder'"},
             {"onehot --set dimesion=3", "Did you mean 'dimension'?"},
             {"onehot --set dimension=many", "'dimension' must be"},
             {test::quoted(bad("conduct").string() + ":none"), "contains no encoder 'none'"},
             {"onehot --format xml", "xml"},
         }) {
        const std::string& given = arguments; // see above
        CAPTURE(given);
        const test::Run refused = check_command(arguments);
        CHECK(refused.exit_code == 2);
        CHECK(refused.out.empty());
        CHECK(test::contains(refused.err, words));
    }
}

TEST_CASE("what was not tried is named, and the end of the process comes after its cause")
{
    const test::Run limited =
        check_command(test::quoted(bad("conduct").string() + ":opens_no_more_files"));
    CHECK((test::is_sanitized || limited.exit_code == 0));
    CHECK(
        (test::is_sanitized || test::contains(limited.out, {"No rule that was tried is broken. "
                                                            "Not tried:",
                                                            "6.5 the mask of new files cannot"})));
    check::EncoderFindings encoder{"bad.one", "", {}};
    for (const char* rule : {"6.7", "11.3"})
        encoder.add({rule, check::Outcome::broken, "batcher()", "why"});
    const std::string text = check::to_text({"library", {encoder}}, 80);
    CHECK(text.find("11.3") < text.find("6.7"));
}

TEST_CASE("the rules of encoder.h are numbered without gaps, and trials name none but these")
{
    const auto rules = check::all_rules();
    CHECK(rules.size() >= 60);
    int group = 0;
    int number = 0;
    for (const check::Rule& rule : rules) {
        CAPTURE(rule.number);
        const auto point = rule.number.find('.');
        const int of_group = std::stoi(rule.number.substr(0, point));
        number = of_group == group ? number + 1 : 1;
        CHECK(of_group - group <= 1);
        group = of_group;
        CHECK(std::stoi(rule.number.substr(point + 1)) == number);
        CHECK(rule.text.size() > 20);
        CHECK(rule.text.find('*') != 0);
    }
    for (const check::Trial& trial : check::all_trials())
        for (const std::string_view rule : trial.rules) {
            CAPTURE(rule);
            CHECK(std::ranges::count(rules, rule, &check::Rule::number) == 1);
        }
}
