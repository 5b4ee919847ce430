"use strict";

// Shared by the server's page and the gallery: copies strings, and shows the larger view.
{
  const chosen = () => document.querySelector("[name=kind]:checked")?.value;

  async function copy(button) {
    const card = button.closest("li");
    const code = button.matches(".chosen")
      ? card.querySelector(`[data-name="${chosen()}"] code`) : button.parentElement.querySelector("code");
    let outcome = "Copied";
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      code.closest("details").open = true;
      getSelection().selectAllChildren(code);
      if (!document.execCommand("copy")) outcome = "Selected";
    }
    const label = button.ariaLabel;
    button.textContent = button.ariaLabel = outcome;
    document.querySelector("[role=status]").textContent = outcome;
    setTimeout(() => {
      button.textContent = "Copy";
      button.ariaLabel = label;
    }, 1500);
  }

  document.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (button?.textContent === "Copy") copy(button);
    if (button?.matches(".larger")) enlarge(button.closest(".card"));
  });

  /** Shows an image next to all its placeholders, uncropped. */
  function enlarge(card) {
    const make = (tag, properties, ...children) => {
      const element = Object.assign(document.createElement(tag), properties);
      element.append(...children);
      return element;
    };
    const title = card.querySelector("h2").title;
    const copy = (picture) => {
      const copy = picture.cloneNode();
      copy.removeAttribute("data-kind");
      return make("span", { className: "whole" }, copy);
    };
    const captions = card.querySelectorAll(".facts, summary > [data-kind]");
    const figures = [...card.querySelectorAll(".original, .layer:not([hidden])")].map((picture, index) => make("figure", {},
      copy(picture), make("figcaption", { className: "facts" }, ...captions[index].cloneNode(true).childNodes)));
    const pictures = make("div", { className: "whole-pictures" }, ...figures);
    for (const name of ["--width", "--height"]) pictures.style.setProperty(name, card.style.getPropertyValue(name));
    pictures.classList.toggle("transparent", card.matches(".transparent"));
    const close = make("button", { type: "button", textContent: "Close", onclick: () => dialog.close() });
    const dialog = make("dialog", { ariaLabel: `Placeholders of ${title}` },
      make("header", {}, make("h2", { textContent: title }), close), pictures);
    dialog.addEventListener("close", () => {
      dialog.remove();
      card.querySelector(".larger").focus();
    });
    document.body.append(dialog);
    dialog.showModal();
  }

  // Safari matches `:active` only on pages that listen to touches.
  document.addEventListener("touchstart", () => {}, { passive: true });
}
