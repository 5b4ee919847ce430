/// The figures of the server, in the form that Prometheus reads.
struct MetricsRoute: Route {
  let metrics: Metrics

  let path = "/metrics"
  let isPublic = false

  func respond(to request: Request) -> Response {
    Response(
      status: 200,
      fields: [
        ("content-type", "text/plain; version=0.0.4; charset=utf-8"), ("cache-control", "no-store"),
      ],
      body: Array(metrics.text.utf8))
  }
}
