/// What the pages of the program share of their style.
package enum PageStyle {
  /// The rules that come before those of a page.
  package static let base = PackageResources.base_css
}
