import Foundation
import TestSeeds

/// A service whose commands are frames of one connection: its contract, what its server sends, and what the client must send and
/// return. It implements the language independently of the tool.
struct FrameModel {
    let service: String
    let seed: UInt64

    // The frame, as `connection` describes it.
    private let kindMember: String?
    private let correlationMember: String?
    private let hasNumbers: Bool
    private let payloadMember: String?
    private let replyPattern: String?
    private let failureKind: String?
    private let subprotocol: String?

    // The envelope of payloads.
    private let dataPath: String?
    private let asks: [Input]
    private let askReply: String?
    private let isRefused: Bool
    private let listsTexts: Bool
    private let hasEnd: Bool
    private let hasCancel: Bool
    private let hasHeader: Bool
    private let eventData: EventData

    /// An input of `ask`: its type, its value in Swift and as JSON, and whether it is given.
    private struct Input {
        var name: String
        var wire: String
        var type: String
        var swift: String
        var json: String
        var isGiven = true
    }

    private enum EventData: String, CaseIterable { case none, fields, type }

    init(service: String, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        self.service = service
        self.seed = seed
        kindMember = random.happens(500) ? random.pick(["op", "a b", "t\"ype", "ü"]) : nil
        correlationMember = random.happens(500) ? random.pick(["ref", "i d", "n\\r"]) : nil
        hasNumbers = random.happens(400)
        payloadMember = random.happens(600) ? random.pick(["data", "pay load", "d\"ata"]) : nil
        replyPattern = random.happens(400) ? random.pick(["{frame}.ok", "re:{frame}", "{frame}"]) : nil
        failureKind = random.happens(600) ? random.pick(["error", "no \"way\""]) : nil
        subprotocol = random.happens(300) ? "sample.v1" : nil
        dataPath = random.happens(500) ? "result" : nil
        asks = (0..<random.below(4)).map { Self.input($0, &random) }
        askReply = random.happens(300) ? "answer to ask" : nil
        isRefused = random.happens(400)
        listsTexts = random.happens(400)
        hasEnd = random.happens(700)
        hasCancel = random.happens(500)
        hasHeader = random.happens(400)
        eventData = random.pick(EventData.allCases)
    }

    private static func input(_ number: Int, _ random: inout SeededGenerator) -> Input {
        let (type, swift, json) = random.pick([
            ("string", "\"a \\\"b\\\" \\u{20AC}\"", "\"a \\\"b\\\" \u{20AC}\""), ("int", "-7", "-7"),
            ("bool", "true", "true"), ("[int]", "[1, 2]", "[1,2]"), ("Point", ".init(x: 3)", "{\"x\":3}"),
            ("timestamp(unix)", "Date(timeIntervalSince1970: 1_800_000_000)", "1800000000"),
        ])
        var input = Input(name: "input\(number)", wire: "input\(number)", type: type, swift: swift, json: json)
        if random.happens(300) { input.wire = "in put \(number)" }
        if random.happens(300) {
            input.type += "?"
            input.isGiven = random.happens(500)
        }
        return input
    }

    // MARK: The contract

