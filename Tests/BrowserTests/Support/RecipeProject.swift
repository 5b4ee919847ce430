import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

/// A directory in which an image lies and the command of Documentation/use-it-on-your-page.md has been run.
struct RecipeProject {
  let directory: TemporaryDirectory
  /// The file that the command has written.
  let data: String

  init(_ profile: String, of site: RecipeSite) throws {
    directory = try TemporaryDirectory()
    let arguments = try site.command(for: profile)
    let (images, output) = try (#require(arguments.dropFirst().first), #require(arguments.last))
    try directory.write("\(images)/hero.jpg", Fixtures.bytes("jpeg-half-scale-560x520.jpg"))
    // A project has the directory of its data.
    _ = try directory.makeDirectory(NSString(string: output).deletingLastPathComponent)
    let run = try Program(arguments, directory: directory.path)
    try #require(run.status == 0, "\(run.errors)")
    data = try directory.text(of: output)
  }

  /// What the file says of the image, as an independent reader sees it.
  var record: [String: Any] {
    get throws {
      let object = try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any]
      return try #require(object?["images/hero.jpg"] as? [String: Any])
    }
  }

  /// The element that a template makes of that.
  var image: String {
    get throws {
      let lqip = try #require(try record["lqip"] as? String)
      try #require(lqip.wholeMatch(of: /#[0-9a-f]{8}/) != nil)
      return """
        <img src="/images/hero.jpg" width="560" height="520" alt="" style="--lqip:\(lqip)">
        """
    }
  }
}
