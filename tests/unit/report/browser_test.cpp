// The report in a real browser: headless Chromium, where it is installed.
#include "sample_comparison.hpp"
#include "support/support.hpp"

#include <doctest/doctest.h>

#include <iostream>
#include <optional>
#include <string>

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
    const test::Run run =
        test::shell("timeout 100 chromium --headless --no-sandbox --disable-gpu --no-first-run "
                    "--window-size=1280,800 --enable-logging=stderr --user-data-dir=" +
                    test::quoted(scratch / "profile") + " --dump-dom file://" + test::quoted(file));
    REQUIRE(run.exit_code == 0);
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
if (labels < 500) found.add('only ' + labels + ' labels');
)js");
    CHECK(found.value_or("") == "");
}

TEST_CASE("every text has a contrast of 4.5 to 1 with what it stands on, light, dark and printed")
{
    const auto found = complaints(R"js(
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
let texts = 0;
const check = name => {
  for (const element of document.querySelectorAll('header *, main *, footer *')) {
    if (element.closest('title') || ![...element.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
      continue;
    const svg = element.closest('svg'), style = getComputedStyle(element);
    const tile = svg && element.previousElementSibling;
    const onTile = tile && tile.tagName === 'rect' && /^[hn]\d$/.test(tile.className.baseVal);
    const below = onTile ? getComputedStyle(tile).fill : ground(svg || element);
    const [a, b] = [luminance(svg ? style.fill : style.color), luminance(below)].sort((x, y) => y - x);
    ++texts;
    if ((a + 0.05) / (b + 0.05) < 4.5)
      found.add(name + ' ' + element.tagName + ' ' + element.getAttribute('class') + ' on ' + below);
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
if (texts < 1000) found.add('only ' + texts + ' texts');
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
