-- For wrk: posts a file repeatedly, and prints the numbers of requests, microseconds and failures.
-- Usage: wrk -s post.lua URL -- FILE

function init(arguments)
  local file = assert(io.open(arguments[1], "rb"))
  wrk.method = "POST"
  wrk.body = file:read("*a")
  wrk.headers["Content-Type"] = "application/octet-stream"
  file:close()
end

function done(summary)
  local errors = summary.errors
  local failures = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  print(string.format("counted %d %d %d", summary.requests, summary.duration, failures))
end
