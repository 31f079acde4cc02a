#include "tasks/catalog.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace senteval;

TEST_CASE("every task of the catalogue has a name of its own, groups, files and a headline")
{
    std::set<std::string> names;
    for (const auto& task : tasks::catalog()) {
        const task::Info& info = task->info();
        CAPTURE(info.name);
        CHECK(names.insert(info.name).second);
        CHECK_FALSE(info.groups.empty());
        CHECK_FALSE(info.protocol.empty());
        CHECK_FALSE(info.files.empty());
        CHECK_FALSE(info.headline.empty());
    }
}
