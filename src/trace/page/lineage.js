// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a lane's value comes from: its own values before, those that it was given, and what was written where it reads.
import { near } from "./picture.js";

const reads = ["vote", "decide", "match", "combine"];

/// Calls `mark` for each step up to `last`, the latest first, with the lanes whose results and whose operands count, and
/// the elements of memory.
function follow(run, last, lane, mark) {
  const ofWarp = new Map([[run.steps[last].warp, new Set([lane])]]);
  const writers = [];  // for each step: the lanes that wrote there what was read later
  for (let i = last; i >= 0; --i) {
    const step = run.steps[i];
    const results = new Set([...ofWarp.get(step.warp) ?? [], ...writers[i] ?? []]);
    const operands = new Set(results), elements = new Set();
    for (const part of step.lanes) {
      if (part.state !== "active" || !results.has(part.lane)) continue;
      elements.add(part.index);
      if (step.movement === "move" && Number.isInteger(part.source)) operands.add(part.source);
      if (reads.includes(step.movement))
        for (const each of step.lanes) if (each.state === "active") operands.add(each.lane);
      const written = run.at.get(part.writer?.step) ?? -1;
      if (written >= 0) (writers[written] ??= new Set()).add(part.writer.thread % run.warp_size);
    }
    mark(i, results, operands, elements);
    ofWarp.set(step.warp, operands);
  }
}

export function lightUp(panel, last, lane) {
  const { run, svg } = panel;
  svg.classed("lit", true);
  follow(run, last, lane, (i, results, operands, elements) => {
    const band = near(panel, i);
    band.selectAll(".cell[data-lane]").classed("on", function () {
      const isResult = this.parentNode.classList.contains("out") || run.steps[i].kind !== "collective";
      return (isResult ? results : operands).has(Number(this.dataset.lane));
    });
    band.selectAll(".cell[data-index]").classed("on", function () { return elements.has(Number(this.dataset.index)); });
    band.selectAll(".arrow:not(.race)").classed("on", function () {
      return results.has(Number(this.dataset.to ?? this.dataset.lane));
    });
  });
}

export function lightDown({ svg }) {
  svg.classed("lit", false).selectAll(".on").classed("on", false);
}
