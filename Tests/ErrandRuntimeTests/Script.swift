import BankClient
import ErrandRuntime
import ErrandTesting
import Foundation

extension ScriptedTransport {
    /// Answers requests from a script: over sockets, where the suite is run a second time over these.
    static func scripted(_ answer: @escaping Answer) -> ScriptedTransport {
        guard SocketCarrier.isWanted, let carrier = try? SocketCarrier() else { return ScriptedTransport(answer) }
        return ScriptedTransport { request, number throws(TransportFault) in
            try await carrier.send(request, number: number) { request throws(TransportFault) in
                try await answer(request, number)
            }
        }
    }

    /// Method and path of everything that was sent.
    var paths: [String] { requests.map { "\($0.method.rawValue) \(URL(string: $0.url)?.path ?? "")" } }
}

extension TransportResponse {
    static func json(_ status: Int, _ text: String, _ headers: HTTPHeaders = [:]) -> Self {
        TransportResponse(status: status, headers: headers, body: Array(text.utf8))
    }
}

extension Session {
    /// A session of a user who is logged in.
    static var begun: Session { Session(tokens: SessionTokens(access: "its-token")) }
}

extension Bank {
    /// A bank whose server is a script.
    static func scripted(
        _ transport: ScriptedTransport, clock: InstantClock = InstantClock(),
        settings: DispatcherSettings = DispatcherSettings(), session: Session = .begun
    ) -> Bank {
        let environment = DispatcherEnvironment(
            clock: clock, wallTime: { Date(timeIntervalSince1970: 1_000_000) },
            generator: SeededGenerator(seed: 7))
        return Bank(
            on: Dispatcher(transport: transport, settings: settings, environment: environment),
            session: session)
    }
}

let transferred = #"{"error":null,"data":{"fromAccount":1,"toAccount":5,"amount":500.00,"confirmation":232348844}}"#
let oneAccount =
    #"{"data":[{"id":1,"owner":"Ada Owner","balance":10.5,"status":"frozen","openedAt":"2024-02-03T04:05:06Z"}]}"#
let noAccounts = #"{"data":[]}"#
