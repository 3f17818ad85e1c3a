"use strict";
const value = cell => cell.dataset.v !== undefined ? (cell.dataset.v === "" ? -Infinity : Number(cell.dataset.v)) : cell.textContent;
document.querySelectorAll("th button").forEach(button => button.addEventListener("click", () => {
  const head = button.parentElement, table = head.closest("table"), at = head.cellIndex;
  const up = head.getAttribute("aria-sort") !== "ascending";
  table.querySelectorAll("th").forEach(th => th.setAttribute("aria-sort", "none"));
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  const rows = Array.from(table.tBodies[0].rows, row => [value(row.cells[at]), row]);
  rows.sort((a, b) => (typeof a[0] === "number" ? a[0] - b[0] : a[0].localeCompare(b[0], undefined, {numeric: true})) * (up ? 1 : -1) || 0);
  table.tBodies[0].append(...rows.map(pair => pair[1]));
}));
document.querySelectorAll("input[data-table]").forEach(input => input.addEventListener("input", () => {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean), rows = document.getElementById(input.dataset.table).tBodies[0].rows;
  let shown = 0;
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every(word => text.includes(word));
    shown += !row.hidden;
  }
  input.closest(".tools").querySelector(".count").textContent = shown + " of " + rows.length + " rows";
}));
document.querySelectorAll("button.copy").forEach(button => button.addEventListener("click", () => {
  const quote = text => /[",\r\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
  const lines = Array.from(document.getElementById(button.dataset.table).rows).filter(row => !row.hidden)
    .map(row => Array.from(row.cells, cell => quote(cell.dataset.v !== undefined ? cell.dataset.v : cell.textContent)).join(","));
  // A page from an insecure place has no clipboard at all.
  const copied = navigator.clipboard ? navigator.clipboard.writeText(lines.join("\n") + "\n") : Promise.reject();
  copied.then(() => { button.textContent = "copied"; }, () => { button.textContent = "copying is not allowed here"; });
}));
