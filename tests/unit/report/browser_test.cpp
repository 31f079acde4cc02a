// The report in a real browser: headless Chromium, where it is installed.
#include "base/files.hpp"
#include "made_cells.hpp"
#include "sample_comparison.hpp"
#include "support/support.hpp"

#include <fmt/format.h>

using namespace senteval;

namespace {

const std::string chromium =
    "timeout 100 chromium --headless --no-sandbox --disable-gpu --no-first-run "
    "--allow-file-access-from-files --enable-logging=stderr --window-size=1300,1000 "
    "--user-data-dir=";

bool has_chromium()
{
    const bool has = test::shell("command -v chromium").exit_code == 0;
    if (!has)
        std::cout << "skipped: needs chromium\n";
    return has;
}

/// What `script`, run at the end of the page on a screen of that size, leaves in `found`: complaints, with bars between.
std::string
complaints(std::string page, const std::string& script, int width = 1280, int height = 800)
{
    const test::ScratchFolder scratch;
    page.insert(page.rfind("</body>"),
                "<script>const found = new Set();" + script +
                    "document.body.dataset.found = [...found].join('|');</script>");
    scratch.write("report.html", page);
    const auto screen = scratch.write(
        "screen.html", fmt::format("<body><iframe src=report.html width={} height={} onload='"
                                   "document.body.dataset.found = "
                                   "this.contentDocument.body.dataset.found'></iframe></body>",
                                   width, height));
    const test::Run run = test::shell(0, chromium + test::quoted(scratch / "profile") +
                                             " --dump-dom file://" + test::quoted(screen));
    CHECK_MESSAGE(!test::contains(run.err, "CONSOLE"), run.err);
    const std::string name = "data-found=\"";
    const auto begin = run.out.find(name);
    REQUIRE(begin != std::string::npos);
    const auto first = begin + name.size();
    return run.out.substr(first, run.out.find('"', first) - first);
}

/// Three encoders with variants that are nearly as good, on one task, and their costs.
std::string page_with_costs()
{
    std::vector<results::Cell> cells;
    std::vector<results::Cost> costs;
    for (const std::string encoder : {"an encoder of a long name", "b", "c"}) {
        for (const std::string variant : {"", "int8", "binary", "128", "128:int8", "64:int8"}) {
            auto& cell =
                cells.emplace_back(test::untrained(encoder, "A", 400, 300 + cells.size() % 5));
            cell.result.dimension = 384;
            if (!variant.empty())
                cell.result.protocol.settings["variant"] = {{"label", variant},
                                                            {"precision", "int8"}};
            cell.result.protocol.fingerprint = "A" + variant;
        }
        results::Cost& cost = costs.emplace_back();
        cost.encoder = cells.back().result.encoder;
        cost.sentences_per_second = 100 + static_cast<double>(costs.size());
    }
    compare::Results results(std::move(cells));
    results.know_costs(std::move(costs));
    const auto comparison = compare::compare_best_first(results, {});
    return report::to_html({comparison, results});
}

} // namespace

TEST_CASE(
    "the table is on the first screen, of a desk and of a phone, and no label of a plot is cut")
{
    if (!has_chromium())
        return;
    const std::string first_screen = R"js(
const table = document.querySelector('#leaderboard table').getBoundingClientRect();
if (table.bottom > innerHeight) found.add('the table ends at ' + table.bottom);
if (document.documentElement.scrollWidth > innerWidth) found.add('the page is too wide');
)js";
    const std::string page = test::sample_page(test::sample_comparison(9, 8));
    CHECK(complaints(page, first_screen) == "");
    CHECK(complaints(page, first_screen + R"js(
for (const prose of document.querySelectorAll('.meta, .verdict, .legend, .notes')) {
  const box = prose.getBoundingClientRect();
  if (box.top < table.top && box.height > 42) found.add('prose before the table: ' + prose.textContent);
}
)js",
                     390, 844) == "");
    CHECK(complaints(test::sample_page(test::sample_comparison(12, 16)), R"js(
if (performance.getEntriesByType('resource').length) found.add('something was fetched');
let labels = 0;
for (const svg of document.querySelectorAll('main svg[role=img]')) {
  const frame = svg.getBoundingClientRect();
  for (const text of svg.querySelectorAll('text')) {
    const box = text.getBoundingClientRect();
    ++labels;
    if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 ||
        box.bottom > frame.bottom + 1)
      found.add('cut: ' + text.textContent);
  }
}
for (const caption of document.querySelectorAll('figcaption'))
  if (caption.getBoundingClientRect().height > 30) found.add('two lines: ' + caption.textContent);
if (labels < 200) found.add('only ' + labels + ' labels');
)js") == "");
}

TEST_CASE("no labels of the picture of costs overlap, and none is cut")
{
    if (!has_chromium())
        return;
    CHECK(complaints(page_with_costs(), R"js(
let names = 0;
for (const svg of document.querySelectorAll('#cost svg[role=img]')) {
  const frame = svg.getBoundingClientRect();
  const boxes = [...svg.querySelectorAll('text')].map(text => [text.getBoundingClientRect(), text.textContent]);
  names += boxes.length;
  boxes.forEach(([a, first], i) => {
    if (a.right > frame.right + 1 || a.bottom > frame.bottom + 1) found.add('cut: ' + first);
    for (const [b, second] of boxes.slice(i + 1))
      if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
        found.add(first + ' over ' + second);
  });
}
if (names < 36) found.add('only ' + names + ' labels');
if (document.querySelectorAll('#cost button.svg').length !== 2) found.add('not saved');
)js") == "");
}

TEST_CASE("nine encoders on eight tasks are printed on eight pages at most")
{
    if (!has_chromium())
        return;
    const test::ScratchFolder scratch;
    const auto page =
        scratch.write("report.html", test::sample_page(test::sample_comparison(9, 8)));
    test::shell(0, chromium + test::quoted(scratch / "profile") + " --print-to-pdf=" +
                       test::quoted(scratch / "report.pdf") + " file://" + test::quoted(page));
    const std::string pdf = base::read_file(scratch / "report.pdf");
    const auto pages = test::times(pdf, "/Type /Page\n");
    CHECK(pages > 1);
    CHECK(pages <= 8);
}

TEST_CASE("every plot is saved as an SVG that stands alone")
{
    if (!has_chromium())
        return;
    CHECK(complaints(test::sample_page(test::sample_comparison(12, 16)), R"js(
const saved = [], names = [];
window.Blob = function (parts) { saved.push(parts[0]); };
URL.createObjectURL = () => '#';
URL.revokeObjectURL = () => {};
HTMLAnchorElement.prototype.click = function () { names.push(this.download); };
document.querySelectorAll('button.svg').forEach(button => button.click());
if (saved.length < 15 || saved.length !== document.querySelectorAll('main svg[role=img]').length)
  found.add('only ' + saved.length + ' plots');
saved.forEach((text, i) => {
  const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
  if (!/^[^ /]+\.svg$/.test(names[i])) found.add('name ' + names[i]);
  if (parsed.querySelector('parsererror') || parsed.documentElement.tagName !== 'svg')
    found.add(names[i] + ' is no SVG');
  if (/\s(class|style)=|var\(/.test(text)) found.add(names[i] + ' needs a style sheet');
  if (/https?:/.test(text.replace(/http:\/\/www\.w3\.org\/2000\/svg/g, '')))
    found.add(names[i] + ' needs the network');
  for (const [, id] of text.matchAll(/url\(#([^)]+)\)/g))
    if (!parsed.getElementById(id)) found.add(names[i] + ' misses ' + id);
});
)js") == "");
}
