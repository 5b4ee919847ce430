extension BrowserSession {
  /// Chooses on the server's page what is made of images, and waits until all of it is there.
  func chooseKinds(_ isChosen: (String) -> Bool) throws {
    let kinds = try evaluate(
      "[...document.querySelectorAll('[name=kinds]')].map(({ value }) => value)")
    let chosen = kinds.split(separator: ",").map(String.init).filter(isChosen)
    _ = try evaluate(
      """
      (() => {
        const boxes = [...document.querySelectorAll("[name=kinds]")];
        for (const box of boxes) box.checked = \(chosen).includes(box.value);
        boxes[0].dispatchEvent(new Event("change", { bubbles: true }));
      })()
      """)
    try wait(for: "document.querySelectorAll('.again').length", toBe: "0")
  }
}
