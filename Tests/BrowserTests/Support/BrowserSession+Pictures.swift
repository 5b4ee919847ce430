extension BrowserSession {
  /// Chooses the kind of placeholder.
  func chooseKind(_ kind: String) throws {
    _ = try evaluate("document.querySelector('[name=kind][value=\(kind)]').click()")
  }

  /// Dispatches a pointer event to an element.
  func point(_ type: String, at element: String, with pointer: String = "mouse") throws {
    _ = try evaluate(
      """
      document.querySelector("\(element)").dispatchEvent(
        new PointerEvent("pointer\(type)", { bubbles: true, button: 0, pointerType: "\(pointer)" }))
      """)
  }

  /// Dispatches a keyboard event to an element.
  func press(_ type: String, _ key: String, at element: String) throws {
    _ = try evaluate(
      """
      document.querySelector("\(element)").dispatchEvent(
        new KeyboardEvent("key\(type)", { bubbles: true, cancelable: true, key: "\(key)" }))
      """)
  }

  /// Waits until the image in an element has the given opacity.
  func waitForOpacity(_ opacity: Int, of element: String) throws {
    try wait(
      for: "getComputedStyle(document.querySelector(\"\(element) .original\")).opacity",
      toBe: "\(opacity)")
  }

  /// Returns the labels of pictures that do not fill their cards or have a wrong aspect ratio.
  func distortedPictures() throws -> String {
    try evaluate(
      """
      [...document.querySelectorAll(".card:not([hidden])")].flatMap((card) => {
        const box = (element) => element.getBoundingClientRect();
        const [frame, stage] = [box(card), box(card.querySelector(".stage"))];
        const style = getComputedStyle(card);
        const shape = style.getPropertyValue("--width") / style.getPropertyValue("--height");
        return [...card.querySelectorAll(".original, .layer")].filter((each) =>
          getComputedStyle(each).display !== "none").filter((each) => {
            const picture = box(each);
            return Math.abs(stage.width - frame.width) > 1 || picture.left > stage.left + 1
              || picture.right < stage.right - 1 || picture.top > stage.top + 1
              || picture.bottom < stage.bottom - 1
              || Math.abs(picture.width / picture.height / shape - 1) > .02;
          }).map(() => card.querySelector(".stage").ariaLabel);
      }).join()
      """)
  }
}
