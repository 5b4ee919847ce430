const list = document.querySelector(".images");
const select = document.querySelector("select");
const byPath = [...list.children];
const largestFirst = (name) => (a, b) => b.dataset[name] - a.dataset[name];
const orders = { path: () => 0, pixels: largestFirst("pixels"), bytes: largestFirst("bytes") };

// The sort order is part of the URL, so that it survives a reload.
function followAddress() {
  const order = new URLSearchParams(location.hash.slice(1)).get("sort");
  select.value = Object.hasOwn(orders, order) ? order : "path";
  // The sort is stable: equal images stay in path order.
  list.replaceChildren(...byPath.toSorted(orders[select.value]));
}

select.addEventListener("change", () => { location.hash = `sort=${select.value}`; });
addEventListener("hashchange", followAddress);
document.querySelector("h1").after(document.querySelector(".summary"));
for (const element of document.querySelectorAll(".scripted")) element.hidden = false;
if (location.hash) followAddress();
