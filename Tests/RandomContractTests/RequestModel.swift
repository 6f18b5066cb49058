import Foundation
import TestSeeds

/// A command with inputs in every place of a request, in Swift, and what a server must find in that request. It implements the
/// language independently of the tool.
struct RequestModel {
    enum Place: String, CaseIterable {
        case path, query, headers, form, multipart, json
    }

    /// An input: its type in the contract, its value in Swift, and the texts that the server reads, one for each element.
    struct Input {
        var name: String
        var wire: String
        var place: Place
        var type: String
        var swift: String
        var texts: [String]
        /// Its inner values with brackets: those after its name, and the text.
        var inner: [(path: String, text: String)]?
    }

    let contract: ContractNode
    let inputs: [Input]

    /// The inputs as arguments of the command's initializer; those with a default or nil may be left out.
    let arguments: String

    init(service: String, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bodyPlace = random.pick([Place.form, .multipart, .json])
        let hasBrackets = bodyPlace == .multipart && random.happens(500)
        var inputs: [Input] = []
        var fields: [Place: [ContractNode.Entry]] = [:]
        var arguments: [String] = []
        for place in [Place.path, .query, .headers, bodyPlace] {
            for _ in 0..<1 + random.below(3) {
                let number = inputs.count
                var input = Self.input(
                    "input\(number)", in: place, hasInner: place == .form || place == .multipart && hasBrackets, &random
                )
                var options: [ContractNode.Entry] = []
                let named = random.happens(300) && place != .path
                input.wire =
                    named
                    ? (place == .headers ? "X-Name-\(number)" : random.pick(Self.wires) + "\(number)") : input.name
                if let mark = Self.marks[random.pick(Array(Self.marks.keys.sorted()))], Self.isJoinable(input),
                    random.happens(500)
                {
                    options.append(.init(key: "joined", value: .word(mark.word)))
                    input.texts = input.texts.isEmpty ? [] : [input.texts.joined(separator: mark.separator)]
                }
                var isGiven = true
                switch random.below(place == .path ? 1 : 4) {
                case 0, 1: break
                case 2:
                    input.type += "?"
                    isGiven = random.happens(500)
                    if !isGiven {
                        input.texts = []
                        input.inner = input.inner.map { _ in [] }
                    }
                default:
                    // Defaults are tested only for single numbers and texts.
                    guard input.texts.count == 1, ["int", "string"].contains(input.type) else { break }
                    options.append(.init(key: "default", value: .text(input.texts[0])))
                    isGiven = random.happens(500)
                }
                if input.type == "int", let index = options.firstIndex(where: { $0.key == "default" }) {
                    options[index].value = .word(input.texts[0])
                }
                if named { options.append(.init(key: "wire", value: .text(input.wire))) }
                options.insert(.init(key: "type", value: .text(input.type)), at: 0)
                fields[place, default: []].append(.init(key: input.name, value: .mapping(options)))
                if isGiven { arguments.append("\(input.name): \(input.swift)") }
                inputs.append(input)
            }
        }
        let path = inputs.filter { $0.place == .path }.map { "/ab/{\($0.name):\($0.type)}" }
            .joined()
        var endpoint: [ContractNode.Entry] = [.init(key: "post", value: .text(path))]
        if let query = fields[.query] { endpoint.append(.init(key: "query", value: .mapping(query))) }
        if let headers = fields[.headers] { endpoint.append(.init(key: "headers", value: .mapping(headers))) }
        endpoint.append(
            .init(
                key: "body",
                value: .mapping(
                    [.init(key: "encoding", value: .word(bodyPlace.rawValue))]
                        + (hasBrackets ? [.init(key: "nesting", value: .word("brackets"))] : [])
                        + [.init(key: "fields", value: .mapping(fields[bodyPlace] ?? []))])))
        contract = .mapping([
            "errand": .word("1"), "service": .word(service),
            "servers": .mapping(["main": .text("https://a.example/base")]),
            "types": .mapping([
                "Color": .mapping(["enum": .mapping(["red": .text("r d&"), "blue": .text("blü")])]),
                "Leaf": .mapping(["word": .text("string"), "count": .text("int?"), "shade": .text("Color")]),
                "Branch": .mapping([
                    "leaf": .text("Leaf"),
                    "leaves": .mapping(["type": .text("[Leaf]?"), "wire": .text("all & \u{FC}")]),
                    "at": .mapping(["type": .text("timestamp(unix)?")]), "marks": .text("[string: int]"),
                ]),
            ]),
            "endpoints": .mapping(["ask": .mapping(endpoint)]),
        ])
        self.inputs = inputs
        self.arguments = arguments.joined(separator: ", ")
    }

