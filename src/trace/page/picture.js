// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run's picture. Of a long one, only the steps near the window have their shapes: a browser would take half a minute
// for half a million of them.
import { select, selectAll } from "d3-selection";

const reach = 1500;  // pixels above and below the window

/// Puts the picture into its panel, the steps still without their shapes.
export function hang(box, run, picture) {
  const template = document.createElement("template");
  template.innerHTML = picture;
  const svg = select(template.content.firstChild);
  const steps = svg.selectAll(".step").datum(function () {
    const step = { first: Number(this.dataset.first), last: Number(this.dataset.step),
      top: Number(this.querySelector("text").getAttribute("y")), shapes: new DocumentFragment(), isNear: false };
    step.shapes.append(...this.childNodes);
    return step;
  });
  box.append(svg.node());
  // Steps that are the same, one after the other, are drawn once.
  const groups = steps.nodes().flatMap((each) => Array(each.dataset.step - each.dataset.first + 1).fill(each));
  return { box, svg, steps, groups, run };
}

/// Returns whether any step got shapes or lost them.
function showWhere({ steps }, isWanted) {
  let any = false;
  steps.each(function (step) {
    const isNear = isWanted(step);
    if (isNear === step.isNear) return;
    any = true;
    step.isNear = isNear;
    if (isNear) this.append(step.shapes);
    else step.shapes.append(...this.childNodes);
  });
  return any;
}

export function showNear(panel) {
  const top = panel.svg.node().getBoundingClientRect().top;
  return showWhere(panel, (step) => top + step.top > -reach && top + step.top < innerHeight + reach);
}

export const showWhole = (panel) => showWhere(panel, () => true);

/// Where a step begins, from the panel's upper edge.
export function topOf({ box, svg }, group) {
  return svg.node().getBoundingClientRect().top - box.getBoundingClientRect().top + select(group).datum().top;
}

/// The steps' groups that have their shapes.
export const near = ({ groups }, i) => selectAll(select(groups[i]).datum().isNear ? [groups[i]] : []);
