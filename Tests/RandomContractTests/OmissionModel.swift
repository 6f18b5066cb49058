import TestSeeds

/// A command with inputs in every place of a request, and what its requests contain for each way to leave inputs out. It
/// implements the language independently of the tool.
struct OmissionModel {
    /// What the contract says of an input that the app leaves out.
    enum Presence {
        /// The app always passes it.
        case required
        case optional
        case defaulted(json: String)
        /// `nullable: distinct`.
        case distinct
        /// `nullable: required`.
        case nullable
    }

    enum State {
        case given, left, null
    }

    enum Place: String {
        case path, query, headers, json, form, multipart
        /// One type is the JSON body.
        case whole
        /// A common parameter, whose place depends on the method.
        case parameters
    }

    indirect enum Shape {
        /// A value in Swift, in JSON and as text.
        case scalar(type: String, swift: String, json: String, text: String)
        case scalars([Shape])
        case structure(name: String, [Slot])
        case list(Shape)
        case map(Shape)
    }

    /// An input, a common parameter, or a field of a structure.
    struct Slot {
        var id: Int
        var name: String
        var wire: String
        var presence: Presence
        var shape: Shape
    }

    /// The states of slots that aren't given.
    typealias Variation = [Int: State]

    let service: String
    let seed: UInt64
    let contract: ContractNode
    let isPaged: Bool
    private(set) var inputs: [(place: Place, slot: Slot)] = []
    private(set) var common: [(place: Place, slot: Slot)] = []
    let method: String
    private let isKeyed: Bool
    private let bodyPlace: Place?

    // MARK: The contract

    init(service: String, seed: UInt64) {
        var maker = OmissionMaker(random: SeededGenerator(seed: seed))
        let method = maker.random.pick(["get", "post", "put", "patch", "post", "patch"])
        let bodyPlace: Place? = method == "get" ? nil : maker.random.pick([.json, .json, .form, .multipart, .whole])
        let isKeyed = method == "post" && maker.random.happens(300)
        let isPaged = method == "get" && maker.random.happens(600)
        self.service = service
        self.seed = seed
        self.method = method
        self.isKeyed = isKeyed
        self.isPaged = isPaged
        self.bodyPlace = bodyPlace
        inputs = maker.slots(.path, 1) + maker.slots(.query, 1 + maker.random.below(3))
        if isPaged { inputs.append((.query, maker.page())) }
        inputs += maker.slots(.headers, maker.random.below(3))
        switch bodyPlace {
        case nil: break
        case .whole?: inputs.append((.whole, maker.wholeBody()))
        case let place?: inputs += maker.slots(place, 2 + maker.random.below(3))
        }
        for place in [Place.query, .headers, .parameters] where maker.random.happens(400) {
            common += maker.slots(place, 1 + maker.random.below(2), prefix: "common")
        }
        contract = Self.contract(
            service, method, isKeyed: isKeyed, isPaged: isPaged, bodyPlace, inputs, common, maker.types)
    }

    /// A change of an optional value and of one that may be null, for planted bugs.
    init(planted service: String) {
        self.service = service
        (seed, method, isKeyed, isPaged, bodyPlace) = (0, "patch", false, false, .json)
        let number = Shape.scalar(type: "int", swift: "7", json: "7", text: "7")
        inputs = [
            (.json, Slot(id: 1, name: "optional", wire: "optional", presence: .optional, shape: number)),
            (.json, Slot(id: 2, name: "cleared", wire: "cleared", presence: .nullable, shape: number)),
        ]
        contract = Self.contract(service, method, isKeyed: false, isPaged: false, .json, inputs, [], [])
    }

