import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

/// A site generator's project with an image, after running a command from Documentation/on-your-page.md.
struct RecipeProject {
  let directory = TemporaryDirectory()
  /// The file that the command wrote.
  let data: String

  /// Runs a recipe in a project.
  ///
  /// - Parameters:
  ///   - name: The name of the recipe, such as `hugo.sh`.
  ///   - site: The site of the recipes.
  ///   - root: The directory whose files the project publishes unchanged.
  ///   - output: The file that the command writes.
  /// - Throws: An error if the command fails.
  init(_ name: String, of site: RecipeSite, root: String, output: String) throws {
    let image = try Fixtures.bytes("jpeg-half-scale-560x520.jpg")
    try directory.write("\(root)images/hero.jpg", image)
    let script = try directory.write(name, Array(site.recipe(name).utf8))
    let folder = Program.executable.deletingLastPathComponent().path
    let run = try Program(
      ["-euo", "pipefail", script], of: "bash", environment: ["PATH": "\(folder):/usr/bin:/bin"],
      directory: directory.path)
    try #require(run.status == 0, "\(run.errors)")
    data = try directory.text(of: output)
  }
}
