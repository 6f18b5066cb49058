#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What a developer forgot, said once on standard error. Builds for release (without `DEBUG`) say nothing.
///
///     Errand: nothing shows errors. The ErrorPresenter has no place to present …
package enum DeveloperNotice {
    /// Texts that were said, so that each is said once. The number is bounded, because a text may contain the name of a type.
    private static let said = LockedState<Set<String>> { [] }
    private static let maximumCount = 100
    private static let readers = LockedState<[Int: @Sendable (String) -> Void]> { [:] }

    #if DEBUG
    package static let isEnabled = true
    #else
    package static let isEnabled = false
    #endif

    /// Says a text, unless it was said before.
    ///
    /// - Parameter topic: identifies what the text is about.
    package static func say(_ topic: String, _ text: @autoclosure () -> String) {
        guard isEnabled else { return }
        let isNew = said.withLock { $0.count < maximumCount && $0.insert(topic).inserted }
        guard isNew else { return }
        let line = DisplayText.line(text(), limit: PrintedText.limit)
        let taken = readers.withLock { Array($0.values) }
        for reader in taken { reader(line) }
        guard taken.isEmpty else { return }
        let bytes = Array("\n*** Errand: \(line)\n\n".utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// Runs a test that reads the notices instead of standard error, and in which each is said anew.
    package static func collecting<Value>(
        _ read: @escaping @Sendable (String) -> Void, _ body: () async throws -> Value
    ) async rethrows -> Value {
        let id = readers.withLock { readers in
            let id = (readers.keys.max() ?? 0) + 1
            readers[id] = read
            return id
        }
        said.withLock { $0 = [] }
        defer { readers.withLock { $0[id] = nil } }
        return try await body()
    }
}
