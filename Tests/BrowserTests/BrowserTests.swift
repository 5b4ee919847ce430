import Testing

/// Tests that need a browser, run one at a time.
@Suite(
  .serialized, .sharedBrowsers,
  .enabled(if: Chromium.isInstalled, "Chromium is not installed; run scripts/test-tools"))
struct BrowserTests {}
