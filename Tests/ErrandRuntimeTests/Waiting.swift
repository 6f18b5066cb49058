/// Waits until something is so, or the test is cancelled at its limit of time. It looks each millisecond, and leaves the
/// processor to what it waits for.
func until(_ isSo: () async throws -> Bool, isolation: isolated (any Actor)? = #isolation) async rethrows {
    while try await !isSo(), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) }
}
