/// A shell that can be taught to complete command lines.
enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// The script to be read by the shell.
  func script(for commands: [CommandOutline]) -> String {
    switch self {
    case .bash: BashCompletions.script(for: commands)
    case .zsh: ZshCompletions.script(for: commands)
    case .fish: FishCompletions.script(for: commands)
    }
  }
}
