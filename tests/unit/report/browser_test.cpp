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

TEST_CASE("no label of a plot is cut, however long its name")
{
    const auto result = visit(report::to_html(test::sample_document(12, 20)), R"js(
document.querySelectorAll('section').forEach(s => { s.style.contentVisibility = 'visible'; });
let labels = 0;
const outside = [];
for (const svg of document.querySelectorAll('main svg[role=img]')) {
  const frame = svg.getBoundingClientRect();
  for (const text of svg.querySelectorAll('text')) {
    const box = text.getBoundingClientRect();
    ++labels;
    if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 ||
        box.bottom > frame.bottom + 1 || text.textContent.includes('…'))
      outside.push(text.textContent);
  }
}
document.body.dataset.labels = labels > 500;
document.body.dataset.outside = outside.join('|');)js");
    if (!result)
        return;
    CHECK(result->console == "");
    CHECK(attribute(result->dom, "data-labels") == "true");
    CHECK(attribute(result->dom, "data-outside") == "");
}

TEST_CASE("every text has a contrast of 4.5 to 1 with what it stands on, light, dark and printed")
{
    const auto result = visit(report::to_html(test::sample_document(12, 20)), R"js(
const channels = color => color.match(/[\d.]+/g).map(Number);
const luminance = color => channels(color).slice(0, 3)
  .map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const ground = element => {
  for (; element; element = element.parentElement) {
    const color = getComputedStyle(element).backgroundColor;
    if (channels(color)[3] !== 0) return color;
  }
  return 'rgb(255, 255, 255)';
};
const low = new Set();
let texts = 0;
const check = name => {
  const faint = new Set();
  for (const element of document.querySelectorAll('body *')) {
    if (!element.closest('header, main, footer') ||
        ![...element.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
      continue;
    if (element.closest('title')) continue;
    const inSvg = element.closest('svg');
    const style = getComputedStyle(element);
    const tile = inSvg && element.previousElementSibling;
    const onTile = tile && tile.tagName === 'rect' && /^[hn]\d$/.test(tile.className.baseVal);
    const below = onTile ? getComputedStyle(tile).fill : ground(inSvg || element);
    const [a, b] = [luminance(inSvg ? style.fill : style.color), luminance(below)].sort((x, y) => y - x);
    ++texts;
    if ((a + 0.05) / (b + 0.05) < 4.5 || Number(style.opacity) < 1)
      low.add(name + ' ' + element.tagName + ' ' + element.getAttribute('class') + ' ' + style.fill + below);
  }
};
check('light');
for (const kind of ['dark', 'print']) {
  const style = document.createElement('style');
  for (const rule of document.styleSheets[0].cssRules)
    if (rule.media && rule.media.mediaText.includes(kind))
      for (const inner of rule.cssRules)
        if (inner.selectorText === ':root') style.textContent += inner.cssText;
  document.head.append(style);
  check(kind);
  style.remove();
}
document.body.dataset.enough = texts > 3000;
document.body.dataset.low = [...low].join('|');)js");
    if (!result)
        return;
    CHECK(result->console == "");
    CHECK(attribute(result->dom, "data-enough") == "true");
    CHECK(attribute(result->dom, "data-low") == "");
}

TEST_CASE("on a phone the first column leaves room for the others, in print headings repeat")
{
    const auto result = visit(report::to_html(test::sample_document(12, 20)), R"js(
const media = text => {
  const style = document.createElement('style');
  for (const rule of document.styleSheets[0].cssRules)
    if (rule.media && rule.media.mediaText.includes(text))
      for (const inner of rule.cssRules) if (inner.selectorText) style.textContent += inner.cssText;
  document.head.append(style);
  return style;
};
document.querySelectorAll('section').forEach(s => { s.style.contentVisibility = 'visible'; });
const phone = media('max-width');
phone.textContent = phone.textContent.replace(/28vw/g, '109px'); // of 390 px
document.body.style.width = '390px';
document.body.dataset.column = [...document.querySelectorAll('#leaderboard tbody th')]
  .every(th => th.getBoundingClientRect().width <= 125);
phone.remove();
document.body.style.width = '1032px'; // what A4 landscape leaves
media('print');
document.body.dataset.head = [...document.querySelectorAll('thead')]
  .every(head => getComputedStyle(head).display === 'table-header-group');
document.body.dataset.wide = [...document.querySelectorAll('#leaderboard table')]
  .filter(table => table.getBoundingClientRect().width > 1033).length;)js");
    if (!result)
        return;
    CHECK(attribute(result->dom, "data-column") == "true");
    CHECK(attribute(result->dom, "data-head") == "true");
    CHECK(attribute(result->dom, "data-wide") == "0");
}
