import ContractModel

/// Names for endpoints: what the document calls them, or what method and path say.
enum EndpointNames {
    /// - Parameter numbered: the ids to which a tool has added numbers.
    static func name(_ operation: Operation, numbered: Set<String> = []) -> String {
        var name = plain(operation, numbered: numbered)
        if !operation.needs.isEmpty { name += "With" + operation.needs.map(NameText.typeName).joined(separator: "And") }
        guard operation.arrival == .stream, !name.lowercased().hasSuffix("stream") else { return name }
        return name + "Stream"
    }

    private static func plain(_ operation: Operation, numbered: Set<String>) -> String {
        let fallback = fromPath(operation)
        guard let id = operation.operationID, id.contains(where: { $0.isLetter }), !isMethodAndPath(id, operation),
            !numbered.contains(id)
        else { return fallback }
        let cleaned = NameText.valueName(cleaned(id, operation))
        // `getUsingGET` says no more than the method.
        let isMethod = cleaned != id && DocumentReader.methods.contains(cleaned)
        return cleaned.isEmpty || isMethod ? fallback : cleaned
    }

    static func fromPath(_ operation: Operation) -> String {
        fromPath(operation.method, RequestPath(operation.path).named)
    }

    /// The names for an operation whose preferred name another one has.
    static func others(_ wanted: String, _ fallback: String, _ operation: Operation) -> [String] {
        // `GET /snippets/{owner}/{id}` beside `GET /snippets/{owner}` is `getSnippetByID`.
        let parts = operation.route.split(separator: "/").filter { $0.hasPrefix("{") && $0.hasSuffix("}") }
        let parameter = parts.last.map { "By" + NameText.typeName(String($0.dropFirst().dropLast())) }
        let both = wanted == fallback ? nil : wanted + NameWords.capitalized(fallback)
        return [fallback, parameter.map { wanted + $0 }, parameter.map { fallback + $0 }, both].compactMap { $0 }
    }

    /// The ids that differ from another one only in the number at their end: `getAll_1` beside `getAll`. A framework adds the
    /// number because several classes have a method `getAll`.
    static func numbered(_ operations: [Operation]) -> Set<String> {
        func stem(_ id: String) -> String? {
            let digits = id.reversed().prefix { $0.isNumber }.count
            let rest = id.dropLast(digits)
            return digits > 0 && rest.hasSuffix("_") && rest.count > 1 ? String(rest.dropLast()) : nil
        }
        var counts: [String: Int] = [:]
        let ids = operations.compactMap(\.operationID)
        for id in ids { counts[stem(id) ?? id, default: 0] += 1 }
        return Set(ids.filter { id in stem(id).map { (counts[$0] ?? 0) > 1 } ?? false })
    }

    /// Whether a tool made the id of method and path: `post_users_user-id_posts`.
    private static func isMethodAndPath(_ id: String, _ operation: Operation) -> Bool {
        func parts(_ text: String) -> [String] {
            text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        }
        return parts(id) == parts(operation.method + " " + operation.path)
    }

    /// The operation's id without what frameworks add to it.
    private static func cleaned(_ id: String, _ operation: Operation) -> String {
        var id = id
        // The whole path and the method after the function's name: `get_user_users__id__get`.
        let whole = operation.path + "_" + operation.method
        if id.count > whole.count {
            let slug = String(whole.map { $0.isLetter || $0.isNumber ? $0 : "_" })
            let rest = id.dropLast(slug.count)
            if id.lowercased().hasSuffix(slug.lowercased()), rest.contains(where: \.isLetter) { id = String(rest) }
        }
        // `getUserUsingGET_1`
        if id.utf8.contains(UInt8(ascii: "U")), let start = id.range(of: "Using", backwards: true) {
            let word = id[start.upperBound...].prefix { $0.isLetter }
            if DocumentReader.methods.contains(word.lowercased()), word == word.uppercased() {
                id = String(id[..<start.lowerBound])
            }
        }
        // `UsersController_findAll`
        guard id.utf8.contains(where: { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".") }) else { return id }
        for mark in ["Controller_", "Controller.", "controller_", "controller."] {
            id = id.replacing(mark, with: "_")
        }
        return id
    }

    /// `GET /users/{id}/posts` is `getUserPosts`.
    static func fromPath(_ method: String, _ path: String) -> String {
        var words: [String] = [method]
        // A function of OData has its arguments in its segment: `getUsage(period='{period}')`.
        let parts = path.split(separator: "/").map { part in
            let name = part.prefix { $0 != "(" }
            return String(name.isEmpty ? part : name)
        }
        var hasStatic = false
        for (position, part) in parts.enumerated() {
            if part.hasPrefix("{") { continue }
            if position == 0, parts.count > 1, ["api", "rest"].contains(part.lowercased()) { continue }
            if position < 2, part.count < 4, part.lowercased().hasPrefix("v"), part.dropFirst().allSatisfy(\.isNumber),
                parts.count > 1
            {
                continue
            }
            hasStatic = true
            let isOne = position + 1 < parts.count && parts[position + 1].hasPrefix("{")
            words.append(isOne ? singular(part) : part)
        }
        if !hasStatic { words += parts.map { $0.filter { $0 != "{" && $0 != "}" } } }
        if words.count == 1 { words.append("root") }
        return NameText.valueName(words.joined(separator: " "))
    }

    private static func singular(_ part: String) -> String {
        let one = NameText.singular(part)
        return one.hasSuffix("Item") ? part : one
    }
}

extension String {
    /// The last position of a text in this one.
    fileprivate func range(of text: String, backwards: Bool) -> Range<String.Index>? {
        ranges(of: text).last
    }
}
