import TestSeeds

/// The language's rules for a type on the wire, read only from a contract's tree, independently of the tool: documents that a
/// client must accept, and the documents that it must write for them.
struct WireModel {
    /// A document, and what the client sends of it; nil if it must refuse the document.
    struct Exchange {
        var sent: String
        var wanted: String?
    }

    /// A type that the model doesn't support.
    struct Unsupported: Error {}

    typealias Pair = (sent: String, back: String)
    let types: [String: ContractNode]
    var random: SeededGenerator

    init(types: ContractNode, seed: UInt64) {
        random = SeededGenerator(seed: seed)
        guard case .mapping(let entries) = types else {
            self.types = [:]
            return
        }
        self.types = Dictionary(entries.map { ($0.key, $0.value) }) { first, _ in first }
    }

    /// Whether a type isn't an alias, so that its documents can be read and written.
    func isModel(_ name: String) -> Bool { types[name].map { $0["alias"] == nil } ?? false }

    mutating func exchange(_ name: String) throws -> Exchange {
        if random.happens(150), let broken = try brokenDocument(name) { return Exchange(sent: broken, wanted: nil) }
        let pair = try value(name, Options(), depth: 0)
        return Exchange(sent: pair.sent, wanted: pair.back)
    }

    /// A structure without a field that it requires.
    private mutating func brokenDocument(_ name: String) throws -> String? {
        guard let fields = fields(of: name) else { return nil }
        let required = fields.indices.filter {
            fields[$0].options.writesNull
                || !fields[$0].options.type.hasSuffix("?") && fields[$0].options.defaultValue == nil
        }
        guard let missing = required.first else { return nil }
        var pairs: [String] = []
        for index in fields.indices where index != missing {
            let value = try value(fields[index].options.type, fields[index].options, depth: 3)
            pairs.append("\(ContractNode.quoted(fields[index].wire)): \(value.sent)")
        }
        return "{\(pairs.joined(separator: ", "))}"
    }

    // MARK: Fields

    struct Options {
        var type = ""
        var defaultValue: ContractNode?
        var coerces = false
        var skipsInvalid = false
        var acceptsSingle = false
        var isLenient = false
        var distinguishesNull = false
        var writesNull = false
        /// The forms of timestamps, and whether they are in UTC.
        var formats: [String] = []
        var isInUTC = true
        /// Whether it is the type of the members that are no fields.
        var isOfOthers = false
        /// Whether a JSON null would be taken for no value.
        var excludesNull = false
    }

    struct Field {
        var wire: String
        var options: Options
    }

    func fields(of name: String) -> [Field]? {
        guard let node = types[name], node["enum"] == nil, node["union"] == nil, node["alias"] == nil,
            case .mapping(let entries) = node["fields"] ?? node
        else { return nil }
        var others: [Field] = []
        if node["fields"] != nil, case .text(let type)? = node["additionalProperties"] {
            var options = Options()
            (options.type, options.isOfOthers) = (type, true)
            others = [Field(wire: "", options: options)]
        }
        return others
            + entries.map { entry in
                var options = Options()
                if case .text(let type) = entry.value { options.type = type }
                if case .text(let type)? = entry.value["type"] { options.type = type }
                options.defaultValue = entry.value["default"]
                options.coerces = entry.value["coerce"] == .word("true")
                options.skipsInvalid = entry.value["skipInvalid"] == .word("true")
                options.acceptsSingle = entry.value["single"] == .word("true")
                options.isLenient = entry.value["lenient"] == .word("true")
                options.skipsInvalid = options.skipsInvalid || options.isLenient
                options.distinguishesNull = entry.value["nullable"] == .word("distinct")
                options.writesNull = entry.value["nullable"] == .word("required")
                options.formats = Self.formats(entry.value)
                options.isInUTC = entry.value["zone"] == nil
                if case .text(let wire)? = entry.value["wire"] { return Field(wire: wire, options: options) }
                return Field(wire: entry.key, options: options)
            }
    }

