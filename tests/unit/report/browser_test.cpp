// The report in a real browser: headless Chromium, where it is installed.
#include "core/files.hpp"
#include "report/html.hpp"
#include "sample_document.hpp"
#include "support/support.hpp"

#include <doctest/doctest.h>

#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

using namespace senteval;

namespace {

struct Visit {
    std::string dom;     ///< the page after it has loaded and its scripts have run
    std::string console; ///< what the browser logged about the page
    double seconds = 0;  ///< of processors, its start included: what else runs hardly counts
};

/// Of the processes that this one has started and that have ended.
double processor_seconds()
{
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

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
    const double before = processor_seconds();
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
    return Visit{run.out, console, processor_seconds() - before};
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

void rename(report::Document& document, std::size_t encoder, const std::string& name)
{
    for (auto* lists : {&document.slices.front().encoders, &document.slices.back().encoders})
        for (report::Series& line : *lists)
            if (line.name == document.encoders[encoder].name)
                line.name = name;
    document.encoders[encoder].name = name;
}

/// Labels as people write them, from short to long.
report::Document document_of_long_names()
{
    auto document = test::sample_document(8, 20);
    const std::vector<std::string> names = {
        "GloVe 8c",
        "A label of thirty characters..",
        "A somewhat longer label of sixty characters, with many words",
        "多言語の文埋め込みモデル・平均プーリング版第二世代",
        "نموذج تضمين الجمل العربية بالمتوسط",
        "🚀 rocket 🎉 encoder",
        "Supercalifragilisticexpialidociouspneumonoultramicroscopicsil",
        "WWWWWWWW MMMMMMMM WWWWWWWW path/to_some/model=v2.1"};
    for (std::size_t i = 0; i < names.size(); ++i)
        rename(document, i, names[i]);
    document.tasks[2].name = "A_task_with_a_really_quite_long_name_of_its_own_that_goes_on";
    document.correlations.tasks[2] = document.tasks[2].name;
    return document;
}

} // namespace

TEST_CASE("a large report opens in a browser without a request, an error or a long wait")
{
    const auto result = visit(report::to_html(test::sample_document(30, 35)), R"js(
addEventListener('load', function () {
  document.body.dataset.requests = performance.getEntriesByType('resource').length;
  document.body.dataset.wide = document.documentElement.scrollWidth > innerWidth;
});)js");
    if (!result)
        return;
    CHECK(result->console == "");
    CHECK(attribute(result->dom, "data-requests") == "0");
    CHECK(attribute(result->dom, "data-wide") == "false");
    const auto empty = visit("<html><body></body></html>", "");
    MESSAGE("took " << result->seconds << " s of processor time, an empty page " << empty->seconds);
    CHECK(result->seconds - empty->seconds < 5); // about 1 on an idle machine
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
phone.textContent = phone.textContent.replace(/44vw/g, '172px'); // of 390 px
document.body.style.width = '390px';
document.body.dataset.column = [...document.querySelectorAll('#leaderboard tbody th')]
  .every(th => th.getBoundingClientRect().width <= 190);
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

TEST_CASE("rows are filtered by the words of their names, in every table of the leaderboard")
{
    const auto result = visit(report::to_html(test::sample_document(6, 8)), R"js(
const input = document.getElementById('row-filter');
const shown = () => [...document.querySelectorAll('#leaderboard table')].map(table =>
  [...table.tBodies[0].rows].filter(row => row.offsetHeight > 0).map(row => row.cells[0].textContent).sort().join('+')).join(',');
const type = text => { input.value = text; input.dispatchEvent(new Event('input')); };
document.querySelectorAll('section').forEach(s => { s.style.contentVisibility = 'visible'; });
const seen = [];
type('SIF glo'); seen.push(shown(), document.querySelector('.tools output').textContent);
type('nothing like it'); seen.push(shown());
type(''); seen.push(shown().split('+').length, document.querySelector('.tools output').textContent);
document.body.dataset.seen = seen.join('|');)js");
    if (!result)
        return;
    CHECK(result->console == "");
    CHECK(attribute(result->dom, "data-seen") == "glove sif,glove sif|1 of 6 encoders|,|11|");
}

TEST_CASE("every heading of a task leads to its plot and back")
{
    const auto result = visit(report::to_html(test::sample_document(6, 8)), R"js(
const links = [...document.querySelectorAll('#leaderboard th small a')];
document.body.dataset.good = links.filter(link => {
  const figure = document.querySelector(link.getAttribute('href'));
  const head = link.closest('th');
  return figure.querySelector('b').textContent === head.querySelector('button').textContent &&
    document.querySelector(figure.querySelector('b a').getAttribute('href')) === head;
}).length;)js");
    if (!result)
        return;
    CHECK(result->console == "");
    CHECK(attribute(result->dom, "data-good") == "8");
}

TEST_CASE("every plot is saved as an SVG that stands alone")
{
    auto document = test::sample_document(6, 12);
    rename(document, 0,
           "A name that is wider than any of the plots, as are names that say how the encoder "
           "was made, of what, and when, all of it in one long line");
    const auto result = visit(report::to_html(document), R"js(
const saved = [];
const names = [];
window.Blob = function (parts) { saved.push(parts[0]); };
URL.createObjectURL = () => '#';
URL.revokeObjectURL = () => {};
HTMLAnchorElement.prototype.click = function () { names.push(this.download); };
document.querySelectorAll('button.svg').forEach(button => button.click());
const plots = document.querySelectorAll('main svg[role=img]').length;
const bad = [];
saved.forEach((text, i) => {
  const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
  if (parsed.querySelector('parsererror') || parsed.documentElement.tagName !== 'svg') bad.push(names[i] + ' is no SVG');
  if (/\s(class|style)=|var\(/.test(text)) bad.push(names[i] + ' needs a style sheet');
  if (/https?:/.test(text.replace(/http:\/\/www\.w3\.org\/2000\/svg/g, ''))) bad.push(names[i] + ' needs the network');
  for (const [, id] of text.matchAll(/url\(#([^)]+)\)/g))
    if (!parsed.getElementById(id)) bad.push(names[i] + ' misses ' + id);
  // drawn alone, no text leaves the frame
  const host = document.createElement('div');
  document.body.append(host);
  const shadow = host.attachShadow({mode: 'open'});
  shadow.innerHTML = text;
  const svg = shadow.firstChild, frame = svg.getBoundingClientRect();
  for (const label of svg.querySelectorAll('text')) {
    const box = label.getBoundingClientRect();
    if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1 || box.top < frame.top - 1)
      bad.push(names[i] + ' cuts ' + label.textContent);
  }
  host.remove();
});
const slices = saved[[...document.querySelectorAll('button.svg')].findIndex(b => b.closest('#slices'))];
document.body.dataset.all = saved.length === plots && plots > 15 && names.every(n => /^[^ /]+\.svg$/.test(n));
document.body.dataset.legend = slices.includes('>glove sif<') && slices.includes('sentence length, tokens');
document.body.dataset.bad = [...new Set(bad)].join('|');)js");
    if (!result)
        return;
    CHECK(result->console == "");
    CHECK(attribute(result->dom, "data-all") == "true");
    CHECK(attribute(result->dom, "data-legend") == "true");
    CHECK(attribute(result->dom, "data-bad") == "");
}

TEST_CASE("a printed table names its tasks on every page")
{
    if (test::shell("command -v chromium && command -v pdftotext").exit_code != 0) {
        std::cout << "skipped: needs chromium and pdftotext\n";
        return;
    }
    const test::ScratchFolder scratch;
    const auto file = scratch.write("report.html", report::to_html(test::sample_document(60, 9)));
    const auto pdf = scratch / "report.pdf";
    const auto run =
        test::shell("timeout 100 chromium --headless --no-sandbox --disable-gpu "
                    "--no-first-run --disable-background-networking "
                    "--disable-component-update --disable-sync --user-data-dir=" +
                    test::quoted(scratch / "profile") + " --print-to-pdf=" + test::quoted(pdf) +
                    " file://" + test::quoted(file));
    REQUIRE(run.exit_code == 0);
    const std::string text = test::shell("pdftotext -layout " + test::quoted(pdf) + " -").out;
    std::size_t pages = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = std::min(text.find('\f', begin), text.size());
        const std::string page = text.substr(begin, end - begin);
        begin = end + 1;
        if (page.find("Scores by task") != std::string::npos)
            break;
        if (page.find("[0.") == std::string::npos && page.find(".0]") == std::string::npos &&
            page.find(".5, ") == std::string::npos)
            continue; // no scores with intervals here
        ++pages;
        CAPTURE(page);
        CHECK(page.find("TREC") != std::string::npos);
    }
    CHECK(pages >= 3);
}

TEST_CASE("labels of any length and script are neither cut nor broken within words that fit")
{
    const auto result = visit(report::to_html(document_of_long_names()), R"js(
document.querySelectorAll('section').forEach(s => { s.style.contentVisibility = 'visible'; });
const media = text => {
  const style = document.createElement('style');
  for (const rule of document.styleSheets[0].cssRules)
    if (rule.media && rule.media.mediaText.includes(text))
      for (const inner of rule.cssRules) if (inner.selectorText) style.textContent += inner.cssText;
  return style;
};
const bad = new Set();
let seen = 0;
const look = name => {
  for (const label of document.querySelectorAll('#leaderboard bdi.name, #provenance bdi.name')) {
    if (label.closest('details')) continue;
    ++seen;
    const cell = label.closest('th').getBoundingClientRect(), box = label.getBoundingClientRect();
    if (label.scrollWidth > label.clientWidth + 1 || box.left < cell.left - 1 || box.right > cell.right + 1)
      bad.add(name + ' cuts ' + label.textContent);
    if (box.width > 0.46 * document.body.getBoundingClientRect().width)
      bad.add(name + ' gives too much to ' + label.textContent);
    for (const node of label.childNodes)
      for (const word of (node.data || '').matchAll(/[A-Za-z0-9]+/g)) {
        if (word[0].length > 12) continue;
        const range = document.createRange();
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        if (new Set([...range.getClientRects()].map(r => Math.round(r.top))).size > 1)
          bad.add(name + ' breaks ' + word[0]);
      }
  }
  for (const head of document.querySelectorAll('#leaderboard thead th')) {
    const cell = head.getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(head);
    if (range.getBoundingClientRect().right > cell.right + 1) bad.add(name + ' overlaps beside ' + head.textContent);
  }
  for (const svg of document.querySelectorAll('main svg[role=img]')) {
    const frame = svg.getBBox ? svg.viewBox.baseVal : null;
    const texts = [...svg.querySelectorAll('text.e:not(.t)')].map(t => t.getBBox());
    for (const box of texts)
      if (box.x < -1 || box.x + box.width > frame.width + 1) bad.add(name + ' cuts a name of ' + svg.getAttribute('aria-label'));
    for (let i = 1; i < texts.length; ++i)
      if (texts[i].y < texts[i - 1].y + 9 && texts[i].y > texts[i - 1].y - 9 && texts[i].x < texts[i - 1].x + texts[i - 1].width && texts[i - 1].x < texts[i].x + texts[i].width)
        bad.add(name + ' writes names over each other in ' + svg.getAttribute('aria-label'));
  }
};
for (const width of [1280, 768]) {
  document.body.style.width = width + 'px';
  look(width);
}
const phone = media('max-width');
phone.textContent = phone.textContent.replace(/44vw/g, '172px'); // of 390 px
document.head.append(phone);
document.body.style.width = '390px';
look('phone');
phone.remove();
document.head.append(media('print'));
document.body.style.width = '1032px'; // what A4 landscape leaves
look('print');
document.body.dataset.seen = seen > 100;
document.body.dataset.bad = [...bad].join('|');)js");
    if (!result)
        return;
    CHECK(result->console == "");
    CHECK(attribute(result->dom, "data-seen") == "true");
    CHECK(attribute(result->dom, "data-bad") == "");
}