    private static let marks = [
        0: (word: "commas", separator: ","), 1: (word: "spaces", separator: " "), 2: (word: "pipes", separator: "|"),
    ]

    /// Whether an input is a list of values that contain no separator.
    private static func isJoinable(_ input: Input) -> Bool {
        (input.place == .query || input.place == .form) && input.inner == nil
            && ["[int]", "[bool]", "[double]", "[uuid]", "[date]"].contains(input.type)
    }

    private static let wires = ["a b", "q&=", "ü", "filter[x]", "plain"]
    private static let texts = ["plain", "a b", "a+b", "1&2=3?", "50%", "/", "ü€😀", "#;,:@!$'()*", "[x]"]

    private static func input(
        _ name: String, in place: Place, hasInner: Bool, _ random: inout SeededGenerator
    ) -> Input {
        if hasInner, random.happens(400) {
            let value = inner(depth: 0, &random)
            return Input(
                name: name, wire: name, place: place, type: value.type, swift: value.swift, texts: [],
                inner: value.pairs)
        }
        if place == .path, random.happens(250) {
            // No value contains the comma that separates them, and an empty list has no segment.
            let type = random.pick(["int", "bool", "double", "uuid", "date"])
            let values = (0..<1 + random.below(3)).map { _ in value(type, in: place, &random) }
            return Input(
                name: name, wire: name, place: place, type: "[\(type)]",
                swift: "[\(values.map(\.swift).joined(separator: ", "))]",
                texts: [values.map(\.text).joined(separator: ",")])
        }
        let isList = place != .path && place != .headers && random.happens(300)
        let type = random.pick([
            "string", "string", "int", "bool", "double", "uuid", "timestamp", "timestamp(unix)", "date", "Color",
        ])
        let values = (0..<(isList ? random.below(4) : 1)).map { _ in value(type, in: place, &random) }
        return Input(
            name: name, wire: name, place: place, type: isList ? "[\(type)]" : type,
            swift: isList ? "[\(values.map(\.swift).joined(separator: ", "))]" : values[0].swift,
            texts: values.map(\.text))
    }

    private static func value(_ type: String, in place: Place, _ random: inout SeededGenerator) -> (
        swift: String, text: String
    ) {
        switch type {
        case "string":
            // A header carries printable ASCII. An empty segment, or one of dots, would be another path.
            let choices =
                switch place {
                case .headers: ["plain", "a b", "1&2=3?", "x;y=\\u{22}z\\u{22}"]
                case .path: texts
                default: texts + ["", ".."]
                }
            let text = random.pick(choices)
            return ("\"\(text)\"", text.replacing("\\u{22}", with: "\""))
        case "int":
            let number = random.pick([0, -3, 7, Int.max, Int.min])
            return ("\(number)", "\(number)")
        case "bool": return random.happens(500) ? ("true", "true") : ("false", "false")
        case "double":
            let text = random.pick(["2.5", "-0.125", "1e+300", "3.0"])
            return (text, text)
        case "uuid":
            let text = "5f1c0c3e-2f6b-4a53-9f0e-0d4a7e1b2c3d"
            return ("UUID(uuidString: \"\(text)\")!", text)
        case "timestamp": return ("Date(timeIntervalSince1970: 1_800_000_000)", "2027-01-15T08:00:00Z")
        case "timestamp(unix)": return ("Date(timeIntervalSince1970: 1_800_000_000)", "1800000000")
        case "date": return ("CalendarDate(year: 2026, month: 2, day: 28)!", "2026-02-28")
        default: return random.happens(500) ? (".red", "r d&") : (".blue", "blü")
        }
    }

    /// A map, a structure or a list of them, with its pairs in a form.
    private typealias Inner = (type: String, swift: String, pairs: [(path: String, text: String)])

