import ErrandJSON
import ErrandRuntime

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ServiceBinding {
    /// Carries out a command as a transfer, or continues the transfer with this id.
    package func perform<C: Command>(
        _ command: C, as id: String, in registry: TransferRegistry
    ) async throws(C.Failure) -> C.Response {
        if isStubbed { return try await perform(command).value }
        let transfer = BackgroundCommand<C, C>(inTheBackground, command, command, id, in: registry)
        return try await transfer.carryOut { response throws(DownloadError) in response }
    }

    /// Returns the result of a transfer whose command is no longer known. The command isn't sent again.
    package func resume<C: Command>(
        _ type: C.Type, as id: String, in registry: TransferRegistry
    ) async throws(C.Failure) -> C.Response {
        let transfer = BackgroundCommand<C, ResumedCommand<C>>(inTheBackground, nil, ResumedCommand(), id, in: registry)
        return try await transfer.carryOut { response throws(DownloadError) in response }
    }

    /// Downloads a file as a transfer, or continues the transfer with this id.
    ///
    /// - Parameter command: the command; nil to only continue a transfer.
    package func download<C: Command>(
        _ command: C?, of type: C.Type, to destination: String, as id: String, checksum: FileChecksum?,
        in registry: TransferRegistry
    ) async throws(C.Failure) where C.Response == [UInt8] {
        if isStubbed, let command {
            return try await Download(self, command, to: URL(fileURLWithPath: destination)).finish(checksum: checksum)
        }
        let name = JSONText.of(dispatcher.environment.chance.uuid())
        let part = PartialFile(destination: destination, name: name, TransferProgress())
        let received = registry.receivedPath(id)
        let place: @Sendable (OpenedStream) throws(DownloadError) -> Void = { opened throws(DownloadError) in
            try part.adopt(received, status: opened.head.status, opened.head.headers, C.endpoint.checksum)
            try part.finish(checksum)
        }
        guard let command else {
            let resumed = ResumedDownload<C>()
            return try await BackgroundCommand<C, ResumedDownload<C>>(inTheBackground, nil, resumed, id, in: registry)
                .carryOut(place)
        }
        let request = DownloadRequest(command: command, part: part)
        try await BackgroundCommand<C, DownloadRequest<C>>(inTheBackground, command, request, id, in: registry)
            .carryOut(place)
    }

    /// The same client with the time limit of transfers, unless the caller has set a limit.
    private var inTheBackground: ServiceBinding {
        var binding = self
        binding.options.timeout = binding.options.timeout ?? TransferRegistry.longest
        binding.options.deadline = binding.options.deadline ?? TransferRegistry.longest
        return binding
    }
}

extension TransferRegistry {
    /// The time limit of one transfer: seven days, which is how long `URLSession` tries.
    static let longest = Duration.seconds(7 * 86_400)
}

/// One command that is sent as a transfer.
///
/// - `C` is the app's command, and `Sent` is the command that is sent for it.
private struct BackgroundCommand<C: Command, Sent: Command> where C.Failure == Sent.Failure {
    let binding: ServiceBinding
    /// Nil if the inputs of the command aren't known.
    let command: C?
    let sent: Sent
    let id: String
    let registry: TransferRegistry

    init(_ binding: ServiceBinding, _ command: C?, _ sent: Sent, _ id: String, in registry: TransferRegistry) {
        self.binding = binding
        self.command = command
        self.sent = sent
        self.id = id
        self.registry = registry
    }

