#include "base/error.hpp"
#include "core/table.hpp"
#include "support/support.hpp"

using namespace senteval;
using core::Table;

namespace {

/// What is wrong with reading `toml`.
template <typename Action>
std::string complaint(const std::string& toml, Action action)
{
    return test::error_of<base::UsageError>([&] { action(Table::parse(toml, "x.toml")); });
}

std::string complaint(const std::string& toml)
{
    return complaint(toml, [](const Table&) {});
}

} // namespace

TEST_CASE("values know where they are and start from the file's folder")
{
    const test::ScratchFolder scratch;
    const Table root = Table::read(scratch.write("deep/x.toml", R"(
title = "t"
words = ["a", "b"]
[one]
file = "../f"
[[many]]
n = 1
[[many]]
n = 2
)"));
    CHECK(root.text("title") == "t");
    CHECK(root.text("none").empty());
    CHECK(root.texts("words") == std::vector<std::string>{"a", "b"});
    CHECK(root.texts("title") == std::vector<std::string>{"t"});
    CHECK(root.texts("none").empty());
    REQUIRE(root.table("one") != nullptr);
    CHECK(root.table("one")->find("file")->path() == scratch / "f");
    CHECK(root.table("two") == nullptr);
    REQUIRE(root.tables("many").size() == 2);
    CHECK(root.tables("many")[1].required("n").integer() == 2);
    CHECK(root.tables("many")[1].where().ends_with("x.toml:8:1"));
    CHECK(root.tables("few").empty());
    CHECK(Table::parse("list = []", "x").tables("list").empty());
}

TEST_CASE("what is wrong with a table is named with line and column")
{
    CHECK(complaint("a = \n").starts_with("x.toml:1:"));
    CHECK(complaint("\nd = 1979-05-27\n").starts_with("x.toml:2:5: "));
    CHECK(complaint("a = 1\n  lable = 2\n", [](const Table& t) {
              t.allow_only({"a", "label"}, "key");
          }) == "x.toml:2:3: there is no key 'lable'. Did you mean 'label'? Valid are: a, label");
    CHECK(complaint("a = 1\n", [](const Table& t) { (void)t.table("a"); }) ==
          "x.toml:1:5: 'a' must be a table");
    CHECK(complaint("[a]\n", [](const Table& t) {
              (void)t.tables("a");
          }).ends_with("write this section as [[a]]"));
    CHECK(complaint("a = [1, {b = 2}]\n", [](const Table& t) {
              (void)t.tables("a");
          }).ends_with("write this section as [[a]]"));
    CHECK(complaint("[a]\nb = 1\n", [](const Table& t) { (void)t.text("a"); }) ==
          "x.toml:1:1: 'a' must be a string, not {\"b\":1}");
    CHECK(complaint("[[a]]\n", [](const Table& t) { (void)t.tables("a")[0].required("b"); }) ==
          "x.toml:1:1: 'b' is missing");
    CHECK_ERROR(base::UsageError, "'/none/x.toml'", Table::read("/none/x.toml"));
}
