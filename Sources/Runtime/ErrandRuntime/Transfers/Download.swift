#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A download to a file, which can continue after an interruption. See ``ServiceClient/download(_:to:)``.
///
/// The bytes are written beside the destination, under another name, and put in its place in one step when all are there. Whatever
/// ends the download, a file at the destination is the old one or the whole new one. Letting go of an unfinished download removes
/// what it has written.
public final class Download<C: Command>: Sendable where C.Response == [UInt8] {
    /// How far it is.
    public let progress = TransferProgress()
    private let binding: ServiceBinding
    private let command: C
    private let destination: URL
    private let part: PartialFile
    private let turns = TurnQueue()
    private let isDone = LockedState { false }
    /// The login in which the first bytes came.
    private let membership = LockedState<CommandEpoch?> { nil }

    package init(_ binding: ServiceBinding, _ command: C, to destination: URL) {
        self.binding = binding
        self.command = command
        self.destination = destination
        let name = JSONText.of(binding.dispatcher.environment.chance.uuid())
        part = PartialFile(destination: destination.path, name: name, progress)
    }

    deinit { progress.finish() }

    /// Downloads the file, or what is missing of it.
    ///
    /// After a failure that may pass, it can be called again: it asks for the rest, where the server has said by a strong validator
    /// that the file is the same still (RFC 9110 sections 13.1.5 and 14.2), and else for all. It belongs to the login in which the
    /// first bytes came. If that login has ended, it fails as `sessionEnded`.
    ///
    /// - Parameters:
    ///   - limit: how many bytes are taken at most; nil for any number.
    ///   - checksum: the checksum that the whole file must have: `.sha256(digest)`, with the module `ErrandDigests`. A checksum
    ///     that the contract names is checked without it.
    /// - Throws: the endpoint's own failure type. Where the server's bytes or this machine are at fault, its `underlying` error is
    ///   a `DownloadError`.
    public func finish(limit: Int? = nil, checksum: FileChecksum? = nil) async throws(C.Failure) {
        guard await turns.enter() else {
            // The task is cancelled: the command reports that, and is not sent.
            _ = try await binding.perform(command)
            return
        }
        defer { turns.leave() }
        if isDone.withLock({ $0 }) { return }
        let run = DownloadRun(
            binding, command, part, of: membership.withLock { $0 }, limit: limit, checksum: checksum)
        defer {
            let begun = run.membership
            membership.withLock { $0 = $0 ?? begun }
        }
        try await run.carryOut()
        isDone.withLock { $0 = true }
        progress.finish()
    }
}

extension ServiceClient {
    /// A download of a command's response bytes (`response: bytes` in the contract) to a file. The request is sent when
    /// ``Download/finish(limit:checksum:)`` is called.
    ///
    ///     let download = photos.download(Photos.GetOriginal(id: 7), to: file)
    ///     try await download.finish()
    public func download<C: Command>(_ command: C, to destination: URL) -> Download<C>
    where C.Service == Self, C.Response == [UInt8] {
        Download(binding, command, to: destination)
    }
}
