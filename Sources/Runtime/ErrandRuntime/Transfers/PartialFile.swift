#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file that is being downloaded: beside its destination and under another name, until it is whole. It is removed with its last
/// reference, unless it was put in its place.
package final class PartialFile: DownloadTarget {
    private struct State: Sendable {
        var descriptor: Int32 = -1
        var extent = DownloadExtent()
        /// The checksum that the server states.
        var checksum: FileChecksum?
    }

    private let state = LockedState<State> { State() }
    private let path: String
    private let destination: String
    private let progress: TransferProgress

    /// - Parameter name: what makes the name of the file unlike any other.
    package init(destination: String, name: String, _ progress: TransferProgress) {
        self.destination = destination
        self.progress = progress
        let cut = destination.lastIndex(of: "/").map { destination.index(after: $0) } ?? destination.startIndex
        path = destination[..<cut] + ".errand-\(name).part"
    }

    deinit { discard() }

    package var received: ReceivedPart? { state.withLock { $0.extent.received } }
    var offset: Int { state.withLock { $0.extent.offset } }
    var total: Int? { state.withLock { $0.extent.total } }
    /// Whether all bytes are there, once a response has ended.
    var ending: DownloadExtent.Ending { state.withLock { $0.extent.ending } }

    /// Prepares for the bytes of a response, from the start if the response begins there.
    ///
    /// - Parameter rule: where the response states the checksum of the file; nil if it doesn't have to.
    func begin(
        status: Int, _ headers: HTTPHeaders, limit: Int?, _ rule: ChecksumRule? = nil
    ) throws(DownloadError) {
        let head = try DownloadHead(status: status, headers, after: received, rule)
        if let limit, let total = head.total, total > limit { throw .larger(than: limit) }
        try open()
        try change { state throws(DownloadError) in
            if head.start == 0, ftruncate(state.descriptor, 0) != 0 { throw .last("ftruncate") }
            guard lseek(state.descriptor, off_t(head.start), SEEK_SET) >= 0 else { throw .last("lseek") }
            state.extent.begin(head)
            if head.start == 0 { state.checksum = head.checksum }
            if let total = head.total { try Self.checkRoom(total - head.start, state.descriptor) }
        }
        note()
    }

    /// Writes the next bytes.
    func append(_ chunk: [UInt8], limit: Int?) throws(DownloadError) {
        try change { state throws(DownloadError) in
            var extent = state.extent
            if let problem = extent.take(chunk.count, limit: limit) { throw problem }
            guard SystemFile.writeAll(chunk, to: state.descriptor) else { throw .last("write") }
            state.extent = extent
        }
        note()
    }

    /// Replaces the partial file with a file that was received elsewhere.
    ///
    /// - Throws: `wrongRange` for a 206: the carrier has joined bytes of several responses, and no fact about the earlier ones is
    ///   left that shows that they belong together.
    package func adopt(
        _ file: String, status: Int, _ headers: HTTPHeaders, _ rule: ChecksumRule?
    ) throws(DownloadError) {
        let head = try DownloadHead(status: status, headers, after: nil, rule)
        try change { state throws(DownloadError) in
            guard rename(file, path) == 0 else { throw .last("rename") }
            state.descriptor = reopen(path)
            guard state.descriptor >= 0 else { throw .last("open") }
            var facts = stat()
            guard fstat(state.descriptor, &facts) == 0 else { throw .last("fstat") }
            let size = Int(facts.st_size)
            state.extent.begin(head)
            (state.extent.offset, state.checksum) = (size, head.checksum)
            if let total = head.total, total != size { throw total < size ? .tooLong : .cut(after: size) }
        }
        note()
    }

    /// Puts the whole file in its place, in one step.
    ///
    /// - Parameter checksum: the checksum that the app expects, beside the one that the server states.
    package func finish(_ checksum: FileChecksum?) throws(DownloadError) {
        try change { state throws(DownloadError) in
            var (own, there) = (stat(), stat())
            guard fstat(state.descriptor, &own) == 0 else { throw .last("fstat") }
            guard lstat(path, &there) == 0, own.st_ino == there.st_ino, own.st_dev == there.st_dev,
                Int(own.st_size) == state.extent.offset
            else { throw .fileGone }
            var checksums = [checksum, state.checksum].compactMap { $0.map(RunningChecksum.init) }
            if !checksums.isEmpty { try Self.read(state.descriptor, &checksums) }
            for index in checksums.indices {
                guard checksums[index].isRight() else { throw .wrongDigest }
            }
            guard fsync(state.descriptor) == 0 else { throw .last("fsync") }
            guard rename(path, destination) == 0 else { throw .last("rename") }
            close(state.descriptor)
            state = State()
        }
    }

    /// Removes the partial file. The next response begins at the start.
    func discard() {
        state.withLock { state in
            guard state.descriptor >= 0 else { return }
            close(state.descriptor)
            unlink(path)
            state = State()
        }
    }

    /// Forgets how far it is.
    func restart() { state.withLock { $0.extent = DownloadExtent() } }

    // MARK: Steps

    private func change(
        _ step: @Sendable (inout State) throws(DownloadError) -> Void
    ) throws(DownloadError) {
        let result = state.withLock { state -> Result<Void, DownloadError> in
            do throws(DownloadError) {
                try step(&state)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    private func note() {
        let (offset, total) = state.withLock { ($0.extent.offset, $0.extent.total) }
        progress.note(bytes: offset, total: total)
    }

    private func open() throws(DownloadError) {
        try change { state throws(DownloadError) in
            if state.descriptor >= 0 { return }
            state.descriptor = systemOpen(path)
            guard state.descriptor >= 0 else { throw .last("open") }
        }
    }

    private static func checkRoom(_ needed: Int, _ descriptor: Int32) throws(DownloadError) {
        var facts = statvfs()
        guard fstatvfs(descriptor, &facts) == 0 else { return }
        let (free, isMuch) = UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize))
        if !isMuch, let free = Int(exactly: free), free < needed { throw .noRoom(needed: needed, free: free) }
    }

    /// Reads the whole file.
    private static func read(_ descriptor: Int32, _ checksums: inout [RunningChecksum]) throws(DownloadError) {
        guard lseek(descriptor, 0, SEEK_SET) >= 0 else { throw .last("lseek") }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = systemRead(descriptor, &buffer)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .last("read") }
            if count == 0 { return }
            buffer.withUnsafeBytes { bytes in
                let bytes = UnsafeRawBufferPointer(rebasing: bytes[..<count])
                for index in checksums.indices { checksums[index].update(bytes) }
            }
        }
    }
}

extension DownloadError {
    fileprivate static func last(_ call: String) -> DownloadError { .system(call: call, code: Int(errno)) }
}

private func systemOpen(_ path: String) -> Int32 {
    open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
}

private func reopen(_ path: String) -> Int32 { open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW) }

private func systemRead(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int { read(descriptor, &buffer, buffer.count) }
