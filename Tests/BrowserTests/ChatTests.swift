import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

extension BrowserTests {
  /// Tests of the chat in Examples/chat.
  @Suite struct ChatTests {
    /// Writes a history, half of its messages with pictures of five shapes, and returns its path.
    private func history(
      of count: Int = 40, in directory: TemporaryDirectory
    ) throws -> String {
      let names = [
        "size-640x480.png", "jpeg-half-scale-560x520.jpg", "webp-alpha-540x530.webp",
        "gif-animated-two-frames.gif", "size-6400x92-flat-gray.png",
      ]
      let messages: [[Any]] = (0..<count).map { index in
        let file = index.isMultiple(of: 2) ? Fixtures.path(names[index / 2 % 5]) : nil
        return [["Ada", "Ben"][index / 3 % 2], "Message \(index)", file ?? NSNull(), "Picture"]
      }
      return try directory.write(
        "demo.json", Array(JSONSerialization.data(withJSONObject: messages)))
    }

    /// Chooses a picture or none, writes a text, and sends the message.
    private func send(_ text: String, file: String? = nil, from page: any BrowserSession) throws {
      if let file { try page.choose([file], in: "[type=file]") }
      _ = try page.evaluate(
        """
        void (document.querySelector(".message").value = "\(text)", document.querySelector(".alt").value = "Hills",
          document.querySelector("form").requestSubmit())
        """)
    }

    private func wait(for text: String, in page: any BrowserSession) throws {
      try page.wait(
        for: "String(document.querySelector('li:last-child')?.innerText.includes(\"\(text)\"))",
        toBe: "true")
    }

    /// Without sizes, the pictures have the same maximum, and the same page moves.
    @Test(arguments: Browser.installed, [true, false])
    func `late pictures move nothing, unless their sizes are removed`(
      browser: Browser, hasSizes: Bool
    ) throws {
      let service = try RunningServer()
      let directory = TemporaryDirectory()
      let chat = try ChatServer(
        ["--service", service.url, "--demo", try history(in: directory)], in: directory,
        edits: hasSizes
          ? [:]
          : [
            "width: min(var(--width), 70vw); aspect-ratio: var(--shape);": "max-width: 70vw;",
            "width: 100%; height: 100%; object-fit: cover;": "max-width: 100%; max-height: 360px;",
          ])
      let page = try browser.open(chat.url)
      try page.resize(width: 390, height: 844)
      try page.wait(for: "document.querySelectorAll('li').length", toBe: "40")
      // The page scrolls to the bottom after its first layout.
      try page.wait(
        for: """
          (({ scrollHeight, scrollTop, clientHeight }) => String(scrollHeight - scrollTop - clientHeight < 2))(
            document.querySelector("main"))
          """, toBe: "true")
      // Scroll anchoring, which Safari lacks, would hide shifts.
      _ = try page.evaluate(
        """
        (window.shifts = [], window.log = document.querySelector("main"), log.style.overflowAnchor = "none",
        PerformanceObserver.supportedEntryTypes.includes("layout-shift") && new PerformanceObserver(
          (list) => shifts.push(...list.getEntries())).observe({ type: "layout-shift" }),
        log.scrollTop = log.scrollHeight / 2, window.boxes = () => [...document.querySelectorAll("li")].map(
          (each) => [each.offsetTop, each.offsetWidth, each.offsetHeight].join()).join(" "),
        window.reader = [...document.querySelectorAll("li")].find((each) => each.getBoundingClientRect().top > 100),
        window.place = () => reader.getBoundingClientRect().top,
        window.before = [boxes(), place(), log.scrollTop],
        document.querySelectorAll("li img").forEach((image) => { image.loading = "eager"; }), 0)
        """)
      try chat.release()
      try page.wait(
        for:
          "[...document.querySelectorAll('li img')].filter((each) => each.complete && each.naturalWidth).length",
        toBe: "20")
      let result = try page.evaluate(
        """
        new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))).then(() => [
          before[0] == boxes(), Math.abs(place() - before[1]), log.scrollTop == before[2],
          shifts.reduce((sum, { value }) => sum + value, 0),
          shifts.flatMap(({ sources }) => sources.map(({ node }) => node?.className || node?.nodeName)),
        ].join(" "))
        """)
      guard hasSizes else {
        let values = result.split(separator: " ")
        #expect(values[0] == "false" && Double(values[1]) ?? 0 > 200, "\(result)")
        #expect(browser == .firefox || Double(values[3]) ?? 0 >= 0.2, "\(result)")
        return
      }
      #expect(result == "true 0 true 0 ")
      #expect(
        try page.evaluate("String(!!document.querySelector('.covered img:not([data-loaded])'))")
          == "false")
      #expect(page.messages == [])
    }

