/// The style and script that the server's page and the gallery share.
package enum PageStyle {
  /// The rules that come before those of a page.
  package static let base = PackageResources.base_css
  /// Holding a picture to see its placeholder, and copying.
  package static let script = PackageResources.picture_js
}
