#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file of the cache, which only its owner can read. It is written as a draft that takes its place as a whole. Nothing waits for the
/// disk: after a power failure a file may be damaged, which its reader notices, or gone.
struct CacheFile {
    let path: String
    let willChange: @Sendable () -> Void

    /// What the name of a draft has in it.
    static let draftMark = ".new-"

    /// The bytes; nil without a file, or for one that is not this user's or is greater than the limit.
    func read(limit: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_size <= limit
        else { return nil }
        let size = Int(status.st_size)
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
            while count < size {
                let read = readBytes(
                    descriptor, UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                )
                if read < 0, errno == EINTR { continue }
                guard read > 0 else { break }
                count += read
            }
            initialized = count
        }
        return count == size ? bytes : nil
    }

    /// Replaces the file, or makes it.
    ///
    /// - Returns: false if the system refuses, because the disk is full for instance. There is no file then.
    func replace(with bytes: [UInt8]) -> Bool {
        willChange()
        let draft = "\(path)\(Self.draftMark)\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            remove()
            return false
        }
        willChange()
        var isDone = SystemFile.writeAll(bytes, to: descriptor)
        // A full disk may show only here.
        if close(descriptor) != 0 { isDone = false }
        willChange()
        if isDone { isDone = rename(draft, path) == 0 }
        if !isDone {
            unlink(draft)
            remove()
        }
        return isDone
    }

    func remove() {
        willChange()
        unlink(path)
    }

    /// Notes a use: the least recently used files leave first.
    func touch() { utimensat(AT_FDCWD, path, nil, AT_SYMLINK_NOFOLLOW) }
}

private func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}
