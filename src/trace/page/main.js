// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page of a trace: warpz has drawn the pictures; this shows them step by step, and where a lane's value comes from.
// D3's listeners take other arguments from one version to the next, so those that want the event are the browser's own.
import { select, selectAll } from "d3-selection";
import { pictures, runs } from "./data.js";
import "./licence.js";
import { lightDown, lightUp } from "./lineage.js";
import { showBanks } from "./banks.js";
import { saveAnimation, savePng } from "./export.js";
import { showFinding } from "./finding.js";
import { hang, showLegend, showNear, showWhole, topOf } from "./picture.js";
import { isPair, ofInterest, slotsOf, stepsAt } from "./slots.js";
import { deed, sentence } from "./words.js";

const slots = slotsOf(runs);
const interests = ofInterest(runs, slots);
const panels = selectAll(".panel").nodes()
  .map((box, number) => ({ number, ...hang(box, runs[number], pictures[number]) }));

let now = 0;
let chosen = null;  // { panel, lane }
let timer = null;
let isPrinted = false;

/// The last step of a run up to the current slot; -1: none.
function stepOf(panel) {
  for (let i = now; i >= 0; --i) if (slots[i][panel.number] !== null) return slots[i][panel.number];
  return -1;
}

function showSource(scroll) {
  const step = stepsAt(runs, slots[now]).find(Boolean);
  selectAll("#code summary").attr("aria-current", null);
  selectAll(".code li").attr("aria-current", function () {
    const isCurrent = step && this.parentNode.dataset.file === step.file && this.value === step.line;
    if (isCurrent) select(this.closest(".code")).select("summary").attr("aria-current", "step");
    if (isCurrent && scroll) {
      const box = this.closest(".code");
      box.scrollTop = this.offsetTop - box.offsetTop - box.clientHeight / 2;
    }
    return isCurrent ? "step" : null;
  });
}

function showPicture(panel, scroll) {
  const current = stepOf(panel), exact = slots[now][panel.number];
  panel.both.classed("later", (step) => step.first > current)
    .classed("now", (step) => exact !== null && step.first <= exact && exact <= step.last);
  const band = panel.groups[Math.max(current, 0)];
  if (!scroll || !band) return;
  panel.box.scrollTop += topOf(panel, band) - panel.box.clientHeight / 3;
  const found = BigInt(panel.run.steps[exact ?? -1]?.finding?.lanes ?? 0);
  const lane = chosen?.panel === panel ? chosen.lane : [...Array(64).keys()].find((each) => (found >> BigInt(each)) & 1n);
  if (lane !== undefined) showLane(panel, lane);
}

/// Brings a lane's column into sight, in the middle where it was not.
function showLane({ box, ruler }, lane) {
  const number = ruler.select(`[data-lane="${lane}"]`).node()?.getBoundingClientRect();
  const left = ruler.node().getBoundingClientRect().left + box.scrollLeft, right = box.getBoundingClientRect().right - 20;
  if (number && (number.left < left || number.right > right)) box.scrollLeft += number.left - (left + right) / 2;
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

/// A slot's name: of one run the step's number, which may begin later; two runs count by themselves.
const numberOf = (slot) => (runs.length === 1 ? runs[0].steps[slots[slot][0]]?.number ?? 1 : slot + 1);
const addressOf = (slot, lane) => `step=${numberOf(slot)}` + (lane ? `&lane=${lane.lane}` + (lane.panel.number ? `&run=${lane.panel.number + 1}` : "") : "");

/// Makes the address a link to what is shown. A frame without an address of its own refuses it.
function writeAddress() {
  try { history.replaceState(null, "", `#${addressOf(now, chosen)}`); } catch { return; }
}

/// Goes where the address says. Returns whether it says so.
function readAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  if (!words.has("step")) return false;
  const at = slots.findIndex((_, slot) => numberOf(slot) >= Number(words.get("step")));
  const panel = panels[Number(words.get("run") ?? 1) - 1];
  const isLane = panel && words.has("lane") && Number(words.get("lane")) < panel.run.warp_size;
  chosen = isLane ? { panel, lane: Number(words.get("lane")) } : null;
  show(at < 0 ? slots.length - 1 : at);
  return true;
}

