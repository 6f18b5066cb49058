import ContractModel

/// Names that people have changed after the import. Names of the last import and of this one are replaced by those of the
/// contract before they are compared.
struct MergeRenames {
    /// By section, the name that was imported → the name in the contract.
    private var names: [String: [String: String]] = [:]

    init(base: MergeNode, own: MergeNode) {
        for section in ["endpoints", "errors", "types", "envelopes", "groups"] {
            guard let old = base[section]?.pairs, let current = own[section]?.pairs else { continue }
            let oldNames = Set(old.map(\.key))
            let currentNames = Set(current.map(\.key))
            var candidates: [String: [String]] = [:]
            for pair in current where !oldNames.contains(pair.key) {
                Self.identity(of: pair.value, in: section).map { candidates[$0, default: []].append(pair.key) }
            }
            for pair in old where !currentNames.contains(pair.key) {
                guard let identity = Self.identity(of: pair.value, in: section),
                    let found = candidates[identity], found.count == 1
                else { continue }
                names[section, default: [:]][pair.key] = found[0]
                candidates[identity] = nil
            }
        }
    }

    /// The identity of a definition, regardless of its name: an endpoint's request, or the condition that recognizes an error.
    private static func identity(of node: MergeNode, in section: String) -> String? {
        switch section {
        case "endpoints":
            for method in HTTPMethod.allCases.map(\.rawValue) {
                guard case .scalar(let path)? = node[method] else { continue }
                return "\(method) \(PathShape.of(path))"
            }
            return nil
        case "errors": return node["when"]?.line
        default: return node.line
        }
    }

    // MARK: Applying

    func applied(to root: MergeNode) -> MergeNode {
        guard !names.isEmpty, let pairs = root.pairs else { return root }
        return .mapping(
            pairs.map { pair in
                var pair = pair
                let own = names[pair.key] ?? [:]
                if let entries = pair.value.pairs {
                    pair.value = .mapping(
                        entries.map { entry in
                            var entry = entry
                            entry.key = own[entry.key] ?? entry.key
                            entry.value = renamed(entry.value, [pair.key, entry.key])
                            return entry
                        })
                }
                return pair
            })
    }

    /// Keys whose values name nothing.
    private static let texts: Set<String> = [
        "doc", "message", "wire", "default", "pattern", "format", "examples", "enum", "deprecated",
    ]

    private func renamed(_ node: MergeNode, _ path: [String]) -> MergeNode {
        switch node {
        case .mapping(let pairs):
            return .mapping(
                pairs.map { pair in
                    var pair = pair
                    guard !Self.texts.contains(pair.key), pair.key != "when" else { return pair }
                    pair.value = renamed(pair.value, path + [pair.key])
                    return pair
                })
        case .list(let elements): return .list(elements.map { renamed($0, path) })
        case .scalar(let text):
            // Descriptions name nothing.
            if path.first == "groups" { return node }
            switch path.last {
            case "group" where path.first == "endpoints" && path.count == 3:
                return .scalar(names["groups"]?[text] ?? text)
            case "errors": return .scalar(names["errors"]?[text] ?? text)
            case "envelope": return .scalar(names["envelopes"]?[text] ?? text)
            case "login", "logout", "refresh", "endpoint": return .scalar(names["endpoints"]?[text] ?? text)
            case let key? where path.count == 3 && path[0] == "endpoints" && HTTPMethod(rawValue: key) != nil:
                return .scalar(pathText(text))
            default:
                return .scalar(
                    path.first == "defaults" && path.count > 1 && path[1] == "errors"
                        ? names["errors"]?[text] ?? text : typeText(text))
            }
        }
    }

    /// The types of a path's parameters: `/users/{id:UserID}`.
    private func pathText(_ text: String) -> String {
        guard let types = names["types"] else { return text }
        var result = text
        for (old, new) in types { result = result.replacing(":\(old)}", with: ":\(new)}") }
        return result
    }

    /// A type: `[User]?`, `string = x`.
    private func typeText(_ text: String) -> String {
        guard let types = names["types"] else { return text }
        var result = ""
        var word = ""
        func flush() {
            result += types[word] ?? word
            word = ""
        }
        for letter in text {
            if letter.isLetter || letter.isNumber || letter == "_" || letter == "-" {
                word.append(letter)
            } else {
                flush()
                result.append(letter)
                if letter == "=" {
                    return result + text[text.index(after: text.firstIndex(of: "=") ?? text.startIndex)...]
                }
            }
        }
        flush()
        return result
    }
}
