import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipSystem
@testable import LqipRecords
@testable import lqip

@Suite struct ServeCommandEnvironmentTests {
  @Test func `an unknown LQIP_ variable is reported`() {
    #expect(
      ServeCommand.warnings(of: ["PATH", "LQIP_X", "LQIP_NOAUTH", "XLQIP_NOAUTH", "lqip_noauth"])
        == [
          "unknown environment variable LQIP_NOAUTH (did you mean LQIP_NO_AUTH?)",
          "unknown environment variable LQIP_X",
        ])
  }

  @Test func `the variables of options are not reported`() {
    #expect(ServeCommand.warnings(of: ServeCommand.table.map(\.text.variable)).isEmpty)
    #expect(ServeCommand.table.map(\.text.variable).contains("LQIP_MAX_CONNECTIONS"))
  }

  @Test(arguments: [
    "LQIP_OPTIONS", "LQIP_SERVICE_HOST", "LQIP_SERVICE_PORT", "LQIP_SERVICE_PORT_HTTP", "LQIP_PORT",
    "LQIP_PORT_8080_TCP", "LQIP_PORT_8080_TCP_ADDR", "LQIP_WEB_SERVICE_HOST", "LQIP_WEB_PORT",
  ])
  func `the variables of the systemd unit and Kubernetes are not reported`(name: String) {
    #expect(ServeCommand.warnings(of: [name]).isEmpty)
  }

  @Test func `lqip serve reports unknown variables at startup`() throws {
    #expect(Environment.names.contains("PATH"))
    let run = try Program(
      ["serve", "--listen", "0.0.0.0:0"], environment: ["LQIP_NOAUTH": "true"])
    #expect(
      run.errors.hasPrefix(
        "lqip: unknown environment variable LQIP_NOAUTH (did you mean LQIP_NO_AUTH?)\n"))
  }
}
