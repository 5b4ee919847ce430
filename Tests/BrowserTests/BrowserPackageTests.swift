import Foundation
import LqipTestSupport
import PlaceholderEncoding
import PlaceholdersTestSupport
import Testing

extension BrowserTests {
  /// Tests of the npm package @lqip/browser, in Node.js and in both browsers.
  @Suite struct BrowserPackageTests {
    private let site: RecipeSite

    init() throws {
      site = try RecipeSite()
    }

    /// A place where the package runs; nil is Node.js.
    private static let places: [Browser?] =
      Browser.installed.map(Optional.some) + (Program.hasNode ? [nil] : [])

    /// Returns the result of a function of the modules of the package and of `cases`.
    private func result(of function: String, _ cases: Any, in place: Browser?) throws -> String {
      let text = String(decoding: try JSONSerialization.data(withJSONObject: cases), as: UTF8.self)
      try site.write("cases.json", text)
      let imports = ["blurhash", "thumbhash", "tiny", "lqip", "css", "png", "encode"].map {
        "import * as \($0) from './\(place == nil && $0 == "encode" ? "encode.node" : $0).js';\n"
      }.joined()
      let code = "\(imports)export default \(function);\n"
      guard let place else {
        try site.write("cases.mjs", code)
        let run = try Program(
          [
            "--input-type=module", "--eval",
            """
            import run from "./cases.mjs";
            import { readFileSync } from "node:fs";
            console.log(await run(JSON.parse(readFileSync("cases.json", "utf8"))));
            """,
          ], of: "node", directory: site.directory.path)
        try #require(run.status == 0, "\(run.errors)")
        return run.lines.joined(separator: "\n")
      }
      try site.write("cases.js", code)
      try site.write(
        "start.js",
        """
        import run from "./cases.js";
        window.result = fetch("cases.json").then((response) => response.json()).then(run).catch(String);
        """)
      try site.write("cases.html", "<!doctype html><script type=module src=start.js></script>")
      let session = try place.open(site.url(of: "cases.html"))
      try session.wait(for: "!!window.result", toBe: "true")
      return try session.evaluate("window.result")
    }

    @Test(arguments: places)
    func `decoded pixels differ from the library's by at most 1`(place: Browser?) throws {
      var random = LCG(seed: 56)
      var cases: [[String: String]] = []
      func add(_ kind: String, _ text: String, _ bitmap: RGBABitmap) {
        let pixels = Data(bitmap.pixels).base64EncodedString()
        cases.append(["kind": kind, "text": text, "pixels": pixels])
      }
      for index in 0..<162 {
        let components = BlurHash.ComponentCount(x: index % 9 + 1, y: index / 9 % 9 + 1)
        let hash = BlurHash(
          components: components, quantizedMaximum: Int.random(in: 0...82, using: &random),
          dc: Int.random(in: 0...0xFFFFFF, using: &random),
          ac: (1..<components.x * components.y).map { _ in
            Int.random(in: 0...6858, using: &random)
          })
        add("blurhash", "\(hash)", try hash.bitmap(width: 17, height: 12))
      }
      for index in 0..<80 {
        let noise = RGBABitmap.noise(width: 1 + index % 40, height: 1 + index * 7 % 40)
        var pixels = noise.pixels
        for alpha in stride(from: 3, to: index.isMultiple(of: 2) ? pixels.count : 0, by: 4) {
          pixels[alpha] = UInt8(alpha & 255)
        }
        let grid = try PixelGrid(
          pixels: pixels, width: noise.width, height: noise.height, format: .rgba)
        let hash = ThumbHash(encoding: grid)
        add("thumbhash", "\(hash)", try hash.bitmap(width: 17, height: 12))
      }
      let found = try result(
        of: """
          (cases) => Math.max(...cases.map(({ kind, text, pixels }) => {
            const decoded = { blurhash, thumbhash }[kind].decode(text, 17, 12);
            const bytes = atob(pixels);
            if (decoded.length != bytes.length) return Infinity;
            return Math.max(...decoded.map((sample, index) => Math.abs(sample - bytes.charCodeAt(index))));
          }))
          """, cases, in: place)
      #expect(["0", "1"].contains(found), "\(found)")
    }

