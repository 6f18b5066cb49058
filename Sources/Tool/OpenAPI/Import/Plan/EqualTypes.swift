import ContractModel

/// Makes one type of those that a document has in several places: the enum of a parameter that each operation declares again,
/// the object in the details of each error, a schema that a tool has copied with a number behind its name.
///
/// Two types are one if their parts have the same name (`…TaxBehavior`) and if they have the same content, the types in it
/// included. A schema with a name of its own stays apart from every schema with another name, because it may mean something else
/// with the same content.
struct EqualTypes {
    private let types: TypePlanner
    private var entries: [PlannedTypeEntry] { types.entries }
    /// The entries that endpoints and errors need, in the order of their numbers.
    private let used: [Int]
    /// The type that each type becomes.
    private(set) var target: [Int]

    /// The maximum number of types that lead from one to the next. Longer chains stay as they are.
    private static let longestChain = 200

    init(types: TypePlanner, roots: [Int]) {
        self.types = types
        used = types.reached(from: roots).sorted()
        target = Array(types.entries.indices)
        find()
        for entry in types.entries { entry.form = entry.form.mapped(mapped) }
    }

    /// A type with its parts as they are now.
    func mapped(_ type: PlannedType) -> PlannedType { type.mapped { target[$0] } }

    // MARK: Classes

    private mutating func find() {
        let shapes = used.map(shape)
        let roles = roles()
        let tags = tags()
        var places: [Int: Int] = [:]
        for (place, number) in used.enumerated() { places[number] = place }
        var classes = Self.numbered(
            used.indices.map { place in
                let number = used[place]
                return Key(
                    role: roles[place], text: shapes[place].text, tags: tags[number] ?? [],
                    isDeprecated: entries[number].isDeprecated)
            })
        // Types of the same class are parted by the classes of their parts, until nothing changes.
        for round in 0...Self.longestChain {
            guard round < Self.longestChain else { return }
            let next = Self.numbered(
                used.indices.map { place in
                    [classes.numbers[place]] + shapes[place].parts.map { classes.numbers[places[$0] ?? place] }
                })
            let isFinal = next.count == classes.count
            classes = next
            if isFinal { break }
        }
        var members: [[Int]] = Array(repeating: [], count: classes.count)
        for place in used.indices { members[classes.numbers[place]].append(used[place]) }
        let shared = members.filter { $0.count > 1 }
        for numbers in shared {
            let kept = numbers.min { (rank($0), $0) < (rank($1), $1) } ?? numbers[0]
            for number in numbers { target[number] = kept }
            takeExamples(of: numbers, to: kept)
        }
        name(shared, roles: Dictionary(zip(used, roles)) { first, _ in first })
    }

    /// Gives the fields of a type the examples that only equal types have.
    private func takeExamples(of numbers: [Int], to kept: Int) {
        guard case .structure(var fields) = entries[kept].form, fields.contains(where: { $0.example == nil }) else {
            return
        }
        for number in numbers {
            guard case .structure(let others) = entries[number].form else { continue }
            for (position, other) in zip(fields.indices, others) where fields[position].example == nil {
                fields[position].example = other.example
            }
        }
        entries[kept].form = .structure(fields)
    }

    private struct Key: Hashable {
        var role: String
        var text: String
        var tags: Set<String>
        var isDeprecated: Bool
    }

    /// The number of each key, which is the same for equal keys, and how many there are.
    private static func numbered<K: Hashable>(_ keys: [K]) -> (numbers: [Int], count: Int) {
        var known: [K: Int] = [:]
        let numbers = keys.map { key in
            let number = known[key] ?? known.count
            known[key] = number
            return number
        }
        return (numbers, known.count)
    }

    /// A schema with a name is kept rather than a copy of it.
    private func rank(_ number: Int) -> Int {
        guard case .component(let name) = entries[number].origin else { return 2 }
        return name.last?.isNumber == true ? 1 : 0
    }

    // MARK: Roles

