import ContractModel

/// The imports of a file: only what it uses, each with its access level, so that nothing is imported in vain.
struct ImportPlan {
    /// Whether the file's declarations name types of the runtime, and of Foundation.
    var runtime = false
    var foundation = false
    /// Whether the file needs Foundation beside its declarations. It does if they name a protocol of the runtime that inherits
    /// from one of Foundation's, or if a body names the target of one of the contract's aliases.
    private var needsFoundation = false
    /// Whether the file names an algorithm of `ErrandDigests`.
    var digests = false
    /// Whether the file names the translator of `ErrandXML`.
    var xml = false
    private let contract: ResolvedContract

    init(_ contract: ResolvedContract) {
        self.contract = contract
    }

    func input(_ context: EmissionContext) -> ImportsInput {
        var input = ImportsInput()
        // Other files of the module may import the same without a level, and the compiler takes a plain import for
        // ambiguous where another file says `package` or `internal`. It never does beside `public`.
        input.isPublic = context.access == .public
        input.runtime = runtime
        // With an access level, the compiler warns if no declaration names a type of the module.
        input.foundationIsNamed = foundation
        // A contract with a type called `Date` needs the other one as `Foundation.Date`.
        let isNeeded = foundation || needsFoundation
        input.wholeFoundation = isNeeded && context.spelling.needsWholeFoundation
        input.foundation = isNeeded && !input.wholeFoundation
        input.digests = digests
        input.xml = xml
        input.modules = context.extraImports.map(ImportsInput.Module.init)
        return input
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
        case .primitive(let primitive): [.date, .dateOrTimestamp, .json, .file].contains(primitive)
        case .named: false
        case .optional(let inner), .list(let inner), .map(let inner): inner.namesRuntime
        }
    }
}
