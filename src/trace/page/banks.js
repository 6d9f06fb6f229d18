// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which lane wants which bank of shared memory, or which sector of global memory: a map of one access, by the rules in
// docs/counters.md. It is there with --counters.
import { select } from "d3-selection";

const banks = 32, word = 4;  // bytes of a word

/// Lanes that are served together, by the bytes of each and the warp's size: banks conflict only among these.
function groupsOf({ warp_size: lanes }, bytes, isLoad) {
  // AMD's loads of 16 bytes: 0-3 with 20-23, 4-7 with 16-19, and so on.
  if (lanes === 64 && bytes === 16 && isLoad)
    return [0, 8, 32, 40].flatMap((first) => [[first, first + 20], [first + 4, first + 16]])
      .map((parts) => parts.flatMap((part) => [0, 1, 2, 3].map((i) => part + i)));
  const together = bytes <= word ? 32 : bytes === 8 ? 16 : 8;
  return Array.from({ length: lanes / together }, (_, i) => Array.from({ length: together }, (__, k) => i * together + k));
}

/// The first part of a vector is where the whole is: the trace shows its elements, one after the other, and a GPU accesses
/// them at once.
function wholeAccess(run, step) {
  const lines = run.costs.kernels.flatMap((kernel) => kernel.lines);
  const line = lines.find((each) => each.file === step.file && each.line === step.line && each.memory === (step.shared ? "shared" : "global")
    && each.kind === (step.kind === "load" ? "load" : step.kind === "atomic" ? "atomic" : "store"));
  return line && line.bytes % step.bytes === 0 ? line.bytes : step.bytes;
}

const mod = (number, by) => ((number % by) + by) % by;
const unique = (numbers) => [...new Set(numbers)].sort((one, other) => one - other);
const range = (begin, end) => Array.from({ length: end - begin }, (_, i) => begin + i);

/// For each active lane, the units of memory that it touches: words or sectors.
function touched(step, bytes, unit) {
  return new Map(step.lanes.filter((part) => part.state === "active").map((part) => {
    const begin = part.offset - mod(part.offset, bytes);
    return [part.lane, range(Math.floor(begin / unit), Math.floor((begin + bytes - 1) / unit) + 1)];
  }));
}

/// { columns: their names, cells: [{ lane, column, isBad, words }], sentence }
function shared(run, step, bytes) {
  const words = touched(step, bytes, word), cells = [];
  let passes = 0, fewest = 0, worst = { wanted: 0 };
  for (const group of groupsOf(run, bytes, step.kind === "load")) {
    const ofBank = new Map();
    for (const lane of group) for (const each of words.get(lane) ?? []) {
      if (!ofBank.has(mod(each, banks))) ofBank.set(mod(each, banks), new Set());
      ofBank.get(mod(each, banks)).add(each);
    }
    // AMD takes a pass for lanes of which none is active, too.
    if (!ofBank.size && run.warp_size === 32) continue;
    const wanted = Math.max(1, ...[...ofBank.values()].map((each) => each.size));
    for (const [bank, each] of ofBank) if (each.size > worst.wanted) worst = { wanted: each.size, bank };
    passes += wanted;
    fewest += 1;
    for (const lane of group) for (const each of words.get(lane) ?? []) {
      const bank = mod(each, banks);
      cells.push({ lane, column: bank, isBad: ofBank.get(bank).size > 1, words: `lane ${lane}: word ${each}, bank ${bank}` });
    }
  }
  const conflict = worst.wanted > 1 ? `: lanes want ${worst.wanted} words of bank ${worst.bank}` : "";
  return { columns: range(0, banks), cells, unit: "bank", sentence: `${passes} ${passes === 1 ? "pass" : "passes"}, ${fewest} at best${conflict}` };
}

function global(run, step, bytes) {
  const unit = run.costs.transaction_bytes, sectors = touched(step, bytes, unit);
  const columns = unique([...sectors.values()].flat());
  const used = new Set(step.lanes.filter((part) => part.state === "active")
    .flatMap((part) => { const begin = part.offset - mod(part.offset, bytes); return range(begin, begin + bytes); }));
  const fewest = Math.ceil(used.size / unit), isBad = columns.length > fewest;
  const cells = [...sectors].flatMap(([lane, of]) => of.map((each) => ({ lane, column: columns.indexOf(each), isBad,
    words: `lane ${lane}: bytes from ${each * unit} to ${(each + 1) * unit - 1}` })));
  return { columns, cells, unit: "sector", sentence: `${columns.length} ${columns.length === 1 ? "transaction" : "transactions"} of ${unit} bytes, ${fewest} at best` };
}

const size = 8, left = 26, top = 24;  // of a cell, and the room for numbers

/// The map of a step; nothing where it accesses no memory or nothing was counted.
export function showBanks(run, step) {
  const box = select("#banks"), isShown = Boolean(run?.costs && step?.bytes && !step.end);
  box.property("hidden", !isShown);
  if (!isShown) return;
  const bytes = wholeAccess(run, step);
  const map = (step.shared ? shared : global)(run, step, bytes);
  box.select("h2").text(`Step ${step.number}: ${step.operation}, ${step.memory ?? "memory"}${step.shared ? ", shared" : ""}`);
  box.select("p").text(`${map.sentence}.`);
  const width = left + map.columns.length * size + 4, height = top + run.warp_size * size + 4;
  const svg = box.select("svg").attr("width", width).attr("height", height).attr("viewBox", `0 0 ${width} ${height}`)
    .attr("aria-label", `lanes by ${map.unit}s: ${map.sentence}`);
  const isNamed = (i, of) => i % 8 === 0 || i === of - 1;
  svg.selectAll("text").data([
    { x: left, y: 9, words: `${map.unit}${map.unit === "sector" ? `s from byte ${map.columns[0] * run.costs.transaction_bytes}` : ""}` },
    ...(map.unit === "bank" ? range(0, banks).filter((i) => isNamed(i, banks)) : []).map((i) => ({ x: left + i * size, y: 20, words: i })),
    { x: 2, y: top - 4, words: "lane" },
    ...range(0, run.warp_size).filter((i) => isNamed(i, run.warp_size)).map((i) => ({ x: 2, y: top + i * size + 8, words: i })),
  ]).join("text").attr("x", ({ x }) => x).attr("y", ({ y }) => y).text(({ words }) => words);
  svg.selectAll("path").data([0]).join("path")
    .attr("d", `${range(0, map.columns.length + 1).map((i) => `M${left + i * size} ${top}v${run.warp_size * size}`).join("")}` +
      `${range(0, run.warp_size + 1).map((i) => `M${left} ${top + i * size}h${map.columns.length * size}`).join("")}`);
  svg.selectAll("rect").data(map.cells).join((enter) => { const rect = enter.append("rect"); rect.append("title"); return rect; })
    .attr("x", ({ column }) => left + column * size + 1).attr("y", ({ lane }) => top + lane * size + 1)
    .attr("width", size - 2).attr("height", size - 2).classed("bad", ({ isBad }) => isBad)
    .select("title").text(({ words }) => words);
}