    @Test(.enabled(if: Axe.script != nil && Browser.installed.count == 2, "run scripts/test-tools"))
    func `two browsers see each other's messages, and what the service refuses`() throws {
      let service = try ServingProgram()
      let directory = TemporaryDirectory()
      let chat = try ChatServer(
        ["--service", "http://127.0.0.1:\(service.port)"], in: directory)
      try chat.release()
      let (chromium, firefox) = try (
        Browser.chromium.open(chat.url), Browser.firefox.open(chat.url)
      )
      for page in [chromium, firefox] { try page.resize(width: 390, height: 844) }
      try send("from Chromium", file: Fixtures.path("orientation-6.jpg"), from: chromium)
      try wait(for: "from Chromium", in: firefox)
      let shape = "getComputedStyle(document.querySelector('.picture')).aspectRatio"
      #expect(try chromium.evaluate(shape) == (try firefox.evaluate(shape)))
      #expect(try firefox.evaluate("document.querySelector('li img').alt") == "Hills")
      #expect(try firefox.evaluate("document.querySelector('.picture').dataset.lqip").count == 9)
      try send("from Firefox", from: firefox)
      try wait(for: "from Firefox", in: chromium)

      let text = try directory.write("hello.jpg", Array("hello".utf8))
      let cut = try directory.write(
        "cut.png", Array(Fixtures.bytes("size-640x480.png").prefix(2000)))
      let heic = Fixtures.path("heic-420.heic")
      for (file, reason) in [
        (text, "not a JPEG, PNG, WebP, GIF, AVIF or HEIC image"), (cut, "truncated PNG"),
        (heic, "not a JPEG, PNG, WebP, GIF or AVIF image"),
      ] {
        try send("refused", file: file, from: chromium)
        try wait(for: "Not sent: \(reason)", in: chromium)
        #expect(
          try chromium.evaluate("document.querySelector('.failed:last-child').innerText").contains(
            "Remove"))
      }

