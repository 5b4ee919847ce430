"use strict";

const list = document.querySelector("ol");
const select = document.querySelector("select");
const byPath = [...list.children];
const largestFirst = (name) => (a, b) => (b.dataset[name] ?? -1) - (a.dataset[name] ?? -1);
const orders = {
  pixels: largestFirst("pixels"),
  bytes: largestFirst("bytes"),
  failures: (a, b) => b.matches(".failed") - a.matches(".failed"),
  path: () => 0,
};

// Sorting keeps the order of paths among equals.
function sort() {
  list.replaceChildren(...byPath.toSorted(orders[select.value]));
}

// The order is part of the address, so that it survives a reload.
function followAddress() {
  const order = new URLSearchParams(location.hash.slice(1)).get("sort");
  select.value = Object.hasOwn(orders, order) ? order : "failures";
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

// Hide the placeholder once the image has loaded, or it shows through transparent parts.
const finish = ({ target }) => { target.dataset.loaded = ""; };
list.addEventListener("load", finish, true);
for (const target of document.images) if (target.naturalWidth) finish({ target });

const dialog = document.querySelector("dialog");
const [stage, choices, close] = dialog.children;

// One of the pictures of an image, as large as the window is.
function enlarge(item) {
  const pictures = [...item.querySelectorAll(".picture")].map((picture) => picture.cloneNode());
  const buttons = pictures.map(({ alt, ariaLabel }, index) => Object.assign(
    document.createElement("button"), {
      type: "button", onclick: () => show(index),
      textContent: index ? (alt ?? ariaLabel).replace("Its ", "") : "Original",
    }));
  let placeholder = 1;
  function show(index) {
    placeholder = index || placeholder;
    stage.replaceChildren(pictures[index]);
    buttons.forEach((button, other) => { button.ariaPressed = other === index; });
  }
  // A click goes from the image to its placeholder, and back.
  stage.onclick = () => show(pictures[0].isConnected && pictures[placeholder] ? placeholder : 0);
  stage.style.cssText = item.style.cssText;
  choices.replaceChildren(...buttons, close);
  show(0);
  dialog.showModal();
  buttons[0].focus();
}
close.addEventListener("click", () => dialog.close());

list.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.textContent === "Copy") copy(button);
  if (button?.textContent === "Larger") enlarge(button.closest("li"));
});
select.addEventListener("change", () => { location.hash = `sort=${select.value}`; });
addEventListener("hashchange", followAddress);
document.querySelector("h1").after(document.querySelector(".summary"));
for (const element of document.querySelectorAll(".scripted")) element.hidden = false;
followAddress();
