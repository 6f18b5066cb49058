import ContractModel
import SwiftEmitter

/// What a generated client declares for apps: types, cases, properties, initializers and functions, each with the types around it.
struct PublicSurface {
    private(set) var declarations: Set<String> = []

    init(of contract: ResolvedContract, _ emitter: ClientEmitter) {
        self.init(emitter.emit(contract).files.map { String(decoding: $0.bytes, as: UTF8.self) })
    }

    /// - Parameter files: the texts of the generated files.
    init(_ files: [String]) {
        for file in files { add(file) }
    }

    /// A declaration that an app of this client cannot rely on with a newer one: one that is gone or has changed, or a case that a
    /// `switch` lacks. Nil if there is none.
    func lost(in newer: PublicSurface) -> String? {
        declarations.subtracting(newer.declarations).min()
            ?? newer.declarations.subtracting(declarations).filter { $0.contains(" / case ") }.min()
    }

    private mutating func add(_ file: String) {
        // The heads of the blocks around a line, by their indentation.
        var scopes: [(indentation: Int, head: String)] = []
        var pending = ""
        for line in file.split(separator: "\n") {
            let text = line.drop { $0 == " " }
            guard !text.isEmpty, !text.hasPrefix("//"), !text.hasPrefix("#"), !text.hasPrefix("}") else { continue }
            let indentation = line.count - text.count
            if pending.isEmpty { while let last = scopes.last, last.indentation >= indentation { scopes.removeLast() } }
            pending += (pending.isEmpty || pending.hasSuffix("(") || text.hasPrefix(")") ? "" : " ") + text
            // The rest of a head that takes several lines.
            let isOpen = pending.count { $0 == "(" } > pending.count { $0 == ")" }
            if isOpen, pending.hasPrefix("public ") || pending.hasPrefix("case ") { continue }
            let head = pending
            pending = ""
            if isDeclaration(head, in: scopes.last?.head ?? "") {
                let names = scopes.map { Self.signature(of: $0.head) } + [Self.signature(of: head)]
                declarations.insert(names.joined(separator: " / "))
            }
            if line.hasSuffix("{") { scopes.append((indentation, head)) }
        }
    }

    private func isDeclaration(_ head: String, in scope: String) -> Bool {
        // What only the runtime calls.
        if head.contains("inout ") || head.contains("ErrorMatch") { return false }
        if head.hasPrefix("case ") { return scope.hasPrefix("public ") && scope.contains(" enum ") }
        return (head.hasPrefix("public ") || head.hasPrefix("nonisolated public ")) && !head.contains("public import ")
    }

    /// The head without its body, the value of a constant, the values of defaults and the protocols of a type.
    private static func signature(of head: String) -> String {
        let isType = [" struct ", " enum ", " class "].contains(where: head.contains)
        var text = ""
        var depth = 0
        var (isInDefault, isInText) = (false, false)
        for character in head {
            if character == "\"" { isInText.toggle() }
            if !isInText {
                if character == "(" { depth += 1 }
                if character == ")" { depth -= 1 }
            }
            if isInDefault {
                // A default ends with its argument.
                isInDefault = isInText || !(depth == 0 || depth == 1 && character == ",")
                if isInDefault { continue }
            }
            if depth == 0, character == "{" || character == "=" || character == ":" && isType { break }
            if character == "=", !isInText {
                isInDefault = true
                text.append("=")
                continue
            }
            text.append(character)
        }
        while text.hasSuffix(" ") { text.removeLast() }
        return text
    }
}
