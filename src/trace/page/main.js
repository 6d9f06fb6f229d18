// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page of a trace: warpz has drawn the pictures; this shows them step by step, and where a lane's value comes from.
// D3's listeners take other arguments from one version to the next, so those that want the event are the browser's own.
import { select, selectAll } from "d3-selection";
import { pictures, runs } from "./data.js";
import "./licence.js";
import { lightDown, lightUp } from "./lineage.js";
import { hang, showNear, showWhole, topOf } from "./picture.js";
import { isPair, ofInterest, slotsOf, stepsAt } from "./slots.js";
import { deed, sentence } from "./words.js";

const slots = slotsOf(runs);
const interests = ofInterest(runs, slots);
const panels = selectAll(".panel").nodes()
  .map((box, number) => ({ number, ...hang(box, runs[number], pictures[number]) }));

let now = 0;
let chosen = null;  // { panel, lane }
let timer = null;

/// The last step of a run up to the current slot; -1: none.
function stepOf(panel) {
  for (let i = now; i >= 0; --i) if (slots[i][panel.number] !== null) return slots[i][panel.number];
  return -1;
}

function showSource(scroll) {
  const step = stepsAt(runs, slots[now]).find(Boolean);
  selectAll(".code li").attr("aria-current", function () {
    const isCurrent = step && this.parentNode.dataset.file === step.file && this.value === step.line;
    if (isCurrent && scroll) {
      const box = this.closest(".code");
      box.scrollTop = this.offsetTop - box.offsetTop - box.clientHeight / 2;
    }
    return isCurrent ? "step" : null;
  });
}

function showPicture(panel, scroll) {
  const current = stepOf(panel), exact = slots[now][panel.number];
  panel.steps.classed("later", (step) => step.first > current)
    .classed("now", (step) => exact !== null && step.first <= exact && exact <= step.last);
  const band = panel.groups[Math.max(current, 0)];
  if (!scroll || !band) return;
  panel.box.scrollTop += topOf(panel, band) - panel.box.clientHeight / 3;
}

/// The button goes to the next of what is of interest, behind the last one to the first.
function nextInterest() {
  return interests[(interests.findIndex(({ at }) => at === now) + 1) % interests.length];
}

function showJump() {
  const isElsewhere = interests.length > 0 && nextInterest().at !== now;
  select("#jump").property("hidden", !interests.length && !isPair(runs)).property("disabled", !isElsewhere)
    .text(interests.length ? `Go to the ${nextInterest().what}` : "No difference");
}

function show(at, scroll = true) {
  now = Math.min(Math.max(at, 0), slots.length - 1);
  for (const panel of panels) showPicture(panel, scroll);
  // As in the picture, which may begin later; two runs count by themselves.
  const before = runs.length === 1 ? runs[0].first_step - 1 : 0;
  const text = `Step ${before + now + 1} of ${before + slots.length}: ${stepsAt(runs, slots[now]).find(Boolean)?.operation ?? ""}`;
  select("#where").text(text);
  select("#slider").property("value", now + 1).attr("aria-valuetext", text);
  select("#back").property("disabled", now === 0);
  select("#next").property("disabled", now === slots.length - 1);
  showJump();
  showSource(scroll);
  light();
  showTables();
}

function lightLanes(current) {
  panels.forEach(lightDown);
  if (current >= 0) lightUp(chosen.panel, current, chosen.lane);
}

/// After the window has moved over the pictures.
function follow() {
  if (panels.filter(showNear).length) lightLanes(chosen ? stepOf(chosen.panel) : -1);
}

function light() {
  panels.forEach(showNear);
  const current = chosen ? stepOf(chosen.panel) : -1;
  lightLanes(current);
  if (current >= 0) {
    select("#told").text(sentence(chosen.panel.run, current, chosen.lane));
    return;
  }
  const found = stepsAt(runs, slots[now]).find((step) => step?.finding);
  select("#told").text(found ? `Found here: ${found.finding.what}.`
    : "Point at a lane, or go to one with the Tab and arrow keys: all that it came from lights up.");
}

function choose(panel, lane) {
  chosen = panel ? { panel, lane } : null;
  light();
}

function showTables() {
  const isShown = select("#tables").attr("aria-pressed") === "true";
  select("main").classed("listed", isShown);
  const tables = select("#list").selectAll("table").data(isShown ? panels : []).join((enter) => {
    const table = enter.append("table");
    table.append("caption");
    table.append("thead").append("tr").selectAll("th").data(["lane", "what it does"]).join("th")
      .attr("scope", "col").text((name) => name);
    table.append("tbody");
    return table;
  });
  const stepIn = (panel) => stepsAt(runs, slots[now])[panel.number];
  tables.select("caption").text((panel) => `${panel.run.kernel}, ${panel.run.warp_size} lanes: ` +
    (stepIn(panel) ? `step ${slots[now][panel.number] + panel.run.first_step}, ${stepIn(panel).operation}` : "no such step"));
  const rows = tables.select("tbody").selectAll("tr").data((panel) => (stepIn(panel)?.lanes ?? [])
    .filter((part) => part.state !== "absent")
    .map((part) => ({ lane: part.lane, words: `${deed(panel.run, stepIn(panel), part)}.` }))).join("tr");
  rows.selectAll("th").data((row) => [row.lane]).join("th").attr("scope", "row").text((lane) => lane);
  rows.selectAll("td").data((row) => [row.words]).join("td").text((words) => words);
}