    /// What the types are, by the names of their parts.
    private func roles() -> [String] {
        let names = Set(
            used.compactMap { number -> String? in
                if case .component(let name) = entries[number].origin { Self.role(name) } else { nil }
            })
        return used.map { number in
            let role: String
            switch entries[number].origin {
            case .component(let name):
                let stem = Self.role(String(name.reversed().drop { $0.isNumber }.reversed()))
                role = names.contains(stem) ? stem : Self.role(name)
            case .part(_, let name), .property(_, let name): role = Self.role(name)
            case .endpoint(let name, let part):
                // A part of an object in a form or a query: `filter[min]`.
                role = Self.role((part ?? name).split { $0 == "[" || $0 == "]" }.last.map(String.init) ?? name)
            }
            return entries[number].isUpdate ? role + " of an update" : role
        }
    }

    private static func role(_ name: String) -> String { NameText.folded(NameText.typeName(name)) }

    /// The keys of unions by which a structure is told, because the union determines the type of that key.
    private func tags() -> [Int: Set<String>] {
        var tags: [Int: Set<String>] = [:]
        for number in used {
            guard case .union(let distinction, let cases) = entries[number].form, distinction != .kind else { continue }
            for (value, type) in cases {
                for part in type.numbers { tags[part, default: []].insert("\(distinction)=\(value)") }
            }
        }
        return tags
    }

    // MARK: Content

    /// The content of a type: a text with marks in place of other types, and these types in the order of the marks.
    private func shape(_ number: Int) -> (text: String, parts: [Int]) {
        var parts: [Int] = []
        func text(_ type: PlannedType) -> String {
            parts += type.numbers
            return type.outline
        }
        switch entries[number].form {
        case .structure(let fields):
            let texts = fields.map { field in
                [
                    field.wire, text(field.type), "\(field.isOptional)\(field.isSensitive)\(field.isDeprecated)",
                    "\(field.isConstant)\(field.isConstantOfUpdate)\(field.holdsOtherMembers)\(field.coerces)",
                    field.nullable.map { "\($0)" } ?? "",
                    field.defaultValue.map { "\($0)" } ?? "", field.defaultCase ?? "", field.constraints.spelling,
                    field.contentType ?? "", field.doc ?? "",
                ].joined(separator: "\u{1F}")
            }
            return ("structure " + texts.joined(separator: "\u{1E}"), parts)
        case .enumeration(let definition, let areNamesMade):
            let cases = definition.cases.map { "\($0.name.value)=\($0.wireValue.value)" }.sorted()
            return ("enum \(definition.wireKind) \(areNamesMade) " + cases.joined(separator: "\u{1F}"), [])
        case .union(let distinction, let cases):
            let texts = cases.map { "\($0.value)=\(text($0.type))" }
            return ("union \(distinction) " + texts.joined(separator: "\u{1F}"), parts)
        case .alias(let type, let constraints):
            return ("alias \(text(type)) \(constraints.spelling)", parts)
        }
    }

    // MARK: Names

    /// Names the types without a name of their own after what the names for their places have in common.
    private func name(_ classes: [[Int]], roles: [Int: String]) {
        let ideals = ideals()
        let counts = Dictionary(used.map { (target[$0], roles[$0] ?? "") }) { first, _ in first }.values
            .reduce(into: [:]) { $0[$1, default: 0] += 1 }
        var largest: [String: (size: Int, number: Int)] = [:]
        for numbers in classes {
            let kept = target[numbers[0]]
            if case .component = entries[kept].origin { continue }
            let words = numbers.map { Self.words(of: ideals[$0]) }
            let common = words.dropFirst().reduce(words[0]) { Self.commonEnd($0, $1) }
            // One word that other types have, too, tells nothing: `Status`.
            guard common.count > 1 || common.count == 1 && counts[roles[kept] ?? ""] == 1 else { continue }
            let name = common.joined()
            guard largest[name].map({ $0.size < numbers.count }) ?? true else { continue }
            largest[name] = (numbers.count, kept)
        }
        for (name, found) in largest { entries[found.number].sharedName = name }
    }