    @Test(arguments: places)
    func `an altered string is decoded or throws a RangeError`(place: Browser?) throws {
      let texts = [
        "blurhash LEHV6nWB2yk8pyo0adR*.7kCMdnj", "thumbhash 1QcSHQRnh493V4dIh4eXh1h4kJUI",
        "tiny 6lprFXNm9w9XDN6cQXfp+Q9X", "lqip #47d37520 #36b37520", "css -192900",
      ]
      let found = try result(
        of: """
          (cases) => {
            let [seed, decoded, refused] = [1, 0, 0];
            const random = (count) => (seed = seed * 48271 % 2147483647) % count;
            const characters = [...' !"#$%*+,-.:;=?@[]^_{|}~09AZaz\\n\\u00e9\\u{1f600}/'];
            const show = {
              blurhash: (text) => blurhash.decode(text, 5, 4).length == 80,
              thumbhash: (text) => thumbhash.decode(text, 5, 4).length == 80,
              tiny: (text) => tiny.toDataURL(text).length < 600,
              lqip: (text) => CSS.supports("background", lqip.toCSS(text)),
              css: (text) => CSS.supports("background", css.toCSS(text)),
            };
            globalThis.CSS ??= { supports: (name, text) => text.length > 100 };
            for (let count = 0; count < 20000; count += 1) {
              const [kind, ...rest] = cases[count % cases.length].split(" ");
              const text = [...rest.join(" ")];
              for (let edits = random(3); edits >= 0; edits -= 1) {
                text.splice(random(text.length + 1), random(2), ...random(4) ? [characters[random(characters.length)]] : []);
              }
              try {
                if (!show[kind](text.join(""))) return `${kind} ${text.join("")}`;
                decoded += 1;
              } catch (error) {
                if (!(error instanceof RangeError && error.message.length > 10)) return `${kind} ${text.join("")}: ${error}`;
                refused += 1;
              }
            }
            return decoded > 500 && refused > 5000;
          }
          """, texts, in: place)
      #expect(found == "true")
    }

    @Test(arguments: places)
    func `a value of another type, and a size that is no positive integer, throw a RangeError`(
      place: Browser?
    ) throws {
      let texts = ["LEHV6nWB2yk8pyo0adR*.7kCMdnj", "1QcSHQRnh493V4dIh4eXh1h4kJUI"]
      let found = try result(
        of: """
          ([blur, thumb]) => {
            const values = [null, undefined, true, false, 5.5, {}, [], [blur], [thumb], ["#47d37520"], [5], ""];
            const sizes = [0, -1, 2.5, NaN, Infinity, "4", true, [4], null, undefined];
            const calls = values.flatMap((value) => [
              () => blurhash.decode(value, 4, 3), () => blurhash.averageColor(value),
              () => thumbhash.decode(value, 4, 3), () => thumbhash.aspectRatio(value), () => tiny.toDataURL(value),
              () => lqip.toCSS(value), () => css.toCSS(value), () => png.toDataURL(value, 1, 1),
            ]).concat(sizes.flatMap((size) => [
              () => blurhash.decode(blur, size, 3), () => blurhash.decode(blur, 4, size),
              () => thumbhash.decode(thumb, size, 3), () => thumbhash.decode(thumb, 4, size),
            ]), () => png.toDataURL(new Uint8Array(20), 2.5, 2), () => tiny.toDataURL("null"));
            const outcomes = calls.map((call, index) => {
              try {
                return `${index}: ${call()}`;
              } catch (error) {
                return error instanceof RangeError ? "" : `${index}: ${error}`;
              }
            });
            return outcomes.filter(Boolean).join(" ") || "all";
          }
          """, texts, in: place)
      #expect(found == "all")
    }

