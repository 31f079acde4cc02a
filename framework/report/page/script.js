'use strict';
// On a phone the averages and the dimension stand behind the tasks.
if (matchMedia('(max-width: 640px)').matches)
  document.querySelectorAll('table[data-late]').forEach(function (table) {
    var late = Number(table.dataset.late), first = table.querySelector('th[id]').cellIndex - late;
    Array.prototype.forEach.call(table.rows, function (row) {
      for (var i = 0; i < late; ++i) row.appendChild(row.cells[first]);
    });
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
    var made = element('text', {x: x, y: y, fill: style.color, 'font-family': style.fontFamily, 'font-size': size}, parent);
    made.textContent = content;
    made.setAttribute('style', 'font-size:' + size); // the page's own rules go by attributes' place
    var width = made.getBBox().width;
    made.removeAttribute('style');
    return width;
  }
  // Below the plot, in lines; as wide as its longest name asks for. Returns the width and the height of all.
  function legend(svg, width, top, out) {
    var list = svg.closest('section').querySelector('.legend');
    var items = Array.prototype.map.call(list ? list.children : [], function (item) {
      var mark = item.querySelector('svg'), offset = 0, group = element('g', {}, out);
      if (mark) {
        Array.prototype.slice.call(styled(mark).childNodes).forEach(function (n) { group.appendChild(n); });
        offset = Number(mark.getAttribute('width')) + 6;
      }
      return {group: group, width: offset + label(item.textContent, offset, 11, item, '12px', group)};
    });
    items.forEach(function (item) { width = Math.max(width, item.width + 8); });
    var x = 4, y = top;
    items.forEach(function (item) {
      if (x > 4 && x + item.width + 4 > width) { x = 4; y += 19; }
      item.group.setAttribute('transform', 'translate(' + x + ' ' + y + ')');
      x += item.width + 18;
    });
    return {width: Math.ceil(width), height: Math.ceil(items.length ? y + 22 : top)};
  }
  function standing_alone(svg, name) {
    var out = document.createElementNS(space, 'svg');
    svg.closest('section').appendChild(out); // where texts can be measured
    element('title', {}, out).textContent = name;
    var ground = element('rect', {fill: getComputedStyle(document.body).backgroundColor}, out);
    var caption = label(name, 4, 16, document.body, '13px', out);
    var body = styled(svg);
    var group = element('g', {transform: 'translate(0 26)'}, out);
    Array.prototype.slice.call(body.childNodes).forEach(function (n) { if (n.tagName !== 'title') group.appendChild(n); });
    var size = legend(svg, Math.max(Number(svg.getAttribute('width')), caption + 8),
      Number(svg.getAttribute('height')) + 30, out);
    out.remove();
    Object.entries({width: size.width, height: size.height, viewBox: '0 0 ' + size.width + ' ' + size.height})
      .forEach(function (pair) { out.setAttribute(pair[0], pair[1]); });
    ground.setAttribute('width', size.width);
    ground.setAttribute('height', size.height);
    return new XMLSerializer().serializeToString(out);
  }
  document.querySelectorAll('main svg[role=img]').forEach(function (svg) {
    var name = svg.closest('figure').querySelector('figcaption').textContent;
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
