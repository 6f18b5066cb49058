import ContractModel

/// The attribute of a deprecated declaration.
struct DeprecationAttribute: Sendable {
    let message: String?

    var layout: Layout { SwiftPrinter.layout { $0.add(self) } }
}

extension Tag {
    /// An attribute that may be missing, with its line break.
    static func attribute(_ name: String, _ read: @escaping @Sendable (Input) -> DeprecationAttribute?) -> Tag {
        .layout(name) { input in
            guard var layout = read(input)?.layout else { return Layout() }
            layout.add(.newline)
            return layout
        }
    }
}

extension Deprecation {
    var attribute: DeprecationAttribute { DeprecationAttribute(message: sentence) }

    /// A doc text with the deprecation after it, for declarations that other generated code must use without a warning.
    static func doc(_ doc: String?, _ deprecation: Deprecation?) -> String? {
        guard let deprecation else { return doc }
        return [doc, deprecation.sentence.map { "Deprecated: \($0)" } ?? "Deprecated."].compactMap { $0 }.joined(
            separator: "\n")
    }
}
