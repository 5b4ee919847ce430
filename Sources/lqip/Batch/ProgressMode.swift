/// When a batch tells how far it is.
package enum ProgressMode: String, CaseIterable, Sendable {
  /// On a terminal; elsewhere only if it takes long, or if something failed.
  case auto
  case always
  case never
}
