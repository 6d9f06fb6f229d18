// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run's picture in its panel: the labels of its rows in a column that stays in sight, the lanes' numbers above it, once,
// and the rest between the two. Of a long one, only the steps near the window have their shapes: a browser would take half
// a minute for half a million of them.
import { create, select, selectAll } from "d3-selection";

const reach = 1500;  // pixels above and below the window

function parsed(picture) {
  const template = document.createElement("template");
  template.innerHTML = picture;
  const svg = select(template.content.firstChild);
  svg.selectAll(".motion, rect.paper").remove();
  svg.selectAll(".row path").classed("cell", true);
  return svg;
}

/// A part of the picture from one x to another, as an svg of its own.
function part(svg, name, from, to) {
  const height = Number(svg.attr("height"));
  return create("svg:svg").attr("class", name).attr("width", to - from).attr("height", height)
    .attr("viewBox", `${from} 0 ${to - from} ${height}`).attr("aria-hidden", "true");
}

/// The lanes' numbers. One lane is a tab stop; the arrow keys go on from there.
function rulerOf(svg, from, to, lanes) {
  const known = new Map(svg.selectAll(".run > .numbers > text").nodes().map((each) => [each.dataset.lane, each.getAttribute("x")]));
  const ruler = part(svg, "ruler", from, to).attr("height", 18).attr("viewBox", `${from} 0 ${to - from} 18`).attr("aria-hidden", null);
  ruler.selectAll("text").data([...known]).join("text").attr("class", "lane").attr("x", ([, x]) => x).attr("y", 13)
    .attr("data-lane", ([lane]) => lane).text(([lane]) => lane).attr("tabindex", (_, i) => (i === 0 ? 0 : -1))
    .attr("role", "button").attr("aria-label", ([lane]) => `lane ${lane} of ${lanes}`);
  return ruler;
}

/// Puts the picture into its panel, the steps still without their shapes.
export function hang(box, run, picture) {
  const svg = parsed(picture), width = Number(svg.attr("width")), middle = Number(svg.attr("data-labels"));
  const ruler = rulerOf(svg, middle, width, run.warp_size);
  const labels = part(svg, "labels", 0, middle);
  const legend = svg.select(".legend").remove();
  svg.attr("height", legend.attr("data-top"));
  labels.attr("height", svg.attr("height")).attr("viewBox", `0 0 ${middle} ${svg.attr("height")}`);
  svg.selectAll(".run > .numbers, .run > .row-label").remove();
  const isLabel = (each) => each.nodeName === "text" && Number(each.getAttribute("x")) < middle;
  const steps = svg.selectAll(".step").datum(function () {
    const words = [...this.childNodes].filter(isLabel);
    const twin = labels.append("g").attr("class", "step").node();
    const step = { first: Number(this.dataset.first), last: Number(this.dataset.step), top: Number(words[0].getAttribute("y")),
      twin, shapes: new DocumentFragment(), isNear: false };
    twin.append(...words);
    select(twin).datum(step);
    step.shapes.append(...this.childNodes);
    return step;
  });
  // The bands behind the steps are behind their labels, too.
  labels.insert("svg", "g").attr("width", middle).attr("height", svg.attr("height")).selectAll("rect").data(svg.selectAll(".run > rect, .run > path").nodes()).join((enter) =>
    enter.append((each) => each.cloneNode()));
  labels.append("g").selectAll("text").data(svg.selectAll(".run > text").nodes()).join((enter) => enter.append((each) => each));
  svg.attr("viewBox", `${middle} 0 ${width - middle} ${svg.attr("height")}`).attr("width", width - middle).attr("class", "lanes");
  select(box).append("span").attr("class", "corner").text("lane");
  box.append(ruler.node(), labels.node(), svg.node());
  // Steps that are the same, one after the other, are drawn once.
  const groups = steps.nodes().flatMap((each) => Array(each.dataset.step - each.dataset.first + 1).fill(each));
  const both = selectAll([...steps.nodes(), ...labels.selectAll(".step").nodes()]);
  return { box, svg, ruler, width, steps, both, groups, run, legend };
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

/// Each sign once, of all pictures.
export function showLegend(panels) {
  const known = new Map(panels.flatMap(({ legend }) => legend.selectAll(".entry").nodes()).map((each) => [each.textContent, each]));
  for (const entry of known.values()) {
    const svg = select("#legend").append("svg").attr("height", 20);
    const box = svg.append(() => entry).node().getBBox();
    svg.attr("width", Math.ceil(box.width) + 4).attr("viewBox", `${box.x - 2} ${box.y + box.height / 2 - 10} ${Math.ceil(box.width) + 4} 20`);
  }
}
