import Testing

extension BrowserSession {
  /// Chooses the kind of placeholder.
  func chooseKind(_ kind: String) throws {
    _ = try evaluate("document.querySelector('[name=kind][value=\(kind)]').click()")
  }

  /// Presses the mouse at the center of an element, or releases it.
  func press(_ isPressed: Bool, at element: String) throws {
    let center = try evaluate(
      """
      ((element) => {
        element.scrollIntoView({ block: "center" });
        const { left, top, width, height } = element.getBoundingClientRect();
        return [left + width / 2, top + height / 2].map(Math.round);
      })(document.querySelector("\(element)"))
      """)
    let numbers = center.split(separator: ",").compactMap { Int($0) }
    try #require(numbers.count == 2, "\(center)")
    try press(isPressed, x: numbers[0], y: numbers[1])
  }

  /// Returns the names of cards with pictures that do not fill their frames or have a wrong aspect ratio.
  func distortedPictures() throws -> String {
    try evaluate(
      """
      [...document.querySelectorAll(".card:not([hidden])")].flatMap((card) => {
        const box = (element) => element.getBoundingClientRect();
        const style = getComputedStyle(card);
        const shape = style.getPropertyValue("--width") / style.getPropertyValue("--height");
        const [pair, ...stages] = [card.querySelector(".pair"), ...card.querySelectorAll(".stage")];
        const isWhole = Math.abs(box(pair).width - box(card).width) < 1
          && Math.abs(box(stages[0]).height - box(stages[1]).height) < 1;
        return stages.filter((stage) => {
          const frame = box(stage);
          return !isWhole || ![...stage.querySelectorAll(".picture > *")].every((each) => {
            const picture = box(each);
            return getComputedStyle(each).display === "none" || picture.left < frame.left + 1.5
              && picture.right > frame.right - 1.5 && picture.top < frame.top + 1.5
              && picture.bottom > frame.bottom - 1.5
              && Math.abs(picture.width / picture.height / shape - 1) < .02;
          });
        }).map((stage) => card.textContent.trim().slice(0, 20) + stage.className);
      }).join()
      """)
  }
}