    private static func contract(
        _ service: String, _ method: String, isKeyed: Bool, isPaged: Bool, _ bodyPlace: Place?,
        _ inputs: [(place: Place, slot: Slot)], _ common: [(place: Place, slot: Slot)], _ types: [ContractNode.Entry]
    ) -> ContractNode {
        func fields(_ slots: [(place: Place, slot: Slot)], _ place: Place) -> [ContractNode.Entry] {
            slots.filter { $0.place == place }.map { .init(key: $0.slot.name, value: OmissionMaker.field($0.slot)) }
        }
        let path = inputs.filter { $0.place == .path }.map { "/{\($0.slot.name):\($0.slot.shape.type)}" }.joined()
        var endpoint: [ContractNode.Entry] = [.init(key: method, value: .text("/ask" + path))]
        for place in [Place.query, .headers] where inputs.contains(where: { $0.place == place }) {
            endpoint.append(.init(key: place.rawValue, value: .mapping(fields(inputs, place))))
        }
        switch bodyPlace {
        case nil: break
        case .whole?:
            let type = inputs.last { $0.place == .whole }?.slot.shape.type ?? ""
            endpoint.append(.init(key: "body", value: .text(type)))
        case let place?:
            endpoint.append(
                .init(
                    key: "body",
                    value: .mapping(["encoding": .word(place.rawValue), "fields": .mapping(fields(inputs, place))])))
        }
        if isKeyed { endpoint.append(.init(key: "effect", value: .word("keyed"))) }
        if isPaged {
            endpoint.append(
                .init(key: "response", value: .mapping(["items": .text("[string]"), "total": .text("int")])))
            endpoint.append(
                .init(
                    key: "paginate",
                    value: .mapping(["page": .text("page"), "total": .text("total"), "items": .text("items")])))
        }
        var sections: [ContractNode.Entry] = [
            .init(key: "errand", value: .word("1")), .init(key: "service", value: .word(service)),
            .init(key: "servers", value: .mapping(["main": .text("https://a.example/base")])),
        ]
        // What the contract itself sends, and the app cannot leave out.
        var shared: [ContractNode.Entry] = []
        for place in [Place.query, .headers, .parameters] {
            var own = fields(common, place)
            if place == .query { own.append(.init(key: "version", value: .mapping(["const": .text("3")]))) }
            if place == .headers { own.append(.init(key: "X-Number", value: .mapping(["each": .word("uuid")]))) }
            if !own.isEmpty { shared.append(.init(key: place.rawValue, value: .mapping(own))) }
        }
        sections.append(.init(key: "common", value: .mapping(shared)))
        if !types.isEmpty { sections.append(.init(key: "types", value: .mapping(types))) }
        sections.append(.init(key: "endpoints", value: .mapping(["ask": .mapping(endpoint)])))
        return .mapping(sections)
    }

    // MARK: What an app passes

    /// Everything is given; each input is left out, or null, in turn; and all are at once.
    var variations: [Variation] {
        let slots = (inputs + common).flatMap { Self.all(in: $0.slot) }
        var variations: [Variation] = [[:]]
        var least: Variation = [:]
        for slot in slots {
            let states: [State] =
                switch slot.presence {
                case .required: []
                case .optional, .defaulted: [.left]
                case .distinct: [.left, .null]
                case .nullable: [.null]
                }
            variations += states.map { [slot.id: $0] }
            if let first = states.first { least[slot.id] = first }
        }
        return variations + [least]
    }

    private static func all(in slot: Slot) -> [Slot] { [slot] + slot.shape.inner.flatMap(all) }

    /// The client and the command in Swift.
    func swift(_ variation: Variation) -> (client: String, command: String) {
        let own = arguments(common.map(\.slot), variation)
        let client = common.isEmpty ? "" : ", common: .init(\(own))"
        let arguments = inputs.filter { $0.place != .whole }.map(\.slot)
        var texts = [self.arguments(arguments, variation)]
        if let body = inputs.first(where: { $0.place == .whole })?.slot {
            texts.append("body: \(swift(body.shape, variation))")
        }
        return (
            "\(service)(on: dispatcher\(client))",
            "\(service).Ask(\(texts.filter { !$0.isEmpty }.joined(separator: ", ")))"
        )
    }

    private func arguments(_ slots: [Slot], _ variation: Variation) -> String {
        slots.compactMap { slot in
            let isDistinct = if case .distinct = slot.presence { true } else { false }
            switch variation[slot.id] ?? .given {
            case .left: return nil
            case .null: return "\(slot.name): \(isDistinct ? ".null" : "nil")"
            case .given:
                let value = swift(slot.shape, variation)
                return "\(slot.name): \(isDistinct ? ".value(\(value))" : value)"
            }
        }.joined(separator: ", ")
    }

    private func swift(_ shape: Shape, _ variation: Variation) -> String {
        switch shape {
        case .scalar(_, let swift, _, _): swift
        case .scalars(let values): "[\(values.map { swift($0, variation) }.joined(separator: ", "))]"
        case .structure(let name, let slots): "\(service).\(name)(\(arguments(slots, variation)))"
        case .list(let element): "[\(swift(element, variation))]"
        case .map(let element): "[\"k\": \(swift(element, variation))]"
        }
    }

    // MARK: What the server must find

    /// Nil is any value.
    typealias Pair = (name: String, value: String?)

    enum Body {
        case none
        case json(String)
        case form([Pair])
        case multipart([Pair])
    }

    struct Wanted {
        var path: [String]
        var query: [Pair]
        var headers: [Pair]
        var body: Body
    }

