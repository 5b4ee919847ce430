/// Returns the description of a value.
public func line(for value: some CustomStringConvertible) -> String {
  value.description
}
