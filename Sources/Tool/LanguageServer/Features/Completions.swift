import ContractChecks
import ContractModel
import Pipeline

/// The possible texts at a place: keys and words of the language, names of definitions, and rules after `# errand:ignore`.
///
/// The line that is being typed is seldom valid YAML, so the names come from the last readable version of the contract.
extension LanguageServer {
    func completions(_ parameters: PositionParameters) -> CompletionList {
        guard let spot = spot(parameters.textDocument, parameters.position) else { return CompletionList(items: []) }
        if spot.cursor.role == .comment { return CompletionList(items: rules(spot)) }
        var items: [CompletionItem] = []
        if spot.cursor.role != .value { items += keys(spot) }
        if spot.cursor.role != .key { items += values(spot) }
        return CompletionList(items: items)
    }

    // MARK: Keys

    private func keys(_ spot: Spot) -> [CompletionItem] {
        let document = spot.look.examination.document
        let present = Set(mapping(at: spot)).subtracting([spot.word])
        var items: [CompletionItem] = []
        for key in spot.place.mappings.flatMap(\.keys) where !present.contains(key.name) {
            let below = LanguagePlace(spot.cursor.keys + [key.name], in: document)
            let text = spot.cursor.hasColon ? key.name : key.name + (below.isBlock ? ":" : ": ")
            let detail = key.isRequired ? "required" : nil
            items.append(
                item(key.name, .property, detail, key.meaning, replacing: spot.wordBytes, of: spot, text: text))
        }
        // Examples are of what an endpoint can fail with.
        if spot.place.keyMeaning == .error, spot.cursor.keys.count > 1 {
            items += ["request", "response"].map { item($0, .property, nil, nil, replacing: spot.wordBytes, of: spot) }
        }
        if let kind = spot.place.keyMeaning, kind == .role || kind == .server {
            items += names(kind, spot, spot.wordBytes).filter { !present.contains($0.label) }
        }
        return items
    }

    /// The keys that the mapping at a place had when it could last be read.
    private func mapping(at spot: Spot) -> [String] {
        var node = spot.look.examination.document?.root
        for key in spot.cursor.keys { node = node?.mapping?[key] }
        return node?.mapping?.keys ?? []
    }

    // MARK: Values

    private func values(_ spot: Spot) -> [CompletionItem] {
        // Of a text with several names only the one at the place is replaced: `[Us` becomes `[User`.
        let isTypeText = [.name(.type), .target, .credentials].contains(spot.place.meaning)
        let bytes = isTypeText ? spot.identifier ?? spot.offset..<spot.offset : spot.wordBytes
        var items = spot.place.words.map { item($0, .value, nil, nil, replacing: bytes, of: spot) }
        let isBehindColon = bytes.lowerBound > 0 && spot.text.bytes[bytes.lowerBound - 1] == UInt8(ascii: ":")
        switch spot.place.meaning {
        case .target where !isBehindColon: break
        case .target, .name(.type):
            items += names(.type, spot, bytes)
            items += Primitive.allCases.map { item($0.spelling, .keyword, "built in", nil, replacing: bytes, of: spot) }
        case .name(let kind): items += names(kind, spot, bytes)
        case .credentials:
            items += names(.credential, spot, bytes)
            items.append(item("none", .value, nil, nil, replacing: bytes, of: spot))
        case .contract: items += contracts(spot, bytes)
        case nil: break
        }
        return items
    }

    private func names(_ kind: NameKind, _ spot: Spot, _ bytes: Range<Int>) -> [CompletionItem] {
        guard let written = spot.look.examination.written else { return [] }
        var met = Set<String>()
        let others = kind.isImported ? spot.look.examination.imports : []
        return ([written] + others).flatMap { contract in
            contract.definitions(of: kind).map(\.value).filter { met.insert($0).inserted }.map { name in
                let origin = contract.file == written.file ? nil : contract.file
                return item(
                    name, CompletionKind(kind), origin, documentation(of: name, kind, in: contract), replacing: bytes,
                    of: spot)
            }
        }
    }

    private func documentation(of name: String, _ kind: NameKind, in contract: Contract) -> String? {
        switch kind {
        case .type: contract.types.first { $0.name.value == name }?.doc
        case .error:
            contract.errors.first { $0.name.value == name }.map {
                $0.category.value.rawValue + ($0.doc.map { ": " + $0 } ?? "")
            }
        case .envelope: contract.envelopes.first { $0.name.value == name }?.doc
        case .endpoint: contract.endpoints.first { $0.name.value == name }?.doc
        case .role, .server, .credential: nil
        case .group: contract.groups.first { $0.name.value == name }?.doc
        }
    }

    /// The other contracts of the project, as seen from this one.
    private func contracts(_ spot: Spot, _ bytes: Range<Int>) -> [CompletionItem] {
        guard spot.path.hasPrefix("/") else { return [] }
        let own = DocumentAddress.folder(of: spot.path).split(separator: "/")
        return spot.project.contracts.filter { $0 != spot.path }.map { path in
            let parts = path.split(separator: "/")
            let shared = zip(own, parts).prefix { $0 == $1 }.count
            let relative = Array(repeating: "..", count: own.count - shared) + parts[shared...].map(String.init)
            return item(relative.joined(separator: "/"), .file, nil, nil, replacing: bytes, of: spot)
        }
    }

    // MARK: Rules

    private func rules(_ spot: Spot) -> [CompletionItem] {
        guard let bytes = IgnoreComment.rule(at: spot) else { return [] }
        return RuleCatalog.lint.map { rule in
            item(
                rule.name, .value, rule.severity.rawValue, rule.kind.finds, replacing: bytes, of: spot,
                text: rule.name + " ")
        }
    }

    // MARK: Items

    /// What LSP calls them.
    private enum CompletionKind: Int {
        case function = 3
        case interface = 8
        case property = 10
        case value = 12
        case keyword = 14
        case file = 17
        case structure = 22
        case event = 23

        init(_ kind: NameKind) {
            self =
                switch kind {
                case .type: .structure
                case .error: .event
                case .endpoint: .function
                case .credential: .value
                case .envelope, .role, .server, .group: .interface
                }
        }
    }

    private func item(
        _ label: String, _ kind: CompletionKind, _ detail: String?, _ documentation: String?,
        replacing bytes: Range<Int>, of spot: Spot, text: String? = nil
    ) -> CompletionItem {
        CompletionItem(
            label: label, kind: kind.rawValue, detail: detail, documentation: documentation.map(marked),
            textEdit: TextEdit(range: spot.text.range(bytes, client.encoding), newText: text ?? label)
        )
    }
}
