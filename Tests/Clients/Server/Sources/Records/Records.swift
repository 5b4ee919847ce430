/// Describes something on a line.
public func line(for value: some CustomStringConvertible) -> String {
  value.description
}
