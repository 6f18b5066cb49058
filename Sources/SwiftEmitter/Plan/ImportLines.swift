import ContractModel

/// The imports of a file: only what it uses, each with its access level, so that nothing is imported in vain.
struct ImportLines {
    /// Whether the file's declarations name types of the runtime, and of Foundation.
    var runtime = false
    var foundation = false

    /// The lines with their line breaks.
    func text(_ emission: Emission) -> String {
        // The client's file exports the runtime to all others. Where access is `package`, the compiler then takes a
        // `package import` for unused, and a plain one for what it is.
        let keyword = emission.access == .package ? "" : "\(emission.access.rawValue) "
        var text = runtime ? "\(keyword)import ErrandRuntime\n" : ""
        guard foundation else { return text }
        let access = emission.access.rawValue
        // A contract with a type called `Date` needs the other one as `Foundation.Date`.
        if emission.spelling.needsWholeFoundation { return text + "\(access) import Foundation\n" }
        text += "#if canImport(FoundationEssentials)\n\(access) import FoundationEssentials\n"
        text += "#else\n\(access) import Foundation\n#endif\n"
        return text
    }

    mutating func add(_ fields: [FieldDefinition]) {
        for field in fields {
            add(field.type)
            if field.distinguishesNull || field.isSensitive { runtime = true }
        }
    }

    mutating func add(_ type: TypeReference) {
        if type.namesFoundation { foundation = true }
        if type.namesRuntime { runtime = true }
    }
}

extension TypeReference {
    /// Whether its Swift spelling names a type of the runtime.
    var namesRuntime: Bool {
        switch self {
        case .primitive(let primitive): primitive == .date || primitive == .json || primitive == .file
        case .named: false
        case .optional(let inner), .list(let inner), .map(let inner): inner.namesRuntime
        }
    }
}