    private static func inner(depth: Int, _ random: inout SeededGenerator) -> Inner {
        switch random.below(depth > 1 ? 4 : 6) {
        case 0: return map(of: "int", { value("int", in: .form, &$0) }, &random)
        case 1: return map(of: "string", { value("string", in: .form, &$0) }, &random)
        case 2: return leaf(&random)
        case 3: return branch(&random)
        case 4:
            let element = inner(depth: depth + 1, &random)
            return (
                "[\(element.type)]", "[\(element.swift), \(element.swift)]",
                ["[0]", "[1]"].flatMap { index in element.pairs.map { (index + $0.path, $0.text) } }
            )
        default:
            let element = inner(depth: depth + 1, &random)
            return (
                "[string: \(element.type)]", "[\"k y\": \(element.swift)]",
                element.pairs.map { ("[k y]" + $0.path, $0.text) }
            )
        }
    }

    private static func map(
        of type: String, _ value: (inout SeededGenerator) -> (swift: String, text: String),
        _ random: inout SeededGenerator
    ) -> Inner {
        let keys = ["key", "a&b=c", "\u{FC}", "0"].prefix(random.below(5))
        let values = keys.map { (key: $0, value: value(&random)) }
        let swift = values.map { "\"\($0.key)\": \($0.value.swift)" }.joined(separator: ", ")
        return (
            "[string: \(type)]", "[\(swift.isEmpty ? ":" : swift)]", values.map { ("[\($0.key)]", $0.value.text) }
        )
    }

    private static func leaf(_ random: inout SeededGenerator) -> Inner {
        let word = value("string", in: .form, &random)
        let count = random.happens(500) ? value("int", in: .form, &random) : nil
        let shade = value("Color", in: .form, &random)
        let pairs = [("[word]", word.text)] + (count.map { [("[count]", $0.text)] } ?? []) + [("[shade]", shade.text)]
        let swift = "word: \(word.swift)" + (count.map { ", count: \($0.swift)" } ?? "") + ", shade: \(shade.swift)"
        return ("Leaf", ".init(\(swift))", pairs)
    }

    private static func branch(_ random: inout SeededGenerator) -> Inner {
        let own = leaf(&random)
        let leaves = (0..<random.below(3)).map { _ in leaf(&random) }
        let at = random.happens(500) ? value("timestamp(unix)", in: .form, &random) : nil
        let marks = map(of: "int", { value("int", in: .form, &$0) }, &random)
        var pairs = own.pairs.map { (path: "[leaf]" + $0.path, text: $0.text) }
        var swift = "leaf: \(own.swift)"
        if !leaves.isEmpty { swift += ", leaves: [\(leaves.map(\.swift).joined(separator: ", "))]" }
        for (index, leaf) in leaves.enumerated() {
            pairs += leaf.pairs.map { ("[all & \u{FC}][\(index)]" + $0.path, $0.text) }
        }
        if let at {
            swift += ", at: \(at.swift)"
            pairs.append(("[at]", at.text))
        }
        pairs += marks.pairs.map { ("[marks]" + $0.path, $0.text) }
        return ("Branch", ".init(\(swift), marks: \(marks.swift))", pairs)
    }

    // MARK: The request

    /// A request as the driver prints it.
    struct Sent: Decodable {
        var method: String
        var url: String
        var headers: [[String]]
        var body: [UInt8]
    }

    /// How a request differs from what the contract says; nil if it does not.
    func difference(_ sent: Sent) throws -> String? {
        guard sent.method == "POST", let parts = URLComponents(string: sent.url), parts.host == "a.example" else {
            return "another method or server: \(sent.method) \(sent.url)"
        }
        let segments = parts.percentEncodedPath.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let path = segments.map { String($0).removingPercentEncoding ?? "?" }
        let wantedPath = ["base"] + inputs.filter { $0.place == .path }.flatMap { ["ab", $0.texts[0]] }
        if !isSame(path, wantedPath) { return "path \(path)" }
        let query = Self.pairs(parts.percentEncodedQuery ?? "")
        if let difference = difference(query, in: .query) { return difference }
        let own = sent.headers.map { (name: $0[0].lowercased(), value: $0[1]) }
        for input in inputs where input.place == .headers {
            let found = own.filter { $0.name == input.wire.lowercased() }.map(\.value)
            if !isSame(found, input.texts) { return "header \(input.wire): \(found)" }
        }
        let type = own.first { $0.name == "content-type" }?.value ?? ""
        let text = String(decoding: sent.body, as: UTF8.self)
        switch inputs.last?.place {
        case .form?:
            guard type.hasPrefix("application/x-www-form-urlencoded") else { return "content type \(type)" }
            return difference(Self.pairs(text), in: .form)
        case .multipart?:
            guard let parts = Self.parts(text, type) else { return "no multipart body: \(text)" }
            return difference(parts, in: .multipart)
        default:
            guard type.hasPrefix("application/json") else { return "content type \(type)" }
            return try jsonDifference(text)
        }
    }