    /// - Parameter place: makes the result from the response of a success.
    func carryOut<Result>(
        _ place: (Sent.Response) throws(DownloadError) -> Result
    ) async throws(C.Failure) -> Result {
        let endpoint = Sent.endpoint
        let wanted = TransferIdentity(
            id: id, endpoint: "\(endpoint.service.name).\(endpoint.name)",
            url: command.map { binding.ownURL(of: $0, on: endpoint) }, effect: endpoint.effect,
            isDownload: endpoint.stream != nil)
        let step = isCarriable ? await registry.begin(wanted) : .refuse(Self.uncarriable)
        if let failure = await refusal(step) { throw failure }
        let transport = BackgroundTransport(registry, wanted, step, binding.dispatcher.environment)
        let carried = await CarriedCommand(
            command, sentAs: sent, by: binding, over: transport, inLogin: transport.login)
        do throws(C.Failure) {
            let result = try conclude(try await respond(carried, wanted), carried, place)
            registry.end(id, keeps: keepsTransfer(endpoint.effect, hasSucceeded: true, applied: .maybe))
            return result
        } catch {
            let applied = error.context.applied
            registry.end(id, keeps: keepsTransfer(endpoint.effect, hasSucceeded: false, applied: applied))
            throw error
        }
    }

    private func respond(
        _ carried: CarriedCommand<C, Sent>, _ wanted: TransferIdentity
    ) async throws(C.Failure) -> Reply<Sent.Response> {
        let reply = try await carried.respond()
        guard wanted.isDownload, reply.status == 206, command != nil, !wanted.effect.isUnsafe else { return reply }
        // The system has joined the bytes of several responses, and only the last one is known. The whole file is requested once.
        return try await carried.respondAgain()
    }

    /// The failure of a command that ends without an attempt.
    private func refusal(_ step: TransferStep) async -> C.Failure? {
        switch step {
        case .start, .wait, .deliver, .lost: nil
        case .refuse(let problem): await CarriedCommand(command, sentAs: sent, by: binding).failure(problem)
        case .fail(let problem): await CarriedCommand(command, sentAs: sent, by: binding).failure(problem)
        }
    }

    /// Whether the command can outlast the process. A login or a logout belongs to the process that waits for it.
    private var isCarriable: Bool {
        !(C.self is any LoginCommand.Type || C.self is any LogoutCommand.Type || C.endpoint.stream != nil)
    }

    private static var uncarriable: BrokenField {
        BrokenField(name: "command", reason: "must not be a login, a logout or a stream")
    }

    private func conclude<Result>(
        _ reply: Reply<Sent.Response>, _ carried: CarriedCommand<C, Sent>,
        _ place: (Sent.Response) throws(DownloadError) -> Result
    ) throws(C.Failure) -> Result {
        let result: Result
        do throws(DownloadError) {
            result = try place(reply.value)
        } catch {
            throw carried.failure(error)
        }
        carried.succeed(reply)
        return result
    }
}

/// Takes the place of a command whose inputs are no longer known, to read its result.
private struct ResumedCommand<C: Command>: CarrierCommand, OutcomeCommand {
    typealias Service = C.Service
    typealias Failure = C.Failure
    typealias Response = C.Response

    static var endpoint: EndpointDescription { C.endpoint }
    static var carried: any Command.Type { C.self }
    func encode(into request: inout RequestEncoder) {}
    static func load(from reader: inout JSONReader) -> C.Response? { C.load(from: &reader) }

    static func outcome(_ name: DeclaredName, _ match: ErrorMatch) -> C.Response? {
        (C.self as? any OutcomeCommand.Type)?.anyOutcome(name, match) as? C.Response
    }

    static func load(bytes: [UInt8]) -> C.Response? {
        guard let type = C.self as? any OutcomeCommand.Type else { return bytes as? C.Response }
        return type.anyResponse(bytes: bytes) as? C.Response
    }
}

/// Takes the place of a download whose inputs are no longer known.
private struct ResumedDownload<C: Command>: CarrierCommand where C.Response == [UInt8] {
    typealias Service = C.Service
    typealias Failure = C.Failure
    typealias Response = OpenedStream

    static var endpoint: EndpointDescription { DownloadRequest<C>.endpoint }
    static var carried: any Command.Type { C.self }
    func encode(into request: inout RequestEncoder) {}

    static func load(from reader: inout JSONReader) -> OpenedStream? {
        reader.skipValue()
        return nil
    }
}
