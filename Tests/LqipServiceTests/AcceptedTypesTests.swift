import PlaceholdersTestSupport
import Testing

@testable import LqipRecords
@testable import LqipService

@Suite struct AcceptedTypesTests {
  private func preferred(_ values: String...) -> String? {
    let head = RequestHead(
      method: "GET", path: "/", query: [], fields: values.map { ("accept", $0) }, id: "test")
    return AcceptedTypes(of: head).preferred(among: ["application/json", "text/plain"])
  }

  @Test func `who says nothing takes anything`() {
    #expect(preferred() == "application/json")
    #expect(preferred("") == "application/json")
    #expect(preferred(" , ") == "application/json")
  }

  @Test(arguments: [
    "*/*", "application/json", "application/*", "APPLICATION/JSON",
    "application/json;charset=utf-8",
    "text/html, */*", "text/plain, application/json", "text/plain;q=0.9, application/json",
    "text/plain;q=0.5,*/*", "text/plain;q=0, */*", "*/*;q=0.001", "text/*;q=0.3, */*;q=0.4",
    "application/json;q=0.5, text/plain;q=0.5", "application/json ; q=1.000",
  ])
  func `json is preferred`(field: String) {
    #expect(preferred(field) == "application/json")
  }

  @Test(arguments: [
    "text/plain", "text/*", "text/plain, */*;q=0.1", "application/json;q=0.2, text/plain;q=0.3",
    "application/json;q=0, */*", "text/plain;format=flowed", "Text/Plain;Q=0.7",
    "*/*;q=0.5, application/json;q=0.1",
    "application/*;q=0.9, application/json;q=0.1, text/*;q=0.2",
  ])
  func `text is preferred`(field: String) {
    #expect(preferred(field) == "text/plain")
  }

  @Test(arguments: [
    "image/png", "*/*;q=0", "text/html", "application/json;q=0", "nonsense", "*/json", "/", "text/",
    "application/json;q=2", "application/json;q=x", "application/json;q=-1",
    "application/json;q=nan",
  ])
  func `there is nothing to take`(field: String) {
    #expect(preferred(field) == nil)
  }

  @Test func `several lines are one list`() {
    #expect(preferred("application/json;q=0.1", "text/plain") == "text/plain")
  }
}
