import ContractModel
import JSONTree

/// Makes values of a contract's types: each fulfills the constraints, and the optional members are present, as long as there is room.
///
/// The same seed and the same name give the same value, whatever was made before. Each field has random numbers of its own, so that
/// an edit of a contract changes only the values of the fields that it edits.
struct SampleGenerator {
    private let contract: ResolvedContract
    private let seed: UInt64
    private var random: SeededRandom
    /// The names of the fields that lead to the value, which its random numbers are made from.
    private var place: String
    /// The named types around the value. A type inside itself ends in null or in an empty list.
    private var outer: [String] = []
    /// The number that tells the value from others: what is called `id` has it.
    private var number: Int
    /// Whether the value is one of several: an element of a list, or the item of a collection.
    private var isElement: Bool
    private let identity: String?

    /// Types can be nested so deep in required members before a value becomes null.
    private static let deepest = 24
    /// How many more objects and lists the part that is being made has room for. With many types that contain several others, a value
    /// could have a part for each path through them. Where there is no more room, lists are as short as they can be, and optional objects
    /// and lists are absent. The members of an object share its room evenly, so that the first one does not take all of it. Scalars need
    /// no room: one more of them leaves the other members as they were.
    private var room = 1_000
    /// How many more values it makes at all. Beyond this number, optional members are absent, and required structures are null.
    private var remaining = 50_000

    /// - Parameters:
    ///   - number: the number of the value among others; nil if there is only this one.
    ///   - identity: the name on the wire of the member that tells it from the others, if that is known.
    init(
        _ contract: ResolvedContract, seed: UInt64, for name: String, number: Int? = nil, identity: String? = nil
    ) {
        self.contract = contract
        self.seed = seed
        self.identity = identity
        isElement = number != nil
        let number = number ?? 1
        self.number = number
        place = "\(name) \(number)"
        random = SeededRandom(seed: seed, for: place)
    }

    // MARK: Types

    /// A value of a type.
    ///
    /// - Parameters:
    ///   - constraints: those of the field; the constraints of aliases are added.
    ///   - name: the name of the field, from which texts are made.
    mutating func value(
        of type: TypeReference, _ constraints: [Constraints] = [], named name: String = "", elements: Int? = nil
    ) -> JSONNode {
        if case .optional(let inner) = type {
            return leadsBack(inner) ? .null : value(of: inner, constraints, named: name, elements: elements)
        }
        let (expanded, more) = contract.expanded(type)
        let all = constraints + more
        if expanded.isOptional { return value(of: expanded, all, named: name, elements: elements) }
        remaining -= 1
        if needsRoom(expanded) { room -= 1 }
        switch expanded {
        case .primitive(let primitive): return scalar(primitive, all, named: name)
        case .list(let inner):
            let count = min(elements ?? count(all, isEmpty: isFull || leadsBack(inner)), max(0, remaining))
            let (first, isOuterElement) = (number, isElement)
            defer { (number, isElement) = (first, isOuterElement) }
            isElement = true
            return .array(
                (0..<count).map { position in
                    // The elements of a payload can be told apart.
                    if outer.isEmpty { number = first + position }
                    return inside("\(position)", of: count - position) {
                        $0.value(of: inner, all.map(\.ofElements), named: $0.singular(name))
                    }
                })
        case .map(let inner):
            let count = min(count(all, isEmpty: isFull || leadsBack(inner)), max(0, remaining))
            return .object(
                (0..<count).map { position in
                    inside("\(position)", of: count - position) {
                        JSONNode.Member(
                            "key\(position + 1)", $0.value(of: inner, all.map(\.ofElements), named: name))
                    }
                })
        case .named(let type): return value(ofTypeNamed: type.value, named: name)
        case .optional: return .null
        }
    }

    private mutating func value(ofTypeNamed typeName: String, named name: String) -> JSONNode {
        guard let type = contract.type(named: typeName), outer.count < Self.deepest, remaining > 0 else { return .null }
        outer.append(typeName)
        defer { outer.removeLast() }
        switch type.form {
        case .structure(let fields): return object(fields)
        case .enumeration(let enumeration):
            guard let item = enumeration.cases.randomElement(using: &random) else { return .null }
            return enumeration.wireKind == .int ? .number(item.wireValue.value) : .string(item.wireValue.value)
        case .union(let union): return value(of: union, named: name)
        case .alias(let target, let constraints): return value(of: target, [constraints], named: name)
        }
    }

    /// An object with all fields.
    mutating func object(_ fields: [FieldDefinition]) -> JSONNode {
        var object = JSONNode.object([])
        let needRoom = fields.map { needsRoom($0.type) }
        var parts = needRoom.count { $0 }
        for (field, needsRoom) in zip(fields, needRoom) where !field.holdsOtherMembers {
            if field.isRequired || remaining > 0 && (!needsRoom || room > 0) { put(field, into: &object, of: parts) }
            if needsRoom { parts -= 1 }
        }
        return object
    }

