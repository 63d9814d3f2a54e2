"use strict";
(() => {
  const root = document.documentElement;

  const narrow = matchMedia("(max-width: 640px)");  // a finger scrolls the page, and buttons have no room

  const onPaper = (layout, place) => {
    const colour = name => getComputedStyle(place).getPropertyValue(name).trim();
    const axis = {gridcolor: colour("--line"), zerolinecolor: colour("--soft"), linecolor: colour("--line")};
    return {
      ...layout, dragmode: narrow.matches ? false : "zoom",
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      modebar: {bgcolor: colour("--paper"), color: colour("--soft"), activecolor: colour("--ink")},
      shapes: (layout.shapes || []).map(shape => ({...shape, line: {color: colour("--soft"), ...shape.line}})),
      font: {family: "system-ui, sans-serif", size: 12, color: colour("--ink")},
      xaxis: {...axis, ...layout.xaxis}, yaxis: {...axis, ...layout.yaxis},
    };
  };
  const draw = place => {
    const figure = JSON.parse(document.getElementById(place.dataset.figure).textContent);
    Plotly.react(place, figure.data, onPaper(figure.layout, place), {responsive: true, displaylogo: false,
      displayModeBar: narrow.matches ? false : "hover", modeBarButtonsToRemove: ["lasso2d", "select2d", "autoScale2d"]});
    place.dataset.drawn = "yes";
  };
  const places = [...document.querySelectorAll(".plot")];
  const seen = new IntersectionObserver(entries => entries.filter(e => e.isIntersecting).forEach(e => {
    seen.unobserve(e.target);
    draw(e.target);
  }), {rootMargin: "600px"});
  places.forEach(place => seen.observe(place));
  const drawAll = () => places.filter(place => !place.dataset.drawn && place.offsetParent).forEach(draw);
  addEventListener("beforeprint", drawAll);

  const button = document.getElementById("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  button.hidden = false;
  button.addEventListener("click", () => {
    const now = root.dataset.theme || (dark.matches ? "dark" : "light");
    root.dataset.theme = now === "dark" ? "light" : "dark";
  });

  const value = (row, column, asShown) => {
    const cell = row.cells[column];
    if (asShown) return Number(cell.textContent.split(" ")[0].replace(/[,%]/g, ""));
    return cell.dataset.order === undefined ? cell.textContent : Number(cell.dataset.order);
  };
  const before = (a, b) => typeof a === "number" && typeof b === "number" ? a - b :
    typeof a === "number" ? -1 : typeof b === "number" ? 1 : a.localeCompare(b);
  document.querySelectorAll("table").forEach(table => {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      if (!head.textContent) return;
      const sort = document.createElement("button");
      sort.type = "button";
      sort.append(...head.childNodes);
      head.append(sort);
      sort.addEventListener("click", () => {
        const asShown = head.dataset.numbers !== undefined;
        const numbers = asShown || [...table.tBodies[0].rows].some(row => row.cells[column].dataset.order !== undefined);
        const first = numbers ? "descending" : "ascending";
        const other = numbers ? "ascending" : "descending";
        const way = head.getAttribute("aria-sort") === first ? other : first;
        [...head.parentNode.cells].forEach(each => each.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", way);
        const sign = way === "ascending" ? 1 : -1;
        table.tBodies[0].append(...[...table.tBodies[0].rows].sort(
          (a, b) => sign * before(value(a, column, asShown), value(b, column, asShown))));
      });
    });
  });
  document.querySelectorAll(".search").forEach(label => {
    label.hidden = false;
    const rows = [...label.parentNode.querySelector("tbody").rows];
    label.querySelector("input").addEventListener("input", event => {
      const wanted = event.target.value.toLowerCase();
      rows.forEach(row => { row.hidden = !row.textContent.toLowerCase().includes(wanted); });
    });
  });
})();
