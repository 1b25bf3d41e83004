"use strict";
// Draws the campaign that the page carries as data. Text from the campaign is only ever set as text, never as markup.
window.addEventListener("error", event => { document.documentElement.dataset.error = event.message; });

const campaign = JSON.parse(document.getElementById("data").textContent);
const byId = id => document.getElementById(id);

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.filter(child => child !== null && child !== undefined));
  return made;
}

function svg(tag, attributes = {}, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = text;
  return made;
}

// Numbers as a person reads them.

const grouped = value => Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, " ");

function short(value) {
  for (const [limit, unit] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e4, "k"]])
    if (value >= limit) return (value / (unit === "k" ? 1e3 : limit)).toFixed(1).replace(/\.0$/, "") + unit;
  return String(Math.round(value));
}

function size(value) {
  let unit = 0;
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  while (value >= 1024 && unit < units.length - 1) { value /= 1024; unit++; }
  return (unit ? value.toFixed(1) : Math.round(value)) + " " + units[unit];
}

function duration(ms) {
  const seconds = ms / 1000;
  if (seconds < 1) return Math.round(ms) + " ms";
  if (seconds < 120) return (seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)) + " s";
  if (seconds < 7200) return Math.round(seconds / 60) + " min";
  return (seconds / 3600).toFixed(1) + " h";
}

// The head of the page.

function sumOf(key) {
  return campaign.statistics.reduce((sum, one) => sum + (Number.parseFloat(one[key]) || 0), 0);
}

// The statistics count whole seconds, of all instances together.
function runTime() {
  const last = campaign.timeline.at(-1);
  const found = campaign.findings.map(finding => Number((finding.name.match(/,time:(\d+)/) || [])[1]) || 0);
  return Math.max(sumOf("run_time") * 1000, last ? last.time : 0, ...found);
}

function head() {
  document.title = campaign.title + " – Waypoint report";
  byId("title").textContent = campaign.title;
  byId("command").textContent = campaign.statistics.map(one => one.command_line || "").join("; ");
  const last = campaign.timeline.at(-1);
  const first = campaign.statistics[0] || {};
  const tiles = [
    ["run time", duration(runTime())],
    ["runs", grouped(sumOf("execs_done"))],
    ["runs per second", grouped(sumOf("execs_per_sec"))],
    ["corpus", grouped(campaign.inputs.length)],
    ["edges", last ? grouped(last.edges) + (first.total_edges ? " of " + grouped(+first.total_edges) : "") : "0"],
    ["stability", first.stability || "unknown"],
    ["findings", grouped(campaign.findings.length)],
  ];
  for (const [name, value] of tiles)
    byId("tiles").append(element("div", {}, element("dt", {}, name), element("dd", {}, value)));
}

// Growth: one chart for the corpus, one for edges, one for each domain.

let axis = "time";

function chart(name, series, show) {
  const [width, height, left, bottom] = [320, 130, 6, 16];
  const points = campaign.timeline.map((point, n) => [point[axis], series[n]]);
  const end = axis === "time" ? runTime() : Math.max(sumOf("execs_done"), points.at(-1)[0]);
  const most = Math.max(1, series.at(-1));
  const x = at => left + (width - 2 * left) * (end ? at / end : 0);
  const y = value => 8 + (height - bottom - 8) * (1 - value / most);
  // All of it only ever grows, so steps that nobody could see can be left out.
  let [seenX, seenY] = [x(points[0][0]), y(points[0][1])];
  let path = `M${seenX.toFixed(1)},${seenY.toFixed(1)}`;
  for (const [at, value] of points) {
    if (Math.abs(x(at) - seenX) < .3 && Math.abs(y(value) - seenY) < .3) continue;
    [seenX, seenY] = [x(at), y(value)];
    path += `H${seenX.toFixed(1)}V${seenY.toFixed(1)}`;
  }
  path += `V${y(points.at(-1)[1]).toFixed(1)}H${x(end).toFixed(1)}`;
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": name });
  const floor = height - bottom;
  drawing.append(svg("line", { class: "axis", x1: left, x2: width - left, y1: floor, y2: floor }));
  drawing.append(svg("path", { class: "area", d: path + `V${floor}H${x(points[0][0]).toFixed(1)}Z` }));
  drawing.append(svg("path", { class: "curve", d: path }));
  drawing.append(svg("text", { x: left, y: height - 4 }, "0"));
  const right = axis === "time" ? duration(end) : short(end) + " runs";
  drawing.append(svg("text", { x: width - left, y: height - 4, "text-anchor": "end" }, right));
  const value = element("span", {}, show(series.at(-1)));
  const mark = svg("circle", { class: "mark", r: 3, visibility: "hidden" });
  drawing.append(mark);
  drawing.addEventListener("pointermove", event => {
    const box = drawing.getBoundingClientRect();
    const at = (event.clientX - box.left) / box.width * width;
    let n = points.findIndex(point => x(point[0]) > at);
    n = n < 0 ? points.length - 1 : Math.max(0, n - 1);
    mark.setAttribute("cx", x(points[n][0]));
    mark.setAttribute("cy", y(points[n][1]));
    mark.setAttribute("visibility", "visible");
    const when = axis === "time" ? duration(points[n][0]) : grouped(points[n][0]) + " runs";
    value.textContent = show(points[n][1]) + " at " + when;
  });
  drawing.addEventListener("pointerleave", () => {
    mark.setAttribute("visibility", "hidden");
    value.textContent = show(series.at(-1));
  });
  return element("figure", {}, element("figcaption", {}, element("b", {}, name), value), drawing);
}