    /// Whether values of the type have values inside them.
    private func needsRoom(_ type: TypeReference) -> Bool {
        switch contract.expanded(type.unwrapped).type.unwrapped {
        case .list, .map: true
        case .named(let name):
            if case .enumeration? = contract.type(named: name.value)?.form { false } else { true }
        case .primitive, .optional: false
        }
    }

    /// Adds the fields that an object lacks, also in the objects inside it.
    mutating func complete(_ value: JSONNode, type: TypeReference) -> JSONNode {
        let expanded = contract.expanded(type.unwrapped).type.unwrapped
        switch (expanded, value) {
        case (.list(let inner), .array(let elements)): return .array(elements.map { complete($0, type: inner) })
        case (.map(let inner), .object(let members)):
            return .object(members.map { JSONNode.Member($0.name, complete($0.value, type: inner)) })
        case (.named(let name), .object):
            guard case .structure(let fields)? = contract.type(named: name.value)?.form,
                !outer.contains(name.value)
            else { return value }
            outer.append(name.value)
            defer { outer.removeLast() }
            return complete(value, fields: fields)
        default: return value
        }
    }

    /// The same for the fields of an object.
    mutating func complete(_ value: JSONNode, fields: [FieldDefinition]) -> JSONNode {
        var made = JSONNode.object([])
        for field in fields where !field.holdsOtherMembers {
            if let known = value[field.wireName] {
                made[field.wireName] = complete(known, type: field.type)
            } else {
                put(field, into: &made)
            }
        }
        for member in value.members ?? [] where made[member.name] == nil { made[member.name] = member.value }
        return made
    }

    private mutating func put(_ field: FieldDefinition, into object: inout JSONNode, of parts: Int = 1) {
        object[field.wireName] = value(of: field, type: field.type, of: parts)
    }

    /// A value of a field. It follows from what is on the wire, so another name in the contract does not change it.
    ///
    /// - Parameters:
    ///   - type: The field's type, or that without the outer `?`.
    ///   - parts: how many parts share the room that is left.
    mutating func value(of field: FieldDefinition, type: TypeReference, of parts: Int = 1) -> JSONNode {
        inside(field.wireName, of: parts) { generator in
            if let known = generator.knownValue(of: field) {
                generator.remaining -= 1
                return known
            }
            return generator.value(of: type, [field.constraints], named: field.sampleName)
        }
    }

    /// The field's example, or the default of a single value, which is the usual one: documents of others spell constants so. A default
    /// of an enum is one value of many, so that an app meets the others.
    private func knownValue(of field: FieldDefinition) -> JSONNode? {
        let primitive = contract.expanded(field.type.unwrapped).type.unwrapped.primitive
        if case .string(let text)? = field.defaultValue?.value, primitive == .string, field.example == nil {
            return .string(text)
        }
        if isElement, isDistinct(field, primitive) { return nil }
        if let example = field.example {
            return ExampleValues(contract: contract).node(
                example, type: field.type, constraints: [field.constraints])
        }
        switch field.defaultValue?.value {
        case .bool(let flag)?: return .bool(flag)
        case .number(let text)?: return .number(text)
        case .text?, .string?, .enumCase?, .emptyList?, .emptyMap?, nil: return nil
        }
    }

    /// Whether the part has no room for another value.
    private var isFull: Bool { room <= 0 || remaining <= 0 }

    /// Makes a part of the value with random numbers of its own, and with its share of the room.
    ///
    /// - Parameter parts: how many parts share the room that is left. What this one does not need is for the others.
    private mutating func inside<Part>(
        _ name: String, of parts: Int, _ make: (inout SampleGenerator) -> Part
    ) -> Part {
        let (place, random, room) = (self.place, self.random, self.room)
        self.place += "." + name
        self.random = SeededRandom(seed: seed, for: self.place)
        let share = max(0, room) / max(1, parts)
        self.room = share
        defer { (self.place, self.random, self.room) = (place, random, room - (share - self.room)) }
        return make(&self)
    }

    private mutating func value(of union: UnionDefinition, named name: String) -> JSONNode {
        // A case that leads back would not end.
        let candidates = union.cases.filter { !leadsBack($0.type) }
        guard let item = (candidates.isEmpty ? union.cases : candidates).randomElement(using: &random) else {
            return .null
        }
        let inside = value(of: item.type, named: name)
        switch union.distinction {
        case .key, .kind: return inside
        case .value where item.name.value == UnionDefinition.others: return inside
        case .value(let key, let kind):
            let tag: JSONNode = kind == .int ? .number(item.name.value) : .string(item.name.value)
            let others = (inside.members ?? []).filter { $0.name != key.value }
            return .object([JSONNode.Member(key.value, tag)] + others)
        }
    }

