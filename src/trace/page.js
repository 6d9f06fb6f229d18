"use strict";
// The page of a trace: warpz has drawn the pictures; this shows them step by step, and where a lane's value comes from.
const runs = JSON.parse(document.getElementById("data").textContent).traces;
const $ = (id) => document.getElementById(id);
const panels = [...document.querySelectorAll(".panel")].map((box, i) => {
  const svg = box.querySelector("svg");
  // Steps that are the same, one after the other, are drawn once.
  const groups = [...svg.querySelectorAll(".step")];
  const steps = groups.flatMap((each) => Array(each.dataset.step - each.dataset.first + 1).fill(each));
  return { box, svg, run: runs[i], groups, steps };
});

// Steps of two runs side by side: those that are the same operation at the same place are shown together.
const key = (step) => [step.kind, step.operation, step.file, step.line, step.warp,
  step.pattern ? step.pattern.kind + step.pattern.amount : ""].join();
function paired(a, b) {
  const longest = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length; i-- > 0;) for (let k = b.length; k-- > 0;) {
    longest[i][k] = key(a[i]) === key(b[k]) ? longest[i + 1][k + 1] + 1 : Math.max(longest[i + 1][k], longest[i][k + 1]);
  }
  const pairs = [];
  for (let i = 0, k = 0; i < a.length || k < b.length;) {
    if (i < a.length && k < b.length && key(a[i]) === key(b[k])) pairs.push([i++, k++]);
    else if (k >= b.length || (i < a.length && longest[i + 1][k] >= longest[i][k + 1])) pairs.push([i++, null]);
    else pairs.push([null, k++]);
  }
  return pairs;
}
const isPair = runs.length === 2 && runs[0].kernel === runs[1].kernel;
const most = Math.max(1, ...runs.map((run) => run.steps.length));
const slots = isPair ? paired(runs[0].steps, runs[1].steps)
  : Array.from({ length: most }, (_, i) => runs.map((run) => (i < run.steps.length ? i : null)));

let now = 0;
let chosen = null;  // { panel, lane }

// Of an active lane: what a step leaves in it.
const outcome = (lane) => lane && (lane.result ?? lane.value ?? lane.after);
const laneOf = (step, lane) => step.lanes.find((each) => each.lane === lane && each.state === "active");
// The last step of a run up to the current one.
function stepOf(panel) {
  for (let i = now; i >= 0; --i) if (slots[i][panel] !== null && slots[i][panel] !== undefined) return slots[i][panel];
  return -1;
}

const stepsAt = (i) => runs.map((run, p) => (Number.isInteger(slots[i][p]) ? run.steps[slots[i][p]] : null));

function firstOfInterest() {
  for (let i = 0; i < slots.length; ++i) {
    const found = stepsAt(i).find((step) => step && step.finding);
    if (found) return [i, found.finding.what];
  }
  for (let i = 0; i < slots.length; ++i) {
    const steps = stepsAt(i);
    for (const [p, step] of steps.entries()) {
      if (!step) continue;
      if (step.lanes.some((lane) => lane.undefined || lane.undefined_before)) return [i, "first undefined value"];
      if (runs[p].findings.some((each) => each.file === step.file && each.line === step.line)) return [i, "first finding"];
    }
    if (!isPair) continue;
    if (!steps[0] || !steps[1]) return [i, "first difference"];
    const differs = steps[0].lanes.some((lane) => lane.state === "active" &&
      JSON.stringify(outcome(lane)) !== JSON.stringify(outcome(laneOf(steps[1], lane.lane))));
    if (differs) return [i, "first difference"];
  }
  return null;
}
const interest = firstOfInterest();

function showCode() {
  const file = stepsAt(now).find(Boolean);
  for (const line of document.querySelectorAll(".code li")) {
    const isCurrent = file && line.parentElement.dataset.file === file.file && Number(line.value) === file.line;
    if (isCurrent) line.setAttribute("aria-current", "step"); else line.removeAttribute("aria-current");
    if (isCurrent) {
      const box = line.closest(".code");
      box.scrollTop = line.offsetTop - box.offsetTop - box.clientHeight / 2;
    }
  }
}

function show(at, scroll = true) {
  now = Math.min(Math.max(at, 0), slots.length - 1);
  $("slider").value = now + 1;
  panels.forEach((panel, p) => {
    const current = stepOf(p);
    for (const group of panel.groups) {
      group.classList.toggle("later", Number(group.dataset.first) > current);
      group.classList.toggle("now", group === panel.steps[slots[now][p]]);
    }
    const band = panel.steps[Math.max(current, 0)];
    if (scroll && band) {
      const top = band.getBoundingClientRect().top - panel.box.getBoundingClientRect().top;
      panel.box.scrollTop += top - panel.box.clientHeight / 3;
    }
  });
  const step = stepsAt(now).find(Boolean);
  const text = `Step ${now + 1} of ${slots.length}: ${step ? step.operation : ""}`;
  $("where").textContent = text;
  $("slider").setAttribute("aria-valuetext", text);
  $("back").disabled = now === 0;
  $("next").disabled = now === slots.length - 1;
  showCode();
  light();
  if ($("tables").getAttribute("aria-pressed") === "true") showTables();
}

