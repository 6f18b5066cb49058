#if !canImport(FoundationNetworking)
public import ErrandRuntime
public import Foundation

/// Uploads and downloads that go on while the app is suspended, and after the system has ended it: commands over a background
/// `URLSession`, each with an id of the app's. Make one for each identifier, when the app starts.
///
///     let background = BackgroundTransfers(identifier: "com.example.transfers")
///
/// A later process calls the same function with the same id, and gets the result of what the earlier one has sent. See
/// `docs/background-transfers.md`.
public final class BackgroundTransfers: Sendable {
    let registry: TransferRegistry

    /// - Parameters:
    ///   - identifier: the session's, unlike that of any other session of the app and its extensions.
    ///   - folder: where the journal and the bodies are kept; nil for a folder in the app's Application Support.
    ///   - acceptsOnce: whether commands with effect `once` are carried out. The system may repeat a request of a background session
    ///     by itself, so that such a command might be carried out twice.
    ///   - configure: changes the session's configuration: `isDiscretionary`, `allowsCellularAccess`,
    ///     `sharedContainerIdentifier`.
    public init(
        identifier: String, folder: URL? = nil, acceptsOnce: Bool = false,
        configure: (URLSessionConfiguration) -> Void = { _ in }
    ) {
        let folder =
            folder
            ?? (FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            ?? FileManager.default.temporaryDirectory)
            .appendingPathComponent("errand-transfers").appendingPathComponent(identifier)
        let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
        URLSessionTransport.rememberNothing(configuration)
        configuration.sessionSendsLaunchEvents = true
        configure(configuration)
        let carrier = BackgroundSession()
        registry = TransferRegistry(folder: folder.path, carrier: carrier, acceptsOnce: acceptsOnce)
        carrier.connect(configuration, registry)
    }

    /// What the journal has: transfers under way, and those that have ended and whose result no command has taken yet.
    public var transfers: [BackgroundTransfer] {
        registry.transfers.map {
            BackgroundTransfer(id: $0.id, endpoint: $0.endpoint, isFinished: $0.isFinished)
        }
    }

    /// How far a transfer is, from now on.
    public func progress(of id: String) -> TransferProgress { registry.progress(of: id) }

    /// Ends a transfer and removes all that there is of it, its result as well. The id is a new one afterwards.
    public func forget(_ id: String) async { await registry.forget(id) }

    /// Calls back once everything is noted that happened while the app did not run. Called by the app's delegate, in
    /// `application(_:handleEventsForBackgroundURLSession:completionHandler:)`.
    @MainActor public func handleEvents(_ completion: @escaping () -> Void) {
        Task { @MainActor in
            await registry.waitForEvents()
            completion()
        }
    }

    /// Returns once everything is noted that happened while the app did not run: for SwiftUI's `backgroundTask(.urlSession(_:))`.
    public func waitForEvents() async { await registry.waitForEvents() }
}

/// A transfer in the journal.
public struct BackgroundTransfer: Sendable, Hashable, Identifiable {
    public let id: String
    /// Service and endpoint as the contract names them: `Video.preloadVideo`.
    public let endpoint: String
    /// Whether it has ended, and its result is there for a command.
    public let isFinished: Bool
}

extension ServiceClient {
    /// Sends a command in the background, or goes on with the one that was sent with this id, and waits for its response.
    ///
    /// The body of the request is copied into a file first. What may have taken effect (effects `keyed` and `once`) gives the same
    /// result again until the app calls `forget`.
    ///
    /// - Throws: the endpoint's own failure type.
    public func send<C: Command>(
        _ command: C, in background: BackgroundTransfers, id: String
    ) async throws(C.Failure) -> C.Response where C.Service == Self {
        try await binding.perform(command, as: id, in: background.registry)
    }

    /// The result of a command that was sent in the background, where its inputs are not known any more. It is not sent again.
    public func resume<C: Command>(
        _ type: C.Type, in background: BackgroundTransfers, id: String
    ) async throws(C.Failure) -> C.Response where C.Service == Self {
        try await binding.resume(type, as: id, in: background.registry)
    }

    /// Downloads to a file in the background, or goes on with the download that was begun with this id. A file at the destination is
    /// the old one or the whole new one.
    ///
    /// - Parameter checksum: the checksum that the whole file must have.
    public func download<C: Command>(
        _ command: C, to destination: URL, in background: BackgroundTransfers, id: String,
        checksum: FileChecksum? = nil
    ) async throws(C.Failure) where C.Service == Self, C.Response == [UInt8] {
        try await binding.download(
            command, of: C.self, to: destination.path, as: id, checksum: checksum, in: background.registry)
    }

    /// Puts the file of a download in its place that was begun in the background, where the command's inputs are not known any
    /// more. It is not sent again.
    public func resumeDownload<C: Command>(
        _ type: C.Type, to destination: URL, in background: BackgroundTransfers, id: String,
        checksum: FileChecksum? = nil
    ) async throws(C.Failure) where C.Service == Self, C.Response == [UInt8] {
        try await binding.download(
            nil, of: type, to: destination.path, as: id, checksum: checksum, in: background.registry)
    }
}
#endif
