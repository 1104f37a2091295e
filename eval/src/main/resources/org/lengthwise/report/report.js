// Draws the charts of a report from the JSON that the page carries. A chart is a value (axes, series,
// marks; org.lengthwise.plot.Chart). It is drawn at the width of its element, and again when the width
// changes or when runs are switched on or off. A drawn chart has that width in the attribute data-drawn,
// and the page has the width of its last drawing in the same attribute of the root element.
"use strict";

(() => {
  const data = JSON.parse(document.getElementById("report-data").textContent);
  const order = new Map(data.runs.map((run) => [run.run, run.look]));
  const models = new Map(data.runs.map((run) => [run.run, run.model]));
  const charts = new Map(data.charts.map((chart) => [chart.name, chart]));
  const hidden = new Set();

  // ---- looks: dash pattern and marker come with the data, colours with the style

  const triangleDown = {
    draw: (context, size) => {
      const third = Math.sqrt(size / (3 * Math.sqrt(3)));
      context.moveTo(0, 2 * third);
      context.lineTo(Math.sqrt(3) * third, -third);
      context.lineTo(-Math.sqrt(3) * third, -third);
      context.closePath();
    },
  };
  const SYMBOLS = {
    circle: d3.symbolCircle, square: d3.symbolSquare, triangle: d3.symbolTriangle,
    diamond: d3.symbolDiamond, "triangle-down": triangleDown,
  };
  const classOf = (look) => `look-${look % data.looks.length}`;
  const dashOf = (look) => data.looks[look % data.looks.length].dash.join(" ") || null;
  const symbolOf = (look) => d3.symbol(SYMBOLS[data.looks[look % data.looks.length].marker], 52)();

  /** Whether every series of a run is a pale line, as for a baseline. */
  const isPale = (run) => {
    const series = data.charts.flatMap((chart) => chart.series).filter((one) => models.get(one.label.run) === models.get(run));
    return series.length > 0 && series.every((one) => one.style === "pale");
  };

  const swatch = (svg, run) => {
    const look = order.get(run);
    svg.attr("viewBox", "0 0 30 12").attr("class", `swatch ${classOf(look)}`).attr("aria-hidden", "true");
    const line = svg.append("path").attr("d", "M0 6H30");
    if (isPale(run)) {
      line.attr("class", "pale");
      return;
    }
    line.attr("stroke-dasharray", dashOf(look));
    svg.append("path").attr("class", "point").attr("d", symbolOf(look)).attr("transform", "translate(15 6)");
  };

  // ---- formats, by the names that axes use: for ticks, and for single points

  const minus = (text) => text.replace("-", "\u2212");
  const count = (value) => {
    const size = Math.abs(value);
    return size < 1e6 ? d3.format(",.0f")(size) : `${d3.format(",.4~g")(size / 1e6)} M`;
  };
  const FORMATS = {
    count: { tick: count, point: count },
    number: { tick: d3.format(",.6~g"), point: (value) => d3.format(value < 1e5 ? ".2f" : ".2e")(value) },
    nats: { tick: d3.format(".3~g"), point: d3.format(".3f") },
    change: { tick: (value) => minus(d3.format("+.3~g")(value)).replace(/^\+0$/, "0"), point: (value) => minus(d3.format("+.3f")(value)) },
    share: { tick: d3.format(".0%"), point: d3.format(".1%") },
  };

  // ---- points: [x, y], or [x, y, low, high], or [x, y, low, high, how x is read out]

  const pointOf = ([x, y, low = null, high = null, at = null]) => ({ x, y, low, high, at });
  data.charts.forEach((chart) => chart.series.forEach((one) => {
    one.points = one.points.map(pointOf);
    one.symbols = one.symbols.map(pointOf);
  }));

  /** The words for a single point: the part after the bar is for points with an interval. */
  const readingOf = (chart, one, p) => {
    const x = FORMATS[chart.x.format].point;
    const y = FORMATS[chart.y.format].point;
    const values = { x: p.at ?? x(p.x), y: y(p.y), low: y(p.low), high: y(p.high) };
    const [always, bounded = ""] = one.reading.split("|");
    const text = p.low === null ? always : always + bounded;
    return `${one.label.name}, ${text.replace(/\{(\w+)\}/g, (all, key) => values[key])}`;
  };

  // ---- scales

  const NARROW = 620;
  const PAPER_WIDTH = 900;
  let onPaper = false;
  const MAX_DODGE = 26;
  const MARGIN_X = 0.03;
  const MARGIN_Y = 0.06;

  const isLog = (axis) => axis.scale !== "linear";
  const isDrawn = (chart) => (p) => Number.isFinite(p.y) && (!isLog(chart.x) || p.x > 0) && (!isLog(chart.y) || p.y > 0);
  const pointsOf = (chart, series) => series.flatMap((one) => one.points).filter(isDrawn(chart));

  /** All points, and as much of their intervals as leaves the points legible. */
  const shown = (axis, points) => {
    const along = isLog(axis) ? Math.log : (value) => value;
    const back = isLog(axis) ? Math.exp : (value) => value;
    const ends = (key) => points.map((p) => p[key]).filter((v) => v !== null && (!isLog(axis) || v > 0)).map(along);
    const [least, most] = d3.extent(ends("y"));
    if (least === undefined) {
      return [];
    }
    const widening = Math.max(most - least, isLog(axis) ? Math.log(1.3) : 0.05);
    return [
      back(Math.max(least - widening, Math.min(least, d3.min(ends("low")) ?? least))),
      back(Math.min(most + widening, Math.max(most, d3.max(ends("high")) ?? most))),
    ];
  };

  const scaleOf = (axis, values, pad, range) => {
    const all = [...values, ...axis.span];
    const [least, most] = all.length > 0 ? d3.extent(all) : isLog(axis) ? [1, 2] : [0, 1];
    if (isLog(axis)) {
      const factor = Math.max((most / least) ** pad, 1.002);
      return d3.scaleLog([least / factor, most * factor], range);
    }
    const margin = pad * (most - least) || 0.01;
    return d3.scaleLinear([least - margin, most + margin], range);
  };

  /** Plain numbers: 1, 2 and 5 times powers of ten over a wide logarithmic axis, even steps over a narrow one. */
  const ticksOf = (axis, scale, wanted) => {
    const [least, most] = scale.domain();
    if (axis.ticks.length > 0) {
      return axis.ticks;
    }
    if (!isLog(axis) || most / least < 4) {
      return d3.ticks(least, most, wanted);
    }
    const steps = most / least > 10 ** wanted ? [1] : [1, 2, 5];
    const powers = d3.range(Math.floor(Math.log10(least)), Math.ceil(Math.log10(most)) + 1);
    return powers.flatMap((power) => steps.map((step) => step * 10 ** power))
      .filter((tick) => tick >= least && tick <= most);
  };

  /** Leaves out ticks whose labels would touch. */
  const withRoom = (ticks, scale, gap) => {
    let last = -Infinity;
    return ticks.filter((tick) => {
      const room = Math.abs(scale(tick) - last) >= gap;
      last = room ? scale(tick) : last;
      return room;
    });
  };

  /** Moves labels apart until none overlap. */
  const spread = (labels, gap, low, high) => {
    labels.sort((a, b) => a.y - b.y);
    labels.forEach((label, i) => {
      label.y = Math.max(label.y, i > 0 ? labels[i - 1].y + gap : low);
    });
    for (let i = labels.length - 1; i >= 0; i--) {
      labels[i].y = Math.min(labels[i].y, i < labels.length - 1 ? labels[i + 1].y - gap : high);
    }
  };

  // ---- drawing

  const draw = (element, chart) => {
    const series = chart.series.filter((one) => !hidden.has(models.get(one.label.run)));
    const width = onPaper ? PAPER_WIDTH : Math.max(300, element.clientWidth || 900);
    const narrow = width < NARROW;
    const height = Math.round(Math.min(470, Math.max(300, 0.52 * width)));
    const longest = narrow ? 0 : d3.max(series.filter((one) => one.named), (one) => one.label.name.length) || 0;
    const margin = { top: 40, right: narrow ? 14 : 22 + 7.4 * longest, bottom: 46, left: narrow ? 46 : 58 };
    const x = scaleOf(chart.x, pointsOf(chart, chart.series).map((p) => p.x), MARGIN_X, [margin.left, width - margin.right]);
    const y = scaleOf(chart.y, shown(chart.y, pointsOf(chart, series)), MARGIN_Y, [height - margin.bottom, margin.top]);
    const svg = d3.create("svg").attr("viewBox", `0 0 ${width} ${height}`).attr("aria-hidden", "true");
    const frame = { x, y, width, height, margin, narrow };
    drawAxes(svg, chart, frame);
    const places = [];
    const ends = [];
    series.forEach((one) => drawSeries(svg, chart, one, dodge(series, one, frame), frame, places, ends));
    if (!narrow) {
      drawEnds(svg, ends, frame);
    }
    svg.append("circle").attr("class", "cursor").attr("r", 7).attr("visibility", "hidden");
    element.replaceChildren(svg.node());
    element.dataset.drawn = element.clientWidth;
    return places;
  };

  /** Error bars of several runs at one length are side by side. */
  const dodge = (series, one, frame) => {
    const bars = series.filter((other) => other.style === "bars");
    if (one.style !== "bars" || bars.length < 2) {
      return 0;
    }
    const width = Math.min(MAX_DODGE, (frame.width - frame.margin.left - frame.margin.right) / (3 * d3.max(bars, (other) => other.points.length)));
    return width * (bars.indexOf(one) / (bars.length - 1) - 0.5);
  };

  const drawAxes = (svg, chart, { x, y, width, height, margin, narrow }) => {
    const bottom = height - margin.bottom;
    const right = width - margin.right;
    const yTicks = withRoom(ticksOf(chart.y, y, 6), y, 18);
    const rows = svg.append("g").selectAll("g").data(yTicks).join("g").attr("transform", (tick) => `translate(0 ${y(tick)})`);
    rows.append("line").attr("class", (tick) => (tick === 0 ? "zero" : "grid")).attr("x1", margin.left).attr("x2", right);
    rows.append("text").attr("x", margin.left - 8).attr("dy", ".32em").attr("text-anchor", "end").text(FORMATS[chart.y.format].tick);
    const xTicks = withRoom(ticksOf(chart.x, x, narrow ? 4 : 7), x, narrow ? 44 : 56);
    const columns = svg.append("g").selectAll("g").data(xTicks).join("g").attr("transform", (tick) => `translate(${x(tick)} ${bottom})`);
    columns.append("line").attr("class", "zero").attr("y2", 5);
    columns.append("text").attr("y", 19).attr("text-anchor", "middle").text(FORMATS[chart.x.format].tick);
    svg.append("text").attr("class", "axis-title").attr("x", (margin.left + right) / 2).attr("y", height - 6)
      .attr("text-anchor", "middle").text(chart.x.title);
    svg.append("text").attr("class", "axis-title").attr("x", 0).attr("y", 12).text(chart.y.title);
    drawMarks(svg, chart, { x, y, right, bottom, top: margin.top, left: margin.left });
  };

  const isInside = (scale) => (mark) => mark.at >= scale.domain()[0] && mark.at <= scale.domain()[1];

  const drawMarks = (svg, chart, { x, y, right, bottom, top, left }) => {
    for (const mark of chart.x.marks.filter(isInside(x))) {
      const at = x(mark.at);
      svg.append("line").attr("class", "mark").attr("x1", at).attr("x2", at).attr("y1", top - 6).attr("y2", bottom);
      const leftwards = at > (left + right) / 2;
      svg.append("text").attr("class", "mark-text").attr("x", at + (leftwards ? -6 : 6)).attr("y", top - 9)
        .attr("text-anchor", leftwards ? "end" : "start").text(mark.text);
    }
    // The words are at the left end, where changes are small; the words of vertical marks are above the chart.
    for (const mark of chart.y.marks.filter(isInside(y))) {
      const at = y(mark.at);
      svg.append("line").attr("class", "mark").attr("x1", left).attr("x2", right).attr("y1", at).attr("y2", at);
      svg.append("text").attr("class", "mark-text").attr("x", left + 4).attr("y", at + (at < top + 18 ? 14 : -5)).text(mark.text);
    }
  };

  /** Which series have a dash pattern of their look, and which have a marker at each point. */
  const DASHED = ["bars", "marked"];
  const MARKED = ["bars", "marked", "markers"];

  const drawSeries = (svg, chart, one, shift, { x, y }, places, ends) => {
    const points = one.points.filter(isDrawn(chart));
    if (points.length === 0) {
      return;
    }
    const { look, name, run } = one.label;
    const at = (p) => x(p.x) + shift;
    const clamped = (value) => y(Math.min(y.domain()[1], Math.max(y.domain()[0], value)));
    const group = svg.append("g").attr("class", `series ${classOf(look)}`).attr("data-run", run);
    const bounded = points.filter((p) => p.low !== null);
    if (one.style === "bars") {
      // A bar that leaves the chart has no end there.
      const end = (p, value) => (clamped(value) === y(value) ? `M${at(p) - 3} ${y(value)}h6` : "");
      group.append("path").attr("class", "bar").attr("d", bounded.map((p) =>
        `${end(p, p.low)}M${at(p)} ${clamped(p.low)}V${clamped(p.high)}${end(p, p.high)}`).join(""));
    } else if (bounded.length > 1) {
      const below = svg.insert("g", ".series").attr("class", classOf(look)).attr("data-run", run);
      below.append("path").attr("class", `band ${one.style}`)
        .attr("d", d3.area().x(at).y0((p) => clamped(p.low)).y1((p) => clamped(p.high))(bounded));
    }
    if (one.style !== "markers") {
      group.append("path").attr("class", `line ${one.style}`).attr("d", d3.line().x(at).y((p) => y(p.y))(points))
        .attr("stroke-dasharray", DASHED.includes(one.style) ? dashOf(look) : null);
    }
    group.selectAll(".point").data([...(MARKED.includes(one.style) ? points : []), ...one.symbols]).join("path").attr("class", "point")
      .attr("d", symbolOf(look)).attr("transform", (p) => `translate(${at(p)} ${y(p.y)})`);
    if (one.reading) {
      points.forEach((p) => places.push({ px: at(p), py: y(p.y), name, text: readingOf(chart, one, p) }));
    }
    if (one.named) {
      const last = d3.greatest(points, (p) => p.x);
      ends.push({ name, look, y: y(last.y) });
    }
  };

  const drawEnds = (svg, ends, { width, height, margin }) => {
    spread(ends, 16, margin.top, height - margin.bottom);
    svg.append("g").selectAll("text").data(ends).join("text")
      .attr("class", (end) => `end-label ${classOf(end.look)}`)
      .attr("x", width - margin.right + 12).attr("y", (end) => end.y).attr("dy", ".32em")
      .text((end) => end.name);
  };

  // ---- reading single points, with the pointer or the arrow keys

  const REACH = 48;

  const readable = (element, value) => {
    const readout = element.parentElement.querySelector(".readout");
    const chart = { element, places: [], current: null };
    const show = (place) => {
      chart.current = place;
      const cursor = d3.select(element).select(".cursor");
      cursor.attr("visibility", place ? "visible" : "hidden");
      if (place) {
        cursor.attr("cx", place.px).attr("cy", place.py);
      }
      readout.textContent = place ? place.text : "";
    };
    const step = (horizontal, direction) => {
      const from = chart.current || { px: -Infinity, py: 0, name: null };
      const candidates = chart.places.filter((place) => place !== chart.current
        && (horizontal ? (chart.current === null || place.name === from.name) && direction * (place.px - from.px) > 0.5
          : place.name !== from.name && direction * (place.py - from.py) >= 0));
      const distance = (place) => horizontal ? Math.abs(place.px - from.px) : Math.hypot(4 * (place.px - from.px), place.py - from.py);
      const next = candidates.length > 0 ? d3.least(candidates, distance) : null;
      show(next || chart.current);
    };
    element.addEventListener("pointermove", (event) => {
      const [px, py] = d3.pointer(event, element.querySelector("svg"));
      const nearest = d3.least(chart.places, (place) => Math.hypot(place.px - px, place.py - py));
      show(nearest && Math.hypot(nearest.px - px, nearest.py - py) < REACH ? nearest : null);
    });
    element.addEventListener("pointerleave", () => show(null));
    element.addEventListener("blur", () => show(null));
    element.addEventListener("keydown", (event) => {
      const move = { ArrowRight: [true, 1], ArrowLeft: [true, -1], ArrowDown: [false, 1], ArrowUp: [false, -1] }[event.key];
      if (move) {
        event.preventDefault();
        step(...move);
      } else if (event.key === "Escape") {
        show(null);
      }
    });
    chart.redraw = () => {
      chart.places = draw(element, value);
      show(null);
    };
    return chart;
  };

  // ---- the page

  const figures = [...document.querySelectorAll("[data-chart]")].map((element) => {
    const chart = charts.get(element.dataset.chart);
    element.setAttribute("tabindex", "0");
    element.setAttribute("role", "group");
    element.setAttribute("aria-roledescription", "chart");
    element.setAttribute("aria-label", `${chart.title}. Arrow keys read single points.`);
    return readable(element, chart);
  });
  const ofRuns = [...document.querySelectorAll("details[data-run]")];
  let width = 0;
  const redraw = () => {
    width = document.body.clientWidth;
    figures.forEach((figure) => figure.redraw());
    ofRuns.forEach((element) => { element.hidden = hidden.has(models.get(element.dataset.run)); });
    document.documentElement.dataset.drawn = width;
  };
  // Folded charts have no width. They are drawn again when they are unfolded.
  ofRuns.forEach((element) => element.addEventListener("toggle", () =>
    figures.filter((figure) => element.contains(figure.element)).forEach((figure) => figure.redraw())));

  const toggles = d3.select("#runs");
  toggles.selectAll("label.run").data(data.runs.filter((run, index) =>
    data.runs.findIndex((other) => other.model === run.model) === index)).join("label").attr("class", "run").each(function (run) {
    const label = d3.select(this);
    label.append("input").attr("type", "checkbox").attr("value", run.model).property("checked", true)
      .on("change", (event) => {
        hidden[event.target.checked ? "delete" : "add"](run.model);
        redraw();
      });
    swatch(label.append("svg"), run.run);
    label.append("span").text(run.heading);
  });
  if (toggles.node()) {
    const option = toggles.append("label").attr("class", "option");
    option.append("input").attr("type", "checkbox").attr("id", "intervals").property("checked", true)
      .on("change", (event) => document.documentElement.classList.toggle("no-intervals", !event.target.checked));
    option.append("span").text("intervals");
  }

  document.querySelectorAll("[data-swatch]").forEach((element) =>
    swatch(d3.select(element).append("svg"), element.dataset.swatch));
  document.documentElement.classList.add("js");
  redraw();
  new ResizeObserver(() => {
    if (document.body.clientWidth !== width) {
      redraw();
    }
  }).observe(document.body);
  const opened = [];
  addEventListener("beforeprint", () => {
    // The tables of shorter lengths would fill pages and add little.
    opened.push(...document.querySelectorAll("details:not([open]):not(.unprinted)"));
    opened.forEach((element) => { element.open = true; });
    onPaper = true;
    redraw();
  });
  addEventListener("afterprint", () => {
    opened.splice(0).forEach((element) => { element.open = false; });
    onPaper = false;
    redraw();
  });

  // ---- tables with shaded cells: a click on a heading sorts the rows, those without a number or with one in brackets last

  const numberOf = (row, column) => {
    const value = parseFloat(row.cells[column].textContent.replace(/,/g, ""));
    return Number.isNaN(value) ? null : value;
  };
  const sort = (table, column) => {
    const head = table.tHead.rows[0].cells[column];
    const sign = head.getAttribute("aria-sort") === "descending" ? 1 : -1;
    for (const cell of table.tHead.rows[0].cells) cell.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
    const rows = [...table.tBodies[0].rows].map((row) => ({ row, value: numberOf(row, column) }));
    rows.sort((a, b) => (a.value === null) - (b.value === null) || sign * (a.value - b.value));
    table.tBodies[0].append(...rows.map((one) => one.row));
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    [...table.tHead.rows[0].cells].slice(1).forEach((cell, index) => {
      const button = document.createElement("button");
      button.append(...cell.childNodes);
      button.addEventListener("click", () => sort(table, index + 1));
      cell.append(button);
    });
  }
})();
