import TestSeeds

/// Makes the inputs of an ``OmissionModel``, and the contract's text for them.
struct OmissionMaker {
    typealias Model = OmissionModel

    var random: SeededGenerator
    /// The structures. Each is the type of one slot.
    private(set) var types: [ContractNode.Entry] = []
    private var count = 0

    init(random: SeededGenerator) { self.random = random }

    mutating func slots(_ place: Model.Place, _ count: Int, prefix: String = "input") -> [(
        place: Model.Place, slot: Model.Slot
    )] {
        (0..<count).map { _ in (place, slot(place, depth: 0, prefix)) }
    }

    /// The number of a page: with a default, or optional.
    mutating func page() -> Model.Slot {
        count += 1
        let presence = random.pick([Model.Presence.optional, .defaulted(json: "1"), .defaulted(json: "0")])
        return Model.Slot(id: count, name: "page", wire: "page", presence: presence, shape: Self.number(1))
    }

    /// A body that is one type.
    mutating func wholeBody() -> Model.Slot {
        count += 1
        return Model.Slot(
            id: count, name: "body", wire: "body", presence: .required, shape: structure(.json, depth: 0))
    }

    private mutating func slot(_ place: Model.Place, depth: Int, _ prefix: String) -> Model.Slot {
        count += 1
        let id = count
        let shape = shape(place, depth: depth)
        let name = "\(prefix)\(id)"
        let wires = place == .headers ? ["X-Wire-\(id)"] : [name, "w \(id)", "\u{FC}\(id)", "snake_\(id)"]
        let wire = place == .path || place == .parameters ? name : random.pick(wires)
        return Model.Slot(id: id, name: name, wire: wire, presence: presence(place, shape), shape: shape)
    }

    private mutating func presence(_ place: Model.Place, _ shape: Model.Shape) -> Model.Presence {
        if place == .path { return .required }
        switch random.below(place == .json ? 10 : 6) {
        case 0, 1: return .required
        case 2, 3: return .optional
        case 4, 5:
            switch shape {
            case .scalar("string", _, _, _): return .defaulted(json: "\"standard\"")
            case .scalar("int", _, _, _): return .defaulted(json: "5")
            case .scalar("bool", _, _, _): return .defaulted(json: "true")
            case .scalars, .list: return place == .headers ? .optional : .defaulted(json: "[]")
            case .scalar, .structure, .map: return .optional
            }
        case 6, 7: return .distinct
        default: return .nullable
        }
    }

    // MARK: Values

    private mutating func shape(_ place: Model.Place, depth: Int) -> Model.Shape {
        let isNested = (place == .json || place == .form || place == .multipart) && depth < 2
        if isNested, random.happens(350) {
            let inner: Model.Place = place == .multipart ? .json : place
            let structure = structure(inner, depth: depth + 1)
            return random.pick([structure, structure, .list(structure), .map(structure)])
        }
        let scalar = scalar(place)
        return place != .path && place != .headers && random.happens(200) ? .scalars([scalar, scalar]) : scalar
    }

    private mutating func structure(_ place: Model.Place, depth: Int) -> Model.Shape {
        let name = "Part\(types.count)"
        types.append(.init(key: name, value: .mapping([ContractNode.Entry]())))
        let index = types.count - 1
        let slots = (0..<2 + random.below(3)).map { _ in slot(place, depth: depth, "field") }
        types[index].value = .mapping(slots.map { .init(key: $0.name, value: Self.field($0)) })
        return .structure(name: name, slots)
    }

    private mutating func scalar(_ place: Model.Place) -> Model.Shape {
        switch random.below(5) {
        case 0: return .scalar(type: "string", swift: "\"a b\"", json: "\"a b\"", text: "a b")
        case 1: return Self.number(random.pick([0, 7, -3]))
        case 2: return .scalar(type: "bool", swift: "false", json: "false", text: "false")
        case 3:
            return .scalar(
                type: "date", swift: "day", json: "\"2026-02-28\"", text: "2026-02-28")
        default: return .scalar(type: "decimal", swift: "0.5", json: "0.5", text: "0.5")
        }
    }

    private static func number(_ number: Int) -> Model.Shape {
        .scalar(type: "int", swift: "\(number)", json: "\(number)", text: "\(number)")
    }

    // MARK: The contract

    /// A slot in the long form.
    static func field(_ slot: Model.Slot) -> ContractNode {
        var type = slot.shape.type
        var options: [ContractNode.Entry] = []
        switch slot.presence {
        case .required: break
        case .optional: type += "?"
        case .defaulted(let json):
            let value: ContractNode =
                json == "[]"
                ? .list([]) : json.hasPrefix("\"") ? .text(String(json.dropFirst().dropLast())) : .word(json)
            options.append(.init(key: "default", value: value))
        case .distinct, .nullable:
            type += "?"
            let isDistinct = if case .distinct = slot.presence { true } else { false }
            options.append(.init(key: "nullable", value: .word(isDistinct ? "distinct" : "required")))
        }
        if slot.wire != slot.name { options.append(.init(key: "wire", value: .text(slot.wire))) }
        return .mapping([.init(key: "type", value: .text(type))] + options)
    }
}
