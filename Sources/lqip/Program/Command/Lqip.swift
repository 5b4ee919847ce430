import LqipOptions
import LqipRecords
import LqipSystem

/// The program: selects the command, prints its errors and sets the exit status.
@main
enum Lqip {
  nonisolated static let commands: [any Command.Type] = [
    EncodeCommand.self, ExportCommand.self, DecodeCommand.self, GalleryCommand.self,
    HTMLCommand.self, CSSCommand.self, TinyHeaderCommand.self,
    ServeCommand.self, HealthcheckCommand.self, CompletionsCommand.self, ManCommand.self,
  ]

  static func main() {
    // A write to a closed pipe or beyond the file size limit then fails instead of killing the process.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    reserveStandardDescriptors()
    Memory.keepFreedBuffers()
    exit(run(CommandArgument.all[...]).rawValue)
  }

  private static func run(_ arguments: ArraySlice<CommandArgument>) -> ExitStatus {
    guard let first = arguments.first?.text else {
      StandardError.print("no command given\n\(HelpText.text(for: CommandText.all))")
      return .usage
    }
    if let command = commands.first(where: { $0.text.name == first }) {
      return run(command, arguments.dropFirst())
    }
    if first == WorkerSettings.command {
      ImageTask.runZygote(arguments.dropFirst().map(\.text))
    }
    switch first {
    case "-h", "--help", "help":
      guard let command = arguments.dropFirst().first, !command.text.hasPrefix("-") else {
        return print(HelpText.text(for: CommandText.all))
      }
      return run([command, CommandArgument("--help")])
    case "-V", "--version", "version": return print(VersionText.text)
    default: return report(.usage("\(unknownWord(first))"))
    }
  }

  /// Returns the error for a first argument that is not a command.
  private static func unknownWord(_ word: String) -> UsageError {
    if word.hasPrefix("-") {
      return .unknownOption(word, among: OptionText.common.map(\.name))
    }
    let path = FilePath(word)
    if (try? FileStatus(of: path, followsLinks: false)) != nil {
      return .conflict("unknown command '\(path)'; use: lqip encode \(path)")
    }
    let names = (CommandText.all + CommandText.questions).map(\.name)
    return .conflict("unknown command '\(word)'\(UsageError.suggestion(for: word, among: names))")
  }

  private static func run<Chosen: Command>(
    _ command: Chosen.Type, _ arguments: ArraySlice<CommandArgument>
  ) -> ExitStatus {
    do throws(CommandError) {
      let request = try CommandError.catching({ .usage("\($0)") }) {
        try CommandParser<Chosen>.parse(arguments, environment: Environment.value)
      }
      switch request {
      case .help: return print(HelpText.text(for: CommandText(of: command)))
      case .version: return print(VersionText.text)
      case .run(let command): return try command.run()
      }
    } catch {
      return report(error, in: Chosen.self)
    }
  }

  private static func print(_ text: String) -> ExitStatus {
    do {
      return try OutputFile.print("\(text)\n")
    } catch {
      return report(error)
    }
  }

  private static func report(
    _ error: CommandError, in command: (any Command.Type)? = nil
  ) -> ExitStatus {
    let name = command.map { " \($0.text.name)" } ?? ""
    let (message, status): (String?, ExitStatus) =
      switch error {
      case .usage(let message):
        (
          message + Advice.usage(message, of: command?.text.name ?? "")
            + "\nTry 'lqip\(name) --help'.", .usage
        )
      case .failed(let message): (message, .failure)
      case .input(let message): (message, .input)
      case .output(let message): (message, .output)
      case .outputClosed: (nil, .outputClosed)
      }
    if let message { StandardError.print(message) }
    return status
  }

  /// Opens `/dev/null` for closed standard descriptors, so that no other file gets their numbers.
  ///
  /// Standard input is opened for writing and the outputs for reading, so that using them still fails: closed input
  /// must not look like empty input.
  private static func reserveStandardDescriptors() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) == -1 {
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
