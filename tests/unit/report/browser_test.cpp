// The report in a real browser: headless Chromium, where it is installed.
#include "sample_comparison.hpp"
#include "support/support.hpp"

using namespace senteval;

namespace {

/// What `script`, run at the end of the page, leaves in `found`: complaints, with bars between. Nothing where there is
/// no Chromium.
std::optional<std::string> complaints(const std::string& script)
{
    if (test::shell("command -v chromium").exit_code != 0) {
        std::cout << "skipped: needs chromium\n";
        return std::nullopt;
    }
    const test::ScratchFolder scratch;
    std::string page = test::sample_page(test::sample_comparison(12, 16));
    page.insert(page.rfind("</body>"),
                "<script>const found = new Set();" + script +
                    "document.body.dataset.found = [...found].join('|');</script>");
    const auto file = scratch.write("report.html", page);
    const test::Run run = test::shell(
        0, "timeout 100 chromium --headless --no-sandbox --disable-gpu --no-first-run "
           "--window-size=1280,800 --enable-logging=stderr --user-data-dir=" +
               test::quoted(scratch / "profile") + " --dump-dom file://" + test::quoted(file));
    CHECK_FALSE(test::contains(run.err, "CONSOLE"));
    const std::string name = "data-found=\"";
    const auto begin = run.out.find(name);
    REQUIRE(begin != std::string::npos);
    const auto first = begin + name.size();
    return run.out.substr(first, run.out.find('"', first) - first);
}

} // namespace

TEST_CASE("the leaderboard is seen without scrolling, and no label of a plot is cut")
{
    const auto found = complaints(R"js(
if (document.querySelector('#leaderboard tbody tr').getBoundingClientRect().bottom > 800)
  found.add('the leaderboard begins below the fold');
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
if (document.querySelectorAll('.verdict dt').length > 8) found.add('a long verdict');
if (labels < 200) found.add('only ' + labels + ' labels');
)js");
    CHECK(found.value_or("") == "");
}

TEST_CASE("every plot is saved as an SVG that stands alone")
{
    const auto found = complaints(R"js(
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
)js");
    CHECK(found.value_or("") == "");
}
