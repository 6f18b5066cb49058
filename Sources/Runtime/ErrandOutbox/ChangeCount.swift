#if Outbox
import ErrandDurable
import ErrandRuntime
import Foundation

/// How many changes of a store must outlast a crash, in a file beside the database. A database that has fewer has lost some: it was
/// emptied, or its log is missing.
///
/// The file is written after the database, and is not synced. It may be behind the database, and is never ahead of it.
final class ChangeCount: Sendable {
    private static let digits = 19
    private let descriptor: Int32

    init(path: String) throws(OutboxStoreError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw .last("open") }
    }

    deinit { close(descriptor) }

    /// What the file says; 0 if it says nothing.
    var known: Int {
        var bytes = [UInt8](repeating: 0, count: Self.digits)
        guard pread(descriptor, &bytes, bytes.count, 0) == bytes.count else { return 0 }
        return Int(String(decoding: bytes, as: UTF8.self)) ?? 0
    }

    /// Notes a greater count. A count that can't be written only hides a loss.
    func note(_ count: Int) {
        guard count > known else { return }
        let text = "\(count)"
        let bytes = Array((String(repeating: "0", count: Self.digits - text.count) + text + "\n").utf8)
        _ = pwrite(descriptor, bytes, bytes.count, 0)
    }
}
#endif
