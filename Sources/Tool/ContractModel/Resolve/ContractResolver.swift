import Diagnostics

/// Turns a contract file into a ``ResolvedContract``.
///
///     path ─ ContractLoader ─▶ [Contract] ─ names, types, fields ─▶ ─ endpoints, tables, session ─▶ ResolvedContract
///
/// Every stage continues after a problem, and the result exists only without problems. One resolver for several contracts decodes
/// a file that they share once.
package struct ContractResolver {
    private let provider: any SourceProvider
    private let decoded: DecodedFiles

    /// - Parameter mostEndpoints: How many endpoints all contracts of this resolver may have together.
    package init(provider: any SourceProvider, mostEndpoints: Int = .max) {
        self.provider = provider
        decoded = DecodedFiles(mostEndpoints: mostEndpoints)
    }

    /// The path that an import means, as seen from where the run was started.
    package static func path(ofImport path: String, in file: String) -> String {
        ContractLoader.joined(folderOf: file, path)
    }

    /// Reads the contract at `path` and everything it imports.
    package func resolve(path: String) -> (contract: ResolvedContract?, diagnostics: [Diagnostic]) {
        let examination = examine(path: path)
        return (examination.resolved, examination.findings)
    }

    /// The contract at `path` as it is written, without resolving it; nil if it cannot be read.
    package func written(path: String) -> Contract? {
        let root = Self.root(path)
        var loader = ContractLoader(provider: provider, decoded: decoded)
        loader.load(root)
        return loader.contracts[root]
    }

    private static func root(_ path: String) -> String {
        let start = ContractLoader.joined(folderOf: "", path)
        return path.hasPrefix("/") ? "/" + start : start
    }

    /// Reads the contract at `path`, with everything that could be found out about a contract that has errors.
    package func examine(path: String) -> ContractExamination {
        let root = Self.root(path)
        var loader = ContractLoader(provider: provider, decoded: decoded)
        loader.load(root)
        var examination = ContractExamination(file: root, document: loader.documents[root], findings: loader.findings)
        guard let contract = loader.contracts[root] else { return examination }

        var scopes: [String: ContractScope] = [:]
        for (file, contract) in loader.contracts {
            var imports: [Contract] = []
            var isComplete = true
            var met = Set<String>()
            for path in contract.imports {
                let target = ContractLoader.joined(folderOf: file, path.value)
                guard met.insert(target).inserted else { continue }  // reported below, where it is the reader's own
                if let imported = loader.contracts[target] { imports.append(imported) } else { isComplete = false }
            }
            scopes[file] = ContractScope(contract: contract, imports: imports, isComplete: isComplete)
        }
        guard let scope = scopes[root] else { return examination }

        let sharedSession = contract.session?.from.flatMap { from in
            loader.contracts[ContractLoader.joined(folderOf: root, from.value)]
        }
        var resolution = Resolution(scope: scope, scopes: scopes, sharedSession: sharedSession)
        let resolved = resolution.resolve(sources: loader.order)
        var findings = loader.findings
        findings.add(contentsOf: resolution.findings.diagnostics)
        let documents = Self.imports(of: root, scopes).compactMap { loader.documents[$0] }
        examination.complete(
            contract, imports: scope.imports, documents: documents, resolved, sharedSession: sharedSession, findings)
        return examination
    }

    /// The files that a contract imports, also by another one, the direct imports first.
    private static func imports(of root: String, _ scopes: [String: ContractScope]) -> [String] {
        var files = [root]
        var met: Set<String> = [root]
        var position = 0
        while position < files.count {
            let imports = scopes[files[position]]?.imports ?? []
            files += imports.map(\.file).filter { met.insert($0).inserted }
            position += 1
        }
        return Array(files.dropFirst())
    }
}

/// The state of resolving one contract.
struct Resolution {
    let scope: ContractScope
    let scopes: [String: ContractScope]
    let sharedSession: Contract?
    var findings = DiagnosticBag()
    /// The types that are used, in the order in which they were met, with their wire names set.
    var types: [TypeDefinition] = []
    var typeIndex: [String: Int] = [:]
    var typeFiles: [String: String] = [:]
    var aliases = AliasExpansion()
    /// The tables of the endpoints without outcomes, by what such a table depends on.
    var sharedTables: [SharedTableKey: SharedTable] = [:]
    var trial = ConstraintTrial()
    /// How many unknown names were given a suggestion; comparing each with every name gets costly.
    var suggestions = 0
    /// The places of what has the signature's name.
    var reportedSignatures = Set<SourceRange>()
    /// The problems that prevent structures in forms, by the depth of the structure.
    var formProblems: [FormFitKey: FormProblem?] = [:]
    /// The fields that something depends on, by the place of their name, and what that is.
    var strictPlaces: [SourceRange: String] = [:]
    /// Whether a field has `lenient: true`.
    var saysLenient = false
    /// Pairs of conditions that were reported as overlapping.
    var reportedOverlaps = Set<[SourceRange]>()
    /// The credentials that were reported for their place in a request.
    var reportedCredentials = Set<SourceRange>()
    private(set) var credentialIndex: [String: Int] = [:]
    private(set) var defaultCredentials: [Located<CredentialAlternative>] = []
    /// The origins that each server has beside its `url`.
    private(set) var roles: [ServerRoleDefinition] = []
    private(set) var roleIndex: [String: Int] = [:]
    private(set) var groupNames: Set<String> = []

    var contract: Contract { scope.contract }

