"use strict";

const list = document.querySelector("ol");
const select = document.querySelector("select");
const byPath = [...list.children];
const largestFirst = (name) => (a, b) => (b.dataset[name] ?? -1) - (a.dataset[name] ?? -1);
const orders = {
  path: () => 0,
  pixels: largestFirst("pixels"),
  bytes: largestFirst("bytes"),
  failures: (a, b) => b.matches(".failed") - a.matches(".failed"),
};

// Sorting keeps the order of paths among equals.
function sort() {
  list.replaceChildren(...byPath.toSorted(orders[select.value]));
}

// The order is part of the address, so that it survives a reload.
function followAddress() {
  const order = new URLSearchParams(location.hash.slice(1)).get("sort");
  select.value = Object.hasOwn(orders, order) ? order : "path";
  sort();
}

async function copy(button) {
  const code = button.nextElementSibling;
  let outcome = "Copied";
  try {
    await navigator.clipboard.writeText(code.textContent);
  } catch {
    getSelection().selectAllChildren(code);
    if (!document.execCommand("copy")) outcome = "Selected";
  }
  const { textContent, ariaLabel } = button;
  button.textContent = button.ariaLabel = outcome;
  setTimeout(() => Object.assign(button, { textContent, ariaLabel }), 1500);
}

list.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.textContent === "Copy") copy(button);
});
select.addEventListener("change", () => { location.hash = `sort=${select.value}`; });
addEventListener("hashchange", followAddress);
document.querySelector("h1").after(document.querySelector(".summary"));
for (const element of document.querySelectorAll(".scripted")) element.hidden = false;
followAddress();