function growth() {
  const charts = byId("charts");
  charts.replaceChildren();
  if (campaign.timeline.length === 0) {
    charts.append("Nothing was kept.");
    return;
  }
  charts.append(chart("corpus", campaign.timeline.map(point => point.corpus), grouped));
  charts.append(chart("edges", campaign.timeline.map(point => point.edges), grouped));
  campaign.domains.forEach((domain, n) => {
    if (domain.total === 0) return;
    // How close the closest comparison is tells little, a set of bits nothing, and where all goals are met nothing is
    // left to be best.
    const best = campaign.timeline.map(point => point.best[n]);
    if (best.at(-1) > 1 && domain.climbs && domain.unit !== "closeness")
      charts.append(chart(domain.name + ": best", best, domain.unit === "bytes" ? size : grouped));
    else charts.append(chart(domain.name + ": keys", campaign.timeline.map(point => point.keys[n]), grouped));
  });
  byId("axis").textContent = axis === "time" ? "by runs" : "by time";
}

byId("axis").addEventListener("click", () => {
  axis = axis === "time" ? "runs" : "time";
  growth();
});

// Findings.

function findings() {
  const list = byId("finding-list");
  if (campaign.findings.length === 0) list.append("None.");
  for (const found of campaign.findings) {
    const headline = found.headline === null ? "did not happen again when this page was made" : found.headline;
    const stack = element("pre", {}, found.stack.map((frame, n) => `#${n} ${frame}`).join("\n"));
    const place = found.place && fileAt(found.place[0]) >= 0
      ? element("p", {}, placeLink(found.place[0], found.place[1], found.place[0] + ":" + found.place[1])) : null;
    list.append(element("details", { open: "" },
      element("summary", {}, element("b", {}, headline)),
      element("p", { class: "hint mono" }, `${found.folder}/${found.name} (${grouped(found.len)} bytes): ${found.start}`),
      stack, place));
  }
  for (const one of campaign.remarks) list.append(element("p", { class: "hint" }, one));
}

// Holders.

function showDomain(n) {
  const domain = campaign.domains[n];
  [...byId("domain-tabs").children].forEach((tab, at) => tab.setAttribute("aria-selected", at === n));
  const met = domain.met ? `, ${grouped(domain.met)} met` : "";
  const listed = domain.keys.length < domain.total ? `, the first ${domain.keys.length}` : "";
  byId("domain-help").textContent = `${domain.help}: ${grouped(domain.total)} keys${met}${listed}`;
  const rows = domain.keys.map(key => {
    const input = key.holder === null ? null : campaign.inputs[key.holder];
    const found = key.place.match(/^(\S+):(\d+) (.*)$/);
    const where = found && fileAt(found[1]) >= 0 ? placeLink(found[1], +found[2], key.place) : key.place;
    return element("tr", {},
      element("td", { class: key.met ? "value met" : "value" }, key.text),
      element("td", {}, where),
      element("td", { class: "mono" }, input ? input.name : ""),
      element("td", { class: "value" }, input ? grouped(input.len) : ""),
      element("td", { class: "mono" }, input ? input.start : ""));
  });
  byId("keys").tBodies[0].replaceChildren(...rows);
}

function holders() {
  campaign.domains.forEach((domain, n) => {
    const tab = element("button", { type: "button", role: "tab" }, `${domain.name} (${grouped(domain.total)})`);
    tab.addEventListener("click", () => showDomain(n));
    byId("domain-tabs").append(tab);
  });
  // First what the campaign was guided by.
  const guiding = ((campaign.statistics[0] || {}).domains || "").split(",");
  const isFirst = domain => domain.total > 0 && guiding.includes(domain.name);
  const first = campaign.domains.findIndex(isFirst);
  const any = campaign.domains.findIndex(domain => domain.total > 0);
  if (campaign.domains.length > 0) showDomain(Math.max(0, first >= 0 ? first : any));
  else byId("keys").remove();
}

