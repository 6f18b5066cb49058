#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The responses on the disk: a file for each, in a folder for each login. It keeps the last response of a request, whatever `Vary`
/// says.
///
///     FOLDER/1/marks          what makes files out of date (CacheMarks)
///     FOLDER/1/LOGIN/REQUEST  a response (CacheRecord)
///
/// Nothing is kept in memory of the files, so a start takes no time, and processes can share the folder. Each method works for the time
/// of a few system calls on the thread of its caller.
final class CacheFiles: Sendable {
    let folder: HTTPCacheFolder
    /// With the version of the form: another version has a folder of its own.
    let root: String
    let marks: CacheMarks
    /// The milliseconds since 1970.
    let date: @Sendable () -> Int64
    let eviction: CacheEviction
    let logins = LockedState { CacheLogins() }
    private let isPrepared = LockedState { false }

    /// A date that is so much earlier than one before shows that the clock was set back, in milliseconds. Clocks are corrected by
    /// less all the time.
    private static let tolerance: Int64 = 10_000

    init(
        _ folder: HTTPCacheFolder, date: @escaping @Sendable () -> Int64,
        start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.folder = folder
        self.date = date
        root = folder.path + "/1"
        marks = CacheMarks(path: folder.path + "/1/marks", willChange: folder.willChange)
        eviction = CacheEviction(
            root: folder.path + "/1", limit: folder.maximumSize, willChange: folder.willChange, start: start)
    }

    convenience init(_ folder: HTTPCacheFolder, _ environment: DispatcherEnvironment) {
        self.init(
            folder, date: { Int64(environment.wallTime().timeIntervalSince1970 * 1_000) },
            start: { work in _ = environment.startDetached { work() } })
    }

    // MARK: Reading

    /// The stored response that a request selects, on the clock of this process. A file that is damaged or out of date is removed.
    func response(_ lookup: CacheLookup, at now: Duration) -> StoredResponse? {
        guard let place = lookup.place, prepare() else { return nil }
        let file = file(of: lookup.key, place)
        guard let bytes = file.read(limit: largest) else { return nil }
        guard let current = currentMarks(lookup.key) else { return nil }
        let date = date()
        let record = CacheRecord(
            bytes, folder.seal, rule: place.rule, received: { now - .milliseconds(max(0, date - $0)) })
        // One that comes from the future has an age that cannot be told.
        guard let record, record.received <= date + Self.tolerance else {
            file.remove()
            return nil
        }
        guard record.belongs(to: lookup.key, login: place.login) else { return nil }
        guard record.marks == current else {
            file.remove()
            return nil
        }
        guard record.response.selection.matches(lookup.headers) else { return nil }
        file.touch()
        return record.response
    }

    /// Notes a use of a response that memory has, too.
    func touch(_ lookup: CacheLookup) {
        if let place = lookup.place { file(of: lookup.key, place).touch() }
    }

    /// The marks of a request that is sent now; nil if its response cannot be kept on the disk.
    func currentMarks(_ key: CacheKey) -> CacheMarks.Snapshot? {
        guard prepare(), let (found, latest) = marks.snapshot(target: key.target, endpoint: key.endpoint) else {
            return nil
        }
        let date = date()
        // The date was set back since responses were stored. Their ages cannot be told any more, not even as a minimum.
        if date + Self.tolerance < latest {
            removeAll()
            return marks.snapshot(target: key.target, endpoint: key.endpoint)?.marks
        }
        return found
    }

    // MARK: Writing

    /// Keeps a response in place of the one before. If it cannot be kept, there is none.
    ///
    /// - Parameter marks: those of the time at which the request was sent.
    func keep(_ response: StoredResponse, _ lookup: CacheLookup, _ marks: CacheMarks.Snapshot?) {
        guard let place = lookup.place else { return }
        guard let marks, prepare(), mayKeep(response, lookup, place) else { return remove(lookup) }
        let date = date()
        let record = CacheRecord(response, of: lookup.key, login: place.login, marks: marks, received: date)
        guard let bytes = record.bytes(folder.seal), bytes.count <= largest else { return remove(lookup) }
        let name = Self.name(ofLogin: place.login)
        _ = logins.withLock { $0.live.insert(name).inserted }
        if mkdir("\(root)/\(name)", 0o700) != 0, errno == ENOENT {
            // The system has emptied the folder.
            isPrepared.withLock { $0 = false }
            guard prepare() else { return }
            mkdir("\(root)/\(name)", 0o700)
        }
        // Before the file: a process that ends between them leaves no file whose date comes after the latest.
        noteDate(date)
        if file(of: lookup.key, place).replace(with: bytes) { eviction.note(bytes.count) }
    }

