#include "report/page.hpp"

namespace senteval::report::page {

std::string_view style_sheet()
{
    return R"css(
:root{color-scheme:light dark;
--bg:#fdfdfc;--fg:#1b1f23;--soft:#5a626b;--line:#d5d9de;--faint:#e6e9ec;--panel:#f6f7f8;--accent:#0b5394;
--warn:#8a5a00;--warnbg:#fff6e0;
--h0:#f3f6fa;--h1:#dfe8f2;--h2:#c8d8ea;--h3:#abc5e0;--h4:#8aaed3;--h5:#6795c3;--h6:#3f74a9;--h7:#2c6299;--h8:#174a7c;--h9:#08335c;
--n0:#fbf4ef;--n1:#f3dfd0;--n2:#e8c4a8;--n3:#d9a67d;--n4:#c58653;--n5:#a2622c;--n6:#874c18;
--c0:#0b5394;--c1:#a34a07;--c2:#04704f;--c3:#9d174d;--c4:#5b21b6;--c5:#4d4d4d;--c6:#0e7490;--c7:#854d0e}
@media (prefers-color-scheme:dark){:root{
--bg:#14171a;--fg:#e4e7ea;--soft:#9aa4ae;--line:#363c43;--faint:#23282d;--panel:#1b1f23;--accent:#7db4ec;
--warn:#f0c674;--warnbg:#2b2513;
--h0:#1c242d;--h1:#1f2f40;--h2:#223b55;--h3:#26496c;--h4:#2d5a85;--h5:#346796;--h6:#5389b8;--h7:#77a6cf;--h8:#a2c5e4;--h9:#d3e5f5;
--n0:#2a211b;--n1:#3d2c20;--n2:#573a25;--n3:#744c2c;--n4:#8a5b32;--n5:#bb8450;--n6:#dfae80;
--c0:#7db4ec;--c1:#f0a35e;--c2:#5ec9a0;--c3:#f08cb4;--c4:#b9a0f5;--c5:#c9c9c9;--c6:#67c7dc;--c7:#d9b45b}}
@media print{:root{color-scheme:light;
--bg:#fff;--fg:#000;--soft:#444;--line:#bbb;--faint:#eee;--panel:#f6f6f6;--accent:#000;--warn:#000;--warnbg:#fff;
--h0:#f3f6fa;--h1:#dfe8f2;--h2:#c8d8ea;--h3:#abc5e0;--h4:#8aaed3;--h5:#6795c3;--h6:#3f74a9;--h7:#2c6299;--h8:#174a7c;--h9:#08335c;
--n0:#fbf4ef;--n1:#f3dfd0;--n2:#e8c4a8;--n3:#d9a67d;--n4:#c58653;--n5:#a2622c;--n6:#874c18;
--c0:#0b5394;--c1:#a34a07;--c2:#04704f;--c3:#9d174d;--c4:#5b21b6;--c5:#4d4d4d;--c6:#0e7490;--c7:#854d0e}}
*{box-sizing:border-box}
html{scroll-behavior:smooth}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans","Liberation Sans",Arial,sans-serif;-webkit-print-color-adjust:exact;print-color-adjust:exact}
header,main,footer{max-width:1240px;margin:0 auto;padding:0 28px}
header{padding-top:34px}
h1{font-size:27px;line-height:1.2;margin:0 0 4px;font-weight:650;letter-spacing:-.01em}
main>section{content-visibility:auto;contain-intrinsic-size:auto 700px}
h2{font-size:19px;margin:44px 0 4px;padding-top:12px;border-top:1px solid var(--line);font-weight:650}
h3{font-size:15px;margin:22px 0 6px;font-weight:650}
p{margin:6px 0}
.meta,.explain,figcaption,.note{color:var(--soft);font-size:13.5px}
.explain{max-width:104ch;margin:2px 0 12px}
a{color:var(--accent)}
nav ul{display:flex;flex-wrap:wrap;gap:4px 18px;list-style:none;margin:16px 0 0;padding:8px 0;border-top:1px solid var(--line);border-bottom:1px solid var(--line);font-size:13.5px}
nav a{text-decoration:none}nav a:hover{text-decoration:underline}
.skip{position:absolute;left:-999px}.skip:focus{left:8px;top:8px;background:var(--bg);padding:6px 10px;border:2px solid var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.numbers{display:flex;flex-wrap:wrap;gap:6px 34px;margin:14px 0 0;padding:0}
.numbers div{display:flex;flex-direction:column-reverse}.numbers dt{color:var(--soft);font-size:12.5px}.numbers dd{margin:0;font-size:21px;font-weight:600;font-variant-numeric:tabular-nums}
.warnings{background:var(--warnbg);border-left:4px solid var(--warn);padding:10px 16px;margin:20px 0 0}
.warnings h2{border:0;margin:0;padding:0;font-size:15px}.warnings ul{margin:6px 0 2px;padding-left:20px}
.scroll{position:relative;overflow-x:auto;border:1px solid var(--line);max-width:100%;width:fit-content}
.plain{border:0;width:auto}.plain svg{max-width:none}
table{border-collapse:separate;border-spacing:0;font-size:13px;font-variant-numeric:tabular-nums}
caption{text-align:left;color:var(--soft);padding:0 0 6px;font-size:13px}
th,td{padding:4px 9px;border-bottom:1px solid var(--faint);text-align:right;vertical-align:top;white-space:nowrap}
th{font-weight:600}thead th{white-space:normal;max-width:128px;border-bottom:1px solid var(--line);background:var(--panel);vertical-align:bottom}
th.name,td.name{text-align:left}
tbody th{font-weight:500;text-align:left;background:var(--bg);position:sticky;left:0;z-index:1;border-right:1px solid var(--line)}
thead th:first-child{max-width:none;position:sticky;left:0;z-index:2;text-align:left;border-right:1px solid var(--line)}
thead button{all:unset;cursor:pointer;font:inherit;font-weight:600;color:inherit}
thead button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
thead button::after{content:"\2195";color:var(--soft);font-size:10px;padding-left:3px}
th[aria-sort=ascending] button::after{content:"\25B2"}th[aria-sort=descending] button::after{content:"\25BC"}
th small,td small{display:block;color:var(--soft);font-weight:400;font-size:11px;line-height:1.25}
td.best b{font-weight:750;text-decoration:underline;text-underline-offset:3px}td.tied b{font-weight:750}td b{font-weight:400}td abbr,td .untested{color:var(--soft);text-decoration:none;margin-left:1px}
td.missing{color:var(--soft)}td.failed{color:var(--warn)}
tbody.published th,tbody.published td{font-style:italic;color:var(--soft);background:var(--panel)}
tbody.published tr:first-child th,tbody.published tr:first-child td{border-top:2px solid var(--line)}
tbody.own th[scope=rowgroup]{background:var(--panel);color:var(--soft);border-top:1px solid var(--line);border-right:0}
tbody tr:hover>*{background:var(--faint)}
.tools{margin:0 0 10px;font-size:13.5px}.tools input{font:inherit;color:inherit;background:var(--bg);border:1px solid var(--soft);padding:3px 7px;margin-left:6px;width:min(260px,60vw)}.tools output{color:var(--soft);margin-left:10px}
th small a{color:var(--accent)}figcaption b a{color:inherit;text-decoration:none}figcaption b a:hover{text-decoration:underline}
thead th:target,figure:target figcaption b{background:var(--warnbg)}
button.svg{font:inherit;font-size:11.5px;color:var(--accent);background:none;border:1px solid var(--line);padding:0 6px;margin:3px 0 0;cursor:pointer;display:block}
.legend{display:flex;flex-wrap:wrap;gap:3px 18px;color:var(--soft);font-size:12.5px;margin:8px 0;padding:0;list-style:none}
.legend svg{vertical-align:-3px;margin-right:5px}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,var(--figure,372px)),1fr));gap:20px 26px;align-items:start}
figure{margin:0;break-inside:avoid;overflow-x:auto;overflow-y:hidden}figcaption{margin-bottom:2px}figcaption b{color:var(--fg);font-weight:650}
svg{max-width:100%;height:auto;display:block;overflow:visible}.legend svg{display:inline-block}
svg text{font-size:11.5px;fill:var(--fg);font-family:inherit}
svg .e{text-anchor:end}svg .m{text-anchor:middle}svg .q{fill:var(--soft)}svg .b{font-weight:650}svg .t{font-size:10.5px}svg .i{font-style:italic}
svg .grid{stroke:var(--faint);stroke-width:1}svg .axis{stroke:var(--soft);stroke-width:1;fill:none}
svg .ref{stroke:var(--soft);stroke-width:1;stroke-dasharray:3 3}
svg .whisker{stroke:var(--fg);stroke-width:1.4;fill:none}svg .far{stroke:var(--soft)}
svg .dot{fill:var(--fg);stroke:var(--fg);stroke-width:1.4}svg .open{fill:var(--bg);stroke:var(--soft)}
svg .line{fill:none;stroke-width:1.6}svg .band{stroke-width:1;opacity:.55;fill:none}
svg .hollow{fill:var(--bg)!important}svg .cross{fill:none;stroke-width:2}
)css"
           R"css(svg .c0{--s:var(--c0)}svg .c1{--s:var(--c1)}svg .c2{--s:var(--c2)}svg .c3{--s:var(--c3)}svg .c4{--s:var(--c4)}svg .c5{--s:var(--c5)}svg .c6{--s:var(--c6)}svg .c7{--s:var(--c7)}
svg .line,svg .band,svg .cross{stroke:var(--s)}svg .k{fill:var(--s);stroke:var(--s);stroke-width:1.4}
svg .d0{stroke-dasharray:none}svg .d1{stroke-dasharray:7 3}svg .d2{stroke-dasharray:2 3}svg .d3{stroke-dasharray:8 3 2 3}
svg .h0{fill:var(--h0)}svg .h1{fill:var(--h1)}svg .h2{fill:var(--h2)}svg .h3{fill:var(--h3)}svg .h4{fill:var(--h4)}svg .h5{fill:var(--h5)}svg .h6{fill:var(--h6)}svg .h7{fill:var(--h7)}svg .h8{fill:var(--h8)}svg .h9{fill:var(--h9)}
svg .n0{fill:var(--n0)}svg .n1{fill:var(--n1)}svg .n2{fill:var(--n2)}svg .n3{fill:var(--n3)}svg .n4{fill:var(--n4)}svg .n5{fill:var(--n5)}svg .n6{fill:var(--n6)}
svg text.on{fill:var(--bg)}svg .none{fill:url(#hatch)}
svg .frame{fill:none;stroke:var(--line)}svg .bar{stroke:var(--bg);stroke-width:.8}
svg .p0{fill:var(--h8)}svg .p1{fill:var(--h2)}svg .p2{fill:url(#stripes)}svg .p3{fill:var(--h5)}svg .p4{fill:url(#dots)}svg .p5{fill:var(--h0);stroke:var(--soft)}
pattern .ink{stroke:var(--soft);stroke-width:1;fill:none}pattern .spot{fill:var(--soft)}pattern .ground{fill:var(--bg)}
details{border-top:1px solid var(--faint);padding:5px 0}summary{cursor:pointer;font-size:14px}
dl.facts{display:grid;grid-template-columns:minmax(120px,max-content) 1fr;gap:2px 18px;margin:6px 0 14px;font-size:13px}
dl.facts dt{color:var(--soft)}dl.facts dd{margin:0;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
td.text{white-space:normal;text-align:left;min-width:220px;max-width:460px}
.up{color:var(--c2)}.down{color:var(--c1)}
footer{color:var(--soft);font-size:12.5px;margin-top:48px;padding-bottom:40px}
.visually-hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media (max-width:640px){header,main,footer{padding-left:14px;padding-right:14px}
tbody th[scope=row],thead th:first-child{white-space:normal;overflow-wrap:anywhere;min-width:84px;max-width:28vw}th,td{padding-left:6px;padding-right:6px}}
@media print{@page{size:A4 landscape;margin:12mm}body{font-size:10.5pt}header,main,footer{max-width:none;padding:0}nav,.skip{display:none}
.scroll{overflow:visible;border:0}.plain svg{max-width:100%}thead button::after{content:none}th,td{padding:2px 4px;font-size:7.5pt}thead th,tbody th,thead th:first-child{max-width:none;position:static;white-space:normal;overflow-wrap:anywhere}
thead{display:table-header-group}thead button{display:contents}.explain{break-after:avoid}.tools,button.svg{display:none!important}thead tr{break-inside:avoid;break-after:avoid}.scroll,table{width:auto;max-width:100%}figure{overflow:visible}figure svg{min-width:0!important}
main>section{content-visibility:visible}h2,h3{break-after:avoid}tr{break-inside:avoid}a{color:inherit;text-decoration:none}.figures{grid-template-columns:repeat(3,1fr);gap:10px}
}
)css";
}

std::string_view script()
{
    return R"js(
'use strict';
window.addEventListener('beforeprint', function () {
  document.querySelectorAll('details').forEach(function (d) { d.open = true; });
});
document.querySelectorAll('table.sortable').forEach(function (table) {
  var body = table.tBodies[0];
  var heads = Array.prototype.slice.call(table.querySelectorAll('thead tr:last-child > *'));
  var status = document.getElementById('sort-status');
  heads.forEach(function (head, column) {
    var button = head.querySelector('button');
    if (!button) return;
    button.addEventListener('click', function () {
      var first = head.dataset.first || 'descending';
      var other = first === 'descending' ? 'ascending' : 'descending';
      var order = head.getAttribute('aria-sort') === first ? other : first;
      var sign = order === 'ascending' ? 1 : -1;
      heads.forEach(function (h) { h.removeAttribute('aria-sort'); });
      head.setAttribute('aria-sort', order);
      Array.prototype.slice.call(body.rows).sort(function (a, b) {
        var x = a.cells[column].dataset.v, y = b.cells[column].dataset.v;
        if (x === undefined || y === undefined) return (x === undefined) - (y === undefined);
        var p = Number(x), q = Number(y);
        return sign * (isNaN(p) || isNaN(q) ? x.localeCompare(y) : p - q);
      }).forEach(function (row) { body.appendChild(row); });
      if (status) status.textContent = 'Sorted by ' + button.textContent + ', ' + order;
    });
  });
});
(function () {
  var input = document.getElementById('row-filter');
  if (!input) return;
  var tools = input.closest('.tools');
  var tables = document.querySelectorAll('#leaderboard table');
  tools.hidden = false;
  input.addEventListener('input', function () {
    var words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    tables.forEach(function (table) {
      table.querySelectorAll('tbody tr').forEach(function (row) {
        var name = row.cells[0].textContent.toLowerCase();
        row.hidden = !words.every(function (word) { return name.includes(word); });
      });
    });
    var rows = Array.prototype.slice.call(tables[0].tBodies[0].rows);
    tools.querySelector('output').textContent = words.length === 0 ? '' :
      rows.filter(function (row) { return !row.hidden; }).length + ' of ' + rows.length + ' encoders';
  });
})();
)js"
           R"js(
// A plot as a file of its own: styles written onto its elements, caption and legend beside it.
(function () {
  var space = 'http' + '://www.w3.org/2000/svg';
  var properties = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity', 'font-size',
    'font-family', 'font-weight', 'font-style', 'text-anchor'];
  function styled(original) {
    var copy = original.cloneNode(true);
    var from = [original].concat(Array.prototype.slice.call(original.querySelectorAll('*')));
    var to = [copy].concat(Array.prototype.slice.call(copy.querySelectorAll('*')));
    from.forEach(function (element, i) {
      var style = getComputedStyle(element);
      to[i].removeAttribute('class');
      to[i].removeAttribute('style');
      if (element.namespaceURI === space && !/^(svg|title|defs)$/.test(element.tagName))
        properties.forEach(function (name) {
          to[i].setAttribute(name, style.getPropertyValue(name).replace(/url\(["']?[^#)]*(#[^"')]+)["']?\)/, 'url($1)'));
        });
    });
    return copy;
  }
  function element(name, attributes, parent) {
    var made = document.createElementNS(space, name);
    Object.keys(attributes).forEach(function (key) { made.setAttribute(key, attributes[key]); });
    return parent.appendChild(made);
  }
  function label(content, x, y, like, size, parent) {
    var style = getComputedStyle(like);
    element('text', {x: x, y: y, fill: style.color, 'font-family': style.fontFamily, 'font-size': size},
      parent).textContent = content;
  }
  function legend(svg, width, top, out) {
    var x = 4, y = top;
    var list = svg.closest('section').querySelector('.legend');
    Array.prototype.forEach.call(list ? list.children : [], function (item) {
      var needed = item.getBoundingClientRect().width + 18;
      if (x > 4 && x + needed > width) { x = 4; y += 19; }
      var mark = item.querySelector('svg'), offset = 0;
      if (mark) {
        var group = element('g', {transform: 'translate(' + x + ' ' + y + ')'}, out);
        Array.prototype.slice.call(styled(mark).childNodes).forEach(function (n) { group.appendChild(n); });
        offset = Number(mark.getAttribute('width')) + 6;
      }
      label(item.textContent, x + offset, y + 11, item, '12px', out);
      x += needed;
    });
    return list ? y + 22 : top;
  }
  function standing_alone(svg, name) {
    var width = Number(svg.getAttribute('width')), height = Number(svg.getAttribute('height'));
    var out = document.createElementNS(space, 'svg');
    element('title', {}, out).textContent = name;
    var defs = document.querySelector('pattern').parentNode;
    out.appendChild(styled(defs));
    var ground = element('rect', {fill: getComputedStyle(document.body).backgroundColor}, out);
    label(name, 4, 16, document.body, '13px', out);
    var caption = out.lastChild;
    var body = styled(svg);
    var group = element('g', {transform: 'translate(0 26)'}, out);
    Array.prototype.slice.call(body.childNodes).forEach(function (n) { if (n.tagName !== 'title') group.appendChild(n); });
    svg.closest('section').appendChild(out);
    width = Math.ceil(Math.max(width, caption.getBBox().width + 8));
    out.remove();
    height = Math.ceil(legend(svg, width, height + 30, out));
    Object.entries({width: width, height: height, viewBox: '0 0 ' + width + ' ' + height})
      .forEach(function (pair) { out.setAttribute(pair[0], pair[1]); });
    ground.setAttribute('width', width);
    ground.setAttribute('height', height);
    return new XMLSerializer().serializeToString(out);
  }
  document.querySelectorAll('main svg[role=img]').forEach(function (svg) {
    var figure = svg.closest('figure');
    var name = figure ? figure.querySelector('figcaption').textContent :
      svg.querySelector('title').textContent;
    var button = document.createElement('button');
    button.type = 'button';
    button.className = 'svg';
    button.textContent = 'Save as SVG';
    button.setAttribute('aria-label', 'Save as SVG: ' + name);
    button.addEventListener('click', function () {
      var link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([standing_alone(svg, name)], {type: 'image/svg+xml'}));
      link.download = name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') + '.svg';
      link.click();
      setTimeout(function () { URL.revokeObjectURL(link.href); }, 10000);
    });
    svg.after(button);
  });
})();
)js";
}

std::string_view shared_fills()
{
    return R"svg(<svg width="0" height="0" aria-hidden="true" style="position:absolute"><defs>
<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse"><rect class="ground" width="6" height="6"/><path class="ink" d="M0 6L6 0" opacity=".45"/></pattern>
<pattern id="stripes" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="ground" width="4" height="4"/><path class="ink" d="M1 0V4" style="stroke-width:1.6"/></pattern>
<pattern id="dots" width="4" height="4" patternUnits="userSpaceOnUse"><rect class="ground" width="4" height="4"/><circle class="spot" cx="2" cy="2" r="1"/></pattern>
</defs></svg>)svg";
}

} // namespace senteval::report::page
