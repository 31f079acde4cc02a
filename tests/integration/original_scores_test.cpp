// The scores of the original program, of means of GloVe vectors on the real data.
#include "base/json.hpp"
#include "support/support.hpp"

using namespace senteval;

TEST_CASE("tasks that train give the original's scores")
{
    const auto data = test::shared_or_skip("senteval_data");
    const auto script = test::shared_or_skip("vectors/get.sh");
    const test::Run vectors = test::shell(script ? "bash " + test::quoted(*script) : "false");
    if (!data || vectors.exit_code != 0)
        return;
    struct Case {
        std::string options;
        std::map<std::string, base::Json> scores;
    };
    const auto accuracy = [](double devacc, double acc) {
        return base::Json{{"devacc", devacc}, {"acc", acc}};
    };
    const Case cases[] = {
        {"--profile prototype", {{"CR", accuracy(73.87, 73.64)}, {"TREC", accuracy(58.36, 64.8)}}},
        {"",
         {{"CR", accuracy(74.0, 72.45)},
          {"TREC", accuracy(60.73, 64.8)},
          {"SICKEntailment", accuracy(78.2, 75.6)},
          {"SICKRelatedness",
           {{"devpearson", 0.7488112},
            {"pearson", 0.7480919},
            {"spearman", 0.6437978},
            {"mse", 0.4512977}}}}},
        {"--seed 1",
         {{"CR", accuracy(74.08, 73.04)},
          {"TREC", accuracy(60.97, 64.4)},
          {"SICKEntailment", accuracy(77.8, 75.26)}}},
        // scikit-learn 1.2 ends some of its fits early, so its scores are near only: 75.05 and 74.62.
        {"--profile sklearn --seed 1", {{"CR", accuracy(75.05, 74.62)}}},
    };
    for (const Case& one : cases) {
        const test::ScratchFolder folder;
        std::string tasks;
        for (const auto& [task, scores] : one.scores)
            tasks += (tasks.empty() ? "" : ",") + task;
        const test::Run run = test::shell(
            test::quoted(test::program_file()) + " run -q --encoder glove --set vectors=" +
            test::quoted(vectors.out.substr(0, vectors.out.find('\n'))) + " --data " +
            test::quoted(*data) + " --json - --output " + test::quoted(folder / "results") +
            " --tasks " + tasks + " " + one.options);
        CAPTURE(one.options);
        REQUIRE_MESSAGE(run.exit_code == 0, run.err);
        const bool is_near = one.options.starts_with("--profile sklearn");
        const base::Json results = base::Json::parse(run.out).at("results");
        CHECK(results.size() == one.scores.size());
        for (const base::Json& result : results)
            for (const auto& [metric, score] :
                 one.scores.at(result.at("task").get<std::string>()).items())
                CHECK(result.at("document").at("metrics").at(metric).get<double>() ==
                      doctest::Approx(score.get<double>()).epsilon(is_near ? 0.003 : 0.0005));
    }
}
