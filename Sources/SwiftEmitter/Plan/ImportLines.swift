import ContractModel

/// The imports of a file: only what it uses, each with its access level, so that nothing is imported in vain.
struct ImportLines {
    /// Whether the file's declarations name types of the runtime, and of Foundation.
    var runtime = false
    var foundation = false
    /// Whether the file needs Foundation beside its declarations: they name a protocol of the runtime that inherits from one
    /// of Foundation's, or a body names what an alias of the contract stands for.
    private var needsFoundation = false
    private let contract: ResolvedContract

    init(_ contract: ResolvedContract) {
        self.contract = contract
    }

    /// The lines with their line breaks.
    func text(_ emission: Emission) -> String {
        // Other files of the module may import the same without a level, and the compiler takes a plain import for
        // ambiguous where another file says `package` or `internal`. It never does beside `public`.
        let keyword = emission.access == .public ? "public import" : "import"
        var text = runtime ? "\(keyword) ErrandRuntime\n" : ""
        if foundation || needsFoundation {
            // With an access level, the compiler warns where no declaration names a type of the module.
            let keyword = foundation ? keyword : "import"
            // A contract with a type called `Date` needs the other one as `Foundation.Date`.
            if emission.spelling.needsWholeFoundation {
                text += "\(keyword) Foundation\n"
            } else {
                if !text.isEmpty { text += "\n" }
                text += "#if canImport(FoundationEssentials)\n\(keyword) FoundationEssentials\n"
                text += "#else\n\(keyword) Foundation\n#endif\n\n"
            }
        }
        return text + emission.extraImports.map { "import \($0)\n" }.joined()
    }

    /// For a body that names a type of Foundation, or a member of one.
    mutating func addFoundation() { needsFoundation = true }

    /// For the declaration of a failure, which is a `LocalizedError`.
    mutating func addFailure() {
        runtime = true
        needsFoundation = true
    }

    mutating func add(_ fields: [FieldDefinition]) {
        for field in fields {
            add(field.type)
            if field.distinguishesNull || field.isSensitive { runtime = true }
        }
    }

    mutating func add(_ type: TypeReference) {
        if type.namesFoundation { foundation = true }
        if contract.shape(of: type).namesFoundation { needsFoundation = true }
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