    @Test(arguments: places)
    func `strings of the same pixels equal the program's`(place: Browser?) throws {
      let images = TemporaryDirectory()
      let kinds = ["blurhash", "thumbhash", "lqip", "tiny", "css", "average_color"]
      var cases: [String: Any] = [:]
      for index in 0..<120 {
        var bitmap = RGBABitmap.noise(width: 1 + index * 7 % 100, height: 1 + index * 13 % 97)
        if index.isMultiple(of: 3) {
          bitmap = RGBABitmap(width: bitmap.width, height: bitmap.height) { y in
            { x in SIMD3(UInt8(x * 2), UInt8(255 - y * 2), UInt8(index)) }
          }
        }
        try images.write("\(index).png", try bitmap.pngData())
        cases["\(index).png"] =
          [
            "width": bitmap.width, "height": bitmap.height,
            "data": Data(bitmap.pixels).base64EncodedString(),
          ] as [String: Any]
      }
      let run = try Program(
        "encode", images.path, "--relative-to", images.path,
        "--kinds=blurhash,thumbhash,lqip,tiny,css")
      let expected = try run.records.map { record in
        ([record["path"]] + kinds.map { record[$0] }).map { "\($0 ?? "")" }.joined(separator: " ")
      }.sorted().joined(separator: "\n")
      let found = try result(
        of: """
          async (cases) => {
            const lines = [];
            for (const [path, { width, height, data }] of Object.entries(cases)) {
              const pixels = Uint8ClampedArray.from(atob(data), (character) => character.charCodeAt());
              const image = globalThis.ImageData ? new ImageData(pixels, width, height) : { data: pixels, width, height };
              const all = await encode.encode(image, { kinds: \(kinds) });
              const [small] = [await encode.encode(image, { kinds: ["thumbhash"] })];
              if (small.thumbhash != all.thumbhash || "blurhash" in small) return path;
              lines.push([path, ...\(kinds).map((kind) => all[kind])].join(" "));
            }
            return lines.join("\\n");
          }
          """, cases, in: place)
      #expect(found.split(separator: "\n").sorted().joined(separator: "\n") == expected)
    }

    @Test(arguments: Browser.installed)
    func `encode reads files, and reports its errors`(browser: Browser) throws {
      let found = try result(
        of: """
          async ([png]) => {
            const { encode: make } = encode;
            const file = new File([Uint8Array.from(atob(png), (each) => each.charCodeAt())], "a.png");
            const message = (promise) => promise.then(JSON.stringify, ({ name }) => name);
            return Promise.all([
              message(make(file, { kinds: ["average_color"] })), message(make(new Blob(["text"]))),
              message(make(file, { kinds: ["preview"] })), message(createImageBitmap(file).then(make)),
            ]).then((all) => all.join(" "));
          }
          """, [Data(TemporaryDirectory.png).base64EncodedString()], in: browser)
      let hash = "\(BlurHash(encoding: PixelGrid(.flat([0x33, 0x66, 0x99], width: 3, height: 2))))"
      let size = #""width":3,"height":2"#
      #expect(
        found == "{\(size),\"average_color\":\"#336699\"} InvalidStateError RangeError "
          + "{\(size),\"blurhash\":\"\(hash)\"}")
    }

    @Test(arguments: Browser.installed)
    func `encode converts colors, takes pixels, and rejects invalid arguments`(
      browser: Browser
    ) throws {
      let found = try result(
        of: """
          async () => {
            const color = async (image) => (await encode.encode(image, { kinds: ["average_color"] })).average_color;
            const context = new OffscreenCanvas(8, 8).getContext("2d", { colorSpace: "display-p3" });
            context.fillStyle = "color(srgb 0.9 0.2 0.1)";
            context.fillRect(0, 0, 8, 8);
            const wide = context.getImageData(0, 0, 8, 8);
            const deep = context.getImageData(0, 0, 8, 8, { pixelFormat: "rgba-float16" });
            const expected = await color(await createImageBitmap(wide));
            const pixels = (width, height) => ({
              data: Uint8Array.from({ length: width * height * 4 }, (_, index) => [40, 100, 160, 255][index % 4]),
              width, height,
            });
            const isRangeError = (...all) => encode.encode(...all).then(
              () => false, (error) => error instanceof RangeError && error.message.length > 10);
            return [
              await color(wide) == expected, await color(deep) == expected,
              await color(pixels(3, 2)), await color(pixels(700, 600)),
              await isRangeError(pixels(3, 2), { kinds: ["preview"] }),
              await isRangeError(pixels(3, 2), { kinds: "lqip" }),
              await isRangeError({ ...pixels(3, 2), width: 4 }),
              (await encode.encode(pixels(3, 2), null)).blurhash.length,
            ].join();
          }
          """, [Int](), in: browser)
      #expect(found == "true,true,#2864a0,#2864a0,true,true,true,28")
    }