    /// The object of a structure, without its braces. A field that the union has for its own use is the case's name.
    ///
    /// - Parameters:
    ///   - tag: the case's name as JSON.
    ///   - fixed: values of fields that an outer union determines.
    mutating func object(
        _ fields: [Field], depth: Int, by key: String? = nil, case tag: String = "", fixed: [String: String] = [:]
    ) throws -> Pair {
        var sent: [String] = []
        var back: [String] = []
        let others = fields.first(where: \.options.isOfOthers)?.options.type
        if others == nil, random.happens(200) { sent.append("\"no key of it\": {\"a\": [1]}") }
        if let key {
            let tag = "\(ContractNode.quoted(key)): \(tag)"
            sent.append(tag)
            back.append(tag)
        }
        for field in fields where !field.options.isOfOthers {
            var options = field.options
            options.excludesNull = options.type.hasSuffix("?")
            if field.wire == key {
                if options.type != "string" || options.coerces { throw Unsupported() }
                continue
            }
            func add(_ value: String, to list: inout [String]) {
                list.append("\(ContractNode.quoted(field.wire)): \(value)")
            }
            if let value = fixed[field.wire] {
                add(value, to: &sent)
                add(value, to: &back)
                continue
            }
            let isOptional = options.type.hasSuffix("?")
            if isOptional, random.happens(depth > 3 ? 1000 : 400) {
                guard options.writesNull || random.happens(500) else { continue }
                add("null", to: &sent)
                if options.distinguishesNull || options.writesNull { add("null", to: &back) }
                continue
            }
            if let value = options.defaultValue, random.happens(500) {
                if random.happens(500) { add("null", to: &sent) }
                add(try wire(ofDefault: value, options.type), to: &back)
                continue
            }
            let type = isOptional ? String(options.type.dropLast()) : options.type
            let bare = try expanded(type)
            // What is no list may be a single element.
            if options.isLenient, !options.acceptsSingle, let wrong = wrongValue(of: bare), random.happens(300) {
                add(wrong, to: &sent)
                if !isOptional {
                    add(bare.hasPrefix("[string: ") ? "{}" : "[]", to: &back)
                } else if options.writesNull {
                    add("null", to: &back)
                }
                continue
            }
            // An empty text means nil if an optional of one value is lenient.
            if isOptional, options.coerces, !type.hasPrefix("["), random.happens(300) {
                add("\"\"", to: &sent)
                if options.distinguishesNull || options.writesNull { add("null", to: &back) }
                continue
            }
            let pair = try value(type, options, depth: depth)
            add(pair.sent, to: &sent)
            add(pair.back, to: &back)
        }
        for index in 0..<(others == nil || depth > 3 ? 0 : random.below(3)) {
            let pair = try value(others ?? "", Options(), depth: depth + 1)
            sent.append("\"no field \(index)\": \(pair.sent)")
            back.append("\"no field \(index)\": \(pair.back)")
        }
        return (sent.shuffled(using: &random).joined(separator: ", "), back.joined(separator: ", "))
    }

    private func wire(ofDefault value: ContractNode, _ type: String) throws -> String {
        switch value {
        case .word(let word):
            switch try expanded(type) {
            case "float": return Float(word)?.description ?? word
            case "double": return Double(word)?.description ?? word
            default: return word
            }
        case .list: return "[]"
        case .mapping: return "{}"
        case .text(let text):
            if type == "string" { return ContractNode.quoted(text) }
            let name = try expanded(type)
            if name == "string" { return ContractNode.quoted(text) }
            guard let known = words(of: name)?.first(where: { $0.name == text }) else { throw Unsupported() }
            return known.value
        }
    }

    // MARK: Values

    /// Texts of a fixed zone, which a client writes as it has read them.
    static let instants: [(format: String, text: String)] = [
        ("yyyy-MM-dd HH:mm:ss", "2031-02-28 23:59:07"), ("dd.MM.yyyy HH:mm", "29.02.2032 00:00"),
        ("EEE, dd MMM yyyy HH:mm:ss 'GMT'", "Fri, 28 Feb 2031 23:59:07 GMT"), ("d/M/yyyy h:mm a", "1/12/1999 12:05 AM"),
        ("yyyyMMddHHmmssSSS", "20310228235907120"),
    ]