    var contract: ContractNode {
        var connection: [ContractNode.Entry] = []
        func add(_ key: String, _ value: String?) {
            if let value { connection.append(.init(key: key, value: .text(value))) }
        }
        add("kind", kindMember)
        if hasNumbers {
            let member = ContractNode.text(correlationMember ?? "id")
            connection.append(.init(key: "correlation", value: .mapping(["member": member, "as": .word("int")])))
        } else {
            add("correlation", correlationMember)
        }
        add("payload", payloadMember)
        add("reply", replyPattern)
        add("failure", failureKind)
        add("subprotocol", subprotocol)
        connection.append(.init(key: "reconnect", value: .mapping(["base": .word("1ms"), "cap": .word("2ms")])))
        var envelope: [ContractNode.Entry] = [.init(key: "code", value: .text("code"))]
        if failureKind == nil { envelope.append(.init(key: "success", value: .list([.word("0")]))) }
        if let dataPath { envelope.append(.init(key: "data", value: .text(dataPath))) }
        var sections: [ContractNode.Entry] = [
            .init(key: "errand", value: .word("1")), .init(key: "service", value: .word(service)),
            .init(key: "servers", value: .mapping(["main": .text("wss://a.example/base")])),
            .init(key: "connection", value: .mapping(connection)),
        ]
        if hasHeader {
            let headers = ContractNode.mapping([
                "device": .mapping(["type": .text("string"), "wire": .text("X-Device")])
            ])
            sections.append(.init(key: "common", value: .mapping(["headers": headers])))
        }
        sections += [
            .init(key: "envelopes", value: .mapping(["standard": .mapping(envelope)])),
            .init(
                key: "errors",
                value: .mapping([
                    "busy": .mapping(["category": .word("retryable"), "when": .mapping(["close": .word("1012")])]),
                    "refused": .mapping(["category": .word("nonRetryable"), "when": .mapping(["code": .word("7")])]),
                ])),
            .init(
                key: "defaults",
                value: .mapping([
                    "envelope": .text("standard"), "errors": .list([.text("busy"), .text("refused")]),
                    "retry": .mapping(["attempts": .word("5"), "base": .word("1ms"), "cap": .word("2ms")]),
                ])),
            .init(key: "types", value: .mapping(["Point": .mapping(["x": .text("int")])])),
            .init(key: "endpoints", value: .mapping(endpoints)), .init(key: "events", value: .mapping(["note": event])),
        ]
        return .mapping(sections)
    }

    private var endpoints: [ContractNode.Entry] {
        let frame: ContractNode =
            askReply.map { .mapping(["name": .text("do.ask"), "reply": .text($0)]) } ?? .text("do.ask")
        var ask: [ContractNode.Entry] = [.init(key: "frame", value: frame)]
        if !asks.isEmpty {
            let fields = asks.map { input in
                ContractNode.Entry(
                    key: input.name, value: .mapping(["type": .text(input.type), "wire": .text(input.wire)]))
            }
            ask.append(.init(key: "body", value: .mapping(fields)))
        }
        ask += [
            .init(key: "response", value: .mapping(["value": .text("int")])),
            .init(key: "effect", value: .word("read")),
        ]
        func stream(_ more: [ContractNode.Entry]) -> ContractNode {
            var entries: [ContractNode.Entry] = [.init(key: "stream", value: .word("frames"))]
            if hasEnd { entries.append(.init(key: "end", value: .text("the end"))) }
            if hasCancel { entries.append(.init(key: "cancel", value: .text("no more"))) }
            return .mapping(entries + more)
        }
        let place = ContractNode.text(listsTexts ? "string" : "int")
        let optional = ContractNode.text(listsTexts ? "string?" : "int?")
        return [
            .init(key: "ask", value: .mapping(ask)),
            .init(
                key: "tell",
                value: .mapping([
                    "frame": .text("do.tell"), "body": .mapping(["word": .text("string")]), "delivery": .word("none"),
                    "response": .word("none"), "effect": .word("idempotent"),
                ])),
            .init(
                key: "list",
                value: .mapping([
                    "frame": .text("do.list"),
                    "body": .mapping(["after": .mapping(["type": optional, "wire": .text("since")])]),
                    "response": .mapping(["place": place, "word": .text("string")]), "effect": .word("read"),
                    "delivery": stream([
                        .init(key: "position", value: .text("place")), .init(key: "resume", value: .text("after")),
                    ]),
                ])),
            .init(
                key: "watch",
                value: .mapping([
                    "frame": .text("do.watch"), "response": .text("Point"), "effect": .word("read"),
                    "delivery": stream([]),
                ])),
        ]
    }

