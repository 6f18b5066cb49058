#if os(Linux)
import Foundation

/// A process that inherits what this one does not keep from it. It lives until it is ended, and for a minute at most.
final class ChildProcess {
    private let input: UnsafeMutablePointer<FILE>?

    /// - Throws: `POSIXError` if it cannot be started.
    init() throws {
        // The end of its input ends it. That end must not be inherited by others.
        input = popen("exec timeout 60 cat >/dev/null", "we")
        if input == nil { throw POSIXError(.EAGAIN) }
    }

    deinit { if let input { pclose(input) } }
}
#endif