    init(scope: ContractScope, scopes: [String: ContractScope], sharedSession: Contract?) {
        self.scope = scope
        self.scopes = scopes
        self.sharedSession = sharedSession
    }

    mutating func resolve(sources: [String]) -> ResolvedContract {
        reportDuplicates()
        collectTypes()
        checkTypes()
        let common = resolvedCommon()
        roles = resolvedRoles()
        roleIndex = Dictionary(roles.enumerated().map { ($1.name.value, $0) }) { first, _ in first }
        let errors = resolvedErrors()
        checkSettlingErrors()
        checkDefaultEnvelope()
        credentialIndex = Dictionary(contract.credentials.enumerated().map { ($1.name.value, $0) }) { first, _ in first
        }
        defaultCredentials = resolvedDefaultCredentials()
        groupNames = Set(contract.groups.map(\.name.value))
        let endpoints = contract.endpoints.map { resolvedEndpoint($0) }
        let events = contract.events.map { resolvedEvent($0) }
        let used = Set(endpoints.flatMap(\.errors))
        let envelopes = usedEnvelopes(endpoints)
        let session = resolvedSession(endpoints)
        checkConnection(endpoints, errors, envelopes)
        checkSessionReplies(session, endpoints)
        checkReferences(between: endpoints)
        checkSignedHeaders(endpoints)
        var resolved = ResolvedContract(
            file: contract.file, service: contract.service, version: contract.version?.value ?? "0",
            stability: contract.stability, doc: contract.doc, servers: contract.servers, common: common,
            session: session,
            signing: contract.signing, envelopes: envelopes,
            errors: errors.filter { $0.builtIn == nil && used.contains($0.name.value) },
            redeclared: errors.filter { $0.builtIn != nil }, types: types.filter { isGenerated($0, usedErrors: used) },
            endpoints: endpoints, sources: sources
        )
        resolved.rateLimit = contract.rateLimit
        resolved.trust = resolvedTrust()
        resolved.gateways = resolvedGateways()
        resolved.roles = roles
        resolved.credentials = contract.credentials
        resolved.groups = contract.groups
        resolved.connection = contract.connection
        resolved.events = events
        resolved.sharedErrors = contract.defaults.errors.map(\.value)
        settleReading(&resolved, errors: errors)
        checkDocuments(resolved)
        return resolved
    }

    /// The inside of a field is generated with what the field belongs to: the data of an error that no endpoint has is not.
    private func isGenerated(_ type: TypeDefinition, usedErrors: Set<String>) -> Bool {
        switch type.inline?.owner {
        case .error(let name)?: usedErrors.contains(name)
        case .type(let owner)?: self.type(owner).map { isGenerated($0, usedErrors: usedErrors) } ?? true
        case .endpoint?, .response?, .outcome?, .event?, nil: true
        }
    }

    mutating func report(
        _ rule: FindingKind, _ message: String, at range: SourceRange, notes: [DiagnosticNote] = [],
        help: String? = nil,
        fix: Fix? = nil
    ) {
        findings.add(Diagnostic(rule: rule, message: message, at: range, notes: notes, help: help, fix: fix))
    }

    /// The fix that writes another name. An author looks at it before it is made.
    func replacement(of name: Located<String>, with other: String) -> Fix {
        Fix(
            title: "write `\(other)`", applicability: .needsALook,
            edits: [Fix.Edit(replacing: name.range, with: other)])
    }

    /// Reports duplicate names in one list. The tree's reader finds duplicate keys; this finds duplicate items.
    private mutating func reportDuplicates() {
        let contract = contract
        reportDuplicates(contract.imports, "contract") { ContractLoader.joined(folderOf: contract.file, $0) }
        reportDuplicates(contract.defaults.errors, "error") { $0 }
        for endpoint in contract.endpoints { reportDuplicates(endpoint.errors, "error") { $0 } }
    }

    mutating func reportDuplicates(_ names: [Located<String>], _ what: String, _ meaning: (String) -> String) {
        let keys = names.map { meaning($0.value) }
        guard NameList.hasRepeats(keys) else { return }
        var first: [String: SourceRange] = [:]
        for (name, key) in zip(names, keys) {
            if let earlier = first[key] {
                report(
                    .duplicateName, "the \(what) `\(name.value)` is listed twice", at: name.range,
                    notes: [DiagnosticNote("first here", at: earlier)], help: "remove one")
            }
            first[key] = first[key] ?? name.range
        }
    }

    /// Reports that a name has no definition. Returns the nearest defined name, so that no consequences of a misspelled name are
    /// reported.
    @discardableResult mutating func reportMissing(
        _ rule: FindingKind, _ what: String, _ name: Located<String>, among names: @autoclosure () -> [String],
        help: String? = nil
    ) -> String? {
        suggestions += 1
        let near = suggestions <= 50 ? nearestSpelling(of: name.value, among: names()) : nil
        report(
            rule, "there is no \(what) `\(name.value)`", at: name.range,
            help: near.map { "did you mean `\($0)`?" } ?? help, fix: near.map { replacement(of: name, with: $0) })
        return near
    }

    mutating func reportAmbiguous(_ what: String, _ name: Located<String>, _ places: [Located<String>]) {
        report(
            .ambiguousName, "two imported contracts declare the \(what) `\(name.value)`", at: name.range,
            notes: places.map { DiagnosticNote("defined here", at: $0.range) },
            help: "rename one of them, or import only one of the contracts")
    }
}