    func wanted(_ variation: Variation) -> Wanted {
        // Parameters are in the query of a GET, and of a body that is one type.
        let isInQuery = bodyPlace == nil || bodyPlace == .whole
        let parameters = common.filter { $0.place == .parameters }.map(\.slot)
        let query =
            slots(.query) + common.filter { $0.place == .query }.map(\.slot) + (isInQuery ? parameters : [])
        let headers = slots(.headers) + common.filter { $0.place == .headers }.map(\.slot)
        var wanted = Wanted(
            path: ["base", "ask"] + slots(.path).flatMap { pairs($0, variation).compactMap(\.value) },
            query: query.flatMap { pairs($0, variation) } + [("version", "3")],
            headers: headers.flatMap { pairs($0, variation) } + [("X-Number", nil)], body: .none)
        if isKeyed { wanted.headers.append(("Idempotency-Key", nil)) }
        if isPaged { wanted.headers.append(("Accept", "application/json")) }
        switch bodyPlace {
        case nil: return wanted
        case .whole?: wanted.body = .json(slots(.whole).map { json($0.shape, variation) }.joined())
        case .json?: wanted.body = .json(object(slots(.json) + parameters, variation))
        case .form?: wanted.body = .form((slots(.form) + parameters).flatMap { pairs($0, variation) })
        case .multipart?, .path?, .query?, .headers?, .parameters?:
            wanted.body = .multipart(
                slots(.multipart).flatMap { parts($0, variation) } + parameters.flatMap { pairs($0, variation) })
        }
        wanted.headers.append(("Content-Type", nil))
        return wanted
    }

    private func slots(_ place: Place) -> [Slot] { inputs.filter { $0.place == place }.map(\.slot) }

    private func object(_ slots: [Slot], _ variation: Variation) -> String {
        let members = slots.compactMap { slot -> String? in
            let key = "\"\(slot.wire)\":"
            switch (variation[slot.id] ?? .given, slot.presence) {
            case (.given, _): return key + json(slot.shape, variation)
            case (.null, _): return key + "null"
            case (.left, .defaulted(let json)): return key + json
            case (.left, _): return nil
            }
        }
        return "{\(members.joined(separator: ","))}"
    }

    private func json(_ shape: Shape, _ variation: Variation) -> String {
        switch shape {
        case .scalar(_, _, let json, _): json
        case .scalars(let values): "[\(values.map { json($0, variation) }.joined(separator: ","))]"
        case .structure(_, let slots): object(slots, variation)
        case .list(let element): "[\(json(element, variation))]"
        case .map(let element): "{\"k\":\(json(element, variation))}"
        }
    }

    /// The pairs of a query, a header or a form.
    private func pairs(_ slot: Slot, _ variation: Variation, under prefix: String = "") -> [Pair] {
        let name = prefix.isEmpty ? slot.wire : "\(prefix)[\(slot.wire)]"
        guard variation[slot.id] == nil else {
            guard case .defaulted(let json) = slot.presence, json != "[]" else { return [] }
            return [(name, json.hasPrefix("\"") ? String(json.dropFirst().dropLast()) : json)]
        }
        return pairs(name, slot.shape, variation)
    }

    private func pairs(_ name: String, _ shape: Shape, _ variation: Variation) -> [Pair] {
        switch shape {
        case .scalar(_, _, _, let text): [(name, text)]
        // Inside of brackets, each element has its number.
        case .scalars(let values):
            values.enumerated().flatMap { pairs(name.hasSuffix("]") ? "\(name)[\($0)]" : name, $1, variation) }
        case .structure(_, let slots): slots.flatMap { pairs($0, variation, under: name) }
        case .list(let element): pairs(name + "[0]", element, variation)
        case .map(let element): pairs(name + "[k]", element, variation)
        }
    }

    /// The parts of a multipart body. What isn't a single value, or a list of them, is JSON.
    private func parts(_ slot: Slot, _ variation: Variation) -> [Pair] {
        switch slot.shape {
        case .structure, .list, .map:
            switch (variation[slot.id], slot.presence) {
            case (nil, _): [(slot.wire, json(slot.shape, variation))]
            case (.left, .defaulted(let json)): [(slot.wire, json)]
            default: []
            }
        case .scalar, .scalars: pairs(slot, variation)
        }
    }
}

extension OmissionModel.Shape {
    /// The slots of the structure that it has at its bottom.
    var inner: [OmissionModel.Slot] {
        switch self {
        case .scalar, .scalars: []
        case .structure(_, let slots): slots
        case .list(let element), .map(let element): element.inner
        }
    }

    /// Its type in a contract.
    var type: String {
        switch self {
        case .scalar(let type, _, _, _): type
        case .scalars(let values): "[\(values.first?.type ?? "string")]"
        case .structure(let name, _): name
        case .list(let element): "[\(element.type)]"
        case .map(let element): "[string: \(element.type)]"
        }
    }
}
