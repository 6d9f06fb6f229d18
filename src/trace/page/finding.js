// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What was found, in the report's words, with links to the steps of those who take part in it.
import { select } from "d3-selection";
import { slotOf } from "./slots.js";

/// The explanations that have a part in a slot; of a slot without any, the page's first one.
function explanationsFor(runs, slots, now) {
  const all = runs.flatMap((run, number) => run.explanations.map((words) => ({ number, words })));
  const isHere = ({ number, words }) => words.parties.some(({ step }) => step && slotOf(runs, slots, number, step) === now);
  const here = all.filter(isHere);
  return here.length ? here : all.slice(0, 1);
}

const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

export function showFinding(runs, slots, now, addressOf) {
  const shown = explanationsFor(runs, slots, now);
  const boxes = select("#finding").property("hidden", !shown.length).selectAll("article").data(shown).join((enter) => {
    const box = enter.append("article");
    box.append("h2");
    box.append("p").attr("class", "rule");
    box.append("ul");
    box.append("p").attr("class", "repair");
    return box;
  });
  // The page's own headline is that of the first.
  boxes.select("h2").text(({ words }) => words.headline)
    .property("hidden", ({ words }) => words.headline === document.title);
  boxes.select(".rule").text(({ number, words }) => (runs.length > 1 ? `With ${runs[number].warp_size} lanes: ${words.rule}.` : `${capital(words.rule)}.`));
  boxes.select(".repair").text(({ words }) => words.repair ?? "");
  const parties = boxes.select("ul").selectAll("li").data(({ number, words }) => words.parties.map((party) => ({
    ...party, slot: party.step ? slotOf(runs, slots, number, party.step) : -1 }))).join("li");
  parties.text(({ words }) => `${words} `);
  parties.filter(({ slot }) => slot >= 0).append("a").attr("href", ({ slot }) => `#${addressOf(slot)}`)
    .attr("aria-current", ({ slot }) => (slot === now ? "step" : null)).text(({ step }) => `step ${step}`);
}