    /// The names that the types would have alone. The number of a type is above that of the type that it is a part of.
    private func ideals() -> [String] {
        var ideals: [String] = []
        for entry in entries {
            switch entry.origin {
            case .component(let name), .endpoint(let name, _): ideals.append(NameText.typeName(name))
            case .property(let owner, let part): ideals.append(NameText.typeName(owner) + NameText.typeName(part))
            case .part(let parent, let part):
                let whole = (ideals.indices.contains(parent) ? ideals[parent] : "") + NameText.typeName(part)
                ideals.append(whole.utf8.count > ContractPlan.longestName ? NameText.typeName(part) : whole)
            }
            ideals[ideals.count - 1] += entry.nameEnd
        }
        return ideals
    }

    private static func commonEnd(_ one: [String], _ other: [String]) -> [String] {
        let count = zip(one.reversed(), other.reversed()).prefix { $0 == $1 }.count
        return Array(one.suffix(count))
    }

    /// The words of a type's name: `URLPath` has `URL` and `Path`.
    private static func words(of name: String) -> [String] {
        var words: [String] = []
        let letters = Array(name)
        for (position, letter) in letters.enumerated() {
            let follows = position > 0 && !letters[position - 1].isUppercase
            let begins = position + 1 < letters.count && letters[position + 1].isLowercase
            if letter.isUppercase && (follows || begins) || words.isEmpty {
                words.append(String(letter))
            } else {
                words[words.count - 1].append(letter)
            }
        }
        return words
    }
}

extension PlannedType {
    /// The type as text, with a mark in place of each type with a number.
    fileprivate var outline: String {
        switch self {
        case .word(let word): word
        case .named: "#"
        case .list(let inner): "[\(inner.outline)]"
        case .map(let inner): "{\(inner.outline)}"
        case .optional(let inner): inner.outline + "?"
        }
    }

    /// The same with other types in place of those with numbers.
    func mapped(_ number: (Int) -> Int) -> PlannedType {
        switch self {
        case .word: self
        case .named(let own): .named(number(own))
        case .list(let inner): .list(inner.mapped(number))
        case .map(let inner): .map(inner.mapped(number))
        case .optional(let inner): .optional(inner.mapped(number))
        }
    }
}

extension PlannedTypeEntry.Form {
    /// The same with other types.
    func mapped(_ type: (PlannedType) -> PlannedType) -> PlannedTypeEntry.Form {
        switch self {
        case .structure(let fields): .structure(fields.mapped(type))
        case .enumeration: self
        case .union(let distinction, let cases): .union(distinction, cases: cases.map { ($0.value, type($0.type)) })
        case .alias(let target, let constraints): .alias(type(target), constraints)
        }
    }
}

extension [PlannedField] {
    fileprivate func mapped(_ type: (PlannedType) -> PlannedType) -> [PlannedField] {
        map { field in
            var field = field
            field.type = type(field.type)
            return field
        }
    }
}

extension PlannedEndpoint.Content {
    /// The same with other types.
    func mapped(_ type: (PlannedType) -> PlannedType) -> PlannedEndpoint.Content {
        switch self {
        case .fields(let fields): .fields(fields.mapped(type))
        case .type(let own): .type(type(own))
        }
    }
}

extension PlannedEndpoint {
    /// The types that it refers to.
    var numbers: [Int] {
        var all =
            pathTypes.flatMap(\.type.numbers) + (query + headers + cookies + responseHeaders).flatMap(\.type.numbers)
        if let content = body?.content { all += content.numbers }
        if case .content(let content) = response { all += content.numbers }
        for type in outcomes.map(\.data) + failures.map(\.data) { all += type?.numbers ?? [] }
        return all
    }

    /// Replaces its types.
    mutating func mapTypes(_ type: (PlannedType) -> PlannedType) {
        for position in pathTypes.indices { pathTypes[position].type = type(pathTypes[position].type) }
        query = query.mapped(type)
        headers = headers.mapped(type)
        cookies = cookies.mapped(type)
        responseHeaders = responseHeaders.mapped(type)
        if let content = body?.content { body?.content = content.mapped(type) }
        if case .content(let content) = response { response = .content(content.mapped(type)) }
        for position in outcomes.indices { outcomes[position].data = outcomes[position].data.map(type) }
        for position in failures.indices { failures[position].data = failures[position].data.map(type) }
    }
}
