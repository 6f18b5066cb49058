// Without a trait that brings FlyingFox, the target is empty.
#if canImport(FlyingSocks)
import ErrandHTTPServer
public import ErrandRuntime
public import ErrandTesting

/// A simulated server on a socket of this machine, for clients in other processes and for transports as they are: in tests of a user
/// interface, or of code that does not take a dispatcher.
///
/// ```swift
/// let server = SimulatedServer()
/// let host = try SimulatedHost(server, serving: [Bank.ListAccounts(), Bank.GetAccount(accountID: 1)])
/// let bank = Bank(Bank.Server(url: host.url))
/// …
/// await host.stop()
/// ```
/// A fault of the server ends the connection without a response. Faults that happen before anything was sent look the same to a
/// client here, because the server learns of a request by its bytes.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
public final class SimulatedHost: Sendable {
    /// Why a host cannot start.
    public enum StartError: Error, Sendable, Equatable {
        /// The requests of the command have no path below the server's URL: they go to a URL that the caller gives.
        case noPath(endpoint: String)
        /// The system gives no port.
        case noPort(reason: String)
    }

    /// The server that responds. A test gives it its script and its faults, and reads its ledger.
    public let server: SimulatedServer
    /// `http://127.0.0.1:` and the port. The paths of the contract follow it.
    public let url: String
    /// The URL of the connection of contracts whose commands are frames: `ws://127.0.0.1:` and the port.
    public let connectionURL: String
    private let task: Task<Void, Never>

    /// Starts on any free port. Only this machine reaches it.
    ///
    /// - Parameters:
    ///   - server: one that is not in a simulation: `SimulatedServer()`.
    ///   - commands: the commands that it responds to. One of each type is enough, and its values do not matter. A generated list of
    ///     all commands would be code in every client that only tests use.
    /// - Throws: `StartError`.
    public init(_ server: SimulatedServer, serving commands: [any Command]) throws(StartError) {
        let routes = try SimulatedHandler.routes(to: commands.filter { type(of: $0).endpoint.frame == nil })
        let socket: SocketServer
        do throws(SocketServer.StartError) {
            socket = try SocketServer(address: "127.0.0.1", port: 0)
        } catch {
            throw .noPort(reason: "\(error)")
        }
        url = "http://127.0.0.1:\(socket.port)"
        connectionURL = "ws://127.0.0.1:\(socket.port)"
        self.server = server
        var handler = SimulatedHandler(server: server, url: url, routes: routes)
        handler.learnFrames(of: commands, at: connectionURL)
        task = Task { [handler] in try? await socket.run(handler) }
    }

    deinit { task.cancel() }

    /// Closes all connections and the port.
    public func stop() async {
        task.cancel()
        await task.value
    }
}
#endif
