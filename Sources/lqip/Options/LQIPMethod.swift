package import PlaceholderEncoding

/// The values of `--lqip`: how three colors are found, or that there are six.
package enum LQIPMethod: String, Sendable, CaseIterable {
  case fitted
  case corners
  case six

  /// How the first three colors are found.
  package var encoding: LQIPEncoding {
    switch self {
    case .fitted, .six: .fitted
    case .corners: .corners
    }
  }
}
