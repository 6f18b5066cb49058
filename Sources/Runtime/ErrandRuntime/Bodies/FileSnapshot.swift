#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file as it was at one moment: by this it is known that it did not change until it was sent.
package struct FileSnapshot: Sendable {
    let path: String
    package let size: Int
    private let facts: Facts

    private struct Facts: Sendable, Hashable {
        var size: Int
        var device: UInt64
        var inode: UInt64
        var seconds: Int
        var nanoseconds: Int
    }

    package init(path: String) throws(BodySourceError) {
        self.path = path
        facts = try OpenFile.withDescriptor(path, Self.facts)
        size = facts.size
    }

    /// Opens the file, which must be the same still.
    package func open() throws(BodySourceError) -> OpenFile {
        let file = OpenFile(try OpenFile.descriptor(of: path), self)
        try file.check()
        return file
    }

    /// Whether an open file is this one, unchanged.
    fileprivate func fits(_ descriptor: Int32) -> Bool { (try? Self.facts(descriptor)) == facts }

    private static func facts(_ descriptor: Int32) throws(BodySourceError) -> Facts {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .unreadableFile }
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        return Facts(
            size: Int(status.st_size), device: UInt64(truncatingIfNeeded: status.st_dev),
            inode: UInt64(truncatingIfNeeded: status.st_ino), seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec))
    }
}

/// A file that is being read. It is closed with its last reference.
package final class OpenFile {
    private let descriptor: Int32
    private let snapshot: FileSnapshot
    private var left: Int

    init(_ descriptor: Int32, _ snapshot: FileSnapshot) {
        self.descriptor = descriptor
        self.snapshot = snapshot
        left = snapshot.size
    }

    deinit { close(descriptor) }

    func check() throws(BodySourceError) {
        guard snapshot.fits(descriptor) else { throw .fileChanged }
    }

    /// The next bytes; nil after the last. The file is compared with its snapshot before each chunk leaves, so that the last one
    /// never does where anything has changed.
    package func read(upTo count: Int) throws(BodySourceError) -> [UInt8]? {
        guard left > 0 else {
            try check()
            return nil
        }
        let wanted = min(count, left)
        var failed = false
        let chunk = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
            while filled < wanted {
                let got = systemRead(descriptor, buffer.baseAddress.map { $0 + filled }, wanted - filled)
                if got < 0, errno == EINTR { continue }
                failed = got < 0
                if got <= 0 { return }
                filled += got
            }
        }
        if failed { throw .unreadableFile }
        guard chunk.count == wanted else { throw .fileChanged }
        try check()
        left -= wanted
        return chunk
    }

    static func descriptor(of path: String) throws(BodySourceError) -> Int32 {
        // A pipe or a device would make the call wait.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadableFile }
        return descriptor
    }

    static func withDescriptor<Value>(
        _ path: String, _ body: (Int32) throws(BodySourceError) -> Value
    ) throws(BodySourceError) -> Value {
        let descriptor = try descriptor(of: path)
        defer { close(descriptor) }
        return try body(descriptor)
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
