import LqipOptions
import LqipRecords
import LqipSystem

/// The options for updating an earlier output.
struct UpdateOptions: Hashable, Sendable {
  /// The maximum number of records to drop.
  enum DropLimit: Hashable, Sendable {
    case count(Int)
    case percentage(Int)

    /// Parses text such as `100` or `5%`; `nil` if it is malformed or a percentage is above 100.
    init?(_ text: String) {
      guard let number = Int(decimal: text.hasSuffix("%") ? text.dropLast() : text[...]) else {
        return nil
      }
      guard text.hasSuffix("%") else { self = .count(number); return }
      guard number <= 100 else { return nil }
      self = .percentage(number)
    }

    /// Returns whether a number of records may be dropped from an output.
    func allows(_ count: Int, of total: Int) -> Bool {
      switch self {
      case .count(let limit): count <= limit
      case .percentage(let limit): count * 100 <= limit * total
      }
    }
  }

  var isOn = false
  /// Whether to drop records of files that this run did not visit.
  var prunes = false
  var dropLimit = DropLimit.percentage(50)
  /// Whether a file counts as unchanged if only its change time is different.
  var ignoresChangeTime = false

  static let table: [CommandOption<Self>] = [
    .flag(
      "--update", { $0.isOn = true },
      help: "Encode only new or modified files",
      details:
        "FILE must be NDJSON. A record is reused if the settings and the file's size, modification "
        + "time and change time are unchanged. Records for files that this run did not find are "
        + "kept. A record without an error is kept if re-encoding its file fails with a transient error."
    ),
    .flag(
      "--ignore-ctime", { $0.ignoresChangeTime = true },
      help: "Reuse records of files whose change time differs",
      details:
        "Requires --update. 'chmod', 'chown', new and removed hard links and restored backups change the "
        + "change time. With this option, a modification that preserves size and modification time is missed."
    ),
    .flag(
      "--prune", { $0.prunes = true },
      help: "Drop records for missing or unselected files",
      details:
        "Requires --update. With --shard, records for other shards are dropped too. If a directory could "
        + "not be listed, no images were found, or more records than --max-drop allows would be "
        + "dropped, nothing is dropped and the exit status is 4."),
    .value(
      "--max-drop", "N", { $0.dropLimit = $1 },
      OptionValue(allowed: "a number of records, or a percentage such as 5%") {
        DropLimit($0.text)
      },
      help: "Drop at most N records, or N% of them (default: 50%)",
      details: "Requires --prune."),
  ]
}