// Source. Lines are drawn when their file is chosen: a corpus may reach a hundred thousand of them.

// The file whose path ends so.
function fileAt(path) {
  return campaign.files.findIndex(file => file.path === path || file.path.endsWith("/" + path));
}

function placeLink(path, line, text) {
  const link = element("a", { class: "place", href: "#source" }, text);
  link.addEventListener("click", event => {
    event.preventDefault();
    showFile(fileAt(path), line);
    byId("source").scrollIntoView();
  });
  return link;
}

// What was allocated and compared in a line; the rest of what is known of its comparisons shows on hovering.
function notes(heat) {
  const cell = element("td", { class: "notes" });
  const say = (...parts) => cell.append(cell.childNodes.length ? " · " : "", ...parts);
  const near = heat.near || [];
  if (heat.bytes) say(element("b", {}, heat.bytes));
  if (heat.equal) say(element("b", {}, heat.equal[1] === 1 ? (heat.equal[0] ? "=" : "≠") : `${heat.equal[0]} of ${heat.equal[1]} =`));
  if (near.length > 0) say(near[0]);
  if (heat.bytes) cell.title = `${heat.bytes} allocated here in one run\n`;
  if (heat.equal) cell.title += `${heat.equal[0]} of ${heat.equal[1]} comparisons came out equal\n` + near.join("\n");
  return cell;
}

function showFile(n, line) {
  const file = campaign.files[n];
  if (!file) return;
  [...byId("files").children].forEach((item, at) => item.setAttribute("aria-selected", at === n));
  const counts = Object.values(file.lines).map(heat => heat.count || 0);
  const hottest = Math.log(1 + counts.reduce((most, count) => Math.max(most, count), 10));
  const numbers = file.text === null ? Object.keys(file.lines).map(Number) : file.text.split("\n").map((_, at) => at + 1);
  const texts = file.text === null ? null : file.text.split("\n");
  const body = element("tbody");
  for (const number of numbers) {
    const heat = file.lines[number] || {};
    const known = heat.count !== undefined;
    const row = element("tr", { class: known ? (heat.count ? "reached" : "unreached") : "", "data-line": number });
    const count = element("td", { class: "count" }, known && heat.count ? short(heat.count) : "");
    if (heat.count) {
      count.style.background = `rgba(var(--hot), ${(Math.log(1 + heat.count) / hottest * .55).toFixed(3)})`;
      const holder = heat.holder === undefined ? null : campaign.inputs[heat.holder];
      count.title = `${grouped(heat.count)} times in one run` + (holder ? ` of ${holder.name}` : "");
    }
    row.append(element("td", { class: "number" }, String(number)), count, notes(heat),
      element("td", { class: "text" }, texts ? texts[number - 1] : ""));
    body.append(row);
  }
  const head = element("thead", {}, element("tr", {}, element("th", {}, "line"), element("th", {}, "count"),
    element("th", {}, "allocated, compared"),
    element("th", {}, texts ? file.path : file.path + " (cannot be read; build and report on one machine)")));
  byId("code").replaceChildren(element("table", {}, head, body));
  // Without a wish, where most happens.
  const hot = Object.entries(file.lines).reduce((hot, [number, heat]) => heat.count > hot[1] ? [number, heat.count] : hot, [0, 0]);
  const shown = body.querySelector(`[data-line="${line || hot[0]}"]`);
  if (line && shown) shown.classList.add("chosen");
  byId("code").scrollTop = shown ? shown.offsetTop - 200 : 0;
}

function sources() {
  campaign.files.forEach((file, n) => {
    const known = Object.values(file.lines).filter(heat => heat.count !== undefined);
    const reached = known.filter(heat => heat.count > 0).length;
    const name = file.path.split("/").slice(-2).join("/");
    const item = element("li", { title: file.path }, name,
      element("small", {}, `${grouped(reached)} of ${grouped(known.length)} lines`),
      element("meter", { min: 0, max: Math.max(1, known.length), value: reached }));
    item.addEventListener("click", () => showFile(n));
    byId("files").append(item);
  });
  // `#source=FILE:LINE` opens the page there.
  const asked = decodeURIComponent(location.hash).match(/^#source=(.*?)(?::(\d+))?$/);
  const best = campaign.files.reduce((best, file, n) =>
    Object.keys(file.lines).length > Object.keys(campaign.files[best].lines).length && !file.path.startsWith("/usr/") ? n : best, 0);
  if (campaign.files.length === 0) byId("source-view").textContent = "The target was built without line tables.";
  else if (asked && fileAt(asked[1]) >= 0) showFile(fileAt(asked[1]), asked[2] && +asked[2]);
  else showFile(best);
  if (asked) byId("source").scrollIntoView();
}

head();
growth();
findings();
holders();
sources();
document.documentElement.dataset.ready = "yes";
