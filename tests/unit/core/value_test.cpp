#include "base/error.hpp"
#include "base/names.hpp"
#include "core/value.hpp"
#include "support/support.hpp"

using namespace senteval;
using base::Json;
using core::Value;

namespace {

Value text(const std::string& text)
{
    return Value::of_text(text, "key", "command line");
}

Value json(Json json)
{
    return Value::of_json(std::move(json), "key", "run.toml:3:1", "/folder");
}

} // namespace

TEST_CASE("text of the command line is read as the type that is asked for")
{
    CHECK(text("yes").boolean());
    CHECK(!text("off").boolean());
    CHECK(text("+12").integer() == 12);
    CHECK(text("-12").integer() == -12);
    CHECK(text("1e-3").real() == 0.001);
    CHECK(text("7").string() == "7");
    CHECK(text("/a/../b").path() == "/b");
    CHECK(text("below").path() == std::filesystem::current_path() / "below");
}

TEST_CASE("a value of a file has the type it was written with")
{
    CHECK(json(true).boolean());
    CHECK(json(3).integer() == 3);
    CHECK(json(3).real() == 3.0);
    CHECK(json("x").string() == "x");
    CHECK(json("below").path() == "/folder/below");
    CHECK(json(3).is_integer());
    CHECK(!json("3").is_integer());
    CHECK_THROWS_AS((void)json("true").boolean(), base::UsageError);
    CHECK_THROWS_AS((void)json("3").integer(), base::UsageError);
    CHECK_THROWS_AS((void)json(3.5).integer(), base::UsageError);
    CHECK_THROWS_AS((void)json("3").real(), base::UsageError);
    CHECK_THROWS_AS((void)json(3).string(), base::UsageError);
    CHECK_THROWS_AS((void)json("").path(), base::UsageError);
}

TEST_CASE("a refused value is shown with its place, its key and what was wanted")
{
    CHECK_ERROR(base::UsageError, "run.toml:3:1: 'key' must be an integer, not \"many\"",
                json("many").integer());
    CHECK_ERROR(base::UsageError, "'key' must be true or false, not \"maybe\"",
                text("maybe").boolean());
    for (const char* number : {"", "1x", "nan", "inf", "1e999", "0x10"})
        CHECK_THROWS_AS((void)text(number).real(), base::UsageError);
    for (const char* number : {"", "1.5", "9223372036854775808"})
        CHECK_THROWS_AS((void)text(number).integer(), base::UsageError);
}

TEST_CASE("a value that is not UTF-8 is refused in valid UTF-8")
{
    CHECK_ERROR(base::UsageError, "'key' must be an integer, not \"\xef\xbf\xbd\"",
                text("\xff").integer());
}

TEST_CASE("text is a list with commas, a file's list is a list, everything else one element")
{
    CHECK(text("a,b,c").list().size() == 3);
    for (const char* list : {"a,b,,c", "a,", ",a", ","})
        CHECK_THROWS_AS((void)text(list).list(), base::UsageError);
    CHECK(text("a,b").elements().size() == 1);
    CHECK(text("").list().empty());
    CHECK(json({1, 2}).list().at(1).integer() == 2);
    CHECK(json({1, 2}).is_list());
    CHECK(json(1).list().size() == 1);
    CHECK(json("a,b").list().size() == 1);
    CHECK_ERROR(base::UsageError, "run.toml:3:1: 'key' must be an integer, not \"x\"",
                json({1, "x"}).list().at(1).integer());
}

TEST_CASE("blanks around the commas of a list do not count")
{
    std::string all;
    for (const auto& one : core::Value::of_text(" a , b c,\td ", "k", "w").list())
        all += "[" + one.string() + "]";
    CHECK(all == "[a][b c][d]");
}

TEST_CASE("~ is the home folder where it begins a path, and only there")
{
    const std::string home = std::getenv("HOME") == nullptr ? "" : std::getenv("HOME");
    setenv("HOME", "/home/me", 1);
    const auto path = [](const std::string& text) {
        return core::Value::of_text(text, "k", "w").path().string();
    };
    CHECK(path("~/glove.txt") == "/home/me/glove.txt");
    CHECK(path("~") == "/home/me/");
    CHECK(path("/a/~/b") == "/a/~/b");
    CHECK(path("~you/b").ends_with("/~you/b"));
    const auto of_file = core::Value::of_json("~/x", "k", "w", "/base");
    CHECK(of_file.path() == "/home/me/x");
    setenv("HOME", home.c_str(), 1);
}

TEST_CASE("a choice is one of the names, and a mistake is answered with the nearest")
{
    constexpr std::array<std::pair<std::string_view, int>, 2> choices{{{"one", 1}, {"two", 2}}};
    CHECK(Value::of_text("two", "--number", "command line").choice(choices) == 2);
    CHECK(base::name_in(choices, 1) == "one");
    CHECK_ERROR(base::UsageError, "'--number' cannot be 'tow'. Did you mean 'two'",
                Value::of_text("tow", "--number", "command line").choice(choices));
}
