// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What warpz has written into the page: the traces, and a picture of each.
import { select } from "d3-selection";

const packed = Uint8Array.from(atob(select("#data").text()), (letter) => letter.charCodeAt(0));
const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
const [json, ...texts] = (await new Response(unpacked).text()).split("\0");

export const runs = JSON.parse(json).traces;
// Where the page has a step, by its number: steps of other warps may be left out.
for (const run of runs) run.at = new Map(run.steps.map((step, i) => [step.number, i]));
export const pictures = texts;