    private var event: ContractNode {
        var entries: [ContractNode.Entry] = [.init(key: "frame", value: .text("on.note"))]
        switch eventData {
        case .none: break
        case .fields: entries.append(.init(key: "data", value: .mapping(["x": .text("int")])))
        case .type: entries.append(.init(key: "data", value: .text("Point")))
        }
        return .mapping(entries)
    }

    // MARK: The driver

    private func text(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// The Swift that sends the commands, and prints what came of them.
    var swift: String {
        let arguments = asks.filter(\.isGiven).map { "\($0.name): \($0.swift)" }.joined(separator: ", ")
        let common = hasHeader ? ", common: .init(device: \"one\")" : ""
        let word = eventData == .none ? "[note].count - 1" : eventData == .type ? "note.data.x" : "note.x"
        return """
            func \(service.lowercased())() async {
                let server = ScriptedServer(
                    correlation: \(text(correlationMember ?? "id")), kind: \(text(kindMember ?? "type")),
                    replies: [\(replies.map { "\(text($0.kind)): [\($0.turns.map { "[\($0.map(text).joined(separator: ", "))]" }.joined(separator: ", "))]" }.joined(separator: ", "))])
                let client = \(service)(on: server.dispatcher\(common))
                var results: [String] = []
                switch await client.result(of: \(service).Ask(\(arguments))) {
                case .success(let reply): results.append("ask \\(reply.value)")
                case .failure(let failure): results.append("ask \\(failure.context.name)")
                }
                var places: [String] = []
                do {
                    for try await element in client.list() {
                        places.append("\\(element.place) \\(element.word)")
                        if places.count == 3 { break }
                    }
                } catch { places.append("\\(error)") }
                results.append("list \\(places.joined(separator: ", "))")
                \(hasCancel ? "await server.waitForCancellation()" : "")
                var points: [String] = []
                do {
                    for try await element in client.watch() {
                        points.append(element.event.map { "\\($0.x)" } ?? "gap")
                        if points.count == 3\(hasEnd ? ", false" : "") { break }
                    }
                } catch { points.append("\\(error)") }
                results.append("watch \\(points.joined(separator: ", "))")
                var notes = client.events(of: \(service).Note.self).makeAsyncIterator()
                if case .failure(let failure) = await client.result(of: \(service).Tell(word: "hey")) {
                    results.append("tell \\(failure)")
                }
                while let next = await notes.next() {
                    guard let note = next.event else { continue }
                    results.append("note \\(\(word))")
                    break
                }
                server.report(results)
            }

            """
    }

    // MARK: The server

    private func json(_ text: String) -> String { ContractNode.quoted(text) }

    /// A frame of the server. `#` is in the place of the request's id.
    private func frame(_ kind: String, _ payload: String?, hasID: Bool = true) -> String {
        var members = ["\(json(kindMember ?? "type")):\(json(kind))"]
        if hasID { members.append("\(json(correlationMember ?? "id")):#") }
        if let payload {
            if let payloadMember {
                members.append("\(json(payloadMember)):{\(payload)}")
            } else {
                members.append(payload)
            }
        }
        return "{\(members.joined(separator: ","))}"
    }

    /// A payload in the envelope.
    private func success(_ members: String) -> String {
        let data = dataPath.map { "\(json($0)):{\(members)}" } ?? members
        return failureKind == nil ? "\"code\":0,\(data)" : data
    }

    private func reply(to frame: String) -> String { replyPattern?.replacing("{frame}", with: frame) ?? frame }

    private func element(_ kind: String, _ members: String) -> String { frame(reply(to: kind), success(members)) }

    private func place(_ number: Int) -> String { listsTexts ? "\"p\(number)\"" : "\(number)" }

    /// The frames for each request, by its kind and its turn. `!1012` closes the connection.
    private var replies: [(kind: String, turns: [[String]])] {
        let answer = askReply ?? reply(to: "do.ask")
        let refusal = frame(failureKind ?? answer, "\"code\":7")
        let listed = (1...4).map { element("do.list", "\"place\":\(place($0)),\"word\":\"w\($0)\"") }
        let watched = (1...3).map { element("do.watch", "\"x\":\($0)") }
        let end = hasEnd ? [frame("the end", nil)] : []
        let note = frame("on.note", eventData == .none ? nil : "\"x\":5", hasID: false)
        return [
            ("do.ask", [[isRefused ? refusal : frame(answer, success("\"value\":41"))]]),
            // After the reconnection, the last element comes twice.
            ("do.list", [[listed[0], listed[1], "!1012"], [listed[1], listed[2]]]),
            ("do.watch", [[watched[0], "!1012"], [watched[1]] + end]), ("do.tell", [[note]]),
        ]
    }

    // MARK: What must happen

    /// What the driver prints for a service.
    struct Seen: Decodable {
        var urls: [String]
        var subprotocols: [String]
        var devices: [String]
        var frames: [String]
        var results: [String]
    }

    /// How a run differs from what the contract says; nil if it does not.
    func difference(_ seen: Seen) throws -> String? {
        if Set(seen.urls) != ["wss://a.example/base"] { return "opened \(seen.urls)" }
        if Set(seen.subprotocols) != [subprotocol ?? ""] { return "subprotocol \(seen.subprotocols)" }
        if Set(seen.devices) != [hasHeader ? "one" : ""] { return "header \(seen.devices)" }
        let results = [
            "ask \(isRefused ? "refused" : "41")", "list \(listed)", "watch 1, gap, 2",
            "note \(eventData == .none ? 0 : 5)",
        ]
        if seen.results != results { return "results \(seen.results)\ninstead of \(results)" }
        var sent: [(id: String, frame: NSDictionary)] = []
        var cancelled: [String] = []
        let cancellation = try Self.object(frame("no more", nil, hasID: false))
        for frame in seen.frames {
            var object = try Self.object(frame)
            guard let id = object.removeValue(forKey: correlationMember ?? "id") else { return "no id: \(frame)" }
            if (id is String) == hasNumbers { return "an id of another form: \(frame)" }
            // A subscription is cancelled beside what its reader does next.
            if (object as NSDictionary).isEqual(to: cancellation) {
                cancelled.append("\(id)")
            } else {
                sent.append(("\(id)", object as NSDictionary))
            }
        }
        let wanted = try requests.map(Self.object)
        guard sent.count == wanted.count, zip(sent, wanted).allSatisfy({ $0.frame.isEqual(to: $1) }) else {
            return "frames \(seen.frames)\ninstead of \(requests)"
        }
        if Set(sent.map(\.id)).count < sent.count { return "an id a second time: \(seen.frames)" }
        // The reader leaves the list, and the other subscription if it has no end.
        let left = hasCancel ? [sent[2].id] + (hasEnd ? [] : [sent[4].id]) : []
        if Set(cancelled).count < cancelled.count || !Set(cancelled).isSubset(of: left)
            || !Set(left.prefix(1)).isSubset(of: cancelled)
        {
            return "cancelled \(cancelled) and not \(left): \(seen.frames)"
        }
        return nil
    }

    private static func object(_ text: String) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    }

    private var listed: String {
        (1...3).map { "\(listsTexts ? "p\($0)" : "\($0)") w\($0)" }.joined(separator: ", ")
    }

    /// The frames of the client without their ids.
    private var requests: [String] {
        func request(_ kind: String, _ payload: [String]?) -> String {
            let members = payload?.joined(separator: ",")
            // Beside the other members, a payload without members is nothing.
            return frame(kind, payloadMember == nil && members == "" ? nil : members, hasID: false)
        }
        let given = asks.filter(\.isGiven).map { "\(json($0.wire)):\($0.json)" }
        return [
            request("do.ask", asks.isEmpty ? nil : given), request("do.list", []),
            request("do.list", ["\"since\":\(place(2))"]), request("do.watch", nil), request("do.watch", nil),
            request("do.tell", ["\"word\":\"hey\""]),
        ]
    }
}
