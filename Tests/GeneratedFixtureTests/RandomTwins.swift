import ErrandRuntime
import Foundation

/// Values of all kinds, with the texts and numbers that hurt.
extension SeededGenerator {
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
    mutating func flip() -> Bool { next() % 2 == 0 }
    mutating func maybe<Value>(_ make: (inout SeededGenerator) -> Value) -> Value? { flip() ? make(&self) : nil }
    mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }
    mutating func list<Value>(_ make: (inout SeededGenerator) -> Value) -> [Value] {
        (0..<below(4)).map { _ in make(&self) }
    }

    mutating func text() -> String {
        let pieces = ["a", "Z", "0", " ", "\"", "\\", "/", "\n", "\u{1}", "é", "漢", "😀", "\u{2028}", "\u{7F}"]
        return (0..<below(12)).map { _ in pick(pieces) }.joined()
    }

    mutating func map<Value>(_ make: (inout SeededGenerator) -> Value) -> [String: Value] {
        Dictionary((0..<below(3)).map { _ in (text(), make(&self)) }) { $1 }
    }

    /// Of any size.
    mutating func int() -> Int { Int(truncatingIfNeeded: next() >> UInt64(below(64))) }

    mutating func double() -> Double {
        let value = flip() ? Double(bitPattern: next()) : Double(int32()) / 8
        return value.isFinite ? value : 0.1
    }

    mutating func int32() -> Int32 { Int32(truncatingIfNeeded: next() >> UInt64(below(64))) }

    mutating func decimal() -> Decimal {
        Decimal(sign: flip() ? .plus : .minus, exponent: below(20) - 10, significand: Decimal(int32().magnitude))
    }

    /// From 1900 to 2100, to the millisecond.
    mutating func moment() -> Moment {
        Moment(Date(timeIntervalSince1970: Double(below(6_300_000_000_000) - 2_200_000_000_000) / 1000))
    }
    mutating func seconds() -> Seconds { Seconds(flip() ? Double(int32()) : Double(int32()) / 64) }
    mutating func bytes() -> Data { Data((0..<below(9)).map { _ in UInt8(truncatingIfNeeded: next()) }) }
    mutating func uuid() -> UUID {
        var bytes = UUID().uuid
        withUnsafeMutableBytes(of: &bytes) { bytes in
            for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: next()) }
        }
        return UUID(uuid: bytes)
    }

    mutating func level() -> String { pick(["low", "high", "a-b c", "😀", "say \"hi\"\\(x)", "odd", text()]) }

    mutating func json(_ depth: Int = 2) -> JSONValue {
        switch below(depth > 0 ? 6 : 4) {
        case 0: .null
        case 1: .bool(flip())
        case 2: .number(JSONNumber(Int(int32())))
        case 3: .string(text())
        case 4: .array(list { $0.json(depth - 1) })
        default: .object(JSONObject(map { $0.json(depth - 1) }))
        }
    }
}

extension JSONObject {
    init(_ map: [String: JSONValue]) {
        self.init()
        for key in map.keys.sorted() { self[key] = map[key] }
    }
}

extension Twin.Item {
    init(_ random: inout SeededGenerator) {
        self.init(
            id: random.int(), name: random.text(), level: random.maybe { $0.level() }, old: random.maybe { $0.text() })
    }
}

extension Twin.Scalars {
    init(_ random: inout SeededGenerator) {
        var float = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
        if !float.isFinite { float = 0.1 }
        self.init(
            string: random.text(), bool: random.flip(), int: random.int(), int32: random.int32(),
            int64: Int64(random.int()),
            uint: UInt(random.next()), double: random.double(), float: float, decimal: random.decimal(),
            timestamp: random.moment(), unix: random.seconds(),
            milliseconds: Milliseconds(Double(random.below(1 << 42))),
            date: Day(random.pick(["2026-11-21", "2024-02-29", "0000-01-01", "9999-12-31"])), uuid: random.uuid(),
            url: URL(filePath: "/\(random.below(100))/b c"), bytes: random.bytes(), json: random.json(),
            grade: random.pick([1, 2, -3, 7]), mode: random.pick([.fast, .slow]), size: random.pick([.small, .large]))
    }
}

extension Twin.Optionals {
    init(_ random: inout SeededGenerator) {
        self.init(
            string: random.maybe { $0.text() }, int: random.maybe { $0.int() }, unix: random.maybe { $0.seconds() },
            bytes: random.maybe { $0.bytes() }, json: random.maybe { .array([$0.json()]) },
            item: random.maybe(Twin.Item.init),
            level: random.maybe { $0.level() }, list: random.maybe { $0.list { $0.int() } },
            map: random.maybe { $0.map(Twin.Item.init) }, text: random.maybe { $0.text() })
        if random.flip() { changed = Change(random.maybe { $0.text() }) }
        if random.flip() { changedAt = Change(random.maybe { $0.moment() }) }
        if random.flip() { changedItem = Change(random.maybe(Twin.Item.init)) }
    }
}

extension Twin.Defaults {
    init(_ random: inout SeededGenerator) {
        self.init(
            string: random.maybe { $0.text() }, bool: random.maybe { $0.flip() }, int: random.maybe { $0.int() },
            double: random.maybe { $0.double() }, decimal: random.maybe { $0.decimal() },
            level: random.maybe { $0.level() }, list: random.maybe { $0.list { $0.text() } },
            map: random.maybe { $0.map { $0.int() } })
    }
}

extension Twin.Nested {
    init(_ random: inout SeededGenerator) {
        self.init(
            lists: random.list { $0.list { $0.int() } }, maps: random.map { $0.map { $0.moment() } },
            optionals: random.list { $0.maybe { $0.int() } }, dates: random.list { $0.seconds() },
            optionalDates: random.list { $0.maybe { $0.moment() } }, bytes: random.list { $0.bytes() },
            levels: random.list { $0.level() }, grades: random.map { $0.maybe { $0.pick([1, 2, -3, 9]) } },
            items: random.list(Twin.Item.init), values: random.list { $0.json() })
    }
}

extension Twin.Dated {
    init(_ random: inout SeededGenerator) {
        self.init(day: Day("2026-0\(1 + random.below(9))-1\(random.below(10))"), at: random.maybe { $0.moment() })
    }
}

extension Twin.Tree {
    convenience init(_ random: inout SeededGenerator, depth: Int = 2) {
        func branch(_ random: inout SeededGenerator) -> Twin.Tree? {
            depth == 0 || random.flip() ? nil : Twin.Tree(&random, depth: depth - 1)
        }
        self.init(
            value: random.int(), left: branch(&random), right: branch(&random), own: random.text(),
            children: random.list { branch(&$0) }.compactMap { $0 })
    }
}

extension Twin.Shape {
    init(_ random: inout SeededGenerator, depth: Int = 2) {
        switch random.below(depth > 0 ? 4 : 3) {
        case 0: self = .circle(random.double())
        case 1: self = .square(random.int())
        case 2: self = .other(["kind": .string("blob" + random.text()), "x": random.json()])
        default:
            self = .group(
                random.list { Twin.Shape(&$0, depth: depth - 1) }, random.maybe { Twin.Shape(&$0, depth: depth - 1) })
        }
    }
}
