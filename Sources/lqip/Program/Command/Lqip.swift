import LqipSystem
import LqipRecords

/// The program: selects the command, prints its errors and sets the exit status.
@main
@MainActor
enum Lqip {
  nonisolated static let commands: [any Command.Type] = [
    EncodeCommand.self, ExportCommand.self, DecodeCommand.self, GalleryCommand.self,
    CSSCommand.self, TinyHeaderCommand.self,
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
      StandardError.print("\(UsageError.missingCommand)\n\(HelpText.text(for: outlines, .short))")
      return .usage
    }
    if let command = commands.first(where: { $0.text.name == first }) {
      return run(command, arguments.dropFirst())
    }
    switch first {
    case "-h": return print(HelpText.text(for: outlines, .short))
    case "--help": return print(HelpText.text(for: outlines))
    case "help":
      guard let name = arguments.dropFirst().first else {
        return print(HelpText.text(for: outlines))
      }
      return run([name, CommandArgument("--help")])
    case "--version", "version": return print(VersionText.text)
    case _ where first.hasPrefix("-"):
      let advice = CommandAdvice.advice(onOption: first, among: outlines)
      return report(.usage("\(UsageError.unknownOption(first, advice))"))
    default:
      let advice = CommandAdvice.advice(onCommand: first, among: outlines)
      return report(.usage("\(UsageError.unknownCommand(first, advice))"))
    }
  }

  private static var outlines: [CommandOutline] { CommandOutline.all }

  private static func run<Chosen: Command>(
    _ command: Chosen.Type, _ arguments: ArraySlice<CommandArgument>
  ) -> ExitStatus {
    let request: CommandParser<Chosen>.Request
    do {
      request = try CommandParser<Chosen>.parse(arguments, environment: Environment.value)
    } catch {
      return report(.usage("\(error)"), in: command)
    }
    switch request {
    case .help(let form): return print(HelpText.text(for: CommandOutline(command), form))
    case .version: return print(VersionText.text)
    case .run(let command):
      do {
        return try command.run()
      } catch {
        return report(error, in: Chosen.self)
      }
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
    switch error {
    case .usage(let message):
      let name = command.map { " \($0.text.name)" } ?? ""
      StandardError.print("\(message)\nTry 'lqip\(name) --help'.")
      return .usage
    case .failed(let message):
      StandardError.print(message)
      return .failure
    case .input(let message):
      StandardError.print(message)
      return .input
    case .output(let message):
      StandardError.print(message)
      return .output
    case .outputClosed:
      return .outputClosed
    }
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
