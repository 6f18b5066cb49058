import ContractModel

/// A product that a client compiles only if its contract needs it.
enum ClientProduct: String, CaseIterable {
    /// The algorithms of signatures and checksums.
    case digests = "ErrandDigests"
    /// The translator of documents in XML.
    case xml = "ErrandXML"
    /// Commands that outlast the process.
    case durable = "ErrandDurable"
    /// Commands that travel over a persistent connection.
    case connections = "ErrandConnections"

    /// What the commands of some endpoints need.
    static func needed(by endpoints: some Collection<ResolvedEndpoint>) -> Set<ClientProduct> {
        var products: Set<ClientProduct> = []
        if endpoints.contains(where: { $0.checksum != nil }) { products.insert(.digests) }
        if endpoints.contains(where: \.usesXML) { products.insert(.xml) }
        if endpoints.contains(where: { $0.durable != nil }) { products.insert(.durable) }
        return products
    }

    /// What the client of a contract needs, beside its commands.
    static func needed(by contract: ResolvedContract) -> Set<ClientProduct> {
        var products: Set<ClientProduct> = []
        if contract.signing != nil { products.insert(.digests) }
        if contract.endpoints.contains(where: { $0.durable != nil }) { products.insert(.durable) }
        if contract.connection != nil { products.insert(.connections) }
        return products
    }

    /// Who needs it, for a build without it.
    fileprivate var need: String {
        switch self {
        case .digests: "digests need"
        case .xml: "XML needs"
        case .durable: "durable commands need"
        case .connections: "connections need"
        }
    }
}

extension ResolvedContract {
    /// The products of Errand that the target of its client depends on, beside `ErrandTransport`.
    package var clientProducts: [String] {
        let products = ClientProduct.needed(by: endpoints).union(ClientProduct.needed(by: self))
        return ClientProduct.allCases.filter(products.contains).map(\.rawValue)
    }
}

/// The imports of a file: only what it uses, each with its access level, so that nothing is imported in vain.
struct ImportPlan {
    /// Whether the file's declarations name types of the runtime, and of Foundation.
    var runtime = false
    var foundation = false
    /// Whether the file needs Foundation beside its declarations. It does if they name a protocol of the runtime that inherits
    /// from one of Foundation's, or if a body names the target of one of the contract's aliases.
    private var needsFoundation = false
    /// The products beside the runtime that the file names.
    var products: Set<ClientProduct> = []
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
        input.products = ClientProduct.allCases.filter(products.contains).map { product in
            ImportsInput.Product(
                name: product.rawValue, need: product.need, isPublic: input.isPublic,
                isNamed: product == .durable, isExported: product == .connections)
        }
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
