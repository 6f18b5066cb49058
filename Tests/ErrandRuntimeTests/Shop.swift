import ErrandRuntime
import Foundation

/// A second contract, with the features that the bank's lacks: parameters, common parameters, a refresh token, signing, bodies
/// of other encodings.
struct Shop: ServiceClient {
    var binding: ServiceBinding

    init(
        _ server: String = "https://shop.example", service: ServiceDescription = Shop.service,
        on dispatcher: Dispatcher, session: Session = .begun, signingKey: String? = nil
    ) {
        binding = ServiceBinding(
            service, server: server, on: dispatcher, session: session, common: nil,
            signingKey: signingKey, refresh: Refresh.self)
    }

    static let service = ServiceDescription(
        name: "Shop", version: "2", session: SessionPlacement(parameter: "token"))

    struct Ping: ErrandRuntime.Command {
        typealias Service = Shop
        typealias Failure = CommandFault
        typealias Response = Void
        static let endpoint = EndpointDescription(
            Shop.service, "ping", .get, effect: .read, session: .required, response: .none)
        func encode(into request: inout RequestEncoder) { request.path("/ping") }
    }

    struct Ticks: StreamCommand {
        typealias Service = Shop
        typealias Failure = CommandFault
        typealias Element = Int
        static let endpoint = EndpointDescription(
            Shop.service, "ticks", .get, effect: .read, session: .required, response: .stream,
            stream: StreamDescription(.events))
        func encode(into request: inout RequestEncoder) { request.path("/ticks") }
        static func element(from reader: inout JSONReader) -> Int? { reader.readInt() }
    }

    struct PlaceOrder: ErrandRuntime.Command {
        typealias Service = Shop
        typealias Failure = CommandFault
        typealias Response = Void
        static let endpoint = EndpointDescription(
            Shop.service, "placeOrder", .post, effect: .once, session: .none, response: .none)
        func encode(into request: inout RequestEncoder) { request.path("/orders") }
    }

    struct Refresh: RefreshCommand {
        var token: String
        init(refreshToken: String) { token = refreshToken }
        typealias Service = Shop
        typealias Failure = CommandFault
        typealias Response = SessionTokens
        static let endpoint = EndpointDescription(
            Shop.service, "refresh", .post, effect: .idempotent, session: .none)
        func encode(into request: inout RequestEncoder) {
            request.path("/refresh")
            request.beginBody(.form)
            request.field("refresh_token", token, sensitive: true)
        }
        static let keys = JSONKeys(["access", "expiresIn", "refresh"], optional: ["expiresIn", "refresh"])
        static func load(from reader: inout JSONReader) -> SessionTokens? {
            var access = ""
            var expiresIn: Int?
            var refresh: String?
            var fields = reader.beginObject()
            loop: while true {
                switch reader.nextField(keys, &fields) {
                case 0: access = reader.readString()
                case 1: expiresIn = reader.readInt()
                case 2: refresh = reader.readString()
                default: break loop
                }
            }
            return SessionTokens(access: access, expiresIn: expiresIn, refresh: refresh)
        }
        static func tokens(from response: SessionTokens) -> SessionTokens { response }
    }
}