function play(on) {
  clearInterval(timer);
  if (on && now === slots.length - 1) show(0);
  timer = on ? setInterval(() => (now + 1 < slots.length ? show(now + 1) : play(false)), 1100) : null;
  select("#play").attr("aria-pressed", String(on)).text(on ? "Pause" : "Play");
}

/// The lanes' numbers stay in sight above the steps. One lane is a tab stop; the arrow keys go on from there.
function addRuler(panel) {
  const known = new Map(panel.svg.selectAll(".lane[data-lane]").nodes().map((each) => [each.dataset.lane, each.getAttribute("x")]));
  const ruler = select(panel.box).insert("svg", "svg").attr("class", "ruler")
    .attr("width", panel.svg.attr("width")).attr("height", 18);
  const lanes = ruler.selectAll("text").data([...known]).join("text").attr("class", "lane").attr("x", ([, x]) => x)
    .attr("y", 13).attr("data-lane", ([lane]) => lane).text(([lane]) => lane)
    .attr("tabindex", (_, i) => (i === 0 ? 0 : -1)).attr("role", "button")
    .attr("aria-label", ([lane]) => `lane ${lane} of ${panel.run.warp_size}`)
    .on("focus", function () { choose(panel, Number(this.dataset.lane)); }).nodes();
  ruler.node().addEventListener("keydown", (event) => {
    const i = lanes.indexOf(event.target);
    const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: lanes.length - 1 }[event.key];
    if (to === undefined || !lanes[to]) return;
    selectAll(lanes).attr("tabindex", (_, at) => (at === to ? 0 : -1));
    lanes[to].focus();
    event.preventDefault();
    event.stopPropagation();
  });
}

function followPointer(panel) {
  panel.box.addEventListener("pointerover", (event) => {
    const at = event.target.closest("[data-lane]");
    if (!at) return;
    const step = at.closest(".step");
    if (!step || panel.groups.indexOf(step) <= stepOf(panel)) choose(panel, Number(at.dataset.lane));
  });
  panel.box.addEventListener("pointerleave", () => choose(null));
  panel.box.addEventListener("click", (event) => {
    const number = panel.groups.indexOf(event.target.closest(".step"));
    const slot = number < 0 ? -1 : slots.findIndex((each) => each[panel.number] === number);
    if (slot >= 0) show(slot, false);
  });
}

/// The source is beside the picture where there is room for both, else above it. Both together are as high as the window.
function layOut() {
  const main = select("main"), least = 340;
  const widest = Math.max(0, ...panels.map((panel) => Number(panel.svg.attr("width"))));
  const isWide = panels.length > 1 || widest + least > main.node().clientWidth - 16;
  main.classed("wide", isWide);
  const source = isWide ? selectAll(".code").nodes().reduce((sum, each) => sum + each.offsetHeight + 16, 0) : 0;
  main.style("--room", `${innerHeight - main.node().offsetTop - source - 18}px`);
}

function setTheme(isDark) {
  select(document.documentElement).classed("dark", isDark);
  select("#theme").text(isDark ? "Light" : "Dark");
}

panels.forEach(addRuler);
panels.forEach(followPointer);
select("#slider").attr("max", slots.length).on("input", function () { show(this.value - 1); });
select("#back").on("click", () => show(now - 1));
select("#next").on("click", () => show(now + 1));
select("#play").on("click", () => play(timer === null));
select("#jump").on("click", () => show(nextInterest().at));
select("#tables").on("click", function () {
  select(this).attr("aria-pressed", String(select(this).attr("aria-pressed") !== "true"));
  showTables();
});
select("#theme").on("click", () => setTheme(!document.documentElement.classList.contains("dark")));
setTheme(matchMedia("(prefers-color-scheme: dark)").matches);
const keys = {
  ArrowRight: () => show(now + 1), ArrowDown: () => show(now + 1), ArrowLeft: () => show(now - 1),
  ArrowUp: () => show(now - 1), Home: () => show(0), End: () => show(slots.length - 1),
  " ": () => play(timer === null), Escape: () => choose(null),
};
document.addEventListener("keydown", (event) => {
  const isElsewhere = event.target.matches("input, button, select, .code");
  if (isElsewhere || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
  keys[event.key]();
  event.preventDefault();
});
window.addEventListener("resize", () => { layOut(); follow(); });
document.addEventListener("scroll", follow, { capture: true, passive: true });
window.addEventListener("beforeprint", () => panels.forEach(showWhole));
window.addEventListener("afterprint", follow);
layOut();
show(interests[0]?.at ?? slots.length - 1, interests.length > 0);
showSource(true);
