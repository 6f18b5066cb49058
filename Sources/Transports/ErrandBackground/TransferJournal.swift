import ErrandRuntime

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The folder in which transfers outlast the process. Each transfer has a record, the body of its request, and the body of its
/// response. Only the owner can read the files (mode 0600). A record is replaced as a whole.
struct TransferJournal: Sendable {
    /// The maximum number of transfers in the journal.
    static let capacity = 1_000
    /// The maximum length of an id in bytes of UTF-8. The name of its file is twice as long.
    static let longestID = 100

    let folder: String
    /// Called before every change. A test can end the process at each change.
    private let mayChange: @Sendable () -> Bool

    init(folder: String, mayChange: @escaping @Sendable () -> Bool = { true }) {
        self.folder = folder
        self.mayChange = mayChange
    }

    /// The journal's information about an id.
    enum Entry: Sendable, Equatable {
        case absent
        case record(TransferRecord)
        /// The file isn't a record.
        case damaged
        /// The record is of a newer version of the app.
        case newer
        /// The file can't be read now, for example because the device is locked.
        case unreadable(SessionStoreError)
    }

    func entry(_ id: String) -> Entry {
        do throws(SessionStoreError) {
            guard let bytes = try file(id).read() else { return .absent }
            if let record = TransferRecord(kept: bytes), record.id == id { return .record(record) }
            return TransferRecord.version(of: bytes).map { $0 > TransferRecord.version } ?? false ? .newer : .damaged
        } catch {
            if case .system = error { return .unreadable(error) }
            return .damaged
        }
    }

    /// All ids.
    var ids: [String] { names.compactMap { $0.hasSuffix(".json") ? Self.id(of: $0.dropLast(5)) : nil }.sorted() }

    /// Removes bodies without a record. A process leaves them if it ends before it writes the record, or after it removes the
    /// record.
    func removeOrphans() {
        for name in names where name.hasSuffix(".body") || name.hasSuffix(".received") {
            let record = name.prefix { $0 != "." } + ".json"
            if access("\(folder)/\(record)", F_OK) != 0 { unlink("\(folder)/\(name)") }
        }
    }

    private var names: [String] { SystemFile.names(in: folder) }

    /// Makes the folder if it doesn't exist.
    func prepareFolder() throws(SessionStoreError) { try PrivateFile(path: folder + "/journal").prepareFolder() }

    func write(_ record: TransferRecord) throws(SessionStoreError) {
        try change()
        try prepareFolder()
        guard let bytes = record.keptBytes, bytes.count <= PrivateFile.maximumSize else { throw .unreadable }
        try file(record.id).replace(with: bytes)
    }

    /// Removes a transfer's record, then its bodies. After a crash in between, the bodies have no record and are removed later.
    func remove(_ id: String) throws(SessionStoreError) {
        try change()
        try file(id).remove()
        unlink(receivedPath(id))
        unlink(bodyPath(id))
    }

    // MARK: Bodies

    func bodyPath(_ id: String) -> String { path(id, "body") }
    func receivedPath(_ id: String) -> String { path(id, "received") }

    /// The size of the received response body in bytes; nil without a file.
    func receivedSize(_ id: String) -> Int? {
        var status = stat()
        return lstat(receivedPath(id), &status) == 0 ? Int(status.st_size) : nil
    }

    /// Removes the bytes that an earlier attempt has received.
    func removeReceived(_ id: String) throws(SessionStoreError) {
        try change()
        unlink(receivedPath(id))
    }

    /// Moves a file that the system has received into the journal.
    func receive(_ file: String, as id: String) throws(SessionStoreError) {
        try change()
        guard rename(file, receivedPath(id)) == 0 else { throw .last("rename") }
        _ = chmod(receivedPath(id), 0o600)
    }

    /// Adds bytes to a file.
    func append(_ bytes: [UInt8], to path: String) throws(SessionStoreError) {
        try change()
        try write(bytes, to: path, O_APPEND)
    }

    /// Makes an empty file.
    func empty(_ path: String) throws(SessionStoreError) {
        try change()
        unlink(path)
        try write([], to: path, O_EXCL)
    }

    private func write(_ bytes: [UInt8], to path: String, _ flag: Int32) throws(SessionStoreError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | flag, 0o600)
        guard descriptor >= 0 else { throw .last("open") }
        defer { close(descriptor) }
        guard SystemFile.writeAll(bytes, to: descriptor) else { throw .last("write") }
    }

    // MARK: Names

    private func change() throws(SessionStoreError) {
        guard mayChange() else { throw .busy }
    }

    private func file(_ id: String) -> PrivateFile { PrivateFile(path: path(id, "json")) }

    /// The file of an id. Its name is hexadecimal, because some file systems treat `a` and `A` as the same name.
    private func path(_ id: String, _ type: String) -> String {
        "\(folder)/\(Hexadecimal.encode(id.utf8)).\(type)"
    }

    private static func id(of name: Substring) -> String? {
        Hexadecimal.decode(name).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