    /// One instant in several forms.
    static let oneInstant: [(format: String, json: String)] = [
        ("rfc3339", "\"2031-02-28T23:59:07Z\""), ("unix", "1930089547"), ("milliseconds", "1930089547000"),
        ("yyyy-MM-dd HH:mm:ss", "\"2031-02-28 23:59:07\""),
        ("EEE, dd MMM yyyy HH:mm:ss 'GMT'", "\"Fri, 28 Feb 2031 23:59:07 GMT\""),
    ]

    /// The formats at a field or an alias.
    private static func formats(_ node: ContractNode) -> [String] {
        switch node["format"] {
        case .text(let format): [format]
        case .list(let formats): formats.compactMap { if case .text(let format) = $0 { format } else { nil } }
        default: []
        }
    }

    /// The options of a type with the formats of the aliases that it goes through.
    private func formatted(_ options: Options, _ type: String) -> Options {
        guard options.formats.isEmpty, let node = types[type], case .text(let target)? = node["alias"] else {
            return options
        }
        var options = options
        options.formats = Self.formats(node)
        options.isInUTC = node["zone"] == nil
        return formatted(options, target)
    }

    private func instant(_ options: Options) throws -> String {
        guard let known = Self.instants.first(where: { $0.format == options.formats[0] }) else { throw Unsupported() }
        return "\"\(known.text)\""
    }

    /// An instant in any of its forms, and in the first, in which it is written.
    private mutating func instantInAForm(_ options: Options) throws -> Pair {
        func text(_ format: String) throws -> String {
            guard let known = Self.oneInstant.first(where: { $0.format == format }) else { throw Unsupported() }
            return known.json
        }
        let first = try text(options.formats[0])
        // In another zone, the forms are other instants.
        return (options.isInUTC ? try text(random.pick(options.formats)) : first, first)
    }

    func expanded(_ type: String) throws -> String {
        guard case .text(let target)? = types[type]?["alias"] else { return type }
        return try expanded(target)
    }

    mutating func value(_ written: String, _ options: Options, depth: Int) throws -> Pair {
        var options = formatted(options, written)
        let type = try expanded(written)
        if type.hasSuffix("?") {
            if random.happens(300) { return ("null", "null") }
            options.excludesNull = true
            return try value(String(type.dropLast()), options, depth: depth)
        }
        if type.hasPrefix("[") { return try collection(String(type.dropFirst().dropLast()), options, depth: depth) }
        if let node = types[type] { return try model(type, node, depth: depth) }
        return try scalar(type, options)
    }

    private mutating func collection(_ inner: String, _ options: Options, depth: Int) throws -> Pair {
        var element = Options()
        element.coerces = options.coerces
        (element.formats, element.isInUTC) = (options.formats, options.isInUTC)
        let isMap = inner.hasPrefix("string: ")
        let type = isMap ? String(inner.dropFirst("string: ".count)) : inner
        var sent: [String] = []
        var back: [String] = []
        let bare = try expanded(type)
        for index in 0..<(depth > 3 ? 0 : random.below(3)) {
            let pair = try value(type, element, depth: depth + 1)
            let key = isMap ? ContractNode.quoted("key \(index)") + ": " : ""
            sent.append(key + pair.sent)
            back.append(key + pair.back)
        }
        if options.skipsInvalid, let wrong = wrongValue(of: bare), random.happens(400) {
            sent.append(isMap ? "\"no key of it\": \(wrong)" : wrong)
        }
        if isMap { return ("{\(sent.joined(separator: ", "))}", "{\(back.joined(separator: ", "))}") }
        if options.acceptsSingle, !isByKind(bare), sent.count == 1, back.count == 1, !bare.hasPrefix("["),
            !bare.hasSuffix("?"),
            bare != "json"
        {
            return (sent[0], "[\(back[0])]")
        }
        return ("[\(sent.joined(separator: ", "))]", "[\(back.joined(separator: ", "))]")
    }

    /// A value that a type without its alias cannot have; nil if it can have any.
    private func wrongValue(of bare: String) -> String? {
        if isByKind(bare) || bare == "json" || bare == "json?" { return nil }
        return bare.hasPrefix("[") ? "7" : "[[\"x\"]]"
    }