    /// Whether a value of the type would contain another one of a type around it.
    private func leadsBack(_ type: TypeReference) -> Bool {
        var names = [type]
        var seen: Set<String> = []
        while let next = names.popLast() {
            switch contract.expanded(next).type {
            case .optional(let inner), .list(let inner), .map(let inner): names.append(inner)
            case .primitive: break
            case .named(let name):
                if outer.contains(name.value) { return true }
                guard seen.insert(name.value).inserted,
                    case .union(let union)? = contract.type(named: name.value)?.form
                else { continue }
                if union.cases.allSatisfy({
                    contract.expanded($0.type).type.names.contains { outer.contains($0.value) }
                }) {
                    return true
                }
            }
        }
        return false
    }

    // MARK: Sizes

    private mutating func count(_ constraints: [Constraints], isEmpty: Bool) -> Int {
        let bounds = CountBounds(constraints.compactMap(\.items?.value))
        return isEmpty ? bounds.least : bounds.clamp(Int.random(in: 1...3, using: &random))
    }

    private func singular(_ name: String) -> String {
        name.count > 3 && name.hasSuffix("s") && !name.hasSuffix("ss") ? String(name.dropLast()) : name
    }

    // MARK: Scalars

    mutating func scalar(_ primitive: Primitive, _ constraints: [Constraints], named name: String) -> JSONNode {
        if let forms = constraints.compactMap(\.format?.value).first, let form = forms.first {
            return timestamp(form)
        }
        switch primitive {
        case .bool: return .bool(Bool.random(using: &random))
        case .int, .int32, .int64, .uint, .double, .float, .decimal:
            return .number(SampleNumber.text(primitive, constraints, isIdentity: isIdentity(name), number, &random))
        case .timestamp: return timestamp(.rfc3339)
        case .timestampUnix: return timestamp(.unix)
        case .timestampMilliseconds: return timestamp(.milliseconds)
        case .date, .dateOrTimestamp:
            return .string(CalendarText.date(dayNumber: 20_454 + Int.random(in: 0..<365, using: &random)))
        case .uuid: return .string(uuid())
        case .bytes:
            let bounds = CountBounds(constraints.compactMap(\.length?.value))
            return .string(TextCoding.base64(Array("errand mock".utf8).cycled(to: bounds.clamp(11))))
        case .url: return .string("https://example.com/\(SampleText.slug(name))/\(number)")
        case .json: return .object([JSONNode.Member("text", .string("any JSON"))])
        case .string, .file:
            return .string(SampleText.text(constraints, named: name, isIdentity: isIdentity(name), number, &random))
        }
    }

    private mutating func timestamp(_ form: TimestampForm) -> JSONNode {
        // A time in the year 2026.
        let seconds = 1_767_225_600 + Int.random(in: 0..<31_536_000, using: &random)
        switch form {
        case .rfc3339: return .string(CalendarText.timestamp(seconds: seconds))
        case .unix: return .number(seconds)
        case .milliseconds: return .number(seconds * 1000)
        case .pattern(let format): return .string(format.sample)
        }
    }

    private mutating func uuid() -> String {
        let digits = (0..<32).map { _ in String(Int.random(in: 0...15, using: &random), radix: 16) }
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { digits[$0].joined() }
        // Version 4, variant 1 (RFC 9562).
        return "\(groups[0])-\(groups[1])-4\(groups[2].dropFirst())-a\(groups[3].dropFirst())-\(groups[4])"
    }

    /// Whether a name says which of several things it is, at the root of the value.
    private func isIdentity(_ name: String) -> Bool {
        outer.count <= 1 && Self.identities.contains(name.lowercased())
    }

    private static let identities: Set<String> = ["id", "number", "key", "handle"]

    /// Whether a field tells elements apart, so that they cannot all have the same value.
    private func isDistinct(_ field: FieldDefinition, _ primitive: Primitive?) -> Bool {
        let name = field.sampleName
        return primitive == .uuid || primitive == .url || field.wireName == identity || name.hasSuffix("ID")
            || Self.identities.contains(name.lowercased())
    }
}

extension FieldDefinition {
    /// The name that texts are made from: the last part of the name on the wire, in the spelling of Swift.
    var sampleName: String {
        // XML has names with a namespace before them, and a sign for the text of an element.
        let local = wireName.split(separator: "}").last.map(String.init) ?? wireName
        return local.contains(where: \.isLetter) ? SwiftIdentifier.make(from: local, .value) : "text"
    }
}

/// The least and the greatest count of all constraints.
struct CountBounds {
    var least = 0
    var most = Int.max

    init(_ bounds: [Constraints.Bounds]) {
        for bound in bounds {
            least = max(least, bound.lower.flatMap { Int($0) } ?? 0)
            most = min(most, bound.upper.flatMap { Int($0) } ?? .max)
        }
        // A contract cannot make the server fill the memory.
        least = min(least, Self.greatest)
        most = max(least, most)
    }

    static let greatest = 100_000

    func clamp(_ count: Int) -> Int { min(max(count, least), most) }
}

extension Array {
    /// The elements again and again, until there are so many.
    fileprivate func cycled(to count: Int) -> [Element] { isEmpty ? [] : (0..<count).map { self[$0 % self.count] } }
}
