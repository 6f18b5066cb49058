import ContractModel

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Why the system refused a call, in words for a person.
package struct SystemFailure: Error, Hashable, Sendable {
    package let code: Int32

    static func last() -> SystemFailure { SystemFailure(code: errno) }

    /// `permission denied`, `no space left on device`.
    package var text: String {
        let text = String(cString: strerror(code))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}

/// The kind of file at a path.
package enum PathKind: Sendable {
    case file, folder, link, other
}

/// The few calls of the operating system that the tool makes.
///
/// Plain POSIX, because it says exactly why something failed, and because a rename that replaces is atomic there.
package enum SystemCall {
    /// The kind of file at a path, of a link itself instead of its target; `nil` if no file exists.
    package static func kind(of path: String, followingLinks: Bool = true) throws(SystemFailure) -> PathKind? {
        var status = stat()
        let result = followingLinks ? stat(path, &status) : lstat(path, &status)
        guard result == 0 else {
            let failure = SystemFailure.last()
            if failure.code == ENOENT || failure.code == ENOTDIR { return nil }
            throw failure
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        case S_IFLNK: return .link
        default: return .other
        }
    }

    /// Opens a regular file for reading; nothing else is waited for.
    private static func openFile(_ path: String) throws(SystemFailure) -> (descriptor: Int32, size: Int) {
        // A pipe that was put there meanwhile must not be waited for.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .last() }
        var status = stat()
        var code: Int32 = 0
        if fstat(descriptor, &status) != 0 {
            code = errno
        } else if status.st_mode & S_IFMT != S_IFREG {
            code = status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL
        }
        guard code == 0 else {
            close(descriptor)
            throw SystemFailure(code: code)
        }
        return (descriptor, max(0, Int(status.st_size)))
    }

    /// A file's bytes, at most `limit` of them; `nil` if it has more.
    static func read(_ path: String, limit: Int) throws(SystemFailure) -> [UInt8]? {
        let (descriptor, size) = try openFile(path)
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(limit, size) + 1)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = buffer.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw .last()
            }
            if count == 0 { return bytes }
            bytes.append(contentsOf: buffer[..<count])
            if bytes.count > limit { return nil }
        }
    }

    /// Reads a regular file of any size, a chunk at a time.
    static func readChunks(of path: String, _ take: (UnsafeRawBufferPointer) -> Bool) throws(SystemFailure) {
        let descriptor = try openFile(path).descriptor
        defer { close(descriptor) }
        try readChunks(descriptor, take)
    }

    /// Reads standard input to its end, or until `take` says that it needs no more.
    static func readStandardInput(_ take: (UnsafeRawBufferPointer) -> Bool) throws(SystemFailure) {
        try readChunks(STDIN_FILENO, take)
    }

    private static func readChunks(
        _ descriptor: Int32, _ take: (UnsafeRawBufferPointer) -> Bool
    ) throws(SystemFailure) {
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = buffer.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw .last()
            }
            if count == 0 { return }
            let goesOn = buffer.withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            if !goesOn { return }
        }
    }

    /// Writes a new file; it must not be there yet.
    static func create(_ path: String, _ bytes: [UInt8]) throws(SystemFailure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .last() }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                systemWrite(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written)
            }
            if count < 0 {
                if errno == EINTR { continue }
                let failure = SystemFailure.last()
                close(descriptor)
                throw failure
            }
            written += count
        }
        // A full disk may show only here.
        guard close(descriptor) == 0 else { throw .last() }
    }

    /// Puts a file in the place of another, atomically.
    static func replace(_ path: String, by source: String) throws(SystemFailure) {
        guard rename(source, path) == 0 else { throw .last() }
    }

    static func remove(_ path: String) throws(SystemFailure) {
        guard unlink(path) == 0 || errno == ENOENT else { throw .last() }
    }

    static func removeFolderIfEmpty(_ path: String) { _ = rmdir(path) }

    /// Makes a folder and those above it.
    package static func makeFolder(_ path: String) throws(SystemFailure) {
        if path.isEmpty { return }
        if mkdir(path, 0o777) == 0 { return }
        let failure = SystemFailure.last()
        switch failure.code {
        case EEXIST:
            if try kind(of: path) == .folder { return }
            throw SystemFailure(code: ENOTDIR)
        case ENOENT:
            let parent = path.split(separator: "/", omittingEmptySubsequences: true).dropLast().joined(separator: "/")
            try makeFolder((path.hasPrefix("/") ? "/" : "") + parent)
            guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw .last() }
        default: throw failure
        }
    }

    /// The names in a folder, sorted.
    static func names(in path: String) throws(SystemFailure) -> [String] {
        guard let folder = opendir(path) else { throw .last() }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The path from the root, without links in it; `nil` if nothing is there.
    static func fullPath(of path: String) -> String? {
        guard let text = realpath(path, nil) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    /// Whether a path is that of a program that this process may run.
    static func isProgram(_ path: String) -> Bool {
        (try? kind(of: path)) == .file && access(path, X_OK) == 0
    }

    /// Makes a folder the one that relative paths begin at.
    static func enter(_ path: String) throws(SystemFailure) {
        guard chdir(path) == 0 else { throw .last() }
    }

    static var processNumber: Int { Int(getpid()) }

    /// The time since 1970-01-01 00:00 UTC.
    static var secondsSince1970: Int { Int(time(nil)) }
}

/// The exclusive right to write into a folder, which one process has at a time. It ends with the object, and with the process.
final class FolderLock {
    private let descriptor: Int32

    /// Waits until no other process has the right, for at most a minute. Then it throws `EWOULDBLOCK`.
    ///
    /// A file system without locks, or a folder that cannot be opened, does not stop the run. It continues without a lock.
    init(_ folder: String) throws(SystemFailure) {
        descriptor = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard descriptor >= 0 else { return }
        for _ in 0..<6_000 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
            guard errno == EWOULDBLOCK || errno == EINTR else { return }
            _ = poll(nil, 0, 10)
        }
        throw SystemFailure(code: EWOULDBLOCK)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}

extension CalendarDay {
    /// The day on which the tool runs.
    package static var today: CalendarDay { CalendarDay(secondsSince1970: SystemCall.secondsSince1970) }
}
