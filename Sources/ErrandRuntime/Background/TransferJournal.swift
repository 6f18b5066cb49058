#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The folder in which transfers outlast the process: for each a record, the body of its request, and the body of its answer. All
/// files belong to their owner alone (mode 0600). A record is replaced as a whole.
struct TransferJournal: Sendable {
    /// How many transfers it keeps at most.
    static let capacity = 1_000
    /// How many bytes of UTF-8 an id has at most: its file's name is twice as long.
    static let longestID = 100

    let folder: String
    /// Asked before every change, so that a test can end the process at each of them.
    private let mayChange: @Sendable () -> Bool

    init(folder: String, mayChange: @escaping @Sendable () -> Bool = { true }) {
        self.folder = folder
        self.mayChange = mayChange
    }

    /// What the journal says of an id.
    enum Entry: Sendable, Equatable {
        case absent
        case record(TransferRecord)
        /// The file is no record.
        case damaged
        /// The record is of a newer version of the app.
        case newer
        /// The file cannot be read now, because the device is locked for instance.
        case unreadable(SessionStoreProblem)
    }

    func entry(_ id: String) -> Entry {
        do throws(SessionStoreProblem) {
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

    /// Removes what a process has left that ended before it had written a record, or after it had removed one.
    func removeOrphans() {
        for name in names where name.hasSuffix(".body") || name.hasSuffix(".received") {
            let record = name.prefix { $0 != "." } + ".json"
            if access("\(folder)/\(record)", F_OK) != 0 { unlink("\(folder)/\(name)") }
        }
    }

    private var names: [String] {
        guard let entries = opendir(folder) else { return [] }
        defer { closedir(entries) }
        var found: [String] = []
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            found.append(name)
        }
        return found
    }

    func write(_ record: TransferRecord) throws(SessionStoreProblem) {
        try change()
        try file(record.id).prepareFolder()
        guard let bytes = record.keptBytes, bytes.count <= PrivateFile.maximumSize else { throw .unreadable }
        try file(record.id).replace(with: bytes)
    }

    /// Removes all that there is of a transfer, the record first: what is left of the bodies after a crash belongs to none.
    func remove(_ id: String) throws(SessionStoreProblem) {
        try change()
        try file(id).remove()
        unlink(receivedPath(id))
        unlink(bodyPath(id))
    }

    // MARK: Bodies

    func bodyPath(_ id: String) -> String { path(id, "body") }
    func receivedPath(_ id: String) -> String { path(id, "received") }

    /// How many bytes of an answer's body there are; nil where there is no file.
    func receivedSize(_ id: String) -> Int? {
        var status = stat()
        return lstat(receivedPath(id), &status) == 0 ? Int(status.st_size) : nil
    }

    /// Removes what an attempt before has received.
    func removeReceived(_ id: String) throws(SessionStoreProblem) {
        try change()
        unlink(receivedPath(id))
    }

    /// Takes a file that the system has received.
    func receive(_ file: String, as id: String) throws(SessionStoreProblem) {
        try change()
        guard rename(file, receivedPath(id)) == 0 else { throw .last("rename") }
        _ = chmod(receivedPath(id), 0o600)
    }

    /// Adds bytes to a file.
    func append(_ bytes: [UInt8], to path: String) throws(SessionStoreProblem) {
        try change()
        try write(bytes, to: path, O_APPEND)
    }

    /// Makes an empty file.
    func empty(_ path: String) throws(SessionStoreProblem) {
        try change()
        unlink(path)
        try write([], to: path, O_EXCL)
    }

    private func write(_ bytes: [UInt8], to path: String, _ flag: Int32) throws(SessionStoreProblem) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | flag, 0o600)
        guard descriptor >= 0 else { throw .last("open") }
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { writeBytes(descriptor, $0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .last("write") }
            written += count
        }
    }

    // MARK: Names

    private func change() throws(SessionStoreProblem) {
        guard mayChange() else { throw .busy }
    }

    private func file(_ id: String) -> PrivateFile { PrivateFile(path: path(id, "json")) }

    /// Hexadecimal, since some file systems take `a` and `A` for one name.
    private func path(_ id: String, _ type: String) -> String {
        let name = id.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return "\(folder)/\(name).\(type)"
    }

    private static func id(of name: Substring) -> String? {
        guard name.utf8.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        var rest = name
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

private func writeBytes(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
    write(descriptor, buffer.baseAddress, buffer.count)
}