    @Test(arguments: Browser.installed, [true, false])
    func `a policy without 'wasm-unsafe-eval' is an error`(
      browser: Browser, isAllowed: Bool
    ) throws {
      let server = try FileServer(
        site.directory.path,
        policy: "script-src 'self'\(isAllowed ? " 'wasm-unsafe-eval'" : ""); worker-src 'self'")
      try site.write("policy.js", "import { encode } from './encode.js'; window.encode = encode;")
      try site.write("policy.html", "<!doctype html><script type=module src=policy.js></script>")
      let session = try browser.open("\(server.url)/policy.html")
      try session.wait(for: "!!window.encode", toBe: "true")
      let found = try session.evaluate(
        """
        encode(new ImageData(1, 1)).then(({ blurhash }) => blurhash.length, ({ name }) => name)
        """)
      #expect(found == (isAllowed ? "36" : "CompileError"))
    }

    @Test(
      .enabled(
        if: Program.hasNode && Program.has("npm") && Program.has("tsc"), "run scripts/test-tools"))
    func `the packed package works in Node.js and with strict TypeScript`() throws {
      let project = TemporaryDirectory()
      let package = Fixtures.repository.appendingPathComponent(".build/lqip-browser-0.1.0.tgz").path
      try project.write("package.json", Array(#"{ "type": "module" }"#.utf8))
      let code = """
        import { decode } from "@lqip/browser/blurhash";
        import { toCSS as integerToCSS } from "@lqip/browser/css";
        import { encode, type Placeholders } from "@lqip/browser/encode";
        import { toCSS } from "@lqip/browser/lqip";
        import { toDataURL } from "@lqip/browser/png";
        import { thumbHashToRGBA } from "@lqip/browser/thumbhash";
        import { toDataURL as tinyToDataURL } from "@lqip/browser/tiny";

        const data = new Uint8Array(4 * 3 * 4).fill(128);
        const made: Placeholders = await encode(
          { data, width: 4, height: 3 }, { kinds: ["blurhash", "thumbhash", "tiny", "lqip", "css"] });
        const { blurhash = "", thumbhash = "", tiny = "", lqip = "", css = 0 } = made;
        const { w, h, rgba } = thumbHashToRGBA(thumbhash);
        console.log([
          decode(blurhash, 4, 3).length, toDataURL(rgba, w, h).slice(0, 14), tinyToDataURL(tiny).slice(0, 15),
          toCSS(lqip).slice(0, 15), integerToCSS(css).slice(0, 15),
        ].join());

        """
      try project.write("main.ts", Array(code.utf8))
      for (tool, arguments) in [
        ("npm", ["install", "--silent", "--offline", "--no-audit", package]),
        (
          "tsc",
          [
            "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom",
            "main.ts",
          ]
        ),
      ] {
        let run = try Program(arguments, of: tool, directory: project.path)
        try #require(run.status == 0, "\(tool): \(run.lines) \(run.errors)")
      }
      let run = try Program(["main.js"], of: "node", directory: project.path)
      #expect(
        run.lines == ["48,data:image/png,data:image/jpeg,radial-gradient,radial-gradient"],
        "\(run.errors)")
    }
  }
}

extension Program {
  static func has(_ tool: String) -> Bool { Browser.executable(tool) != nil }

  static let hasNode = has("node")
}
