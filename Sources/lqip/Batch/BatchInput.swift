package import LqipFiles
package import LqipOptions

/// What a batch reads and how, as far as its output has to know.
package struct BatchInput: Sendable {
  /// Files and directories that are read, or an archive; `-` is standard input.
  let names: [FilePath]
  /// The settings that make the same of the same image.
  let settings: [String]
  let limits: LimitOptions
  /// Whether what comes are files, which a later run finds again.
  let isOfFiles: Bool
  /// Whether paths come in the order of their bytes, none of them twice.
  let isOrdered: Bool
  /// Whether the same path may come twice.
  let pathsMayRepeat: Bool
  /// Whether paths come from standard input.
  let readsList: Bool
  /// Whether directories and lists without an image are what the user expects.
  let allowsEmpty: Bool

  package init(
    names: [FilePath], settings: [String] = [], limits: LimitOptions = LimitOptions(),
    isOfFiles: Bool = true, isOrdered: Bool = true, pathsMayRepeat: Bool? = nil,
    readsList: Bool = false, allowsEmpty: Bool = false
  ) {
    self.names = names
    self.settings = settings
    self.limits = limits
    self.isOfFiles = isOfFiles
    self.isOrdered = isOrdered
    self.pathsMayRepeat = pathsMayRepeat ?? !isOrdered
    self.readsList = readsList
    self.allowsEmpty = allowsEmpty
  }
}
