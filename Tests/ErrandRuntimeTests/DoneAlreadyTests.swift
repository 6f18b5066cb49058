import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

/// An error with `settles` makes a success of a command that an earlier attempt has carried out, and of no other.
@Suite(.timeLimit(.minutes(1)), .overSocketsToo) struct DoneAlreadyTests {
    private static let lost = TransportFault(.lost, evidence: .sent)
    private static let gone = TransportResponse.json(410, #"{"reason": "deleted"}"#)
    private static let exists = TransportResponse.json(409, #"{"name": "another"}"#)

    private func library(
        _ log: EndLog? = nil, _ answers: [Result<TransportResponse, TransportFault>]
    ) -> (Library, ScriptedTransport) {
        let transport = ScriptedTransport.scripted { _, number throws(TransportFault) in
            try answers[min(number, answers.count) - 1].get()
        }
        return (library(log, on: transport), transport)
    }

    private func library(_ log: EndLog? = nil, on transport: any Transport) -> Library {
        let environment = DispatcherEnvironment(clock: InstantClock(), generator: SeededGenerator(seed: 7))
        return Library(
            on: Dispatcher(transport: transport, observers: [log].compactMap { $0 }, environment: environment))
    }

    @Test func aRepeatedDeletionSucceeds() async throws {
        let log = EndLog()
        let (library, transport) = library(log, [.failure(Self.lost), .success(Self.gone)])
        let reply = try await library.reply(to: Library.Delete())
        #expect(reply.status == 410 && transport.requests.count == 2)
        #expect(log.lines == ["connectionLost", "gone", "success, gone"])
    }

    @Test func aFirstAttemptNeverSettles() async {
        let log = EndLog()
        let (library, transport) = library(log, [.success(Self.gone)])
        let failure = await library.result(of: Library.Delete()).failure
        #expect(failure?.context.name == "gone" && transport.requests.count == 1)
        #expect(log.lines == ["gone", "failure gone"])
    }

    /// Where the contract makes no difference between attempts, the first one counts, too: a gateway may have delivered it twice.
    @Test func aFirstAttemptSettlesIfTheContractSaysSo() async throws {
        let log = EndLog()
        let missing = TransportResponse.json(412, "")
        for answers in [[.success(missing)], [.success(.json(429, "")), .success(missing)]]
            as [[Result<_, TransportFault>]]
        {
            let (library, transport) = library(log, answers)
            try await library.send(Library.Delete())
            #expect(transport.requests.count == answers.count)
        }
        #expect(log.lines == ["missing", "success, missing", "throttled", "missing", "success, missing"])
        // Not for the response of another place.
        let (moved, _) = library(nil, [.success(.json(307, "", ["Location": "/elsewhere"])), .success(missing)])
        #expect(await moved.result(of: Library.Delete()).failure?.context.name == "missing")
    }

    /// Attempts that were not sent, or that the server has refused, have carried nothing out.
    @Test(arguments: refused)
    func anAttemptThatWasRefusedIsNotOpen(first: Result<TransportResponse, TransportFault>) async {
        let (library, transport) = library(nil, [first, .success(Self.gone)])
        let failure = await library.result(of: Library.Delete()).failure
        #expect(failure?.context.name == "gone" && transport.requests.count == 2)
    }

    static let refused: [Result<TransportResponse, TransportFault>] = [
        .failure(TransportFault(.refused, evidence: .notSent)), .failure(TransportFault(.lost, evidence: .unprocessed)),
        .success(.json(429, "")),
    ]

    @Test(arguments: open)
    func anAttemptWithAnUnknownEndIsOpen(first: Result<TransportResponse, TransportFault>) async {
        let (library, transport) = library(nil, [first, .success(Self.gone)])
        #expect((try? await library.result(of: Library.Delete()).get()) != nil)
        #expect(transport.requests.count == 2)
    }

    static let open: [Result<TransportResponse, TransportFault>] = [
        .failure(TransportFault(.timeout, evidence: .sent)), .success(.json(502, "")), .success(.json(504, "")),
        // A gateway may have passed the request on.
        .success(.json(503, "")), .success(.json(408, "")),
        .failure(TransportFault(.lost, evidence: .sent, isStaleConnection: true)),
    ]

    /// Attempts between the open one and the one that settles change nothing.
    @Test func anOpenAttemptStaysOpen() async throws {
        let (library, transport) = library(
            nil, [.failure(Self.lost), .success(.json(429, "")), .success(Self.gone)])
        try await library.send(Library.Delete())
        #expect(transport.requests.count == 3)
    }

    /// The body of the error is not the payload, although it has its form.
    @Test(arguments: [Effect.idempotent, .keyed]) func theMissingPayloadIsNil(effect: Effect) async throws {
        let (library, _) = library(nil, [.failure(Self.lost), .success(Self.exists)])
        if effect == .keyed {
            let reply = try await library.reply(to: Library.Create())
            #expect(reply.value == nil && reply.status == 409)
        } else {
            #expect(try await library.send(Library.Put()) == nil)
        }
        let (first, _) = self.library(nil, [.success(Self.exists)])
        #expect(await first.result(of: Library.Create()).failure?.context.name == "exists")
        #expect(await first.result(of: Library.Put()).failure?.context.name == "exists")
    }

    /// A description that no contract gives: the success needs a payload.
    @Test func aSuccessThatNeedsAPayloadIsMalformed() async {
        let (library, _) = library(nil, [.failure(Self.lost), .success(Self.gone)])
        let failure = await library.result(of: Library.Count()).failure
        #expect(failure?.kind == .malformed, "\(String(describing: failure))")
    }

    /// django-idempotency-key repeats a success as 409 with its body.
    @Test func thePayloadMayBeInTheBodyOfTheError() async throws {
        let log = EndLog()
        let made = TransportResponse.json(422, "7")
        let (library, _) = library(log, [.failure(Self.lost), .success(made)])
        let reply = try await library.reply(to: Library.Count())
        #expect(reply.value == 7 && reply.status == 422)
        let (first, _) = self.library(log, [.success(made)])
        #expect(await first.result(of: Library.Count()).failure?.context.name == "made")
        // The error says that it was carried out, whatever its body is.
        let (other, _) = self.library(log, [.failure(Self.lost), .success(.json(422, "<p>"))])
        let failure = await other.result(of: Library.Count()).failure
        #expect(failure?.kind == .malformed && failure?.context.applied == .yes)
        #expect(
            log.lines == [
                "connectionLost", "made", "success, made", "made", "failure made", "connectionLost", "made",
                "failure malformed",
            ])
    }

    /// The error of the contract's defaults may come from a gateway, and the one of another place says nothing about the first.
    @Test(.inMemoryOnly("a response of the script names the place")) func onlyTheEndpointItselfSettles() async {
        let (library, _) = library(nil, [.failure(Self.lost), .success(.json(404, ""))])
        #expect(await library.result(of: Library.Delete()).failure?.context.name == "nowhere")
        var moved = Self.gone
        moved.redirectedTo = "https://library.example/elsewhere"
        let (other, _) = self.library(nil, [.failure(Self.lost), .success(moved)])
        #expect(await other.result(of: Library.Delete()).failure?.context.name == "gone")
    }

    /// The error says how the command ended, so nothing has to be asked; a read that found nothing says that no attempt is open.
    @Test func aConfirmationIsNotAskedAndIsBelieved() async throws {
        let (library, transport) = library(nil, [.failure(Self.lost), .success(Self.exists)])
        _ = try await library.send(Library.Order())
        #expect(transport.requests.map(\.method) == [.post, .post])
        let asked = ScriptedTransport { request, number throws(TransportFault) in
            if request.method == .get { return .json(404, "") }
            return number == 1 ? .json(500, "") : Self.exists
        }
        let failure = await self.library(on: asked).result(of: Library.Order()).failure
        #expect(asked.requests.prefix(3).map(\.method) == [.post, .get, .post])
        #expect(failure?.context.name == "exists")
    }

    /// The first attempt may be one of a process before this one.
    @Test func anAttemptOfAnEarlierProcessCounts() async throws {
        for mayHaveBeenApplied in [true, false] {
            let (library, transport) = library(nil, [.success(Self.gone)])
            let recorder = Recorder(earlier: EarlierRuns(mayHaveBeenApplied: mayHaveBeenApplied))
            let result: Result<Void, CommandFault>
            do throws(CommandFault) {
                result = .success(
                    try await library.binding.perform(Library.Delete(), as: .recorded(recorder, of: .none)).value)
            } catch {
                result = .failure(error)
            }
            #expect((result.failure == nil) == mayHaveBeenApplied)
            #expect(transport.requests.count == 1)
        }
    }

    /// A receipt is that of a command whose end is open.
    @Test func aCommandThatIsSubmittedAgainCounts() async throws {
        let (library, transport) = library(nil, [.success(Self.exists)])
        let reply = try await library.binding.perform(
            Library.Create(), as: .resubmission(IdempotencyKey("k"), of: .none))
        #expect(reply.value == nil && transport.requests.count == 1)
    }
}

/// Keeps how attempts and commands ended.
private final class EndLog: CommandObserver {
    private let kept = LockedState<[String]> { [] }
    var lines: [String] { kept.withLock { $0 } }

    func observe(_ event: CommandEvent) {
        let line: String? =
            switch event.kind {
            case .attemptEnded(_, let result): result.error ?? result.fault?.rawValue ?? "fine"
            case .settled(let settlement):
                switch settlement.result {
                case .success: "success" + (settlement.doneAlready.map { ", \($0)" } ?? "")
                case .outcome: "outcome"
                case .failure(let context): "failure \(context.name)"
                }
            default: nil
            }
        if let line { kept.withLock { $0.append(line) } }
    }
}

private final class Recorder: CommandRecorder {
    let earlier: EarlierRuns
    init(earlier: EarlierRuns) { self.earlier = earlier }
    func noteAttempt() async throws(TransportFault) {}
}

/// A service that says what is done already.
private struct Library: ServiceClient {
    var binding: ServiceBinding

    init(on dispatcher: Dispatcher) {
        binding = ServiceBinding(
            Library.service, server: "https://library.example", on: dispatcher, session: Session())
    }

    static let service = ServiceDescription(
        name: "Library", version: "1",
        errors: [
            ErrorDescription("gone", .nonRetryable, settles: .afterOpenAttempt),
            ErrorDescription("missing", .nonRetryable, settles: .always),
            ErrorDescription("exists", .nonRetryable, settles: .afterOpenAttempt),
            ErrorDescription("nowhere", .nonRetryable, settles: .afterOpenAttempt, shared: true),
            ErrorDescription("made", .nonRetryable, settles: .payload),
        ])
    static let table: DecisionTable = [
        .error("gone", isEndpointSpecific: true, status: 410),
        .error("missing", isEndpointSpecific: true, status: 412),
        .error("exists", isEndpointSpecific: true, status: 409),
        .error("nowhere", status: 404),
        .error("made", isEndpointSpecific: true, status: 422),
    ]

    struct Delete: Command {
        typealias Service = Library
        typealias Failure = CommandFault
        typealias Response = Void
        static let endpoint = EndpointDescription(
            Library.service, "delete", .delete, effect: .idempotent, response: .none, table: table)
        func encode(into request: inout RequestEncoder) { request.path("/books/1") }
    }

    struct Put: Command {
        typealias Service = Library
        typealias Failure = CommandFault
        typealias Response = String?
        static let endpoint = EndpointDescription(
            Library.service, "put", .put, effect: .idempotent, table: table)
        func encode(into request: inout RequestEncoder) { request.path("/books/1") }
        static func load(from reader: inout JSONReader) -> String?? {
            reader.readNull() ? .some(nil) : .some(reader.readString())
        }
    }

    struct Create: Command {
        typealias Service = Library
        typealias Failure = CommandFault
        typealias Response = String?
        static let endpoint = EndpointDescription(
            Library.service, "create", .post, effect: .keyed, table: table)
        func encode(into request: inout RequestEncoder) { request.path("/books") }
        static func load(from reader: inout JSONReader) -> String?? {
            reader.readNull() ? .some(nil) : .some(reader.readString())
        }
    }

    struct Count: Command {
        typealias Service = Library
        typealias Failure = CommandFault
        typealias Response = Int
        static let endpoint = EndpointDescription(
            Library.service, "count", .delete, effect: .idempotent, table: table)
        func encode(into request: inout RequestEncoder) { request.path("/books") }
        static func load(from reader: inout JSONReader) -> Int? { reader.readInt() }
    }

    struct Order: ConfirmableCommand {
        typealias Service = Library
        typealias Failure = CommandFault
        typealias Response = Void
        static let endpoint = EndpointDescription(
            Library.service, "order", .post, effect: .keyed, response: .none, table: table)
        func encode(into request: inout RequestEncoder) { request.path("/orders") }
        func confirmation(for receipt: Receipt) -> Find? { Find() }
        static func confirmed(by found: Void) {}
    }

    struct Find: Command {
        typealias Service = Library
        typealias Failure = CommandFault
        typealias Response = Void
        static let endpoint = EndpointDescription(Library.service, "find", .get, effect: .read, response: .none)
        func encode(into request: inout RequestEncoder) { request.path("/orders/1") }
    }
}
