// SPDX-License-Identifier: BSD-3-Clause
// Tables of the site sort by a column whose head is clicked, and long ones show the rows that have what is typed above them. Rows of a
// table that is wider than the page become cards, so that no column is out of sight.

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

// The number at the beginning of a text, past marks such as a check mark; NaN if none is there.
function number_of(text) {
    const found = text.match(/^[^\w.+-]*([-+]?[\d.]+(e-?\d+)?)/);
    return found ? Number.parseFloat(found[1]) : NaN;
}

// Numbers come by their value and ahead of words, words by the alphabet, and cells without either last.
function compare(one, other) {
    const [a, b] = [number_of(one), number_of(other)];
    if (Number.isNaN(a) !== Number.isNaN(b)) return Number.isNaN(a) ? 1 : -1;
    return a - b || collator.compare(one, other);
}

// Sorts the rows of a table by a column. Days such as 2026-11-25 are words, whose order is that of the days.
function sort(table, column, falling) {
    const body = table.tBodies[0];
    const text = row => row.cells[column]?.textContent.trim() ?? "";
    const days = [...body.rows].every(row => /^\d{4}-\d\d-\d\d$/.test(text(row)));
    const order = (one, other) => {
        if (is_empty(text(one)) !== is_empty(text(other))) return is_empty(text(one)) ? 1 : -1;
        const result = days ? collator.compare(text(one), text(other)) : compare(text(one), text(other));
        return falling ? -result : result;
    };
    body.append(...[...body.rows].sort(order));
}

function is_empty(text) {
    return ["", "-", "·"].includes(text);
}

function make_sortable(table) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
        const button = document.createElement("button");
        button.type = "button";
        button.append(...head.childNodes);
        head.append(button);
        button.addEventListener("click", () => {
            const falling = head.ariaSort === "ascending";
            for (const each of heads) each.removeAttribute("aria-sort");
            head.ariaSort = falling ? "descending" : "ascending";
            sort(table, column, falling);
        });
    });
    table.classList.add("sortable");
}

function make_filter(table) {
    const field = document.createElement("input");
    field.type = "search";
    field.className = "filter";
    field.placeholder = `Show rows with … (${table.tBodies[0].rows.length} rows)`;
    field.ariaLabel = "Show the rows of the next table that have these words";
    field.addEventListener("input", () => {
        const words = field.value.toLowerCase().split(/\s+/);
        for (const row of table.tBodies[0].rows) {
            const text = row.textContent.toLowerCase();
            row.hidden = !words.every(word => text.includes(word));
        }
    });
    (table.closest(".table-wrapper") ?? table).before(field);
}

// Each cell of a card stands behind the head of its column.
function name_cells(table) {
    const names = [...table.tHead.rows[0].cells].map(head => head.textContent.trim());
    for (const row of table.tBodies[0].rows) [...row.cells].forEach((cell, column) => { cell.dataset.head = names[column] ?? ""; });
}

// Smaller letters are enough for some tables.
function fit(table) {
    const box = table.closest(".table-wrapper") ?? table.parentElement;
    const is_wide = () => box.scrollWidth > box.clientWidth;
    table.classList.remove("small", "cards");
    if (is_wide()) table.classList.add("small");
    if (is_wide()) table.classList.replace("small", "cards");
}

document.addEventListener("DOMContentLoaded", () => {
    const tables = [];
    for (const table of document.querySelectorAll("article table.docutils")) {
        if (!table.tHead || !table.tBodies[0]) continue;
        tables.push(table);
        name_cells(table);
        if (table.tBodies[0].rows.length > 4) make_sortable(table);
        if (table.tBodies[0].rows.length > 9) make_filter(table);
    }
    const fit_all = () => tables.forEach(fit);
    fit_all();
    addEventListener("resize", fit_all);
});