// A thread of the block, as a lane of its warp.
const nameOf = (run, thread) => (run.threads > run.warp_size
  ? `lane ${thread % run.warp_size} of warp ${Math.floor(thread / run.warp_size)}` : `lane ${thread}`);
const writerText = (run, part) => (part.writer
  ? `, which ${nameOf(run, part.writer.thread)} wrote in step ${part.writer.step}` : "");

function sentence(run, at, lane) {
  const step = run.steps[at];
  const part = step.lanes.find((each) => each.lane === lane);
  if (!part) return "";
  const where = `Step ${at + run.first_step}, ${step.operation}: ${nameOf(run, step.warp * run.warp_size + lane)}`;
  if (part.state !== "active") return `${where} is ${part.state.replaceAll("_", " ")}.`;
  const told = (value, isUndefined) => (isUndefined ? "an undefined value" : String(value));
  if (step.completes === false) return `${where} waits for lanes that never come.`;
  switch (step.kind) {
    case "load": return `${where} loads ${step.memory ?? "memory"}[${part.index}] = ${told(part.value, part.undefined)}` +
      `${writerText(run, part)}.`;
    case "store": return `${where} stores ${told(part.value, part.undefined)} to ${step.memory ?? "memory"}[${part.index}].`;
    case "atomic": return `${where} changes ${step.memory ?? "memory"}[${part.index}] from ${part.before}${writerText(run, part)}, to ${part.after}.`;
    case "barrier": return `${where} waits for the block.`;
  }
  const gave = step.movement === "meet" ? "takes part" : `gave ${told(part.operand, part.undefined_before)}`;
  const from = part.keeps_own || part.source === lane ? " and keeps its own"
    : part.source === undefined || part.source === null ? `, got ${told(part.result, part.undefined)}`
    : `, got ${told(part.result, part.undefined)} from lane ${part.source}`;
  return `${where} ${gave}${from}.`;
}

// Lights up all that the chosen lane's value may come from: its own values before, and those that it was given.
function light() {
  for (const panel of panels) {
    panel.svg.classList.remove("lit");
    for (const each of panel.svg.querySelectorAll(".on")) each.classList.remove("on");
  }
  if (!chosen) {
    const found = stepsAt(now).find((step) => step && step.finding);
    $("told").textContent = found ? `Found here: ${found.finding.what}.` : "Point at a lane, or go to one with the Tab and arrow keys: all that it came from lights up.";
    return;
  }
  const { run, svg, steps } = panels[chosen.panel];
  const current = stepOf(chosen.panel);
  if (current < 0) return;
  const warps = new Map([[run.steps[current].warp, new Set([chosen.lane])]]);
  const writers = [];  // for each step: the lanes that wrote there what was read later
  svg.classList.add("lit");
  for (let i = current; i >= 0; --i) {
    const step = run.steps[i];
    const lanes = new Set([...warps.get(step.warp) ?? [], ...writers[i] ?? []]);
    const before = new Set(lanes);
    const indexes = new Set();
    for (const lane of lanes) {
      const part = laneOf(step, lane);
      if (!part) continue;
      indexes.add(part.index);
      const source = step.movement === "move" ? part.source : null;
      if (source !== null && source !== undefined) before.add(source);
      if (["vote", "match", "combine"].includes(step.movement))
        for (const each of step.lanes) if (each.state === "active") before.add(each.lane);
      const at = part.writer ? part.writer.step - run.first_step : -1;
      if (at >= 0) (writers[at] ??= new Set()).add(part.writer.thread % run.warp_size);
    }
    for (const cell of steps[i].querySelectorAll(".cell[data-lane]")) {
      const lane = Number(cell.dataset.lane);
      const isOut = cell.parentNode.classList.contains("out") || step.kind !== "collective";
      if ((isOut ? lanes : before).has(lane)) cell.classList.add("on");
    }
    for (const cell of steps[i].querySelectorAll(".cell[data-index]"))
      if (indexes.has(Number(cell.dataset.index))) cell.classList.add("on");
    for (const arrow of steps[i].querySelectorAll(".arrow:not(.race)")) {
      if (lanes.has(Number(arrow.dataset.to ?? arrow.dataset.lane))) arrow.classList.add("on");
    }
    warps.set(step.warp, before);
  }
  $("told").textContent = sentence(run, current, chosen.lane);
}

