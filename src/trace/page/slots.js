// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which steps are shown together. A slot has a step's number for each run, or null.

const key = (step) => [step.kind, step.operation, step.file, step.line, step.warp,
  step.pattern ? step.pattern.kind + step.pattern.amount : ""].join();

/// Steps of two runs: the longest common sequence of the same operations at the same places.
function paired(one, other) {
  const a = one.map(key), b = other.map(key);
  const longest = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length; i-- > 0;) {
    for (let k = b.length; k-- > 0;) {
      longest[i][k] = a[i] === b[k] ? longest[i + 1][k + 1] + 1
        : Math.max(longest[i + 1][k], longest[i][k + 1]);
    }
  }
  const slots = [];
  for (let i = 0, k = 0; i < a.length || k < b.length;) {
    if (i < a.length && k < b.length && a[i] === b[k]) slots.push([i++, k++]);
    else if (k >= b.length || (i < a.length && longest[i + 1][k] >= longest[i][k + 1])) slots.push([i++, null]);
    else slots.push([null, k++]);
  }
  return slots;
}

/// Whether two runs are of one kernel, and so can be compared.
export const isPair = (runs) => runs.length === 2 && runs[0].kernel === runs[1].kernel;

export function slotsOf(runs) {
  if (isPair(runs)) return paired(runs[0].steps, runs[1].steps);
  const most = Math.max(1, ...runs.map((run) => run.steps.length));
  return Array.from({ length: most }, (_, i) => runs.map((run) => (i < run.steps.length ? i : null)));
}

export const stepsAt = (runs, slot) => runs.map((run, i) => (slot[i] === null ? null : run.steps[slot[i]]));

/// What a step leaves in an active lane.
const left = (part) => JSON.stringify(part?.result ?? part?.value ?? part?.after);
const partOf = (step, lane) => step.lanes.find((each) => each.lane === lane && each.state === "active");
const differ = (one, other) => !one || !other || one.lanes.some((part) => part.state === "active" &&
  left(part) !== left(partOf(other, part.lane)));
const isUndefined = (part) => part.undefined || part.undefined_before;

/// Where a step of a run is shown, by its number; -1: nowhere.
export const slotOf = (runs, slots, run, number) => (runs[run].at.has(number)
  ? slots.findIndex((slot) => slot[run] === runs[run].at.get(number)) : -1);

/// The numbers of slots and what is there: the findings, the page's first one at the head, or else an undefined value,
/// or else the first difference.
export function ofInterest(runs, slots) {
  const all = (name, holds) => slots.flatMap((slot, at) => {
    const steps = stepsAt(runs, slot);
    return holds(steps) ? [{ at, what: name(steps), isFinding: false }] : [];
  });
  const first = (name, holds) => all(() => name, holds).slice(0, 1);
  const isFound = (step, run) => step && runs[run].findings.some((each) => each.file === step.file && each.line === step.line);
  const found = all((steps) => steps.find((step) => step?.finding).finding.what, (steps) => steps.some((step) => step?.finding));
  const broken = found.findIndex(({ at }) => stepsAt(runs, slots[at]).some((step) => step?.finding?.breaks_rule));
  return [
    () => [...found.slice(Math.max(broken, 0)), ...found.slice(0, Math.max(broken, 0))].map((each) => ({ ...each, isFinding: true })),
    () => first("first undefined value", (steps) => steps.some((step) => step?.lanes.some(isUndefined))),
    () => first("first finding", (steps) => steps.some(isFound)),
    () => (isPair(runs) ? first("first difference", (steps) => differ(...steps)) : []),
  ].reduce((known, find) => (known.length ? known : find()), []);
}
