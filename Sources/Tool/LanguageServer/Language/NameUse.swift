import ContractModel
import Diagnostics
import YAMLTree

/// One occurrence of a name: its definition or a reference.
struct NameUse {
    var kind: NameKind
    var name: Located<String>
}

/// Every place of a contract that says a name, as ``LanguagePlace`` knows it.
struct NameUses {
    private(set) var all: [NameUse] = []

    init(_ document: YAMLDocument) { walk(document.root, .top, besides: []) }

    /// - Parameter outcomes: the names that an endpoint gives to outcomes, and not to errors.
    private mutating func walk(_ node: YAMLNode, _ place: LanguagePlace, besides outcomes: [String]) {
        // The target of an alias is visited where it is.
        guard node.aliasRange == nil else { return }
        if let mapping = node.mapping {
            let outcomes = mapping["outcomes"]?.mapping?.keys ?? outcomes
            for pair in mapping {
                guard let key = pair.key.text else { continue }
                if let kind = place.meaning(ofKey: key), kind != .error || !outcomes.contains(key) {
                    add(kind, pair.key, 0..<key.utf8.count)
                }
                // The flow form of a map's type, `[string: User]`.
                let isType = place.meaning == .name(.type) && mapping.isFlow && key == "string"
                let below = isType ? place : place.below(key, pair.value.mapping?.keys ?? [])
                walk(pair.value, below, besides: outcomes)
            }
        } else if let sequence = node.sequence {
            for element in sequence { walk(element, place, besides: outcomes) }
        } else if let text = node.text, let meaning = place.meaning {
            read(Array(text.utf8), node, meaning, place.words)
        }
    }

    private mutating func read(_ text: [UInt8], _ node: YAMLNode, _ meaning: TextMeaning, _ words: [String]) {
        switch meaning {
        case .name(.type):
            // What follows is a default.
            let end = text.firstIndex(of: UInt8(ascii: "=")) ?? text.count
            for part in Self.words(in: text[..<end]) where !words.contains(String(decoding: text[part], as: UTF8.self))
            {
                addType(text, part, node)
            }
        case .target:
            // `{status:AccountStatus}`: what is before the colon is the parameter's own.
            for part in Self.words(in: text[...])
            where part.lowerBound > 0 && text[part.lowerBound - 1] == UInt8(ascii: ":") {
                addType(text, part, node)
            }
        case .credentials: for part in Self.words(in: text[...]) { add(.credential, node, part) }
        case .name(let kind): add(kind, node, 0..<text.count)
        case .contract: break
        }
    }

    private mutating func addType(_ text: [UInt8], _ part: Range<Int>, _ node: YAMLNode) {
        // `unix` of `timestamp(unix)` is no name.
        let isArgument = part.lowerBound > 0 && text[part.lowerBound - 1] == UInt8(ascii: "(")
        let word = String(decoding: text[part], as: UTF8.self)
        if !isArgument, Primitive(spelling: word) == nil { add(.type, node, part) }
    }

    private mutating func add(_ kind: NameKind, _ node: YAMLNode, _ part: Range<Int>) {
        guard let scalar = node.scalar else { return }
        let name = String(decoding: Array(scalar.value.utf8)[part], as: UTF8.self)
        all.append(NameUse(kind: kind, name: Located(name, at: scalar.range(ofValue: part))))
    }

    /// The runs of letters, digits and `_`.
    private static func words(in text: ArraySlice<UInt8>) -> [Range<Int>] {
        text.indices.split { !Spot.isNameByte(text[$0]) }.map { $0.startIndex..<$0.endIndex }
    }
}

extension ContractExamination {
    /// Where a name means something in this contract: its own definition, else an imported one (`NameKind.isImported`).
    func definition(of name: String, _ kind: NameKind) -> (name: Located<String>, contract: Contract)? {
        for contract in [written].compactMap({ $0 }) + (kind.isImported ? imports : []) {
            if let found = contract.definitions(of: kind).first(where: { $0.value == name }) {
                return (found, contract)
            }
        }
        return nil
    }
}
