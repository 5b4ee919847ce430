import Foundation

/// The template language of Eleventy's `.njk` files, installed by scripts/test-tools.
enum Nunjucks {
  /// The modules that a browser needs.
  private static let names = [
    "a-sync-waterfall", "compiler", "environment", "express-app", "filters", "globals", "lexer",
    "lib", "nodes", "object", "parser", "runtime", "tests", "transformer",
  ]

  static let isInstalled = (try? script()) != nil

  /// Returns a script that defines `nunjucks`, with stubs for modules that need Node.js.
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