    /// Whether a response may be on the disk as it is, or sealed.
    private func mayKeep(_ response: StoredResponse, _ lookup: CacheLookup, _ place: CachePlace) -> Bool {
        switch place.rule.storage {
        case .memory: return false
        case .sealed: if folder.seal == nil { return false }
        case .plain: break
        }
        if folder.seal != nil { return true }
        let selected = response.selection.fields.map(\.name)
        return lookup.key.secrets.isEmpty
            && !lookup.headers.fields.contains { $0.isSensitive && selected.contains($0.name.lowercased()) }
            && !response.headers.fields.contains { $0.isSensitive || HTTPHeaders.isEqual($0.name, "Set-Cookie") }
    }

    private func noteDate(_ date: Int64) {
        let isDue = logins.withLock { state in
            guard abs(date - state.noted) >= 1_000 else { return false }
            state.noted = date
            return true
        }
        if isDue { marks.note(latest: date) }
    }

    // MARK: Removing

    func remove(_ lookup: CacheLookup) {
        if let place = lookup.place { file(of: lookup.key, place).remove() }
    }

    /// Makes what a write may have changed out of date.
    func invalidate(targets: [String], endpoints: [String]) {
        guard prepare() else { return }
        if !marks.change(targets + endpoints) { removeAll() }
    }

    /// Removes what belongs to a login.
    func remove(login: String) {
        let name = Self.name(ofLogin: login)
        _ = logins.withLock { $0.live.remove(name) }
        removeFolder(name)
    }

    func removeAll() {
        logins.withLock { $0.noted = 0 }
        _ = marks.removeFile()
        for name in SystemFile.names(in: root) where !name.hasPrefix(".") { removeFolder(name) }
    }

    /// Removes the folders of logins that no session of this process has: of sessions that have ended elsewhere, or that were never
    /// kept.
    func removeOtherLogins() {
        for name in SystemFile.names(in: root) where name.count == 16 {
            if !logins.withLock({ $0.live.contains(name) }) { removeFolder(name) }
        }
    }

    private func removeFolder(_ name: String) {
        let path = "\(root)/\(name)"
        for file in SystemFile.names(in: path) where file != "." && file != ".." {
            folder.willChange()
            unlink("\(path)/\(file)")
        }
        rmdir(path)
    }

    // MARK: Names

    /// No response takes the place of all others.
    private var largest: Int { folder.maximumSize / 8 }

    private func file(of key: CacheKey, _ place: CachePlace) -> CacheFile {
        var hash = StableHash()
        hash.add(key.endpoint)
        hash.add(key.method)
        hash.add(key.target)
        hash.add(key.body ?? [])
        let name = StableHash.digits(hash.value)
        return CacheFile(
            path: "\(root)/\(Self.name(ofLogin: place.login))/\(name)", willChange: folder.willChange)
    }

    /// The folder of a login. Those of all logins have sixteen digits.
    private static func name(ofLogin login: String?) -> String {
        login.map { StableHash.digits(StableHash.of($0)) } ?? "all"
    }

    /// Makes the folder, unless others may write to it.
    private func prepare() -> Bool {
        if isPrepared.withLock({ $0 }) { return true }
        guard (try? PrivateFile(path: marks.path).prepareFolder()) != nil else { return false }
        isPrepared.withLock { $0 = true }
        return true
    }

    // MARK: Logins

    /// Notes a session whose store is to be read.
    func expect(_ session: SessionIdentity) {
        logins.withLock { $0.expect(session) }
    }

    /// Notes the login of a session, once its store was read. When that is so for all sessions, what belongs to other logins is removed.
    func note(login: String?, of session: SessionIdentity) {
        let isComplete = logins.withLock { $0.note(login.map { Self.name(ofLogin: $0) }, of: session) }
        if isComplete { eviction.start { [self] in removeOtherLogins() } }
    }
}

/// The logins that the sessions of this process have.
struct CacheLogins: Sendable {
    /// The names of their folders.
    var live: Set<String> = []
    /// The latest date that was noted.
    var noted: Int64 = 0
    /// The sessions whose stores were not read yet. Kept, so that no later session gets the address of one.
    private var expected: [ObjectIdentifier: SessionIdentity] = [:]

    mutating func expect(_ session: SessionIdentity) { expected[ObjectIdentifier(session)] = session }

    /// - Returns: whether no session is left whose login is not known.
    mutating func note(_ name: String?, of session: SessionIdentity) -> Bool {
        if let name { live.insert(name) }
        return expected.removeValue(forKey: ObjectIdentifier(session)) != nil && expected.isEmpty
    }
}
