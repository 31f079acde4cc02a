#include "core/error.hpp"
#include "report/html.hpp"
#include "sample_document.hpp"
#include "support/support.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <regex>
#include <string>

using namespace senteval;

namespace {

std::size_t count(const std::string& text, const std::string& part)
{
    std::size_t result = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++result;
    return result;
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
        if (name == "meta" || name == "link" || name == "wbr" || (*at)[3].length() > 0)
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
    const std::string page = report::to_html(test::sample_document(8, 20));
    for (const char* section :
         {"leaderboard", "forest", "heat-map", "dimension", "correlation", "side-by-side", "seeds",
          "slices", "errors", "timing", "published", "provenance"}) {
        CAPTURE(section);
        CHECK(test::contains(page, std::string("<section id=\"") + section + "\""));
        CHECK(test::contains(page, std::string("href=\"#") + section + "\""));
    }
    CHECK(first_nesting_error(page) == "");
    CHECK_FALSE(test::contains(page, "http://"));
    CHECK_FALSE(test::contains(page, "https://"));
    CHECK_FALSE(test::contains(page, "src="));
    CHECK_FALSE(test::contains(page, "\"nan"));
    CHECK_FALSE(test::contains(page, ">nan"));
}

TEST_CASE("an empty document is a page too")
{
    const std::string page = report::to_html({});
    CHECK(first_nesting_error(page) == "");
    CHECK_FALSE(test::contains(page, "<section"));
}

TEST_CASE("text of others cannot become markup")
{
    report::Document document = test::sample_document(2, 2);
    document.encoders[0].name = "<script>alert(1)</script>";
    document.warnings = {"a < b & c"};
    const std::string page = report::to_html(document);
    CHECK_FALSE(test::contains(page, "<script>alert"));
    CHECK(test::contains(page, "a &lt; b &amp; c"));
}

TEST_CASE("the leaderboard shows values, intervals, ties, failures and published rows")
{
    report::Document document;
    document.encoders = {{"one", "1.0", "f1", 100}, {"two", "1.0", "f2", 0}, {"three", "", "", 50}};
    report::Task task;
    task.name = "MR";
    task.group = "transfer";
    task.metric = "acc";
    document.tasks = {task};
    document.cells.resize(3);
    document.cells[0].score = {77.4, 76.5, 78.25};
    document.cells[0].tied = true;
    document.cells[0].is_partial = true;
    document.cells[0].p_versus_best = 0.21;
    document.cells[1].score = {78.0, 77.1, 78.9};
    document.cells[1].best = true;
    document.cells[2].failure = "no finite values";
    report::PublishedTable table;
    table.title = "Paper, table 1: x";
    table.columns = {{"MR", "MR", "acc", 1}, {"other", "CR", "acc", 1}};
    table.rows = {{"skip", {79.4, 80}, true},
                  {"other only", {core::nan, 80}, true},
                  {"no reference", {79.9, 80}, false}};
    document.published = {table};

    const std::string page = report::to_html(document);
    CHECK(test::contains(page, "<td class=\"tied\" data-v=\"77.4\" title=\"p = 0.21 against "));
    CHECK(test::contains(
        page, "<b>77.40</b><abbr title=\"some of it failed, or was not stored\">!</abbr>"));
    CHECK(test::contains(page, "<small>[76.5, 78.2]</small>"));
    CHECK(test::contains(page, "<td class=\"best\" data-v=\"78\""));
    CHECK(test::contains(page, "title=\"no finite values\">failed</td>"));
    CHECK(test::contains(page, "<small>published: Paper, table 1</small>"));
    CHECK(count(page, "<small>published:") == 1);
    CHECK(page.find(">two</bdi>") < page.find(">one</bdi>")); // by their scores on the only task
}

TEST_CASE("only what can be compared is ranked, and the page says what is left out")
{
    report::Document document;
    document.encoders = {{"limited", "", "", 1}, {"worse", "", "", 1}, {"better", "", "", 1}};
    for (const char* name : {"MR", "CR", "SUBJ"}) {
        document.tasks.emplace_back();
        document.tasks.back().name = name;
        document.tasks.back().group = "transfer";
        document.tasks.back().metric = "acc";
    }
    for (const double value : {99.0, 99.0, 99.0, 70.0, 71.0, 90.0, 80.0, 81.0, 60.0}) {
        document.cells.emplace_back();
        document.cells.back().score.value = value;
    }
    const std::string unranked = report::to_html(document);
    CHECK_FALSE(test::contains(unranked, "Mean rank"));
    document.ranks.encoders = {"better", "worse"};
    document.ranks.mean_ranks = {1, 2};
    document.ranks.ranks = {{1, 2}, {1, 2}};
    document.ranks.tasks = {"MR", "CR"};
    document.ranks.left_out = "limited (other test items: MR, CR), SUBJ (no result: none)";
    const std::string page = report::to_html(document);
    const auto row = [&](const std::string& name) {
        const auto begin = page.find("<bdi class=\"name\">" + name);
        return page.substr(begin, page.find("</tr>", begin) - begin);
    };
    CHECK(test::contains(row("better"), "<td data-v=\"1.0000\">1.00</td>"));
    CHECK(test::contains(row("worse"), "<td data-v=\"2.0000\">2.00</td>"));
    CHECK_FALSE(test::contains(row("limited"), "data-v=\"1."));
    CHECK(page.find(">better</bdi>") < page.find(">worse</bdi>"));
    CHECK(page.find(">worse</bdi>") < page.find(">limited</bdi>"));
    CHECK(test::contains(page, "Mean ranks: of 2 of 3 encoders, over the 2 of 3 tasks"));
    CHECK(test::contains(page, "Left out: limited (other test items: MR, CR)"));
    CHECK(test::contains(page, "of 2 of these tasks"));
}

TEST_CASE("published tables stand beside the report's own metrics, in the table's units")
{
    report::Document document = test::sample_document(1, 12);
    document.cells[10].metrics["MSRpar.pearson"] = 0.4777; // of STS12
    const std::string page = report::to_html(document);
    const auto row = page.find("<th scope=\"row\">MSRpar &#39;12</th><td>51.5</td>");
    REQUIRE(row != std::string::npos);
    CHECK(test::contains(page.substr(row, page.find("</tr>", row) - row),
                         "<td>47.7</td><td>41.6</td><td>47.8</td>"));
}

TEST_CASE("ranks that change between two ways of measuring are flagged")
{
    report::Document document;
    document.side_by_side = {{"MR",
                              "logistic regression",
                              "MLP",
                              "accuracy, %",
                              1,
                              {{"a", 70, 75, 2, 1}, {"b", 71, 74, 1, 2}, {"c", 80, 60}}}};
    const std::string page = report::to_html(document);
    CHECK(test::contains(page, "▲ up 1"));
    CHECK(test::contains(page, "▼ down 1"));
    CHECK(count(page, "▲") == 1);
    CHECK(test::contains(page, "<td>80.0</td><td>–</td><td>60.0</td><td>–</td>"));
}

TEST_CASE("a document whose lists do not fit is refused")
{
    report::Document document = test::sample_document(2, 2);
    document.cells.pop_back();
    CHECK_THROWS_AS(report::to_html(document), core::Error);
    document = test::sample_document(2, 2);
    document.correlations.n.clear();
    CHECK_THROWS_AS(report::to_html(document), core::Error);
}

TEST_CASE("a report of 30 encoders and 35 tasks stays under 5 MB and is the same each time")
{
    const std::string page = report::to_html(test::sample_document(30, 35));
    CHECK(page.size() < 5'000'000);
    CHECK(page == report::to_html(test::sample_document(30, 35)));
}

TEST_CASE("plots of slices leave out small parts, say so, and the table keeps them")
{
    report::Document document = test::sample_document(2, 2);
    const report::Measured wild{1, 0.125, 99.75};
    document.slices = {{"MR",
                        "sentence length, tokens",
                        "accuracy, %",
                        2,
                        {"tiny part", "50 items", "many items"},
                        {49, 50, 900},
                        {{"glove", {wild, {70, 60, 80}, {72, 71, 73}}}}}};
    std::string page = report::to_html(document);
    const auto section = page.find("<section id=\"slices\"");
    page = page.substr(section, page.find("</section>", section) - section);
    const std::string plot = page.substr(0, page.find("<details>"));
    CHECK(test::contains(page, "at least 50 items"));
    CHECK_FALSE(test::contains(plot, "tiny part"));
    CHECK(test::contains(plot, ">50 items</text>"));
    CHECK_FALSE(test::contains(plot, ">20</text>")); // the wild interval does not stretch the axis
    CHECK(test::contains(page, "tiny part<small>n = 49</small>"));

    document.slices[0].items = {49, 20, 900};
    page = report::to_html(document);
    CHECK_FALSE(test::contains(page, ">many items</text>")); // one part compares with nothing
    CHECK(test::contains(page, "many items<small>"));
}

TEST_CASE("shades of the heat map are differences that the test set can show")
{
    report::Document document;
    report::Task task;
    task.name = "MR";
    task.metric = "acc";
    task.detectable = 2;
    document.tasks = {task};
    const auto shades = [&](const std::vector<double>& values) {
        document.encoders.clear();
        document.cells.assign(values.size(), {});
        for (std::size_t i = 0; i < values.size(); ++i) {
            document.encoders.push_back({"e" + std::to_string(i), "", "", 1});
            document.cells[i].score.value = values[i];
            document.cells[i].best = values[i] == values.front();
            document.cells[i].p_versus_best = i == 0 ? core::nan : 0.01;
            document.cells[i].against = i == 0 ? "" : "e0";
        }
        const std::string page = report::to_html(document);
        std::string result;
        static const std::regex tile("<rect class=\"(h[0-9])\"");
        for (std::sregex_iterator at(page.begin(), page.end(), tile), end; at != end; ++at)
            result += (*at)[1].str() + " ";
        return result;
    };
    CHECK(shades({80, 79.5, 78.5}) == "h9 h8 h8 "); // told, however near
    CHECK(shades({80, 77.9, 75.9, 64}) == "h9 h8 h7 h1 ");
    CHECK(shades({80, 71, 35}) == "h9 h8 h0 "); // wide: a step is a ninth of the spread
    document.tasks[0].higher_is_better = false;
    CHECK(shades({80, 82.5, 84.5}) == "h9 h8 h7 ");
    document.tasks[0].detectable = core::nan;
    CHECK(shades({7, 7}) == "h9 h9 ");
}

TEST_CASE("what the paired test says stands above the distance in the heat map")
{
    report::Document document = test::sample_document(3, 1);
    document.tasks[0].detectable = 2;
    document.cells[0].score.value = 80;
    document.cells[1].score.value = 79.5;
    document.cells[2].score.value = 70;
    for (report::Cell& cell : document.cells)
        cell.best = cell.tied = false;
    document.cells[0].best = true;
    document.cells[0].p_versus_best = core::nan;
    document.cells[1].p_versus_best = 0.001; // close, but told
    document.cells[2].p_versus_best = 0.4;   // far, but not told
    document.cells[2].tied = true;
    for (report::Cell& cell : document.cells)
        cell.against = cell.best ? "" : document.encoders[0].name;
    const std::string page = report::to_html(document);
    CHECK(test::contains(page, "<rect class=\"h8\""));
    CHECK(count(page, "<rect class=\"h9\"") == 2);
}

TEST_CASE("where there is no verdict no plot marks a best, and doubtful data is marked in each")
{
    report::Document document = test::sample_document(3, 1);
    document.published.clear();
    for (report::Cell& cell : document.cells) {
        cell.best = cell.tied = false;
        cell.p_versus_best = core::nan;
        cell.undecided = "one seed";
        cell.doubts = "it is a sample";
    }
    document.tasks[0].is_doubtful = true;
    const auto section = [&](const std::string& id) {
        const std::string page = report::to_html(document);
        const auto begin = page.find("<section id=\"" + id + "\"");
        REQUIRE(begin != std::string::npos);
        return page.substr(begin, page.find("</section>", begin) - begin);
    };
    const std::string heat_map = section("heat-map");
    CHECK(count(heat_map, "<rect class=\"plain\"") == 3);
    CHECK(count(heat_map, "<rect class=\"h") == 0);
    CHECK(count(heat_map, "*?</text>") == 3);
    CHECK(test::contains(heat_map, document.tasks[0].name + "*</text>"));
    const auto plots = [&](const std::string& id) { // without the legend, which has every mark
        const std::string all = section(id);
        return all.substr(all.find("<figure"));
    };
    CHECK(count(plots("forest"), "<circle class=\"dot small\"") == 3);
    CHECK(count(plots("forest"), "<circle class=\"dot\"") == 0);
    CHECK(count(plots("forest"), "class=\"ref\"") == 0);
    CHECK(count(plots("forest"), "*?</text>") == 3);
    CHECK(test::contains(plots("forest"), document.tasks[0].name + "*</a>"));
    document.cells[0].undecided = document.cells[1].undecided = "";
    document.cells[0].best = document.cells[1].best = true; // the same scores
    document.cells[1].p_versus_best = 1;
    document.cells[1].difference = {0, 0, 0};
    document.cells[1].against = document.encoders[0].name;
    CHECK(count(plots("differences"), "<circle class=\"dot\"") == 1);
    CHECK(test::contains(plots("differences"), document.tasks[0].name + "*</b>"));
}

TEST_CASE("published values are written beside the axis of a plot and do not stretch it")
{
    report::Document document;
    document.encoders = {{"one", "", "", 1}, {"two", "", "", 1}};
    report::Task task;
    task.name = "MR";
    task.metric = "acc";
    document.tasks = {task};
    document.cells.resize(2);
    document.cells[0].score.value = 70;
    document.cells[1].score.value = 72;
    const auto forest = [&] {
        const std::string page = report::to_html(document);
        const auto begin = page.find("<figure");
        return page.substr(begin, page.find("</figure>", begin) - begin);
    };
    const std::string alone = forest();
    report::PublishedTable table;
    table.title = "Paper";
    table.columns = {{"MR", "MR", "acc", 1}};
    table.rows = {{"theirs", {99.5}, true}};
    document.published = {table};
    const std::string beside = forest();
    CHECK(test::contains(beside, ">theirs</text>"));
    CHECK(test::contains(beside, ">99.50</text>"));
    CHECK(count(beside, "<circle") == 2);
    CHECK(count(beside, "class=\"grid\"") == count(alone, "class=\"grid\""));
    CHECK_FALSE(test::contains(beside, ">90</text>"));
}
