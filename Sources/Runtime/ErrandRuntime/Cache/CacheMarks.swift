#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What makes files out of date at once, for all processes: a file with a random mark for each group of targets and of endpoints. A write
/// changes the marks of what it may have changed. A response has the marks of the time at which its request was sent, and counts only
/// while they are the same. So a response to a request from before a write never counts, whichever process stores it, and when.
///
/// A collision of two targets costs a request, and nothing else.
struct CacheMarks: Sendable {
    /// The marks of one response.
    struct Snapshot: Sendable, Equatable {
        let all: UInt64
        let target: UInt64
        let endpoint: UInt64
    }

    let path: String
    let willChange: @Sendable () -> Void

    private static let form: UInt64 = 0x3130_6B72_616D_7265
    private static let groups: UInt64 = 4_096
    /// The form, the latest date, and the mark of all.
    private static let headCount: UInt64 = 3

    // MARK: Reading

    /// The marks of a request, and the latest date that a process has noted, in milliseconds since 1970; nil if there are none, and
    /// the system refuses new ones.
    func snapshot(target: String, endpoint: String) -> (marks: Snapshot, latest: Int64)? {
        for _ in 0..<2 {
            if let found = read(target, endpoint) { return found }
            guard create() else { return nil }
        }
        return nil
    }

    private func read(_ target: String, _ endpoint: String) -> (marks: Snapshot, latest: Int64)? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard let head = Self.words(Int(Self.headCount), of: descriptor, at: 0), head[0] == Self.form,
            let target = Self.words(1, of: descriptor, at: Self.place(target)),
            let endpoint = Self.words(1, of: descriptor, at: Self.place(endpoint))
        else { return nil }
        return (Snapshot(all: head[2], target: target[0], endpoint: endpoint[0]), Int64(bitPattern: head[1]))
    }

    /// The position of the mark of a target or of an endpoint, in words.
    private static func place(_ name: String) -> UInt64 { headCount + StableHash.of(name) % groups }

    private static func words(_ count: Int, of descriptor: Int32, at place: UInt64) -> [UInt64]? {
        var words = [UInt64](repeating: 0, count: count)
        let read = words.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(place * 8)) }
        return read == count * 8 ? words : nil
    }

    // MARK: Changing

    /// Makes what was stored of these targets and endpoints out of date, down to the disk: a power failure must not bring it back.
    ///
    /// - Returns: false if the system refuses. The file is gone then, if it can be removed: no stored response counts without it.
    func change(_ names: [String]) -> Bool {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        // Without the file, nothing that is stored counts.
        guard descriptor >= 0 else { return errno == ENOENT }
        var isDone = true
        for name in names where isDone {
            isDone = write(.random(in: .min ... .max), to: descriptor, at: Self.place(name))
        }
        if isDone { isDone = Self.synchronize(descriptor) }
        close(descriptor)
        return isDone || removeFile()
    }

    private static func synchronize(_ descriptor: Int32) -> Bool {
        #if canImport(Darwin)
        // There `fsync` alone leaves the bytes in the cache of the drive. Not every file system knows better.
        if fcntl(descriptor, F_FULLFSYNC) != -1 { return true }
        #endif
        return fsync(descriptor) == 0
    }

    /// Makes all that is stored out of date.
    func removeFile() -> Bool {
        willChange()
        return unlink(path) == 0 || errno == ENOENT
    }

    /// Notes the date of a process.
    func note(latest: Int64) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return }
        _ = write(UInt64(bitPattern: latest), to: descriptor, at: 1)
        close(descriptor)
    }

    private func write(_ word: UInt64, to descriptor: Int32, at place: UInt64) -> Bool {
        willChange()
        var word = word
        return pwrite(descriptor, &word, 8, off_t(place * 8)) == 8
    }

    /// Makes the file with a new mark of all, so that nothing that is stored counts.
    private func create() -> Bool {
        var words = [UInt64](repeating: 0, count: Int(Self.headCount + Self.groups))
        words[0] = Self.form
        words[2] = .random(in: 1 ... .max)
        return CacheFile(path: path, willChange: willChange).replace(with: words.withUnsafeBytes { Array($0) })
    }
}
