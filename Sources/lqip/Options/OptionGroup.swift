/// The options under one heading of the help.
package struct OptionGroup<Settings>: Sendable {
  package let title: String
  package let options: [CommandOption<Settings>]

  package init(_ title: String, _ options: [CommandOption<Settings>]) {
    self.title = title
    self.options = options
  }
}
