// Draws the charts of a report from the JSON that the page carries. Every chart is one
// specification (axes, series, marks), drawn by one function at the width that it finds, and drawn
// anew when runs are switched on or off.
"use strict";

(() => {
  const data = JSON.parse(document.getElementById("report-data").textContent);
  const order = new Map(data.runs.map((run, index) => [run.run, index]));
  const hidden = new Set();

  // ---- what a run looks like, the same in every chart

  const DASHES = [null, "7 3", "2 3", "8 3 2 3", "12 3", "5 5", "4 2", "10 3 2 3 2 3"];
  const triangleDown = {
    draw: (context, size) => {
      const third = Math.sqrt(size / (3 * Math.sqrt(3)));
      context.moveTo(0, 2 * third);
      context.lineTo(Math.sqrt(3) * third, -third);
      context.lineTo(-Math.sqrt(3) * third, -third);
      context.closePath();
    },
  };
  // Colours, dashes and symbols in the order of the static plots, and as there the second time round.
  const SYMBOLS = [
    d3.symbolCircle, d3.symbolSquare, d3.symbolTriangle, d3.symbolDiamond,
    triangleDown, d3.symbolCircle, d3.symbolSquare, d3.symbolDiamond,
  ];
  const NUM_COLOURS = 16;
  const roundOf = (look) => Math.floor(look / DASHES.length);
  const colourOf = (look) => `run-${look % NUM_COLOURS}`;
  const dashOf = (look) => DASHES[(look + 2 * roundOf(look)) % DASHES.length];
  const symbolOf = (look) => d3.symbol(SYMBOLS[(look + roundOf(look)) % SYMBOLS.length], 52)();
  // A series looks and is called like its run, unless a chart shows one run alone.
  const lookOf = (one) => one.look ?? order.get(one.run);
  const nameOf = (one) => one.name ?? data.runs[order.get(one.run)].heading;

  const swatch = (svg, run) => {
    const look = order.get(run);
    svg.attr("viewBox", "0 0 30 12").attr("class", `swatch ${colourOf(look)}`).attr("aria-hidden", "true");
    svg.append("path").attr("d", "M0 6H30").attr("stroke-dasharray", dashOf(look));
    svg.append("path").attr("class", "point").attr("d", symbolOf(look)).attr("transform", "translate(15 6)");
  };

  // ---- numbers

  const count = d3.format(",");
  const signed = (value) => d3.format("+.3f")(value).replace("-", "\u2212");
  const perplexity = (value) => (value < 1e5 ? d3.format(".2f")(value) : d3.format(".2e")(value));
  const short = (value) => (value >= 1e6 ? `${d3.format(".4~g")(value / 1e6)} M` : count(value));
  const percent = d3.format(".0%");

  // ---- specifications

  const allPoints = (series) => series.flatMap((one) => one.points);

  const lengthAxis = (lengths) => ({
    log: true, values: lengths, ticks: lengths, format: count, title: "evaluated length in tokens", pad: 0.04,
  });

  const trainedMarks = (lengths) =>
    lengths.map((length) => ({ x: length, text: `trained at ${count(length)}` }));

  const perplexityChart = (table) => ({
    label: `Perplexity against evaluated length, ${table.protocol} protocol`,
    x: lengthAxis(table.lengths),
    y: { log: true, format: d3.format(",.6~g"), title: "perplexity" },
    marks: trainedMarks(table.train_lengths),
    dodge: true,
    series: table.series.map((one) => ({
      run: one.run,
      points: one.points.map((p) => ({
        x: p.length, y: p.perplexity, low: p.low, high: p.high,
        text: `${count(p.length)} tokens: perplexity ${perplexity(p.perplexity)}`
          + (p.low === null ? "" : `, ${percent(data.confidence)} interval ${perplexity(p.low)} to ${perplexity(p.high)}`),
      })),
    })),
  });

  const changeChart = (table) => ({
    label: `Paired change of the negative log-likelihood since the training length, ${table.protocol} protocol`,
    tabled: true,
    x: lengthAxis(table.lengths),
    y: {
      log: false, format: (value) => d3.format("+.3~g")(value).replace("-", "\u2212").replace(/^\+0$/, "0"),
      title: "change in nats since the training length", zero: true,
    },
    marks: trainedMarks(table.train_lengths),
    levels: [
      { y: Math.log(data.tolerated_ratio), text: `perplexity × ${data.tolerated_ratio}` },
      { y: Math.log(data.explosive_ratio), text: `perplexity × ${data.explosive_ratio}` },
    ],
    dodge: true,
    series: table.series.filter((one) => one.changes.length > 0).map((one) => ({
      run: one.run,
      points: one.changes.map((p) => ({
        x: p.length, y: p.mean, low: p.low, high: p.high,
        text: `${count(p.length)} tokens: ${signed(p.mean)} nats, `
          + `${percent(data.confidence)} interval ${signed(p.low)} to ${signed(p.high)}`,
      })),
    })),
  });

  const fieldChart = (field) => ({
    label: `Cumulative gradient over ${count(field.length)} tokens`,
    x: {
      log: false, values: [-field.length, 0], title: "tokens before the last position",
      format: (value) => count(Math.abs(value)), pad: 0,
    },
    y: { log: false, values: [0, 1], format: percent, title: "share of the gradient from here to the end", pad: 0.02 },
    marks: field.train_lengths.filter((length) => length < field.length)
      .map((length) => ({ x: -length, text: `trained at ${count(length)}` })),
    limits: field.series.filter((one) => one.theoretical < field.length)
      .map((one) => ({ x: -one.theoretical, run: one.run })),
    series: field.series.flatMap((one) => fieldSeries(one, (tokens) => -tokens, {})),
  });

  const fieldOfRunChart = (run) => {
    const fields = data.receptive_fields.flatMap((field) =>
      field.series.filter((one) => one.run === run.run).map((one) => ({ ...one, length: field.length })));
    const longest = fields[fields.length - 1].length;
    const looks = fields.map((field, look) => ({ look, name: `${count(field.length)} tokens` }));
    return {
      label: `Cumulative gradient of ${run.heading} at ${fields.length} lengths`,
      x: {
        log: true, values: [1, longest], ticks: d3.range(Math.log2(longest) + 1).map((power) => 2 ** power), format: count,
        title: "most recent tokens", pad: 0.01,
      },
      y: { log: false, values: [0, 1], format: percent, title: "share of the gradient that they hold", pad: 0.02 },
      marks: trainedMarks([fields[0].train_length].filter((length) => length < longest)),
      limits: fields.map((field, i) => ({ ...looks[i], run: run.run, x: field.theoretical, reaches: field.length }))
        .filter((limit) => limit.x < limit.reaches),
      series: fields.flatMap((field, i) => fieldSeries(field, (tokens) => tokens, looks[i])),
    };
  };

  /** The curves of a run over an axis where a number of tokens has its place. */
  const fieldSeries = (one, place, look) => [
    { ...look, run: one.run, curve: "untrained", points: curve(one, one.untrained, place, "before training") },
    {
      ...look, run: one.run, curve: "trained", solid: true, label: true, points: curve(one, one.trained, place, "trained"),
      symbols: one.effective.map(({ share }) => ({ x: place(crossing(one.tokens, one.trained.mean, share)), y: share })),
    },
  ];

  /** Where a rising curve reaches a share, on the straight line between the points around it. */
  const crossing = (tokens, shares, share) => {
    const after = shares.findIndex((value) => value >= share);
    return after <= 0 ? tokens[Math.max(0, after)]
      : tokens[after] - (tokens[after] - tokens[after - 1]) * (shares[after] - share) / (shares[after] - shares[after - 1]);
  };

  const curve = (one, shares, place, when) =>
    one.tokens.map((tokens, i) => ({
      x: place(tokens), y: shares.mean[i], low: shares.low[i], high: shares.high[i],
      text: `${when}, the last ${count(tokens)} tokens hold ${d3.format(".1%")(shares.mean[i])}`,
    }));

  const trainingChart = (runs) => ({
    label: "Loss during training",
    x: { log: false, format: short, title: "tokens trained on", pad: 0 },
    y: { log: true, format: d3.format(".3~g"), title: "negative log-likelihood in nats" },
    series: runs.flatMap((one) => [
      { run: one.run, curve: "steps", label: true, points: losses(one, smoothed(one.training), "training, running mean,") },
      { run: one.run, curve: "validation", markers: true, points: losses(one, one.validation, "validation") },
    ]).filter((one) => one.points.length > 0),
  });

  /** The running mean in which each loss weighs less by a factor than the next, as in the static plot. */
  const smoothed = ({ tokens, losses }) => {
    const factor = 0.9;
    let sum = 0;
    let weight = 0;
    return {
      tokens,
      losses: losses.map((loss) => {
        sum = factor * sum + loss;
        weight = factor * weight + 1;
        return sum / weight;
      }),
    };
  };

  const losses = (one, curvePoints, kind) =>
    curvePoints.tokens.map((tokens, i) => ({
      x: tokens, y: curvePoints.losses[i], low: null, high: null,
      text: `seed ${one.seed}, ${kind} after ${short(tokens)} tokens: ${d3.format(".3f")(curvePoints.losses[i])} nats`,
    }));

  const positionChart = (table) => ({
    label: `Loss by position, ${table.protocol} protocol, ${count(table.length)} tokens`,
    x: { log: true, format: count, title: "tokens read before the target", pad: 0.02 },
    y: { log: false, format: d3.format(".3~g"), title: "negative log-likelihood in nats" },
    marks: trainedMarks(table.train_lengths.filter((length) => length < table.length)),
    series: table.series.map((one) => ({
      run: one.run, curve: "trained", label: true, band: "faint", markers: true,
      points: one.bins.map((bin) => ({
        x: bin.middle, y: bin.mean, low: bin.low, high: bin.high,
        text: `${bin.first === bin.last ? count(bin.first) : `${count(bin.first)} to ${count(bin.last)}`} tokens before: `
          + `${d3.format(".3f")(bin.mean)} nats`,
      })),
    })),
  });

  const SPECIFICATIONS = {
    perplexity: (i) => perplexityChart(data.perplexities[i]),
    change: (i) => changeChart(data.perplexities[i]),
    field: (i) => fieldChart(data.receptive_fields[i]),
    "field-of-run": (i) => fieldOfRunChart(data.runs[i]),
    training: () => trainingChart(data.training),
    position: (i) => positionChart(data.positions[i]),
  };

  // ---- scales

  const NARROW = 620;
  const PAPER_WIDTH = 900;
  let onPaper = false;
  const MAX_DODGE = 26;

  const extent = (axis, values) => {
    const all = [...values, ...(axis.values || []), ...(axis.zero ? [0] : [])].filter(Number.isFinite);
    return all.length > 0 ? d3.extent(all) : [axis.log ? 1 : 0, axis.log ? 2 : 1];
  };

  /** The ends of an axis: all points, and of the intervals as much as leaves the points legible. */
  const shown = (axis, points) => {
    const along = axis.log ? Math.log : (value) => value;
    const back = axis.log ? Math.exp : (value) => value;
    const ends = (key) => points.map((p) => p[key]).filter((v) => v !== null && (!axis.log || v > 0)).map(along);
    const [least, most] = d3.extent(ends("y").filter(Number.isFinite));
    if (least === undefined) {
      return [];
    }
    const widening = Math.max(most - least, axis.log ? Math.log(1.3) : 0.05);
    return [
      back(Math.max(least - widening, Math.min(least, d3.min(ends("low")) ?? least))),
      back(Math.min(most + widening, Math.max(most, d3.max(ends("high")) ?? most))),
    ];
  };

  const scaleOf = (axis, values, range) => {
    let [least, most] = extent(axis, values);
    const pad = axis.pad === undefined ? 0.06 : axis.pad;
    if (axis.log) {
      const factor = Math.max((most / least) ** pad, pad > 0 ? 1.002 : 1);
      return d3.scaleLog([least / factor, most * factor], range);
    }
    const margin = pad * (most - least) || (pad > 0 ? 0.01 : 0);
    return d3.scaleLinear([least - margin, most + margin], range);
  };

  /** Plain numbers: 1, 2 and 5 times powers of ten over a wide logarithmic axis, even steps over a narrow one. */
  const ticksOf = (axis, scale, wanted) => {
    const [least, most] = scale.domain();
    if (axis.ticks) {
      return axis.ticks;
    }
    if (!axis.log || most / least < 4) {
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

  /** Moves labels apart, up and down, as little as it takes. */
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

  const draw = (element, spec) => {
    const series = spec.series.filter((one) => !hidden.has(one.run));
    const width = onPaper ? PAPER_WIDTH : Math.max(300, element.clientWidth || 900);
    const narrow = width < NARROW;
    const height = Math.round(Math.min(470, Math.max(300, 0.52 * width)));
    const labelled = narrow ? [] : series.filter((one) => one.label !== undefined || !one.curve);
    const longest = d3.max(labelled, (one) => nameOf(one).length) || 0;
    const margin = { top: 40, right: narrow ? 14 : 22 + 7.4 * longest, bottom: 46, left: narrow ? 46 : 58 };
    const x = scaleOf(spec.x, allPoints(spec.series).map((p) => p.x), [margin.left, width - margin.right]);
    const y = scaleOf(spec.y, shown(spec.y, allPoints(series)), [height - margin.bottom, margin.top]);
    const svg = d3.create("svg").attr("viewBox", `0 0 ${width} ${height}`).attr("aria-hidden", "true");
    const frame = { x, y, width, height, margin, narrow };
    drawAxes(svg, spec, frame);
    const places = [];
    const ends = [];
    series.forEach((one, i) => drawSeries(svg, spec, one, dodge(spec, series, i, frame), frame, places, ends));
    if (!narrow) {
      drawEnds(svg, ends.filter((end) => labelled.includes(end.one)), frame);
    }
    svg.append("circle").attr("class", "cursor").attr("r", 7).attr("visibility", "hidden");
    element.replaceChildren(svg.node());
    return places;
  };

  /** Error bars of several runs at one length stand side by side. */
  const dodge = (spec, series, index, frame) => {
    if (!spec.dodge || series.length < 2) {
      return 0;
    }
    const width = Math.min(MAX_DODGE, (frame.width - frame.margin.left - frame.margin.right) / (3 * spec.x.ticks.length));
    return width * (index / (series.length - 1) - 0.5);
  };

  const drawAxes = (svg, spec, { x, y, width, height, margin, narrow }) => {
    const bottom = height - margin.bottom;
    const right = width - margin.right;
    const yTicks = withRoom(ticksOf(spec.y, y, 6), y, 18);
    const rows = svg.append("g").selectAll("g").data(yTicks).join("g").attr("transform", (tick) => `translate(0 ${y(tick)})`);
    rows.append("line").attr("class", (tick) => (spec.y.zero && tick === 0 ? "zero" : "grid")).attr("x1", margin.left).attr("x2", right);
    rows.append("text").attr("x", margin.left - 8).attr("dy", ".32em").attr("text-anchor", "end").text(spec.y.format);
    const xTicks = withRoom(ticksOf(spec.x, x, narrow ? 4 : 7), x, narrow ? 44 : 56);
    const columns = svg.append("g").selectAll("g").data(xTicks).join("g").attr("transform", (tick) => `translate(${x(tick)} ${bottom})`);
    columns.append("line").attr("class", "zero").attr("y2", 5);
    columns.append("text").attr("y", 19).attr("text-anchor", "middle").text(spec.x.format);
    svg.append("text").attr("class", "axis-title").attr("x", (margin.left + right) / 2).attr("y", height - 6)
      .attr("text-anchor", "middle").text(spec.x.title);
    svg.append("text").attr("class", "axis-title").attr("x", 0).attr("y", 12).text(spec.y.title);
    drawMarks(svg, spec, { x, y, right, bottom, top: margin.top, left: margin.left });
  };

  const drawMarks = (svg, spec, { x, y, right, bottom, top, left }) => {
    for (const mark of spec.marks || []) {
      if (mark.x >= x.domain()[0] && mark.x <= x.domain()[1]) {
        svg.append("line").attr("class", "mark").attr("x1", x(mark.x)).attr("x2", x(mark.x)).attr("y1", top - 6).attr("y2", bottom);
        const leftwards = x(mark.x) > (left + right) / 2;
        svg.append("text").attr("class", "mark-text").attr("x", x(mark.x) + (leftwards ? -6 : 6)).attr("y", top - 9)
          .attr("text-anchor", leftwards ? "end" : "start").text(mark.text);
      }
    }
    for (const limit of (spec.limits || []).filter((one) => !hidden.has(one.run))) {
      svg.append("line").attr("class", `limit ${colourOf(lookOf(limit))}`).attr("x1", x(limit.x)).attr("x2", x(limit.x))
        .attr("y1", top).attr("y2", bottom);
    }
    // Nothing is drawn at the left end, where a change begins, and the words of marks stand above the chart.
    for (const level of spec.levels || []) {
      if (level.y >= y.domain()[0] && level.y <= y.domain()[1]) {
        svg.append("line").attr("class", "mark").attr("x1", left).attr("x2", right).attr("y1", y(level.y)).attr("y2", y(level.y));
        svg.append("text").attr("class", "mark-text").attr("x", left + 4)
          .attr("y", y(level.y) + (y(level.y) < top + 18 ? 14 : -5)).text(level.text);
      }
    }
  };

  const drawSeries = (svg, spec, one, shift, { x, y }, places, ends) => {
    const points = one.points.filter((p) => Number.isFinite(p.y) && (!spec.y.log || p.y > 0))
      .sort((a, b) => a.x - b.x);
    if (points.length === 0) {
      return;
    }
    const look = lookOf(one);
    const at = (p) => x(p.x) + shift;
    const clamped = (value) => y(Math.min(y.domain()[1], Math.max(y.domain()[0], value)));
    const group = svg.append("g").attr("class", `series ${colourOf(look)}`).attr("data-run", one.run);
    const ranged = points.filter((p) => p.low !== null && p.high !== null);
    if (one.curve && ranged.length > 1) {
      const below = svg.insert("g", ".series").attr("class", colourOf(look)).attr("data-run", one.run);
      below.append("path").attr("class", `band ${one.band || ""}`)
        .attr("d", d3.area().x(at).y0((p) => clamped(p.low)).y1((p) => clamped(p.high))(ranged));
    }
    if (one.curve !== "validation") {
      group.append("path").attr("class", `line ${one.curve || ""}`).attr("d", d3.line().x(at).y((p) => y(p.y))(points))
        .attr("stroke-dasharray", one.curve === "untrained" || one.solid ? null : dashOf(look));
    }
    if (!one.curve) {
      // A bar that leaves the chart has no end there.
      const end = (p, value) => (clamped(value) === y(value) ? `M${at(p) - 3} ${y(value)}h6` : "");
      group.append("path").attr("class", "bar").attr("d", ranged.map((p) =>
        `${end(p, p.low)}M${at(p)} ${clamped(p.low)}V${clamped(p.high)}${end(p, p.high)}`).join(""));
    }
    const symbols = one.symbols || (!one.curve || one.markers ? points : []);
    group.selectAll(".point").data(symbols).join("path").attr("class", "point").attr("d", symbolOf(look))
      .attr("transform", (p) => `translate(${at(p)} ${y(p.y)})`);
    points.forEach((p) => places.push({ px: at(p), py: y(p.y), name: nameOf(one), text: p.text }));
    const last = points[points.length - 1];
    ends.push({ one, x: at(last), y: y(last.y) });
  };

  const drawEnds = (svg, ends, { width, height, margin }) => {
    const seen = new Set();
    const labels = ends.filter((end) => !seen.has(nameOf(end.one)) && seen.add(nameOf(end.one)));
    spread(labels, 16, margin.top, height - margin.bottom);
    svg.append("g").selectAll("text").data(labels).join("text")
      .attr("class", (end) => `end-label ${colourOf(lookOf(end.one))}`)
      .attr("x", width - margin.right + 12).attr("y", (end) => end.y).attr("dy", ".32em")
      .text((end) => nameOf(end.one));
  };

  // ---- reading single points, with the pointer or the arrow keys

  const REACH = 48;

  const readable = (element, spec) => {
    const readout = element.parentElement.querySelector(".readout");
    const chart = { element, spec, places: [], current: null };
    const show = (place) => {
      chart.current = place;
      const cursor = d3.select(element).select(".cursor");
      cursor.attr("visibility", place ? "visible" : "hidden");
      if (place) {
        cursor.attr("cx", place.px).attr("cy", place.py);
      }
      readout.textContent = place ? `${place.name}, ${place.text}` : "";
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
      chart.places = draw(element, spec);
      show(null);
    };
    return chart;
  };

  // ---- the page

  const charts = [...document.querySelectorAll("[data-chart]")].map((element) => {
    const spec = SPECIFICATIONS[element.dataset.chart](Number(element.dataset.index || 0));
    element.setAttribute("tabindex", "0");
    element.setAttribute("role", "group");
    element.setAttribute("aria-roledescription", "chart");
    element.setAttribute("aria-label", `${spec.label}. Arrow keys read single points${spec.tabled ? "; the same numbers are in the table below" : ""}.`);
    return readable(element, spec);
  });
  const ofRuns = [...document.querySelectorAll("details[data-run]")];
  const redraw = () => {
    charts.forEach((chart) => chart.redraw());
    ofRuns.forEach((element) => { element.hidden = hidden.has(element.dataset.run); });
  };
  // What is folded away has no width to be drawn at.
  ofRuns.forEach((element) => element.addEventListener("toggle", () =>
    charts.filter((chart) => element.contains(chart.element)).forEach((chart) => chart.redraw())));

  const toggles = d3.select("#runs");
  toggles.selectAll("label.run").data(data.runs).join("label").attr("class", "run").each(function (run) {
    const label = d3.select(this);
    label.append("input").attr("type", "checkbox").attr("value", run.run).property("checked", true)
      .on("change", (event) => {
        hidden[event.target.checked ? "delete" : "add"](run.run);
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
  let width = 0;
  new ResizeObserver(() => {
    if (document.body.clientWidth !== width) {
      width = document.body.clientWidth;
      redraw();
    }
  }).observe(document.body);
  redraw();
  const opened = [];
  addEventListener("beforeprint", () => {
    // A table for each length would fill pages that say again what the longest one says.
    opened.push(...document.querySelectorAll("details:not([open]):not(.at-length)"));
    opened.forEach((element) => { element.open = true; });
    onPaper = true;
    redraw();
  });
  addEventListener("afterprint", () => {
    opened.splice(0).forEach((element) => { element.open = false; });
    onPaper = false;
    redraw();
  });
})();