    private func difference(_ found: [(name: String, value: String)], in place: Place) -> String? {
        let wanted = inputs.filter { $0.place == place }
        var names = Set(found.map(\.name))
        for input in wanted {
            let places = Dictionary(
                grouping: input.inner ?? input.texts.map { (path: "", text: $0) }, by: { input.wire + $0.path })
            for (name, texts) in places {
                let values = found.filter { $0.name == name }.map(\.value)
                if !isSame(values, texts.map(\.text)) { return "\(place) \(name): \(values)" }
            }
            names.subtract(places.keys)
        }
        return names.isEmpty ? nil : "\(place) has \(names)"
    }

    /// Whether texts are the same, numbers by their value and a UUID in either case.
    private func isSame(_ found: [String], _ wanted: [String]) -> Bool {
        found.count == wanted.count && zip(found, wanted).allSatisfy(Self.isSame)
    }

    private static func isSame(_ found: String, _ wanted: String) -> Bool {
        if found == wanted { return true }
        if wanted.count == 36 { return found.lowercased() == wanted }
        guard wanted.contains(".") || wanted.contains("e+") else { return false }
        return Double(found) == Double(wanted) && Double(found) != nil
    }

    /// The pairs of a form, as the URL standard (section 5.1) parses them.
    static func pairs(_ text: String) -> [(name: String, value: String)] {
        text.split(separator: "&").map { pair in
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                $0.replacing("+", with: " ").removingPercentEncoding ?? "?"
            }
            return (halves[0], halves.count > 1 ? halves[1] : "")
        }
    }

    /// The parts of a multipart body (RFC 7578).
    static func parts(_ text: String, _ type: String) -> [(name: String, value: String)]? {
        guard let mark = type.range(of: "boundary=") else { return nil }
        let boundary = type[mark.upperBound...].replacing("\"", with: "")
        let parts = text.components(separatedBy: "--\(boundary)")
        guard parts.count >= 2, parts.first == "", parts.last?.hasPrefix("--") == true else { return nil }
        return parts.dropFirst().dropLast().map { part in
            let halves = part.components(separatedBy: "\r\n\r\n")
            let name = halves[0].components(separatedBy: "name=\"").last?.components(separatedBy: "\"").first ?? "?"
            return (name, String(halves.dropFirst().joined(separator: "\r\n\r\n").dropLast()))
        }
    }

    private func jsonDifference(_ text: String) throws -> String? {
        guard let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
            return "no object: \(text)"
        }
        let wanted = inputs.filter { $0.place == .json }
        for input in wanted {
            let isList = input.type.hasPrefix("[")
            let found = object[input.wire]
            let values = isList ? found as? [Any] : found.map { [$0] }
            let isLeftOut = found == nil && input.texts.isEmpty && input.type.hasSuffix("?")
            guard isLeftOut || values.map({ isSame($0.map(Self.text), input.texts) }) == true else {
                return "\(input.wire) is \(found ?? "not there") in \(text)"
            }
        }
        return Set(object.keys) == Set(wanted.filter { object[$0.wire] != nil }.map(\.wire))
            ? nil : "other keys: \(text)"
    }

    private static func text(_ value: Any) -> String {
        guard let number = value as? NSNumber, !(value is String) else { return "\(value)" }
        return boolean(number) ?? number.stringValue
    }

    /// `true` and `false` are numbers to Foundation.
    private static func boolean(_ number: NSNumber) -> String? {
        number.objCType.pointee == 0x63 ? (number.boolValue ? "true" : "false") : nil
    }
}
