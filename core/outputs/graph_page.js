"use strict";
{
  // Without this script the page is whole; it adds what pointing at an item shows, and sorting.
  const items = Array.from(document.querySelectorAll("[data-n]"));
  const edges = Array.from(document.querySelectorAll("[data-a]"));
  const near = new Map();
  const join = (one, other) => near.set(one, (near.get(one) ?? new Set([one])).add(other));
  for (const edge of edges) {
    join(edge.dataset.a, edge.dataset.b);
    join(edge.dataset.b, edge.dataset.a);
  }

  const light = (here, around, isLit) => {
    document.body.classList.toggle("lit", around.size !== 0);
    for (const item of items) {
      item.classList.toggle("here", here.includes(item.dataset.n));
      item.classList.toggle("on", around.has(item.dataset.n));
    }
    for (const edge of edges) edge.classList.toggle("on", isLit(edge));
  };
  const off = () => light([], new Set(), () => false);
  const point = (event) => {
    const edge = event.target.closest("[data-a]");
    const item = event.target.closest("[data-n]");
    if (edge) {
      const ends = [edge.dataset.a, edge.dataset.b];
      light(ends, new Set(ends), (other) => ends.every((end, n) => end === [other.dataset.a, other.dataset.b][n]));
    } else if (item) {
      const here = item.dataset.n;
      light([here], near.get(here) ?? new Set([here]), (other) => [other.dataset.a, other.dataset.b].includes(here));
    } else {
      off();
    }
  };
  document.addEventListener("mouseover", point);
  document.addEventListener("focusin", point);
  document.addEventListener("focusout", off);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") off();
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("td a");
    if (!link) return;
    // Of the two drawings the one that is shown on this screen.
    const number = link.closest("tr").dataset.n;
    const drawn = items.filter((item) => item.matches("g")).filter((item) => item.dataset.n === number);
    const shown = drawn.find((item) => item.getBoundingClientRect().width);
    if (shown) {
      event.preventDefault();
      shown.scrollIntoView({ block: "center", behavior: "auto" });
    }
  });

  const value = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
  };
  const compare = (one, other) => (typeof one === "number" ? one - other : one.localeCompare(other));
  for (const head of document.querySelectorAll("th")) {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const falling = head.ariaSort === null ? head.className === "number" : head.ariaSort === "ascending";
      for (const other of document.querySelectorAll("th")) other.ariaSort = null;
      head.ariaSort = falling ? "descending" : "ascending";
      const body = head.closest("table").tBodies[0];
      const rows = Array.from(body.rows).sort((one, other) =>
        compare(value(one, head.cellIndex), value(other, head.cellIndex)));
      body.append(...(falling ? rows.reverse() : rows));
    });
  }
}
