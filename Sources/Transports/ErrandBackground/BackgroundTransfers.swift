#if !canImport(FoundationNetworking)
public import ErrandRuntime
import ErrandURLSession
public import Foundation

/// Uploads and downloads that continue while the app is suspended, and after the system has ended it.
///
/// Commands go over a background `URLSession`, each with an id that the app chooses. Create one object for each identifier when
/// the app starts.
///
///     let background = BackgroundTransfers(identifier: "com.example.transfers")
///
/// A later process calls the same function with the same id, and gets the result of the command that the earlier process sent.
/// See `docs/background-transfers.md`.
public final class BackgroundTransfers: Sendable {
    let registry: TransferRegistry

    /// - Parameters:
    ///   - identifier: the identifier of the session. No other session of the app and its extensions may have it.
    ///   - folder: the folder of the journal and the bodies; nil for a folder in the app's Application Support.
    ///   - acceptsOnce: whether commands with effect `once` are accepted. The system may repeat a request of a background session by
    ///     itself, so the server might carry out such a command twice.
    ///   - configure: changes the session's configuration, such as `isDiscretionary`, `allowsCellularAccess` or
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
        URLSessionTransport.demandModernTLS(configuration)
        configuration.sessionSendsLaunchEvents = true
        configure(configuration)
        let carrier = BackgroundSession()
        registry = TransferRegistry(folder: folder.path, carrier: carrier, acceptsOnce: acceptsOnce)
        carrier.connect(configuration, registry)
    }

    /// The transfers in the journal: those under way, and ended ones whose result no command has taken yet.
    public var transfers: [BackgroundTransfer] {
        registry.transfers.map {
            BackgroundTransfer(id: $0.id, endpoint: $0.endpoint, isFinished: $0.isFinished)
        }
    }

    /// The progress of a transfer from now on.
    public func progress(of id: String) -> TransferProgress { registry.progress(of: id) }

    /// Ends a transfer, and removes its record, files and result. Afterwards the id can be used for a new transfer.
    public func forget(_ id: String) async { await registry.forget(id) }

    /// Calls `completion` after the journal has all events that happened while the app didn't run.
    ///
    /// Call it from the app delegate's `application(_:handleEventsForBackgroundURLSession:completionHandler:)`.
    @MainActor public func handleEvents(_ completion: @escaping () -> Void) {
        Task { @MainActor in
            await registry.waitForEvents()
            completion()
        }
    }

    /// Returns after the journal has all events that happened while the app didn't run. Call it in SwiftUI's
    /// `backgroundTask(.urlSession(_:))`.
    public func waitForEvents() async { await registry.waitForEvents() }
}

/// A transfer in the journal.
public struct BackgroundTransfer: Sendable, Hashable, Identifiable {
    public let id: String
    /// The service and the endpoint as the contract names them: `Video.preloadVideo`.
    public let endpoint: String
    /// Whether the transfer has ended. A command can then take its result.
    public let isFinished: Bool
}

extension ServiceClient {
    /// Sends a command in the background, or continues the command that was sent with this id, and waits for its response.
    ///
    /// The body of the request is copied into a file first. A command that may have taken effect (effects `keyed` and `once`)
    /// gives the same result again until the app calls `forget`.
    ///
    /// - Throws: the endpoint's own failure type.
    public func send<C: Command>(
        _ command: C, in background: BackgroundTransfers, id: String
    ) async throws(C.Failure) -> C.Response where C.Service == Self {
        try await binding.perform(command, as: id, in: background.registry)
    }

    /// Returns the result of a command that was sent in the background, if the app no longer knows its inputs. The command
    /// isn't sent again.
    public func resume<C: Command>(
        _ type: C.Type, in background: BackgroundTransfers, id: String
    ) async throws(C.Failure) -> C.Response where C.Service == Self {
        try await binding.resume(type, as: id, in: background.registry)
    }

    /// Downloads to a file in the background, or continues the download that was started with this id.
    ///
    /// The file at the destination is either the old one or the whole new one.
    ///
    /// - Parameter checksum: the checksum that the whole file must have.
    public func download<C: Command>(
        _ command: C, to destination: URL, in background: BackgroundTransfers, id: String,
        checksum: FileChecksum? = nil
    ) async throws(C.Failure) where C.Service == Self, C.Response == [UInt8] {
        try await binding.download(
            command, of: C.self, to: destination.path, as: id, checksum: checksum, in: background.registry)
    }

    /// Moves the file of a background download to its destination, if the app no longer knows the command's inputs. The command
    /// isn't sent again.
    public func resumeDownload<C: Command>(
        _ type: C.Type, to destination: URL, in background: BackgroundTransfers, id: String,
        checksum: FileChecksum? = nil
    ) async throws(C.Failure) where C.Service == Self, C.Response == [UInt8] {
        try await binding.download(
            nil, of: type, to: destination.path, as: id, checksum: checksum, in: background.registry)
    }
}
#endif
