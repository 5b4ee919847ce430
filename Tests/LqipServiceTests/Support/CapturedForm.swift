import Testing

/// A form captured from a client: a field `note` and two files, `a"b ü.jpg` and `c\d.png`.
struct CapturedForm: Sendable, CustomTestStringConvertible {
  let client: String
  let type: String
  let body: String

  var testDescription: String { client }

  /// The captured forms of all clients.
  static let all = [
    CapturedForm(
      client: "curl 7.88",
      type: "multipart/form-data; boundary=------------------------a3715c2f32dce1e7",
      body: "--------------------------a3715c2f32dce1e7\r\n"
        + "Content-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n"
        + "--------------------------a3715c2f32dce1e7\r\n"
        + "Content-Disposition: form-data; name=\"file\"; filename=\"a%22b ü.jpg\"\r\n"
        + "Content-Type: image/jpeg\r\n\r\n\u{1}\u{2}\r\n--\u{3}\r\n"
        + "--------------------------a3715c2f32dce1e7\r\n"
        + "Content-Disposition: form-data; name=\"file\"; filename=\"c\\d.png\"\r\n"
        + "Content-Type: image/png\r\n\r\n\u{4}\r\n"
        + "--------------------------a3715c2f32dce1e7--\r\n"),
    CapturedForm(
      client: "curl 7.88 --form-escape",
      type: "multipart/form-data; boundary=------------------------6f178461210db803",
      body: "--------------------------6f178461210db803\r\n"
        + "Content-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n"
        + "--------------------------6f178461210db803\r\n"
        + "Content-Disposition: form-data; name=\"file\"; filename=\"a\\\"b ü.jpg\"\r\n"
        + "Content-Type: image/jpeg\r\n\r\n\u{1}\u{2}\r\n--\u{3}\r\n"
        + "--------------------------6f178461210db803\r\n"
        + "Content-Disposition: form-data; name=\"file\"; filename=\"c\\\\d.png\"\r\n"
        + "Content-Type: image/png\r\n\r\n\u{4}\r\n"
        + "--------------------------6f178461210db803--\r\n"),
    CapturedForm(
      client: "requests", type: "multipart/form-data; boundary=5a15f42b2a7991f7cd86322424f05537",
      body: "--5a15f42b2a7991f7cd86322424f05537\r\n"
        + "Content-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n"
        + "--5a15f42b2a7991f7cd86322424f05537\r\n"
        + "Content-Disposition: form-data; name=\"file\"; filename=\"a%22b ü.jpg\"\r\n"
        + "Content-Type: image/jpeg\r\n\r\n\u{1}\u{2}\r\n--\u{3}\r\n"
        + "--5a15f42b2a7991f7cd86322424f05537\r\n"
        + "Content-Disposition: form-data; name=\"file\"; filename=\"c\\d.png\"\r\n"
        + "Content-Type: image/png\r\n\r\n\u{4}\r\n--5a15f42b2a7991f7cd86322424f05537--\r\n"),
    CapturedForm(
      client: "httpx", type: "multipart/form-data; boundary=2c0f589d6d0eb5c188cc97b8be42d5f6",
      body: "--2c0f589d6d0eb5c188cc97b8be42d5f6\r\n"
        + "Content-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n"
        + "--2c0f589d6d0eb5c188cc97b8be42d5f6\r\n"
        + "Content-Disposition: form-data; name=\"file\"; filename=\"a%22b ü.jpg\"\r\n"
        + "Content-Type: image/jpeg\r\n\r\n\u{1}\u{2}\r\n--\u{3}\r\n"
        + "--2c0f589d6d0eb5c188cc97b8be42d5f6\r\n"
        + "Content-Disposition: form-data; name=\"file\"; filename=\"c\\\\d.png\"\r\n"
        + "Content-Type: image/png\r\n\r\n\u{4}\r\n--2c0f589d6d0eb5c188cc97b8be42d5f6--\r\n"),
    CapturedForm(
      client: "aiohttp", type: "multipart/form-data; boundary=e4467f96b0384a33acaab075d7432459",
      body: "--e4467f96b0384a33acaab075d7432459\r\nContent-Type: text/plain; charset=utf-8\r\n"
        + "Content-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n"
        + "--e4467f96b0384a33acaab075d7432459\r\nContent-Type: image/jpeg\r\n"
        + "Content-Disposition: form-data; name=\"file\"; filename=\"a%22b%20%C3%BC.jpg\"\r\n\r\n"
        + "\u{1}\u{2}\r\n--\u{3}\r\n--e4467f96b0384a33acaab075d7432459\r\n"
        + "Content-Type: image/png\r\n"
        + "Content-Disposition: form-data; name=\"file\"; filename=\"c%5Cd.png\"\r\n\r\n\u{4}\r\n"
        + "--e4467f96b0384a33acaab075d7432459--\r\n"),
    CapturedForm(
      client: "aiohttp, quote_fields=False",
      type: "multipart/form-data; boundary=7f3ba1a36b2b4d3d9eddfd10aee7df3b",
      body: "--7f3ba1a36b2b4d3d9eddfd10aee7df3b\r\nContent-Type: text/plain; charset=utf-8\r\n"
        + "Content-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n"
        + "--7f3ba1a36b2b4d3d9eddfd10aee7df3b\r\nContent-Type: image/jpeg\r\n"
        + "Content-Disposition: form-data; name=\"file\"; filename=\"a\\\"b ü.jpg\"\r\n\r\n"
        + "\u{1}\u{2}\r\n--\u{3}\r\n--7f3ba1a36b2b4d3d9eddfd10aee7df3b\r\n"
        + "Content-Type: image/png\r\n"
        + "Content-Disposition: form-data; name=\"file\"; filename=\"c\\\\d.png\"\r\n\r\n"
        + "\u{4}\r\n--7f3ba1a36b2b4d3d9eddfd10aee7df3b--\r\n"),
    CapturedForm(
      client: "Node 20", type: "multipart/form-data; boundary=----formdata-undici-007938815742",
      body: "------formdata-undici-007938815742\r\n"
        + "Content-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n"
        + "------formdata-undici-007938815742\r\n"
        + "Content-Disposition: form-data; name=\"file\"; filename=\"a%22b ü.jpg\"\r\n"
        + "Content-Type: image/jpeg\r\n\r\n\u{1}\u{2}\r\n--\u{3}\r\n"
        + "------formdata-undici-007938815742\r\n"
        + "Content-Disposition: form-data; name=\"file\"; filename=\"c\\d.png\"\r\n"
        + "Content-Type: image/png\r\n\r\n\u{4}\r\n------formdata-undici-007938815742--\r\n"),
    CapturedForm(
      client: "Chromium",
      type: "multipart/form-data; boundary=----WebKitFormBoundaryIg4uvxLKsAj0SXGg",
      body: "------WebKitFormBoundaryIg4uvxLKsAj0SXGg\r\n"
        + "Content-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n"
        + "------WebKitFormBoundaryIg4uvxLKsAj0SXGg\r\n"
        + "Content-Disposition: form-data; name=\"file\"; filename=\"a%22b ü.jpg\"\r\n"
        + "Content-Type: image/jpeg\r\n\r\n\u{1}\u{2}\r\n--\u{3}\r\n"
        + "------WebKitFormBoundaryIg4uvxLKsAj0SXGg\r\n"
        + "Content-Disposition: form-data; name=\"file\"; filename=\"c\\d.png\"\r\n"
        + "Content-Type: image/png\r\n\r\n\u{4}\r\n------WebKitFormBoundaryIg4uvxLKsAj0SXGg--\r\n"),
    CapturedForm(
      client: "Firefox ESR",
      type: "multipart/form-data; boundary=----geckoformboundary263e50027c751c67a4251f07e2e21606",
      body: "------geckoformboundary263e50027c751c67a4251f07e2e21606\r\n"
        + "Content-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n"
        + "------geckoformboundary263e50027c751c67a4251f07e2e21606\r\n"
        + "Content-Disposition: form-data; name=\"file\"; filename=\"a%22b ü.jpg\"\r\n"
        + "Content-Type: image/jpeg\r\n\r\n\u{1}\u{2}\r\n--\u{3}\r\n"
        + "------geckoformboundary263e50027c751c67a4251f07e2e21606\r\n"
        + "Content-Disposition: form-data; name=\"file\"; filename=\"c\\d.png\"\r\n"
        + "Content-Type: image/png\r\n\r\n\u{4}\r\n"
        + "------geckoformboundary263e50027c751c67a4251f07e2e21606--\r\n"),
  ]
}
