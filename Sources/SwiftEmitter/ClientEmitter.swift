import ContractModel
import Diagnostics

/// Turns a resolved contract into the files of its client.
///
///     ResolvedContract ─ findings ─▶ Emission ─ plans ─▶ TemplateInput ─ catalogue ─▶ [OutputFile]
///
/// Architecture invariant: the same contract, options and templates give the same bytes, and no disk is touched.
package struct ClientEmitter: Sendable {
    private let catalogue: TemplateCatalogue
    private let options: EmitterOptions

    package init(templates: TemplateCatalogue, options: EmitterOptions = EmitterOptions()) {
        catalogue = templates
        self.options = options
    }

    /// The parts of a contract that Swift cannot express.
    ///
    /// - Parameter hasProtocol: Whether a protocol of the client's methods is made, whose name is then taken.
    package static func findings(in contract: ResolvedContract, hasProtocol: Bool = false) -> [Diagnostic] {
        UnsupportedFeatures.findings(in: contract) + NameAudit.findings(in: contract, hasProtocol: hasProtocol)
    }

    /// The files of a contract's client; none where something in the contract cannot be said in Swift.
    package func emit(_ contract: ResolvedContract) -> (files: [OutputFile], diagnostics: [Diagnostic]) {
        let findings = Self.findings(in: contract, hasProtocol: options.hasProtocol)
        guard findings.isEmpty else { return ([], findings) }
        let emission = Emission(contract, options)
        var files = [client(emission), errors(emission)]
        let types = contract.types.map(TypeDeclaration.type) + contract.events.map(TypeDeclaration.event)
        for (index, types) in ShardPlan.split(types, into: options.shards).enumerated() {
            files.append(self.types(types, number: index + 1, emission))
        }
        let groups = GroupPlan(emission)
        for (index, endpoints) in ShardPlan.split(contract.endpoints, into: options.shards).enumerated() {
            files.append(commands(endpoints, groups, number: index + 1, emission))
        }
        return (files, [])
    }

    // MARK: Files

    private func client(_ emission: Emission) -> OutputFile {
        var imports = ImportPlan(emission.contract)
        let common = emission.contract.common.all
        imports.add(common.filter { $0.source == .app }.map(\.field))
        if options.hasProtocol {
            for endpoint in emission.contract.endpoints { CommandPlan.addImports(ofMethod: endpoint, to: &imports) }
        }
        imports.runtime = false
        imports.digests = emission.contract.signing != nil
        var input = ClientPlan(emission).input(imports: imports.input(emission))
        input.hasProtocol = options.hasProtocol
        return file("", emission, catalogue.render(input, with: "client"))
    }

    private func errors(_ emission: Emission) -> OutputFile {
        let contract = emission.contract
        var imports = ImportPlan(emission.contract)
        imports.addFailure()
        var input = ErrorsInput()
        input.service = emission.service
        input.failure = FailurePlan.shared(emission)
        input.writeFailure = FailurePlan.ofWrites(emission)
        for error in contract.errors {
            switch error.data {
            case .fields(let fields):
                imports.add(fields)
                var plan = StructurePlan(emission, fields: fields)
                plan.isRead = true
                input.structures.append(plan.input(error.dataType, doc: "The data of the error `\(error.identifier)`."))
            case .type(let type, _):
                if contract.sharedErrors.contains(error.name.value) { imports.add(type) }
            case nil: break
            }
        }
        input.envelopes = contract.envelopes.map(EnvelopePlan.input)
        input.hasEnvelopes = !contract.envelopes.isEmpty
        input.hasTables = !emission.inheritedTables.named.isEmpty
        input.tables = emission.inheritedTables.named.map { name, table in
            TableInput(name: name, rows: DecisionTablePlan.rows(table))
        }
        let shapes = XMLPlan.types(emission)
        if !shapes.isEmpty {
            imports.runtime = true
            input.shapes = SwiftType.named("XMLTypes").make(.rows(shapes))
            input.hasShapes = true
        }
        input.imports = imports.input(emission)
        return file("Errors", emission, catalogue.render(input, with: "errors"))
    }

    /// A declaration of a file of types.
    private enum TypeDeclaration {
        case type(TypeDefinition)
        case event(EventDefinition)
    }

    private func types(_ types: ArraySlice<TypeDeclaration>, number: Int, _ emission: Emission) -> OutputFile {
        if types.isEmpty { return empty("Types\(number)", "types", emission) }
        var imports = ImportPlan(emission.contract)
        var input = TypesInput()
        input.service = emission.service
        var lastPath: [String] = []
        for declaration in types {
            guard case .type(let type) = declaration else {
                if case .event(let event) = declaration {
                    let plan = EventPlan(emission, event)
                    input.types.append(plan.type)
                    input.events.append(plan.input)
                    plan.addImports(to: &imports)
                }
                continue
            }
            let plan = TypePlan.input(emission, type)
            if let inline = type.inline, let structure = plan.structure {
                let path = emission.contract.swiftPath(of: inline.owner)
                if path == lastPath {
                    input.extensions[input.extensions.count - 1].structures.append(structure)
                } else {
                    let owner = path.reduce(emission.spelling.service, SwiftType.nested)
                    input.extensions.append(ExtensionInput(owner: owner, structures: [structure]))
                    lastPath = path
                }
            } else {
                input.types.append(plan)
            }
            TypePlan.addImports(of: type, emission, to: &imports)
        }
        input.imports = imports.input(emission)
        return file("Types\(number)", emission, catalogue.render(input, with: "types"))
    }

    private func commands(
        _ endpoints: ArraySlice<ResolvedEndpoint>, _ groups: GroupPlan, number: Int, _ emission: Emission
    ) -> OutputFile {
        if endpoints.isEmpty { return empty("Commands\(number)", "commands", emission) }
        var imports = ImportPlan(emission.contract)
        imports.runtime = true
        var input = CommandsInput()
        input.service = emission.service
        for endpoint in endpoints {
            let (command, structures) = CommandPlan(emission, endpoint).input()
            input.commands.append(command)
            if let structures { input.extensions.append(structures) }
            if endpoint.declaresOwnErrors { imports.addFailure() }
            CommandPlan.addImports(of: endpoint, emission, to: &imports)
        }
        input.groups = groups.inputs(beginningWith: endpoints, imports: &imports)
        imports.digests = endpoints.contains { $0.checksum != nil }
        imports.xml = endpoints.contains(where: \.usesXML)
        input.sessions = SessionPlan(emission).inputs(of: endpoints)
        input.confirmations = ConfirmationPlan(emission).inputs(of: endpoints)
        input.pagings = PagingPlan(emission).inputs(of: endpoints)
        input.subscriptions = SubscriptionPlan(emission).inputs(of: endpoints)
        input.imports = imports.input(emission)
        return file("Commands\(number)", emission, catalogue.render(input, with: "commands"))
    }

    private func empty(_ suffix: String, _ what: String, _ emission: Emission) -> OutputFile {
        var text = Layout()
        text.add(.comment("// This file has no \(what), because the build planned more files than the contract needs."))
        text.add(.newline)
        return file(suffix, emission, text)
    }

    private func file(_ suffix: String, _ emission: Emission, _ content: Layout) -> OutputFile {
        var text = Layout()
        text.add(GeneratedMarker.line(contract: emission.contract.file))
        text.add(.newline)
        text.add(content)
        return OutputFile(path: "\(emission.service)/\(emission.service)\(suffix).swift", text: text.printed)
    }
}