function choose(panel, lane) {
  chosen = lane === null ? null : { panel, lane };
  light();
}

function showTables() {
  $("list").replaceChildren(...panels.map((panel, p) => {
    const at = slots[now][p];
    const table = document.createElement("table");
    const step = at !== null && at !== undefined ? panel.run.steps[at] : null;
    table.createCaption().textContent = `${panel.run.kernel}, ${panel.run.warp_size} lanes: ` +
      (step ? `step ${at + panel.run.first_step}, ${step.operation}` : "no such step");
    if (!step) return table;
    const head = table.createTHead().insertRow();
    for (const name of ["lane", "what it does"]) {
      const cell = document.createElement("th");
      cell.scope = "col";
      cell.textContent = name;
      head.append(cell);
    }
    const body = table.createTBody();
    for (const part of step.lanes) {
      if (part.state === "absent") continue;
      const row = body.insertRow();
      const name = document.createElement("th");
      name.scope = "row";
      name.textContent = part.lane;
      row.append(name);
      const cell = row.insertCell();
      cell.className = "told";
      cell.textContent = sentence(panel.run, at, part.lane).replace(/^.*?: lane \d+ (of warp \d+ )?/, "");
    }
    return table;
  }));
}

let timer = null;
function play(on) {
  clearInterval(timer);
  timer = on ? setInterval(() => (now + 1 < slots.length ? show(now + 1) : play(false)), 1100) : null;
  $("play").setAttribute("aria-pressed", String(on));
  $("play").textContent = on ? "Pause" : "Play";
}

panels.forEach((panel, p) => {
  // One lane is a tab stop; the arrow keys go on from there.
  const row = [...panel.steps.length ? panel.svg.querySelectorAll(".lane[data-lane]") : []];
  const numbers = row.slice(0, new Set(row.map((each) => each.dataset.lane)).size);
  numbers.forEach((each, i) => {
    each.setAttribute("tabindex", i === 0 ? "0" : "-1");
    each.setAttribute("role", "button");
    each.setAttribute("aria-label", `lane ${each.dataset.lane} of ${panel.run.warp_size}`);
    each.addEventListener("focus", () => choose(p, Number(each.dataset.lane)));
    each.addEventListener("keydown", (event) => {
      const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: numbers.length - 1 }[event.key];
      if (to === undefined || !numbers[to]) return;
      each.setAttribute("tabindex", "-1");
      numbers[to].setAttribute("tabindex", "0");
      numbers[to].focus();
      event.preventDefault();
      event.stopPropagation();
    });
  });
  panel.svg.addEventListener("pointerover", (event) => {
    const at = event.target.closest("[data-lane]");
    if (!at) return;
    const step = at.closest(".step");
    const number = step ? panel.steps.indexOf(step) : -1;
    if (number >= 0 && number <= stepOf(p)) choose(p, Number(at.dataset.lane));
    else if (number < 0) choose(p, Number(at.dataset.lane));
  });
  panel.svg.addEventListener("pointerleave", () => choose(p, null));
  panel.svg.addEventListener("click", (event) => {
    const step = event.target.closest(".step");
    const slot = step ? slots.findIndex((each) => each[p] === panel.steps.indexOf(step)) : -1;
    if (slot >= 0) show(slot, false);
  });
});

$("slider").max = slots.length;
$("slider").addEventListener("input", () => show(Number($("slider").value) - 1));
$("back").addEventListener("click", () => show(now - 1));
$("next").addEventListener("click", () => show(now + 1));
$("play").addEventListener("click", () => play(timer === null));
$("jump").disabled = interest === null;
$("jump").textContent = interest ? `Go to the ${interest[1]}` : "No difference";
$("jump").addEventListener("click", () => show(interest[0]));
$("tables").addEventListener("click", () => {
  const on = $("tables").getAttribute("aria-pressed") !== "true";
  $("tables").setAttribute("aria-pressed", String(on));
  $("list").replaceChildren();
  if (on) showTables();
});
$("theme").addEventListener("click", () => {
  const isDark = document.documentElement.classList.toggle("dark");
  $("theme").textContent = isDark ? "Light" : "Dark";
});
if (matchMedia("(prefers-color-scheme: dark)").matches) $("theme").click();
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, button, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "ArrowRight" || event.key === "ArrowDown") show(now + 1);
  else if (event.key === "ArrowLeft" || event.key === "ArrowUp") show(now - 1);
  else if (event.key === "Home") show(0);
  else if (event.key === "End") show(slots.length - 1);
  else if (event.key === " ") play(timer === null);
  else if (event.key === "Escape") choose(0, null);
  else return;
  event.preventDefault();
});
show(interest ? interest[0] : slots.length - 1, interest !== null);
