import Foundation
import PlaceholdersTestSupport

/// The language of Eleventy's `.njk` files, where scripts/test-tools has put it.
enum Nunjucks {
  /// Its modules that a browser needs.
  private static let names = [
    "a-sync-waterfall", "compiler", "environment", "express-app", "filters", "globals", "lexer",
    "lib", "nodes", "object", "parser", "runtime", "tests", "transformer",
  ]

  static let isInstalled = (try? script()) != nil

  /// A script that defines `nunjucks`: the modules as they are, with nothing behind what Node.js alone has.
  static func script() throws -> String {
    let modules = try names.map { name in
      let text = try Frameworks.script("nunjucks/\(name).js")
      return "\"\(name)\": function (module, exports, require) {\n\(text)\n}"
    }
    return """
      window.nunjucks = (() => {
        const sources = { \(modules.joined(separator: ",\n")) };
        const modules = {
          asap: { exports: queueMicrotask }, events: { exports: function () {} },
          loaders: { exports: {} }, path: { exports: {} },
        };
        const require = (path) => {
          const name = path.replace("./", "");
          if (!modules[name]) {
            modules[name] = { exports: {} };
            sources[name](modules[name], modules[name].exports, require);
          }
          return modules[name].exports;
        };
        return require("environment");
      })();
      """
  }
}
