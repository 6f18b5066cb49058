import ErrandRuntime
import Foundation

/// The types of the contract that uses everything as one writes them by hand for `Codable`, read by
/// `JSONDecoder` and written by `JSONEncoder`.
enum Twin {
    struct Item: Codable, Equatable {
        var id: Int
        var name: String
        var level: String?
        var old: String?

        enum CodingKeys: String, CodingKey {
            case id, level, old
            case name = "na\"me"
        }

        /// An absent value is the contract's default.
        static func == (a: Item, b: Item) -> Bool {
            a.id == b.id && a.name == b.name && (a.level ?? "low") == (b.level ?? "low") && a.old == b.old
        }
    }

    enum Mode: String, Codable { case fast, slow }
    enum Size: Int, Codable {
        case small = 1
        case large
    }

    struct Scalars: Codable, Equatable {
        var string: String
        var bool: Bool
        var int: Int
        var int32: Int32
        var int64: Int64
        var uint: UInt
        var double: Double
        var float: Float
        var decimal: Decimal
        var timestamp: Moment
        var unix: Seconds
        var milliseconds: Milliseconds
        var date: Day
        var uuid: UUID
        var url: URL
        var bytes: Data
        var json: JSONValue
        var grade: Int
        var mode: Mode
        var size: Size
    }

    struct Optionals: Codable, Equatable {
        var string: String?
        var int: Int?
        var unix: Seconds?
        var bytes: Data?
        var json: JSONValue?
        var item: Item?
        var level: String?
        var list: [Int]?
        var map: [String: Item]?
        var text: String?
        var changed = Change<String>()
        var changedAt = Change<Moment>()
        var changedItem = Change<Item>()
    }

    struct Defaults: Codable, Equatable {
        var string: String?
        var bool: Bool?
        var int: Int?
        var double: Double?
        var decimal: Decimal?
        var level: String?
        var list: [String]?
        var map: [String: Int]?

        static func == (a: Defaults, b: Defaults) -> Bool {
            (a.string ?? "a \"b\" \\(c) \n ü") == (b.string ?? "a \"b\" \\(c) \n ü")
                && (a.bool ?? true) == (b.bool ?? true)
                && (a.int ?? -5) == (b.int ?? -5) && (a.double ?? 2.5) == (b.double ?? 2.5)
                && (a.decimal ?? Decimal(-3) / 10) == (b.decimal ?? Decimal(-3) / 10)
                && (a.level ?? "none") == (b.level ?? "none") && (a.list ?? []) == (b.list ?? [])
                && (a.map ?? [:]) == (b.map ?? [:])
        }
    }

    struct Nested: Codable, Equatable {
        var lists: [[Int]]
        var maps: [String: [String: Moment]]
        var optionals: [Int?]
        var dates: [Seconds]
        var optionalDates: [Moment?]
        var bytes: [Data]
        var levels: [String]
        var grades: [String: Int?]
        var items: [Item]
        var values: [JSONValue]
    }

    struct Dated: Codable, Equatable {
        var day: Day
        var at: Moment?
    }

    /// A class, since a structure cannot hold itself.
    final class Tree: Codable, Equatable, Sendable {
        let value: Int
        let left: Tree?
        let right: Tree?
        let own: String
        let children: [Tree]

        enum CodingKeys: String, CodingKey {
            case value, left, right, children
            case own = "self"
        }

        init(value: Int, left: Tree?, right: Tree?, own: String, children: [Tree]) {
            (self.value, self.left, self.right, self.own, self.children) = (value, left, right, own, children)
        }

        static func == (a: Tree, b: Tree) -> Bool {
            a.value == b.value && a.left == b.left && a.right == b.right && a.own == b.own && a.children == b.children
        }
    }

    indirect enum Shape: Codable, Equatable {
        case circle(Double)
        case square(Int)
        case group([Shape], Shape?)
        case other(JSONValue)

        enum CodingKeys: CodingKey { case kind, radius, side, shapes, main }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            switch try container.decode(String.self, forKey: .kind) {
            case "circle": self = .circle(try container.decode(Double.self, forKey: .radius))
            case "square": self = .square(try container.decode(Int.self, forKey: .side))
            case "many-sided":
                self = .group(
                    try container.decode([Shape].self, forKey: .shapes),
                    try container.decodeIfPresent(Shape.self, forKey: .main))
            default: self = .other(try JSONValue(from: decoder))
            }
        }

        func encode(to encoder: any Encoder) throws {
            if case .other(let value) = self { return try value.encode(to: encoder) }
            var container = encoder.container(keyedBy: CodingKeys.self)
            switch self {
            case .circle(let radius):
                try container.encode("circle", forKey: .kind)
                try container.encode(radius, forKey: .radius)
            case .square(let side):
                try container.encode("square", forKey: .kind)
                try container.encode(side, forKey: .side)
            case .group(let shapes, let main):
                try container.encode("many-sided", forKey: .kind)
                try container.encode(shapes, forKey: .shapes)
                try container.encodeIfPresent(main, forKey: .main)
            case .other: break
            }
        }
    }
}
