// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a lane does, in a sentence.

/// A thread of the block, as a lane of its warp.
const nameOf = (run, thread) => (run.threads > run.warp_size
  ? `lane ${thread % run.warp_size} of warp ${Math.floor(thread / run.warp_size)}` : `lane ${thread}`);

const told = (value, isUndefined) => (isUndefined ? "an undefined value" : String(value));

function access(run, step, part) {
  const place = `${step.memory ?? "memory"}[${part.index}]`;
  const writer = part.writer ? `, which ${nameOf(run, part.writer.thread)} wrote in step ${part.writer.step}` : "";
  switch (step.kind) {
    case "load": return `loads ${place} = ${told(part.value, part.undefined)}${writer}`;
    case "store": return `stores ${told(part.value, part.undefined)} to ${place}`;
    default: return `changes ${place} from ${told(part.before, part.undefined_before)}${writer}, to ${told(part.after, part.undefined)}`;
  }
}

function collective(step, part) {
  const gave = step.movement === "meet" ? "takes part" : `gave ${told(part.operand, part.undefined_before)}`;
  if (step.movement === "meet") return gave;
  if (part.keeps_own || part.source === part.lane) return `${gave} and keeps its own`;
  const got = `${gave}, got ${told(part.result, part.undefined)}`;
  if (part.source === undefined || part.source === null) return got;
  const joins = step.join && (BigInt(step.join.lanes) >> BigInt(part.lane)) & 1n;
  const next = joins ? `, and goes on with ${step.join.expression.replaceAll("gave", part.operand).replaceAll("got", part.result)}` : "";
  return `${got} from lane ${part.source}${next}`;
}

/// What comes of the lanes of a step that does not complete.
const ends = { waits: "waits for lanes that never come", runs_on: "is in a loop without end", stops: "stops here",
  returns: "returns from the kernel", unrecorded: "comes here later" };

/// "gave 3, got 5 from lane 7".
export function deed(run, step, part) {
  if (part.state !== "active") return `is ${part.state.replaceAll("_", " ")}`;
  if (step.end) return ends[step.end];
  if (step.kind === "barrier") return "waits for the block";
  return step.kind === "collective" ? collective(step, part) : access(run, step, part);
}

/// "Step 4, shuffle_xor: lane 6 gave 3, got 5 from lane 7."
export function sentence(run, at, lane) {
  const step = run.steps[at];
  const part = step.lanes.find((each) => each.lane === lane);
  if (!part) return "";
  const who = nameOf(run, step.warp * run.warp_size + lane);
  return `Step ${step.number}, ${step.operation}: ${who} ${deed(run, step, part)}.`;
}
