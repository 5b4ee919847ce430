"use strict";

// Shared by the server's page and the gallery: shows the placeholder while a picture is held, and copies strings.
{
  const minimumHold = 700;
  const scrollDelay = 120;
  let held, since, timer;

  /** Returns the element whose placeholders a control shows: one picture, or the page. */
  const target = (control) => control.matches(".stage") ? control : document.body;

  function hold(control) {
    clearTimeout(timer);
    if (held && held !== control) release(held);
    held = control;
    since = performance.now();
    target(control).classList.add("held");
    control.ariaPressed = "true";
  }

  function release(control) {
    target(control).classList.remove("held");
    control.ariaPressed = "false";
    if (held === control) held = undefined;
  }

  /** Releases the held control. After a tap, the placeholder stays visible for a moment. */
  function releaseHeld() {
    if (!held) return clearTimeout(timer);
    const control = held;
    timer = setTimeout(() => release(control), Math.max(0, minimumHold - (performance.now() - since)));
  }

  const controlOf = ({ target }) => target.closest?.(".stage, .replay");
  let isTouch = false;

  document.addEventListener("pointerdown", (event) => {
    const control = controlOf(event);
    isTouch = event.pointerType === "touch";
    if (!control || event.button) return;
    clearTimeout(timer);
    // A touch may be the start of scrolling.
    if (isTouch) timer = setTimeout(() => hold(control), scrollDelay);
    else hold(control);
    let isOver = false;
    const end = ({ type }) => {
      if (isOver) return;
      isOver = true;
      // A tap can end before the delay.
      if (type === "pointerup" && held !== control) hold(control);
      releaseHeld();
    };
    for (const type of ["pointerup", "pointercancel"]) addEventListener(type, end, { once: true });
  });
  document.addEventListener("contextmenu", (event) => {
    if (isTouch && controlOf(event)) event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    const control = controlOf(event);
    if (!control || ![" ", "Enter"].includes(event.key)) return;
    event.preventDefault();
    if (!event.repeat) hold(control);
  });
  document.addEventListener("keyup", (event) => {
    if (controlOf(event) && [" ", "Enter"].includes(event.key)) {
      event.preventDefault();
      releaseHeld();
    }
  });
  document.addEventListener("focusout", releaseHeld);
  // Assistive technology sends clicks without pointer events.
  document.addEventListener("click", (event) => {
    const control = controlOf(event);
    if (control && !event.detail && held !== control) {
      hold(control);
      releaseHeld();
    }
  });

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

  /** Shows an uncropped image as large as the window, with the choice of placeholder. */
  function enlarge(card) {
    const make = (tag, properties) => Object.assign(document.createElement(tag), properties);
    const dialog = make("dialog", { ariaLabel: "Larger view" });
    const view = make("div", { className: "view" });
    const choices = make("div", { className: "choices" });
    const close = make("button", { type: "button", textContent: "Close", onclick: () => dialog.close() });
    const kinds = document.querySelector(".kinds");
    const place = kinds?.nextSibling;
    const stage = card.querySelector(".stage").cloneNode(true);
    for (const name of ["--width", "--height"]) view.style.setProperty(name, card.style.getPropertyValue(name));
    view.classList.toggle("transparent", card.matches(".transparent"));
    view.append(stage);
    choices.append(...kinds ? [kinds] : [], close);
    dialog.append(view, choices);
    dialog.addEventListener("close", () => {
      if (kinds) place.parentElement.insertBefore(kinds, place);
      dialog.remove();
      card.querySelector(".larger").focus();
    });
    dialog.card = card;
    document.body.append(dialog);
    dialog.showModal();
    stage.focus();
  }

  /** Shows each placeholder next to its string. */
  document.addEventListener("toggle", ({ target }) => {
    const card = target.closest(".card");
    if (!card || !target.open) return;
    for (const each of target.querySelectorAll(".thumb")) each.remove();
    for (const layer of card.querySelectorAll(".layer")) {
      const thumb = document.createElement("div");
      thumb.className = "thumb";
      const copy = layer.cloneNode();
      copy.removeAttribute("data-kind");
      copy.className = "";
      thumb.append(copy);
      target.querySelector(`[data-name="${layer.dataset.kind}"]:not([hidden])`)?.prepend(thumb);
    }
  }, true);
}
