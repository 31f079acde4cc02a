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