function goTo(at, scroll = true) {
  show(at, scroll);
  writeAddress();
}

/// Where only some of a trace's steps are shown, numbers are left out between them, and behind the last one.
function placeText(operation) {
  const last = runs[0].steps.at(-1)?.number ?? 1;
  return runs.length > 1 || last === runs[0].steps.length
    ? `Step ${numberOf(now)} of ${numberOf(slots.length - 1)}: ${operation}`
    : `Step ${numberOf(now)}: ${operation} (${now + 1} of ${slots.length} shown)`;
}

function show(at, scroll = true) {
  now = Math.min(Math.max(at, 0), slots.length - 1);
  for (const panel of panels) showPicture(panel, scroll);
  const text = placeText(stepsAt(runs, slots[now]).find(Boolean)?.operation ?? "");
  select("#where").text(text);
  select("#slider").property("value", now + 1).attr("aria-valuetext", text);
  select("#back").property("disabled", now === 0);
  select("#next").property("disabled", now === slots.length - 1);
  showJump();
  showFinding(runs, slots, now, addressOf);
  showAccess();
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
  if (!isPrinted && panels.filter(showNear).length) lightLanes(chosen ? stepOf(chosen.panel) : -1);
}

function light() {
  panels.forEach(showNear);
  const current = chosen ? stepOf(chosen.panel) : -1;
  lightLanes(current);
  if (current >= 0) {
    select("#told").text(sentence(chosen.panel.run, current, chosen.lane));
    return;
  }
  select("#told").text("Point at a lane, or go to one with the Tab and arrow keys: all that it came from lights up.");
}

function choose(panel, lane) {
  chosen = panel ? { panel, lane } : null;
  light();
  writeAddress();
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
    (stepIn(panel) ? `step ${stepIn(panel).number}, ${stepIn(panel).operation}` : "no such step"));
  const rows = tables.select("tbody").selectAll("tr").data((panel) => (stepIn(panel)?.lanes ?? [])
    .filter((part) => part.state !== "absent")
    .map((part) => ({ lane: part.lane, words: `${deed(panel.run, stepIn(panel), part)}.` }))).join("tr");
  rows.selectAll("th").data((row) => [row.lane]).join("th").attr("scope", "row").text((lane) => lane);
  rows.selectAll("td").data((row) => [row.words]).join("td").text((words) => words);
}

function play(on) {
  clearInterval(timer);
  if (on && now === slots.length - 1) goTo(0);
  timer = on ? setInterval(() => (now + 1 < slots.length ? goTo(now + 1) : play(false)), 1100) : null;
  select("#play").attr("aria-pressed", String(on)).text(on ? "Pause" : "Play");
}

/// The lanes' numbers: the arrow keys go from one to the next.
function followRuler(panel) {
  const lanes = panel.ruler.selectAll("text").nodes();
  panel.ruler.node().addEventListener("focusin", (event) => choose(panel, Number(event.target.dataset.lane)));
  panel.ruler.node().addEventListener("keydown", (event) => {
    const i = lanes.indexOf(event.target);
    const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: lanes.length - 1 }[event.key];
    if (to === undefined || !lanes[to]) return;
    selectAll(lanes).attr("tabindex", (_, at) => (at === to ? 0 : -1));
    lanes[to].focus();
    event.preventDefault();
    event.stopPropagation();
  });
}

/// The banks of the access that one points at, else of the current step's.
function showAccess(panel = panels.find((each) => slots[now][each.number] !== null), number = slots[now][panel?.number]) {
  showBanks(panel?.run, panel?.run.steps[number]);
}