      service.send(signal: SIGKILL)
      _ = service.status()
      try send("without a service", file: Fixtures.path("size-640x480.png"), from: chromium)
      try wait(for: "without a service", in: firefox)
      let last = "document.querySelector('li:last-child .picture')"
      #expect(
        try firefox.evaluate(
          "[\(last).style.getPropertyValue('--shape'), Object.keys(\(last).dataset)].join()")
          == "300 / 225,")
      #expect(try firefox.evaluate("document.querySelectorAll('li').length") == "3")
      for page in [chromium, firefox] {
        for medium in [Medium.screen, .dark] {
          try page.emulate(medium)
          #expect(try page.violations() == "", "\(medium)")
        }
      }
    }

    @Test(arguments: Browser.installed)
    func `an encrypted chat stores no picture, placeholder or text`(browser: Browser) throws {
      let directory = TemporaryDirectory()
      var chat = try ChatServer(["--encrypted"], in: directory)
      try chat.release()
      var page = try browser.open(chat.url)
      try page.wait(for: "String(location.hash.length)", toBe: "44")
      let address = try page.evaluate("location.href")
      // The same worker answers when it has loaded what the page needs without a connection.
      let script = """
        import { encode } from "./lqip/encode.js";
        encode(new ImageData(1, 1), { kinds: ["lqip"] }).then(() => { window.isReady = true; });
        """
      try directory.write("page/ready.js", Array(script.utf8))
      _ = try page.evaluate(
        """
        document.head.append(Object.assign(document.createElement("script"), { type: "module", src: "ready.js" }))
        """)
      try page.wait(for: "!!window.isReady", toBe: "true")
      let port = try #require(URL(string: chat.url)?.port)
      chat.stop()
      try send("A secret", file: Fixtures.path("jpeg-baseline-420.jpg"), from: page)
      try wait(for: "Not sent: no connection", in: page)
      chat = try ChatServer(["--encrypted", "--port=\(port)"], in: directory)
      try chat.release()
      _ = try page.evaluate("document.querySelector('.state button').click()")
      try page.wait(
        for: "/^[0-9]/.test(document.querySelector('.state').textContent)", toBe: "true")

      page = try browser.open(address)
      try page.wait(
        for: "String(document.querySelector('.picture')?.hasAttribute('data-loaded'))", toBe: "true"
      )
      let values = try page.evaluate(
        "[document.querySelector('.picture').dataset.lqip, document.querySelector('.text').textContent].join()"
      ).split(separator: ",").map(String.init)
      try #require(
        values.count == 2 && values[0].count == 9 && values[1] == "A secret", "\(values)")
      let files = try FileManager.default.contentsOfDirectory(atPath: directory.file("files"))
      let stored = try (["sealed.db"] + files.map { "files/\($0)" }).reduce(into: Data()) {
        $0 += try Data(contentsOf: URL(fileURLWithPath: directory.file($1)))
      }
      let file = Data(try Fixtures.bytes("jpeg-baseline-420.jpg"))
      try #require(stored.count > file.count)
      for secret in [
        Data([0xFF, 0xD8, 0xFF]), file.suffix(16), Data(values[0].utf8), Data("secret".utf8),
        Data("Hills".utf8),
      ] {
        #expect(stored.range(of: secret) == nil, "\(secret)")
      }
      page = try browser.open(chat.url + "#" + String(repeating: "A", count: 43))
      try wait(for: "The key in the address does not open this message", in: page)
      #expect(try page.evaluate("document.querySelector('.state').textContent") == "")
      page = try browser.open("\(chat.url)?appended\(address.dropFirst(chat.url.count + 1))&more=1")
      try wait(for: "A secret", in: page)
    }

    @Test(arguments: Browser.installed)
    func `an encrypted chat refuses what is not sealed`(browser: Browser) throws {
      let directory = TemporaryDirectory()
      let chat = try ChatServer(["--encrypted"], in: directory)
      let page = try browser.open(chat.url)
      let found = try page.evaluate(
        """
        (async () => {
          const client = "0".repeat(32);
          const file = fetch(`files/${client}`, { method: "PUT", body: new Blob(["x"], { type: "image/png" }) });
          const type = { "Content-Type": "application/json" };
          const message = (fields) => fetch("messages", {
            method: "POST", headers: type, body: JSON.stringify({ client, sender: "a", name: "b", alt: "", ...fields }) });
          const answers = await Promise.all([file, message({ text: "secret" }), message({ sealed: "a secret" })]);
          const details = await Promise.all(answers.map((answer) => answer.json()));
          // A browser may have kept the other pipeline, which may have the same date.
          const kept = { "If-Modified-Since": "Fri, 01 Jan 2100 00:00:00 GMT" };
          const pipeline = await fetch("pipeline.js", { headers: kept });
          return [...details.map(({ detail }) => detail), pipeline.status, await (await fetch("messages")).text()].join("|");
        })()
        """)
      let refusal = "this chat is encrypted: reload the page"
      #expect(found == "\(refusal)|\(refusal)|\(refusal)|200|[]", "\(browser)")
    }

    @Test(arguments: Browser.installed)
    func `the sender of an encrypted picture finds out whether it moves`(browser: Browser) throws {
      let directory = TemporaryDirectory()
      let chat = try ChatServer(["--encrypted"], in: directory)
      let page = try browser.open(chat.url)
      try page.wait(for: "String(location.hash.length)", toBe: "44")
      for name in ["webp-animated.webp", "gif-animated-two-frames.gif", "size-640x480.png"] {
        try send(name, file: Fixtures.path(name), from: page)
        try page.wait(
          for: """
            /^[0-9]/.test(document.querySelector("li:last-child .state")?.textContent)
              && document.querySelector("li:last-child .text")?.textContent == "\(name)"
            """, toBe: "true")
      }
      let script = """
        import { open } from "./pipeline.js";
        const messages = await Promise.all((await (await fetch("messages")).json()).map(open));
        window.moves = messages.map(({ file }) => file.animated).join();
        """
      try directory.write("page/moves.js", Array(script.utf8))
      _ = try page.evaluate(
        """
        document.head.append(Object.assign(document.createElement("script"), { type: "module", src: "moves.js" }))
        """)
      try page.wait(for: "window.moves", toBe: "true,true,false")
    }

    @Test(arguments: Browser.installed)
    func `the history continues after a lost connection`(browser: Browser) throws {
      let directory = TemporaryDirectory()
      let demo = try history(of: 60, in: directory)
      let arguments = ["--service=http://127.0.0.1:1", "--demo=\(demo)"]
      var chat = try ChatServer(arguments, in: directory)
      try chat.release()
      let page = try browser.open(chat.url)
      try page.wait(for: "document.querySelectorAll('li').length", toBe: "50")
      let port = try #require(URL(string: chat.url)?.port)
      chat.stop()
      let failure = """
        new Promise((resolve) => {
          addEventListener("unhandledrejection", () => resolve("failed"), { once: true });
          document.querySelector("main").scrollTop = 500;
        })
        """
      #expect(try page.evaluate(failure) == "failed")
      chat = try ChatServer(arguments + ["--port=\(port)"], in: directory)
      try chat.release()
      _ = try page.evaluate("document.querySelector('main').scrollTop = 400")
      try page.wait(for: "document.querySelectorAll('li').length", toBe: "60")
    }

    @Test(arguments: Browser.installed)
    func `a picture above the limit is refused without an upload`(browser: Browser) throws {
      let directory = TemporaryDirectory()
      let chat = try ChatServer(["--service=http://127.0.0.1:1"], in: directory)
      let page = try browser.open(chat.url)
      let file = try directory.write("large.png", [UInt8](repeating: 0, count: (20 << 20) + 1))
      try send("large", file: file, from: page)
      try wait(for: "Not sent: larger than 20 MiB", in: page)
    }

    @Test func `malformed requests are answered`() throws {
      let directory = TemporaryDirectory()
      let chat = try ChatServer(["--service=http://127.0.0.1:1"], in: directory)
      let port = try #require(URL(string: chat.url)?.port.map { UInt16($0) })
      let file = "/files/" + String(repeating: "a", count: 32)
      func post(_ body: String) -> String {
        "POST /messages HTTP/1.1\r\nContent-Type: application/json; charset=utf-8\r\n"
          + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
      }
      func get(_ path: String, method: String = "GET") -> String {
        "\(method) \(path) HTTP/1.1\r\nConnection: close\r\n\r\n"
      }
      let id = String(repeating: "b", count: 32)
      let message = #"{"client":"\#(id)","sender":"","name":"","text":"","alt":""}"#
      let cases: [(String, Int)] = [
        (get("/messages?before=x"), 400), (get("/events?after=x"), 400), (get("http://[/"), 404),
        (get("/chat.py"), 404), (get("/README.md"), 404), (get("/lqip/../chat.db"), 404),
        (get("/messages", method: "HEAD"), 200), (get("/", method: "HEAD"), 200),
        (get(file, method: "HEAD"), 404), (get("/"), 200), (post(message), 200), (post("[]"), 400),
        (post(String(repeating: "[", count: 30000)), 400),
        ("PUT \(file) HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
        (
          "PUT \(file) HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nGET / HTTP/1.1\r\n\r\n", 400
        ),
      ]
      for (request, status) in cases {
        let client = try RawClient(port: port)
        client.send(request)
        let response = try client.response(hasBody: !request.hasPrefix("HEAD"))
        #expect(response.status == status, "\(request.prefix(80))")
        #expect(response.fields["cache-control"] == "no-cache", "\(request.prefix(80))")
        #expect(try client.rest() == [], "\(request.prefix(80))")
      }
    }
  }
}
