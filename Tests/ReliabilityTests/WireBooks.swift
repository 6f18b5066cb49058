import ErrandRuntime
import Foundation

/// The response to a request.
struct WireAnswerText {
    var status = "200 OK"
    var body: String

    func head(announcing length: Int) -> String { "HTTP/1.1 \(status)\r\nContent-Length: \(length)\r\n\r\n" }
}

/// The requests that a `WireBank` has received and carried out.
final class WireBooks: @unchecked Sendable {
    /// What became of one order.
    struct Entry {
        /// How often it was carried out.
        var effects = 0
        /// What happened to it the first time that the client could not know what became of it.
        var openSince: WireFaultKind?
        /// Which faults were met by requests that must not have been made any more.
        var forbidden: [WireFaultKind] = []
        var keys: Set<String> = []
    }

    private let lock = NSLock()
    private var chance: SeededGenerator
    private var entries: [String: Entry] = [:]
    /// The orders that were carried out, by key.
    private var done: [String: String] = [:]
    /// The keys of those that were refused for good.
    private var refused: Set<String> = []
    private var played: [WireFaultKind: Int] = [:]
    private var connections = 0

    init(seed: UInt64) { chance = SeededGenerator(seed: seed) }

    /// How many faults have left an order open, those not counted that came before it could be told from another.
    var ambiguousFaults: Int {
        lock.withLock { played.reduce(0) { $0 + ($1.key.isAmbiguous ? $1.value : 0) } }
    }
    /// The kinds of faults that have not occurred yet.
    var unmet: [WireFaultKind] {
        lock.withLock { (WireFaultKind.ambiguous + WireFaultKind.plain).filter { played[$0] == nil } }
    }
    var openConnections: Int { lock.withLock { connections } }
    func entry(of id: String) -> Entry { lock.withLock { entries[id] ?? Entry() } }

    // MARK: Weather

    func open() { lock.withLock { connections += 1 } }
    func close() { lock.withLock { connections -= 1 } }

    func weatherOnAccept() -> WireFaultKind? {
        lock.withLock {
            guard Int.random(in: 0..<20, using: &chance) == 0 else { return nil }
            return WireFaultKind.onAccept.randomElement(using: &chance)
        }
    }

    func weather() -> WireFaultKind {
        lock.withLock {
            let isPlain = Int.random(in: 0..<5, using: &chance) == 0
            let kinds = isPlain ? WireFaultKind.plain : WireFaultKind.ambiguous
            return kinds.randomElement(using: &chance) ?? .answered
        }
    }

    /// Counts a fault that came before its request could be read.
    func note(_ weather: WireFaultKind) { lock.withLock { played[weather, default: 0] += 1 } }

    // MARK: Orders

    /// Records a request, carries it out if the weather lets it, and returns the response if the weather lets one through. A
    /// key has one final response, for any order of requests.
    func receive(_ request: WireRequest, _ weather: WireFaultKind) -> WireAnswerText {
        lock.withLock {
            switch request.kind {
            case .read: return WireAnswerText(body: Self.account)
            case .find:
                guard let key = request.key, let id = done[key] else {
                    return WireAnswerText(
                        status: "404 Not Found", body: #"{"error":{"code":900040,"messages":"None."}}"#)
                }
                return WireAnswerText(body: Self.transfer(id))
            // A login is always granted, and is no order.
            case .login: return WireAnswerText(body: "")
            case .card, .transfer: break
            }
            played[weather, default: 0] += 1
            if let key = request.key { entries[request.id, default: Entry()].keys.insert(key) }
            if request.kind == .card, entries[request.id]?.openSince != nil {
                entries[request.id]?.forbidden.append(weather)
            }
            let isNow = weather != .late && (weather.isCarriedOut ?? Bool.random(using: &chance))
            if isNow { book(request) }
            let isDone = request.key.map { done[$0] != nil } ?? isNow
            if weather == .refused, !isDone, let key = request.key { refused.insert(key) }
            let isRefused = (weather == .refused && !isDone) || request.key.map(refused.contains) ?? false
            if weather.isAmbiguous || isNow, entries[request.id, default: Entry()].openSince == nil {
                entries[request.id, default: Entry()].openSince = weather
            }
            if isRefused {
                return WireAnswerText(status: "404 Not Found", body: #"{"error":{"code":900004,"messages":"No."}}"#)
            }
            return WireAnswerText(body: request.kind == .card ? Self.card : Self.transfer(request.id))
        }
    }

    func carryOut(_ request: WireRequest) { lock.withLock { book(request) } }

    private func book(_ request: WireRequest) {
        switch request.kind {
        case .read, .find, .login: return
        case .card: break
        case .transfer:
            guard let key = request.key, !refused.contains(key), done.updateValue(request.id, forKey: key) == nil
            else { return }
        }
        entries[request.id, default: Entry()].effects += 1
    }

    private static let card = #"{"data":{"id":1,"account":1,"kind":"D","lastDigits":"1234","validUntil":"2031-01-01"}}"#
    private static let account =
        #"{"data":{"id":1,"owner":"A","balance":1,"status":"active","openedAt":"2026-01-01T00:00:00Z"}}"#
    private static func transfer(_ id: String) -> String {
        #"{"data":{"fromAccount":1,"toAccount":2,"amount":1,"confirmation":7,"reference":"\#(id)"}}"#
    }
}