    private mutating func model(_ name: String, _ node: ContractNode, depth: Int) throws -> Pair {
        if let words = words(of: name) {
            if node["closed"] != .word("true"), random.happens(200) {
                let unknown = words.first?.value.hasPrefix("\"") == true ? "\"no word of it\"" : "77"
                return (unknown, unknown)
            }
            let word = random.pick(words)
            return (random.pick([word.value] + word.others), word.value)
        }
        if let union = node["union"] { return try self.union(union, depth: depth) }
        guard let fields = fields(of: name) else { throw Unsupported() }
        let pair = try object(fields, depth: depth + 1)
        return ("{\(pair.sent)}", "{\(pair.back)}")
    }

    /// The cases of an enum with their values on the wire.
    private func words(of name: String) -> [(name: String, value: String, others: [String])]? {
        func json(_ node: ContractNode) -> String? {
            switch node {
            case .text(let word): ContractNode.quoted(word)
            case .word(let number): number
            case .list, .mapping: nil
            }
        }
        switch types[name]?["enum"] {
        case .list(let words):
            return words.compactMap {
                if case .text(let word) = $0 { (word, ContractNode.quoted(word), []) } else { nil }
            }
        case .mapping(let entries):
            return entries.compactMap { entry in
                if case .list(let values) = entry.value {
                    let values = values.compactMap(json)
                    return (entry.key, values[0], Array(values.dropFirst()))
                }
                return json(entry.value).map { (entry.key, $0, []) }
            }
        default: return nil
        }
    }

    mutating func scalar(_ type: String, _ options: Options) throws -> Pair {
        func lenient(_ value: String) -> Pair { options.coerces ? ("\"\(value)\"", value) : (value, value) }
        let number = Int(Int32(truncatingIfNeeded: random.next() >> UInt64(random.below(64))))
        switch type {
        case "string":
            if options.coerces, random.happens(500) { return ("\(number)", "\"\(number)\"") }
            let text = ContractNode.quoted(random.pick(NastyNames.texts + NastyNames.values))
            return (text, text)
        case "bool":
            let flag = random.happens(500)
            return options.coerces ? (flag ? "1" : "0", "\(flag)") : ("\(flag)", "\(flag)")
        case "int", "int64":
            return lenient(random.pick(["\(number)", "9223372036854775807", "-9223372036854775808"]))
        case "int32": return lenient("\(number)")
        case "uint": return lenient(random.pick(["18446744073709551615", "\(number.magnitude)"]))
        case "double": return lenient(random.pick(["\(Double(number) / 8)", "0.1", "1e300"]))
        case "float": return lenient("\(Float(number % 4096) / 8)")
        case "decimal": return lenient(random.pick(["\(number)", "0.1", "12345678901234567890.25"]))
        case "timestamp" where options.formats.count > 1: return try instantInAForm(options)
        case "timestamp" where !options.formats.isEmpty: return same(try instant(options))
        case "timestamp": return same("\"20\(10 + random.below(80))-11-21T08:00:0\(random.below(10))Z\"")
        case "timestamp(unix)", "timestamp(milliseconds)": return lenient("\(number)")
        case "dateOrTimestamp":
            return same(random.pick(["\"2031-02-28\"", "\"2031-02-28T23:59:07Z\""]))
        case "date": return same("\"20\(10 + random.below(80))-02-28\"")
        case "uuid":
            let last = random.below(10)
            return ("\"5F1C0c3e-2f6b-4a53-9f0e-0d4a7e1b2C3\(last)\"", "\"5f1c0c3e-2f6b-4a53-9f0e-0d4a7e1b2c3\(last)\"")
        case "url": return same("\"https://x.example/\(number)\"")
        case "bytes": return same(random.pick(["\"AQID\"", "\"\"", "\"/+8=\""]))
        case "json":
            return same(random.pick([options.excludesNull ? "7" : "null", "[1, {\"a\": \"b\"}]", "0.5", "{}"]))
        default: throw Unsupported()
        }
    }

    func same(_ value: String) -> Pair { (value, value) }
}

extension ContractNode {
    /// The value of a key.
    subscript(key: String) -> ContractNode? {
        guard case .mapping(let entries) = self else { return nil }
        return entries.first { $0.key == key }?.value
    }
}
