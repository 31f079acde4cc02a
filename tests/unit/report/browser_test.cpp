// The report in a real browser: headless Chromium, where it is installed.
#include "core/files.hpp"
#include "report/html.hpp"
#include "sample_document.hpp"
#include "support/support.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>

using namespace senteval;

namespace {

struct Visit {
    std::string dom;     ///< the page after it has loaded and its scripts have run
    std::string console; ///< what the browser logged about the page
};

/// Loads the page from a file, with `script` run at its end. Nothing where there is no Chromium.
std::optional<Visit> visit(std::string page, const std::string& script)
{
    if (test::shell("command -v chromium").exit_code != 0) {
        std::cout << "skipped: needs chromium\n";
        return std::nullopt;
    }
    const test::ScratchFolder scratch;
    page.insert(page.rfind("</body>"), "<script>" + script + "</script>");
    const auto file = scratch.write("report.html", page);
    const auto run =
        test::shell("timeout 100 chromium --headless --no-sandbox --disable-gpu --disable-quic "
                    "--no-first-run --disable-background-networking --disable-component-update "
                    "--disable-sync --enable-logging=stderr --user-data-dir=" +
                    test::quoted(scratch / "profile") + " --dump-dom file://" + test::quoted(file));
    REQUIRE(run.exit_code == 0);
    std::string console;
    for (auto at = run.err.find("CONSOLE"); at != std::string::npos;
         at = run.err.find("CONSOLE", at + 1))
        console += run.err.substr(at, run.err.find('\n', at) - at) + "\n";
    return Visit{run.out, console};
}

/// The value of an attribute that the script set on the body.
std::string attribute(const std::string& dom, const std::string& name)
{
    const auto begin = dom.find(name + "=\"");
    if (begin == std::string::npos)
        return "";
    const auto first = begin + name.size() + 2;
    return dom.substr(first, dom.find('"', first) - first);
}

} // namespace

TEST_CASE("a large report opens in a browser without a request, an error or a long wait")
{
    const auto result = visit(report::to_html(test::sample_document(30, 35)), R"js(
addEventListener('load', function () {
  document.body.dataset.requests = performance.getEntriesByType('resource').length;
  document.body.dataset.ms = Math.round(performance.now());
  document.body.dataset.wide = document.documentElement.scrollWidth > innerWidth;
});)js");
    if (!result)
        return;
    CHECK(result->console == "");
    CHECK(attribute(result->dom, "data-requests") == "0");
    CHECK(attribute(result->dom, "data-wide") == "false");
    const std::string milliseconds = attribute(result->dom, "data-ms");
    MESSAGE("loaded in " << milliseconds << " ms");
    REQUIRE(milliseconds != "");
    CHECK(std::stoi(milliseconds) < 5000); // well under a second on an idle machine
}

TEST_CASE("the leaderboard sorts by a column, both ways, with what is missing last")
{
    const auto result = visit(report::to_html(test::sample_document(6, 8)), R"js(
const table = [...document.querySelectorAll('#leaderboard table')].find(t => t.textContent.includes('TREC'));
const heads = [...table.querySelectorAll('thead tr:last-child > *')];
const column = heads.findIndex(h => h.textContent.startsWith('TREC'));
const button = heads[column].querySelector('button');
const values = () => [...table.tBodies[0].rows].map(r => Number(r.cells[column].dataset.v ?? 'NaN'));
const sorted = (v, sign) => v.slice(0, 5).every((x, i) => i === 0 || sign * (x - v[i - 1]) >= 0) && isNaN(v[5]);
button.focus();
const seen = [document.activeElement === button];
button.click(); seen.push(sorted(values(), -1), heads[column].getAttribute('aria-sort'));
button.click(); seen.push(sorted(values(), 1), heads[column].getAttribute('aria-sort'));
seen.push(document.getElementById('sort-status').textContent);
document.body.dataset.seen = seen.join('|');)js");
    if (!result)
        return;
    CHECK(result->console == "");
    CHECK(attribute(result->dom, "data-seen") ==
          "true|true|descending|true|ascending|Sorted by TREC, ascending");
}