function followPointer(panel) {
  panel.box.addEventListener("pointerover", (event) => {
    const pointed = event.target.closest(".step");
    if (pointed) showAccess(panel, select(pointed).datum().last);
    const at = event.target.closest("[data-lane]");
    if (!at) return;
    const step = at.closest(".step");
    if (!step || panel.groups.indexOf(step) <= stepOf(panel)) choose(panel, Number(at.dataset.lane));
  });
  panel.box.addEventListener("pointerleave", () => { choose(null); showAccess(); });
  panel.box.addEventListener("click", (event) => {
    const step = event.target.closest(".step");
    const slot = step ? slots.findIndex((each) => each[panel.number] === select(step).datum().first) : -1;
    if (slot >= 0) goTo(slot, false);
  });
}

/// The source is beside the picture where there is room for both, else above it. Both together are as high as the window.
function layOut() {
  const main = select("main"), least = 340;
  const widest = Math.max(0, ...panels.map((panel) => panel.width));
  const isWide = panels.length > 1 || widest + least > main.node().clientWidth - 16;
  main.classed("wide", isWide);
  const source = isWide ? select("#code").node().offsetHeight + 16 : 0;
  main.style("--room", `${innerHeight - main.node().offsetTop - source - 18}px`);
}

function setTheme(isDark) {
  select(document.documentElement).classed("dark", isDark);
  select("#theme").text(isDark ? "Light" : "Dark");
  // The pictures have their own colours for the night. On paper it is day.
  for (const style of document.querySelectorAll(".panel style"))
    for (const rule of style.sheet.cssRules) if (rule.media) rule.media.mediaText = isDark ? "screen" : "not all";
}

const isDark = () => document.documentElement.classList.contains("dark");

panels.forEach(followRuler);
panels.forEach(followPointer);
showLegend(panels);
select("#slider").attr("max", slots.length).on("input", function () { goTo(this.value - 1); });
select("#back").on("click", () => goTo(now - 1));
select("#next").on("click", () => goTo(now + 1));
select("#play").on("click", () => play(timer === null));
select("#jump").on("click", () => goTo(nextInterest().at));
select("#tables").on("click", function () {
  select(this).attr("aria-pressed", String(select(this).attr("aria-pressed") !== "true"));
  showTables();
});
select("#png").on("click", () => savePng(isDark()));
select("#animation").on("click", saveAnimation);
select("#theme").on("click", () => setTheme(!isDark()));
setTheme(matchMedia("(prefers-color-scheme: dark)").matches);
const keys = {
  ArrowRight: () => goTo(now + 1), ArrowDown: () => goTo(now + 1), ArrowLeft: () => goTo(now - 1),
  ArrowUp: () => goTo(now - 1), Home: () => goTo(0), End: () => goTo(slots.length - 1),
  " ": () => play(timer === null), Escape: () => choose(null),
};
// What a key does to the thing that has the focus comes first; all else steps, whatever was clicked before.
const own = { INPUT: () => true, BUTTON: (key) => key === " ", SUMMARY: (key) => key === " ",
  SECTION: (key) => ["ArrowUp", "ArrowDown", "Home", "End", " "].includes(key) };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key] || own[event.target.nodeName]?.(event.key)) return;
  keys[event.key]();
  event.preventDefault();
});
/// All of a picture fits the paper's width.
function print(isBegin) {
  isPrinted = isBegin;
  if (isBegin) panels.forEach(showWhole);
  const paper = 680;
  for (const panel of panels) panel.box.style.zoom = isBegin ? Math.min(1, paper / panel.width) : "";
  follow();
}

window.addEventListener("hashchange", readAddress);
window.addEventListener("resize", () => { layOut(); follow(); });
document.addEventListener("scroll", follow, { capture: true, passive: true });
window.addEventListener("beforeprint", () => print(true));
window.addEventListener("afterprint", () => print(false));
layOut();
const first = interests[0];
if (!readAddress()) show(first?.isFinding ? first.at : 0);
