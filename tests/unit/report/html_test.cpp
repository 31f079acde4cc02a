#include "sample_comparison.hpp"
#include "support/support.hpp"

#include <regex>
#include <set>
#include <string>

using namespace senteval;

namespace {

std::string section(const std::string& page, const std::string& id)
{
    const auto begin = page.find("<section id=\"" + id + "\"");
    return begin == std::string::npos ? ""
                                      : page.substr(begin, page.find("</section>", begin) - begin);
}

/// Every opened element is closed, in order; void elements and self-closed ones aside.
std::string first_nesting_error(const std::string& page)
{
    static const std::regex tag("<(/?)([a-zA-Z][a-zA-Z0-9]*)[^>]*?(/?)>");
    std::string text = page.substr(page.find("<html"));
    for (const char* raw : {"style", "script"}) {
        const auto begin = text.find(std::string("<") + raw + ">");
        const auto end = text.find(std::string("</") + raw + ">");
        text.erase(begin, end + std::string(raw).size() + 3 - begin);
    }
    std::vector<std::string> open;
    for (std::sregex_iterator at(text.begin(), text.end(), tag), end; at != end; ++at) {
        const std::string name = (*at)[2];
        if (name == "meta" || name == "link" || name == "wbr" || name == "input" ||
            (*at)[3].length() > 0)
            continue;
        if ((*at)[1].length() == 0) {
            open.push_back(name);
        } else if (open.empty() || open.back() != name) {
            return "</" + name + "> near " +
                   text.substr(static_cast<std::size_t>(at->position()), 80);
        } else {
            open.pop_back();
        }
    }
    return open.empty() ? "" : "open at the end: " + open.back();
}

} // namespace

TEST_CASE("a report has every section, well nested, and nothing from elsewhere")
{
    const std::string page = test::sample_page(test::sample_comparison(6, 12));
    for (const char* id : {"leaderboard", "scores", "differences", "heat-map", "seeds", "slices",
                           "errors", "published", "provenance"}) {
        CAPTURE(id);
        CHECK(section(page, id) != "");
        CHECK(test::contains(page, std::string("href=\"#") + id + "\""));
    }
    CHECK(first_nesting_error(page) == "");
    const std::regex heading("<summary>(MR[^<]*)</summary>");
    const std::string slices = section(page, "slices");
    std::set<std::string> headings;
    for (std::sregex_iterator at(slices.begin(), slices.end(), heading), end; at != end; ++at)
        headings.insert((*at)[1]);
    CHECK(headings.size() == 2); // no two folds of one heading
    CHECK_FALSE(test::contains(page, "http://"));
    CHECK_FALSE(test::contains(page, "https://"));
    CHECK_FALSE(test::contains(page, "src="));
    CHECK_FALSE(test::contains(page, "nan\""));
    CHECK_FALSE(test::contains(page, ">nan"));
    CHECK(page == test::sample_page(test::sample_comparison(6, 12)));
}

TEST_CASE("text of others cannot become markup")
{
    const std::string page = test::sample_page(test::sample_comparison(6, 2));
    CHECK_FALSE(test::contains(page, "漢字 <b>"));
    CHECK(test::contains(page, "a &lt; b &amp; c"));
}

TEST_CASE("the best and what is not significantly worse are bold, the rest is not")
{
    auto comparison = test::sample_comparison(6, 3);
    const std::string page = test::sample_page(comparison);
    CHECK(test::times(page, "<td class=\"best\"") == 6);
    CHECK(test::times(section(page, "heat-map"), " best\"") == 6);
    CHECK(test::times(section(page, "heat-map"), "<td class=\"h9 ") == 3); // the best of each task
    for (auto& task : comparison.tasks)
        task.is_open = true;
    const std::string open = test::sample_page(comparison);
    CHECK(test::times(open, "<td class=\"best\"") == 0);
    CHECK(test::times(section(open, "heat-map"), " best\"") == 0);
}

TEST_CASE("rows stand in the order of the comparison, and a note stands once")
{
    auto comparison = test::sample_comparison(5, 12);
    std::ranges::reverse(comparison.across->rows);
    const std::string page = test::sample_page(comparison);
    for (const char* id : {"leaderboard", "heat-map", "seeds"}) {
        std::size_t before = 0;
        for (const std::string& row : comparison.rows) {
            const auto at = section(page, id).find("<th scope=\"row\"", before + 1);
            CHECK(section(page, id).find(row, at) < at + 200);
            before = at;
        }
    }
    CHECK(test::times(page, "a &lt; b &amp; c") == 1);
}

TEST_CASE("published results stand beside published data only")
{
    auto comparison = test::sample_comparison(2, 3);
    CHECK(test::contains(section(test::sample_page(comparison), "published"), "InferSent"));
    for (auto& task : comparison.tasks)
        task.entries[1].data_warnings = {"a sample"};
    CHECK(section(test::sample_page(comparison), "published") == "");
}

TEST_CASE("a report of 30 encoders and 35 tasks stays under 5 MB")
{
    CHECK(test::sample_page(test::sample_comparison(30, 35)).size() < 5'000'000);
}
