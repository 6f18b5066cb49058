import AuthClient
import BankClient
import ConversationsClient
import ErrandRuntime
import ErrandURLSession
import Foundation
import FriendsClient
import LiveClient
import TestServices
import Testing
import VideoClient

extension TestService {
    /// Ends a test: in any test, the client must not have broken the contract.
    func end(sourceLocation: SourceLocation = #_sourceLocation) async {
        #expect(await violations == [], sourceLocation: sourceLocation)
        await stop()
    }
}

extension Dispatcher {
    /// Sends over sockets as an app's does, with pauses that a test can wait for.
    static func brisk(attempts: Int = 3) -> Dispatcher {
        let rule = RetryRule(attempts: attempts, base: .milliseconds(10), cap: .milliseconds(40))
        return Dispatcher(settings: DispatcherSettings(retry: rule))
    }

    /// The same, with a connection for each request. On a used connection, `URLSession` itself repeats a request that is closed
    /// without a response, and a count of attempts would be meaningless.
    static func withoutReuse(attempts: Int = 3) -> Dispatcher {
        let rule = RetryRule(attempts: attempts, base: .milliseconds(10), cap: .milliseconds(40))
        let transport = URLSessionTransport { $0.httpAdditionalHeaders = ["Connection": "close"] }
        return Dispatcher(transport: transport, settings: DispatcherSettings(retry: rule))
    }

    /// The same, for which a contract's seconds are shorter.
    static func hasty(times factor: Int, attempts: Int = 3) -> Dispatcher {
        let rule = RetryRule(attempts: attempts, base: .milliseconds(10), cap: .milliseconds(40))
        return Dispatcher(
            settings: DispatcherSettings(retry: rule),
            environment: DispatcherEnvironment(clock: HastyClock(times: factor)))
    }
}

extension Bank {
    /// A client of a bank on a socket, with Ada logged in.
    static func asAda(
        _ service: BankService, on dispatcher: Dispatcher = .brisk(), session: Session = Session()
    ) async throws -> Bank {
        let bank = Bank(Server(url: service.url), on: dispatcher, session: session)
        _ = try await bank.logIn(user: "ada", password: "lovelace")
        return bank
    }
}

extension Video {
    static func asAda(
        _ service: VideoService, on dispatcher: Dispatcher = .brisk(), session: Session = Session()
    ) async throws -> Video {
        let video = Video(Server(url: service.url), on: dispatcher, session: session)
        _ = try await video.logIn(email: "ada@example.org", password: "lovelace")
        return video
    }
}

extension Conversations {
    static func asAda(
        _ service: ConversationsService, on dispatcher: Dispatcher = .brisk(), session: Session = Session()
    ) async throws -> Conversations {
        let messenger = Conversations(
            Server(url: service.url), on: dispatcher, session: session, common: Common(deviceID: UUID()))
        _ = try await messenger.logIn(userName: "ada", password: "lovelace")
        return messenger
    }
}

extension Live {
    static func unknown(
        _ service: LiveService, on dispatcher: Dispatcher = .brisk(), session: Session = Session(),
        appVersion: String = "4.2", channel: String = "store"
    ) -> Live {
        Live(
            Server(url: service.url), on: dispatcher, session: session,
            common: Common(appVersion: appVersion, channel: channel), privateKey: LiveService.privateKey)
    }

    static func asAda(
        _ service: LiveService, on dispatcher: Dispatcher = .brisk(), session: Session = Session()
    ) async throws -> Live {
        let live = Live.unknown(service, on: dispatcher, session: session)
        _ = try await live.logIn(phone: "+49301234567", code: "1234")
        return live
    }
}

/// The two services of the social network, and two clients that share a session and a dispatcher.
struct Network {
    var authService: AuthService
    var friendsService: FriendsService
    var auth: Auth
    var friends: Friends
    var session: Session

    static func start(
        on dispatcher: Dispatcher = .brisk(), session: Session = Session(), isLoggedIn: Bool = true
    ) async throws -> Network {
        let authService = try await AuthService.start()
        let friendsService = try await FriendsService.start(auth: authService)
        let network = Network(
            authService: authService, friendsService: friendsService,
            auth: Auth(
                .init(url: authService.url), on: dispatcher, session: session,
                common: .init(clientID: AuthService.clientID), clientSecret: AuthService.clientSecret),
            friends: Friends(
                .init(url: friendsService.url), on: dispatcher, session: session,
                common: .init(deviceID: FriendsService.deviceID)),
            session: session)
        if isLoggedIn { _ = try await network.auth.logIn(user: "ada", password: "lovelace") }
        return network
    }

    func end(sourceLocation: SourceLocation = #_sourceLocation) async {
        await friendsService.end(sourceLocation: sourceLocation)
        await authService.end(sourceLocation: sourceLocation)
    }
}
