#include "base/error.hpp"
#include "support/support.hpp"
#include "task/selection.hpp"

using namespace senteval;

namespace {

class NamedTask : public task::Task {
public:
    NamedTask(const std::string& name,
              std::vector<std::string> groups,
              std::vector<std::string> aliases = {})
    {
        info_.name = name;
        info_.aliases = std::move(aliases);
        info_.groups = std::move(groups);
    }
    [[nodiscard]] const task::Info& info() const override { return info_; }
    [[nodiscard]] std::unique_ptr<task::LoadedTask> load(task::DataFolder& /*data*/) const override
    {
        return nullptr;
    }
    [[nodiscard]] base::Json protocol_settings(const task::Settings& /*settings*/) const override
    {
        return {};
    }

private:
    task::Info info_;
};

task::Tasks example()
{
    task::Tasks tasks;
    tasks.push_back(std::make_unique<NamedTask>("CR", std::vector<std::string>{"transfer"}));
    tasks.push_back(
        std::make_unique<NamedTask>("SNLI", std::vector<std::string>{"transfer", "nli"}));
    tasks.push_back(std::make_unique<NamedTask>("STS14", std::vector<std::string>{"similarity"}));
    tasks.push_back(std::make_unique<NamedTask>(
        "STSBenchmark", std::vector<std::string>{"similarity"}, std::vector<std::string>{"STSB"}));
    tasks.push_back(std::make_unique<NamedTask>("My reviews", std::vector<std::string>{"own"}));
    return tasks;
}

std::string chosen(std::string_view names)
{
    const task::Tasks tasks = example();
    std::string result;
    for (const auto* task : task::select(tasks, names))
        result += task->info().name + " ";
    return result;
}

} // namespace

TEST_CASE("tasks are chosen by name and group, each once, in the catalogue's order")
{
    CHECK(chosen("STS14,CR") == "CR STS14 ");
    CHECK(chosen("nli, transfer,SNLI") == "CR SNLI ");
    CHECK(chosen("all") == "CR SNLI STS14 STSBenchmark My reviews ");
    CHECK(task::groups_of(example()) ==
          std::vector<std::string>{"transfer", "nli", "similarity", "own", "all"});
}

TEST_CASE("tasks are found as people write them")
{
    CHECK(chosen("sts-14, cr") == "CR STS14 ");
    CHECK(chosen("STS-B") == "STSBenchmark ");
    CHECK(chosen("sts_b,stsbenchmark") == "STSBenchmark ");
    CHECK(chosen("STS*") == "STS14 STSBenchmark ");
    CHECK(chosen("sts1?,S*I") == "SNLI STS14 ");
    CHECK(chosen("CR STS14\tsnli") == "CR SNLI STS14 ");
    CHECK(chosen("CR , ,, STS14,") == "CR STS14 ");
    CHECK(chosen("My reviews") == "My reviews ");
    CHECK(chosen("CR,my reviews") == "CR My reviews ");
    const task::Tasks tasks = example();
    CHECK(task::select(tasks, std::vector<std::string>{"STS14, CR", "STSB SNLI"}).size() == 4);
    CHECK_ERROR(base::UsageError, "there is no task or group 'XTS*'", chosen("XTS*"));
    CHECK_ERROR(base::UsageError, "there is no task or group 'CR STS41'", chosen("CR STS41"));
}

TEST_CASE("an unknown task is refused with the nearest name")
{
    CHECK_ERROR(base::UsageError, "'STS41'. Did you mean 'STS14'", chosen("CR,STS41"));
    CHECK_THROWS_AS(chosen(""), base::UsageError);
    CHECK_THROWS_AS(chosen(" , "), base::UsageError);
}
