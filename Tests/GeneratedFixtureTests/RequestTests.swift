import ErrandRuntime
import EverythingClient
import Foundation
import Synchronization
import Testing

/// Answers every request with one response, and keeps what was sent.
final class RecordingTransport: Transport {
    private let sent = Mutex<[TransportRequest]>([])
    let response: TransportResponse

    init(_ status: Int = 200, _ body: String = #"{"data":null}"#) {
        response = TransportResponse(status: status, body: Array(body.utf8))
    }

    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        sent.withLock { $0.append(request) }
        return response
    }

    var requests: [TransportRequest] { sent.withLock { $0 } }
    var body: String { requests.last?.body.map { String(decoding: $0, as: UTF8.self) } ?? "" }
}

/// The generated commands of everything, sent.
@Suite struct RequestTests {
    private func client(_ transport: RecordingTransport) -> Everything {
        Everything(
            .fixed, on: Dispatcher(transport: transport),
            common: Everything.Common(xDevice: UUID(), apiKey: "k"), secretKey: "s")
    }

    private let item = Everything.Item(id: 1, name: "n")

    @Test func pathQueryAndHeadersCarryTheContractsForms() async throws {
        let transport = RecordingTransport(200, #"{"grant":{"token":"t"}}"#)
        _ = await client(transport).result(
            of: Everything.Fetch(imageURL: try #require(URL(string: "https://images.example/a?b=c"))))
        #expect(transport.requests.first?.url.hasPrefix("https://images.example/a?b=c") == true)
        #expect(transport.requests.first?.headers["X-Session"] == nil)
    }

    /// `upload` gets the common parameters, and `let` nothing: not even the signature.
    @Test func anEndpointGoesToTheOriginOfItsRole() async throws {
        let transport = RecordingTransport()
        try await client(transport).putAway(body: .bytes([1]))
        try await client(transport).putAside(apiVersion: 4, body: .bytes([1]))
        let requests = transport.requests
        #expect(requests.first?.url.hasPrefix("https://upload.example/away?apiVersion=3") == true)
        #expect(requests.first?.headers["X-Device"] != nil && requests.first?.headers["X-Signature"] == nil)
        #expect(requests.last?.url == "https://let.example/aside?apiVersion=4")
        #expect(requests.last?.headers["X-Device"] == nil && requests.last?.headers["X-Signature"] == nil)
        let local = Everything.Server.main(port: "81")
        #expect(local.url == "http://127.0.0.1:81/test" && local.upload == "http://localhost:81/up/a")
        #expect(local.let == "http://127.0.0.2:81")
    }

    /// `let` has a keyword of Swift as its name.
    @Test func aRequestCarriesTheCredentialsThatTheAppHasGiven() async throws {
        let transport = RecordingTransport(200, "\"x\"")
        func client(_ admin: String?, _ audit: String?) -> Everything {
            Everything(
                .fixed, on: Dispatcher(transport: transport), common: Everything.Common(xDevice: UUID(), apiKey: "k"),
                admin: admin, audit: audit, tenant: "t", access: "a", mapKey: "m&", let: "l", secretKey: "s")
        }
        _ = try await client("admin", "u:p").listTiles()
        let all = try #require(transport.requests.last)
        #expect(all.headers["Cookie"] == "shelf=l" && all.headers["X-Access"] == "Key \"a\"")
        #expect(all.url.contains("map%20key=m%26") && all.headers["X-Tenant"] == nil)
        _ = try await client(nil, "u:p").putBeside(body: .bytes([1]))
        #expect(transport.requests.last?.headers["X-Tenant"] == "t")
        #expect(transport.requests.last?.url.hasPrefix("https://upload.example/beside") == true)
        let without = self.client(transport)
        _ = try await without.listTiles()
        #expect(transport.requests.last?.headers["Cookie"] == nil)
        guard case .failure(.fault(let fault)) = await without.result(of: Everything.PutBeside(body: .bytes([1])))
        else {
            return #expect(Bool(false))
        }
        #expect(fault.kind == .invalidRequest && transport.requests.count == 3)
    }

    @Test func aFormCarriesListsAndDates() async throws {
        let transport = RecordingTransport(200, #"{"data":{"grant":{"token":"t","lifetime":60.0,"renewal":"r"}}}"#)
        let response = try await client(transport).logIn(
            user: "a&b", password: "canary-password", since: [Date(timeIntervalSince1970: 0)],
            kinds: [.aBC, .unrecognized("x")])
        #expect(response.grant?.token == "t")
        #expect(transport.body.contains("user=a%26b"))
        #expect(transport.body.contains("since=1970-01-01T00%3A00%3A00Z"))
        #expect(transport.body.contains("kinds=a-b%20c&kinds=x") || transport.body.contains("kinds=a-b+c&kinds=x"))
        #expect(transport.requests.first?.headers["X-Signature"] != nil)
    }

    @Test func cookiesTravelInOneHeader() async throws {
        let transport = RecordingTransport()
        try await client(transport).findBaked(flavor: .low, token: "canary=")
        let request = try #require(transport.requests.last)
        #expect(request.headers["Cookie"] == "flavor=low; sid=canary=; let=3")
        let cookies = request.headers.fields.filter { $0.name == "Cookie" }
        #expect(cookies.count == 1 && cookies.first?.isSensitive == true)
        #expect(!"\(request) \(request.headers.fields) \(Everything.FindBaked(token: "canary="))".contains("canary"))
        for token in ["a b", "a;b", "a,b", "\"a\"", "a\\b", "é", "a\r\nX: y"] {
            let result = await client(transport).result(of: Everything.FindBaked(token: token))
            guard case .failure(.fault(let fault)) = result else { return #expect(Bool(false)) }
            #expect(fault.kind == .invalidRequest && fault.context.brokenFields.map(\.name) == ["sid"])
        }
        #expect(transport.requests.count == 1)
    }

    @Test func aListInAPathIsOneSegment() async throws {
        let transport = RecordingTransport(200, #"{"data":{"count":2}}"#)
        let client = client(transport)
        func url(_ ids: [Int], _ levels: [Everything.Level]) async throws -> String {
            let since = [Date(timeIntervalSince1970: 5), Date(timeIntervalSince1970: 7)]
            _ = try await client.readMany(ids: ids, levels: levels, since: since)
            return transport.requests.last?.url ?? ""
        }
        #expect(try await url([1, -2, 3], [.low, .aBC]).contains("/many/1,-2,3/low,a-b%20c/5,7?"))
        #expect(try await url([7], [.unrecognized("a/b")]).contains("/many/7/a%2Fb/5,7?"))
        for (ids, levels) in [
            ([], [.low]), ([1], []), ([1], [.unrecognized("..")]), ([1], [.unrecognized("")]),
            ([1], [.low, .unrecognized("a,b")]),
        ] as [([Int], [Everything.Level])] {
            let result = await client.result(of: Everything.ReadMany(ids: ids, levels: levels, since: [Date()]))
            guard case .failure(.fault(let fault)) = result else {
                Issue.record("\(ids) \(levels) was sent")
                continue
            }
            #expect(fault.kind == .invalidRequest && fault.context.brokenFields.map(\.name) == ["path"])
        }
        #expect(transport.requests.count == 2)
    }

    @Test func aJoinedListIsOneText() async throws {
        let transport = RecordingTransport()
        let client = client(transport)
        try await client.findJoined(
            ids: [1, -2], levels: [.low, .aBC], words: ["a,b", "c|d"], secrets: ["canary-1", "canary-2"],
            xDays: [
                try #require(CalendarDate(year: 2026, month: 2, day: 28)),
                try #require(CalendarDate(year: 2027, month: 1, day: 1)),
            ])
        let request = try #require(transport.requests.last)
        #expect(
            request.url.contains("?ids=1,-2&levels=low%7Ca-b%20c&words=a%2Cb%20c%7Cd&secrets=canary-1,canary-2&"),
            "\(request.url)")
        #expect(request.headers["X-Days"] == "2026-02-28,2027-01-01")
        #expect(!"\(request)".contains("canary-"))
        try await client.sendJoined(
            at: [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1)], grades: [.best, .poor])
        #expect(
            transport.body.hasPrefix("at=1970-01-01T00%3A00%3A00Z%2C1970-01-01T00%3A00%3A01Z&grades=-3%7C1"),
            "\(transport.body)")
        try await client.findJoined(ids: [], levels: [], secrets: nil)
        #expect(transport.requests.last?.url.contains("?apiVersion=3") == true, "\(transport.requests.last?.url ?? "")")
        #expect(transport.requests.last?.headers["X-Days"] == nil)
    }

    /// It would be two values for the server.
    @Test func aValueWithTheSeparatorIsNotSent() async throws {
        let transport = RecordingTransport()
        let result = await client(transport).result(of: Everything.FindJoined(ids: [1], words: ["a b"]))
        guard case .failure(.fault(let fault)) = result else { return #expect(Bool(false)) }
        #expect(fault.kind == .invalidRequest && fault.context.brokenFields.map(\.name) == ["words"])
        #expect(transport.requests.isEmpty)
    }

    @Test func constraintsAreHeldBeforeAnythingIsSent() async throws {
        let transport = RecordingTransport()
        let result = await client(transport).result(of: Everything.LogIn(user: "u", password: "short", since: []))
        guard case .failure(.fault(let fault)) = result else { return #expect(Bool(false)) }
        #expect(fault.kind == .invalidRequest)
        #expect(transport.requests.isEmpty)
        let dated = await client(transport).result(
            of: Everything.LogIn(
                user: "u", password: "long enough", since: [.distantFuture, Date(timeIntervalSince1970: 1e12)]))
        guard case .failure(.fault(let late)) = dated else { return #expect(Bool(false)) }
        #expect(late.kind == .invalidRequest)
    }

    @Test func anIdempotencyKeyTravelsWhereTheContractSays() async throws {
        let transport = RecordingTransport(200, #"{"data":{"number":1}}"#)
        let client = client(transport)
        _ = try await client.payByHeader(amount: 5)
        let headers = transport.requests.last?.headers
        #expect(headers?["X-Request-Id"]?.count == 36 && headers?["Idempotency-Key"] == nil)
        _ = try await client.payByField(amount: 5)
        #expect(transport.body.hasPrefix("amount=5&idempotency+key="), "\(transport.body)")
        #expect(transport.requests.last?.headers["Idempotency-Key"] == nil)
        _ = try await client.payWhole(body: Everything.Ping(name: "n", pong: nil))
        #expect(
            transport.body.hasPrefix(#"{"name":"n","na\"me\\":""#) && transport.body.hasSuffix(#""}"#),
            "\(transport.body)")
    }

    @Test func instantsAreSpelledAsTheContractSays() async throws {
        let sent =
            #"{"plain":"Sat, 21 Nov 2026 08:00:00 GMT","usual":"2026-11-21 16:00:00","optional":"2026-11-21 16:00:00","#
            + #""list":["21.11.2026 09:00 Uhr"],"map":{"a":"2026-11-21 16:00:00"},"cleared":null,"#
            + #""quoted":"8:00 AM, the \"21\"'th of Nov 2026"}"#
        let transport = RecordingTransport(200, #"{"data":"# + sent + "}")
        let client = client(transport)
        let moment = Date(timeIntervalSince1970: 1_795_248_000)
        let instants = try await client.sendInstants(
            at: moment, since: nil, all: [moment, moment], xAt: moment, begins: moment, more: [moment])
        let request = try #require(transport.requests.last)
        #expect(request.url.contains("/instants/2026-11-21%2016%3A00%3A00?"), "\(request.url)")
        #expect(request.url.components(separatedBy: "all=2026-11-21%2016%3A00%3A00").count == 3)
        #expect(request.headers["X-At"] == "2026-11-21 16:00:00")
        #expect(
            transport.body.hasPrefix("begins=2026-11-21+16%3A00%3A00&more=2026-11-21+16%3A00%3A00"), "\(transport.body)"
        )
        #expect([instants.plain, instants.usual, instants.list[0]] == [moment, moment, moment])
        #expect(instants.cleared == .null && instants.quoted == moment && instants.map?["a"] == moment)
        _ = try await client.echoInstants(body: instants)
        #expect(transport.body == sent, "\(transport.body)")
    }

    /// `nullable: required`: the member is always there, and nil is null.
    @Test func aRequiredNullIsSentAndRead() async throws {
        let null = #"{"count":null,"until":null,"reviews":null,"parent":null,"names":null,"old":null}"#
        let some =
            #"{"count":1,"until":"1970-01-01 08:00:00","reviews":{"approvals":2},"parent":"# + null
            + #","names":["a"],"old":"o","note":"n"}"#
        let transport = RecordingTransport(200, #"{"data":"# + some + "}")
        let client = client(transport)
        let none = Everything.Limits(count: nil, until: nil, reviews: nil, parent: nil, names: nil, old: nil)
        let all = Everything.Limits(
            count: 1, until: Date(timeIntervalSince1970: 0), reviews: .init(approvals: 2), parent: none, names: ["a"],
            old: "o", note: "n")
        let read = try await client.setLimits(limit: nil, token: nil, anything: nil, at: nil, limits: nil, more: [none])
        #expect(
            transport.body.hasPrefix(
                #"{"limit":null,"token":null,"anything":null,"at \"day\"":null,"limits":null,"more":["# + null + "]"),
            "\(transport.body)")
        #expect(read.count == 1 && read.parent?.count == nil && read.reviews?.approvals == 2)
        _ = try await client.setLimits(
            limit: 5, token: "canary", anything: .null, at: CalendarDate("2026-11-21"), limits: all, more: [],
            other: true
        )
        #expect(
            transport.body.hasPrefix(
                #"{"limit":5,"token":"canary","anything":null,"at \"day\"":"2026-11-21","limits":"# + some
                    + #","more":[],"other":true"#), "\(transport.body)")
        let low = await client.result(
            of: Everything.SetLimits(limit: 0, token: nil, anything: nil, at: nil, limits: nil, more: []))
        guard case .failure(.fault(let failure)) = low else { return #expect(Bool(false)) }
        #expect(failure.kind == .invalidRequest)
        for key in ["count", "until", "reviews", "parent", "names", "old"] {
            let missing = null.replacing("\"\(key)\":null", with: "\"no \(key)\":null")
            let result = await self.client(RecordingTransport(200, #"{"data":"# + missing + "}")).result(
                of: Everything.SetLimits(limit: nil, token: nil, anything: nil, at: nil, limits: nil, more: []))
            guard case .failure(.fault(let failure)) = result else {
                Issue.record("\(key) may be missing")
                continue
            }
            #expect(failure.kind == .malformed)
        }
    }

    @Test func theInsideOfAFieldIsAStructureInsideOfItsOwner() async throws {
        let order = Everything.Order(
            id: 1,
            address: Everything.Order.Address(
                street: "s", place: Everything.Order.Address.Place(latitude: 0.5, longitude: 1)),
            billing: Everything.Order.Billing(
                street: "b", date: try #require(CalendarDate("2026-11-21")), card: "canary"),
            lines: [Everything.Order.Lines(count: 2)],
            notes: ["a": Everything.Order.Notes(text: "t", at: Date(timeIntervalSince1970: 0))],
            cleared: .value(Everything.Order.Cleared(by: "me")))
        let json =
            #"{"id":1,"address":{"street":"s","place":{"latitude":0.5,"longitude":1}},"#
            + #""billing":{"street":"b","date":"2026-11-21","card":"canary"},"lines":[{"count":2}],"#
            + #""notes":{"a":{"text":"t","at":"1970-01-01 08:00:00"}},"cleared":{"by":"me"}}"#
        let transport = RecordingTransport(200, #"{"data":"# + json + "}")
        let echoed = try await client(transport).echoOrder(body: order)
        #expect(transport.body == json, "\(transport.body)")
        #expect(echoed.address.place.latitude == 0.5 && echoed.lines.first?.count == 2)
        let printed = "\(echoed)"
        #expect(!printed.contains("canary"))

        let answering = RecordingTransport(200, #"{"data":{"order":"# + json + #","receipt":{"number":7}}}"#)
        let gift = Everything.PlaceOrder.Gift(text: "for you")
        guard case .completed(let response) = try await client(answering).placeOrder(order: order, gift: gift) else {
            return #expect(Bool(false))
        }
        let receipt: Everything.PlaceOrder.Response.Receipt = response.receipt
        #expect(receipt.number == 7)
        #expect(
            answering.body.hasSuffix(#""gift":{"text":"for you"},"sent_at""#)
                || answering.body.contains(#""gift":{"text":"for you"}"#))
        let waiting = RecordingTransport(200, #"{"data":{"since":{"day":"2026-11-21"}},"error":{"code":10}}"#)
        guard case .waiting(let data) = try await client(waiting).placeOrder(order: order) else {
            return #expect(Bool(false))
        }
        #expect(data?.since.day.description == "2026-11-21")
        let sold = RecordingTransport(200, #"{"data":{"buyer":{"name":"n"}},"error":{"code":11}}"#)
        guard case .failure(.sold(let details)) = await client(sold).result(of: Everything.PlaceOrder(order: order))
        else {
            return #expect(Bool(false))
        }
        #expect(details.data?.buyer.name == "n")
        let long = await client(sold).result(
            of: Everything.PlaceOrder(order: order, gift: Everything.PlaceOrder.Gift(text: "much too long")))
        guard case .failure(.shared(.fault(let fault))) = long else { return #expect(Bool(false)) }
        #expect(fault.kind == .invalidRequest)
    }

    @Test func redeclaredNamesReachTheWire() {
        #expect(Everything.service.version == "1.10")
        #expect(
            Everything.service.errors.map(\.name) == [
                "sessionExpired", "busy", "short", "listed", "worded", "bodied", "sold", "putBefore", "putAlready",
                "usedUp", "away",
            ])
        #expect(Everything.Server.main(port: "1", stage: "x").url == "http://127.0.0.1:1/x")
        #expect(Everything.Default.endpoint.name == "default")
        #expect(Everything.SendAll.endpoint.effect == .keyed)
    }
}
