/// Which pixels of the decoded image a row has: every `step`th one from `firstX` on.
struct RowPlace {
  let y: Int
  var firstX = 0
  var step = 1
  let count: Int
  /// Whether the other pixels of the row are transparent, and come with no other row.
  var isClearElsewhere = false
}
