import ContractModel

// Endpoints whose responses are the pages of a list.
extension RandomContract {
    mutating func addPaged(_ name: String) {
        let style = random.pick(["page", "offset", "cursor", "link", "next"])
        let isLinked = style == "link" || style == "next"
        let method = isLinked || random.happens(700) ? "get" : "post"
        let names = self.names(8, NastyNames.plainValues, NastyNames.values.filter(Self.fitsWirePath))
        let (parameter, size, items, following, total, outer) = (
            names[0], names[1], names[2], names[3], names[4], names[5]
        )
        let (flag, mark) = (names[6], names[7])
        var taken = Set(names)
        let count = random.pick(["int", "int32", "int64", "uint"])
        let cursor = random.pick(["string", "uuid"] + [count])
        let input = style == "cursor" ? cursor : count
        // With a default, optional, or given by the app.
        let parameterType =
            input == count && random.happens(400) ? "\(input) = \(random.below(2))" : random.pick([input, input + "?"])

        var query: [ContractNode.Entry] = []
        if !isLinked { query.append(.init(key: parameter, value: .text(parameterType))) }
        if style == "offset" { query.append(.init(key: size, value: .text(random.pick(["int", "int?", "int = 20"])))) }
        if case .mapping(let others) = fields(.query, 1 + random.below(2), taken: &taken) { query += others }

        // The list is the response, a member of it, or a member of one of its members.
        let depth = style == "cursor" || style == "next" ? 1 + random.below(2) : random.below(3)
        let isInElement = style == "cursor" && random.happens(400)
        let element = isInElement ? declareElement(mark, cursor) : text(model(.payload, below: nil))
        let list = "[\(element)]" + random.pick(["", "?"])
        var members: [ContractNode.Entry] = [
            .init(key: items, value: .text(list)),
            .init(
                key: following,
                value: .text(
                    style == "next" ? random.pick(["string", "string?", "url?"]) : cursor + random.pick(["", "?"]))),
            .init(key: total, value: .text(count + random.pick(["", "?"]))),
            .init(key: flag, value: .text(random.pick(["bool", "bool?"]))),
        ]
        if random.happens(300) { members.reverse() }
        if depth == 2 {
            let isOptional = random.happens(500)
            var inner: [ContractNode.Entry] = [.init(key: "fields", value: .mapping(members))]
            if isOptional { inner.append(.init(key: "type", value: .text("fields?"))) }
            members = [.init(key: outer, value: .mapping(inner))]
        }
        let root = depth == 2 ? outer + "." : ""

        let value = [
            "link": "next", "next": root + following,
        ][style, default: parameter]
        var paginate: [ContractNode.Entry] = [.init(key: style, value: .text(value))]
        switch style {
        case "offset":
            paginate.append(.init(key: "size", value: .text(size)))
            if depth > 0 { paginate.append(.init(key: "total", value: .text(root + total))) }
        case "page":
            if depth > 0, random.happens(500) { paginate.append(.init(key: "total", value: .text(root + total))) }
        case "cursor":
            if isInElement {
                paginate.append(.init(key: "last", value: .text(mark)))
            } else {
                paginate.append(.init(key: "next", value: .text(root + following)))
            }
            if random.happens(500) { paginate.append(.init(key: "more", value: .text(root + flag))) }
        default:
            if random.happens(500) {
                paginate.append(.init(key: "foreign", value: .word(random.pick(["refused", "anonymous", "own"]))))
            }
        }
        if random.happens(300) { paginate.append(.init(key: "past", value: .word("404"))) }
        if depth > 0 { paginate.append(.init(key: "items", value: .text(root + items))) }
        note(LanguageKeys.endpoint, ["paginate", "query", "response"])
        note(LanguageKeys.paginate, paginate.map(\.key))

        var entries: [ContractNode.Entry] = [.init(key: method, value: .text("/pages\(next())"))]
        entries.append(.init(key: "query", value: .mapping(query)))
        if method == "post" {
            entries.append(.init(key: "body", value: .text(text(model(.payload, below: nil)))))
            entries.append(.init(key: "effect", value: .word("read")))
        }
        entries.append(.init(key: "envelope", value: .word("none")))
        let whole: ContractNode =
            random.happens(500)
            ? .text(list)
            : .mapping([.init(key: "type", value: .text(list)), .init(key: "skipInvalid", value: .word("true"))])
        entries.append(.init(key: "response", value: depth == 0 ? whole : .mapping(members)))
        entries.append(.init(key: "paginate", value: .mapping(paginate)))
        if random.happens(200) { entries.append(.init(key: "deprecated", value: .text("Do not turn these pages."))) }
        endpoints.append(.init(key: name, value: .mapping(entries)))
    }

    /// A structure with the cursor of the next page.
    private mutating func declareElement(_ mark: String, _ cursor: String) -> String {
        let name = "Element\(next())"
        grants[name] = .mapping([.init(key: "fields", value: .mapping([.init(key: mark, value: .text(cursor))]))])
        types.append(Declaration(name: name, kind: .structure))
        return name
    }

    /// Whether a name can be a step of a path.
    private static func fitsWirePath(_ name: String) -> Bool { !name.contains { ".[ ".contains($0) } && !name.isEmpty }
}
