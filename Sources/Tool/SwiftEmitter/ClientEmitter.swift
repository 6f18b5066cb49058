import ContractModel
import Diagnostics

/// Turns a resolved contract into the files of its client.
///
///     ResolvedContract ─ findings ─▶ EmissionContext ─ plans ─▶ TemplateInput ─ catalog ─▶ [OutputFile]
///
/// Architecture invariant: the same contract, options and templates give the same bytes, and no disk is touched.
package struct ClientEmitter: Sendable {
    private let catalog: TemplateCatalog
    private let options: EmitterOptions

    package init(templates: TemplateCatalog, options: EmitterOptions = EmitterOptions()) {
        catalog = templates
        self.options = options
    }

    /// The parts of a contract that Swift cannot express.
    ///
    /// - Parameter hasProtocol: Whether a protocol of the client's methods is made, whose name is then taken.
    package static func findings(in contract: ResolvedContract, hasProtocol: Bool = false) -> [Diagnostic] {
        NameCollisionCheck.findings(in: contract, hasProtocol: hasProtocol)
    }

    /// The files of a contract's client; none where something in the contract cannot be said in Swift.
    package func emit(_ contract: ResolvedContract) -> (files: [OutputFile], diagnostics: [Diagnostic]) {
        let findings = Self.findings(in: contract, hasProtocol: options.hasProtocol)
        guard findings.isEmpty else { return ([], findings) }
        let context = EmissionContext(contract, options)
        var files = [client(context), errors(context)]
        let types = contract.types.map(TypeDeclaration.type) + contract.events.map(TypeDeclaration.event)
        for (index, types) in ShardPlan.split(types, into: options.shards).enumerated() {
            files.append(self.types(types, number: index + 1, context))
        }
        let groups = GroupPlan(context)
        for (index, endpoints) in ShardPlan.split(contract.endpoints, into: options.shards).enumerated() {
            files.append(commands(endpoints, groups, number: index + 1, context))
        }
        return (files, [])
    }

    // MARK: Files

    private func client(_ context: EmissionContext) -> OutputFile {
        var imports = ImportPlan(context.contract)
        let common = context.contract.common.all
        imports.add(common.filter { $0.source == .app }.map(\.field))
        if context.hasProtocol {
            for endpoint in context.contract.endpoints { CommandPlan.addImports(ofMethod: endpoint, to: &imports) }
        }
        imports.runtime = false
        imports.products = ClientProduct.needed(by: context.contract)
        let input = ClientPlan(context).input(imports: imports.input(context))
        return file("", context, catalog.render(input, with: "client"))
    }

    private func errors(_ context: EmissionContext) -> OutputFile {
        let contract = context.contract
        var imports = ImportPlan(context.contract)
        imports.addFailure()
        var input = ErrorsInput()
        input.service = context.service
        input.failure = FailurePlan.shared(context)
        input.writeFailure = FailurePlan.ofWrites(context)
        for error in contract.errors {
            switch error.data {
            case .fields(let fields):
                imports.add(fields)
                var plan = StructurePlan(context, fields: fields)
                plan.isRead = true
                input.structures.append(plan.input(error.dataType, doc: "The data of the error `\(error.identifier)`."))
            case .type(let type, _):
                if contract.sharedErrors.contains(error.name.value) { imports.add(type) }
            case nil: break
            }
        }
        input.envelopes = contract.envelopes.map(EnvelopePlan.input)
        input.hasEnvelopes = !contract.envelopes.isEmpty
        input.hasTables = !context.inheritedTables.named.isEmpty
        input.tables = context.inheritedTables.named.map { name, table in
            TableInput(name: name, rows: DecisionTablePlan.rows(table))
        }
        let shapes = XMLPlan.types(context)
        if !shapes.isEmpty {
            imports.runtime = true
            input.shapes = SwiftType.named("XMLTypes").make(.rows(shapes))
            input.hasShapes = true
        }
        input.imports = imports.input(context)
        return file("Errors", context, catalog.render(input, with: "errors"))
    }

    /// A declaration of a file of types.
    private enum TypeDeclaration {
        case type(TypeDefinition)
        case event(EventDefinition)
    }

    private func types(_ types: ArraySlice<TypeDeclaration>, number: Int, _ context: EmissionContext) -> OutputFile {
        if types.isEmpty { return empty("Types\(number)", "types", context) }
        var imports = ImportPlan(context.contract)
        var input = TypesInput()
        input.service = context.service
        var lastPath: [String] = []
        for declaration in types {
            guard case .type(let type) = declaration else {
                if case .event(let event) = declaration {
                    let plan = EventPlan(context, event)
                    input.types.append(plan.type)
                    input.events.append(plan.input)
                    plan.addImports(to: &imports)
                }
                continue
            }
            let plan = TypePlan.input(context, type)
            if let inline = type.inline, let structure = plan.structure {
                let path = context.contract.swiftPath(of: inline.owner)
                if path == lastPath {
                    input.extensions[input.extensions.count - 1].structures.append(structure)
                } else {
                    let owner = path.reduce(context.spelling.service, SwiftType.nested)
                    input.extensions.append(ExtensionInput(owner: owner, structures: [structure]))
                    lastPath = path
                }
            } else {
                input.types.append(plan)
            }
            TypePlan.addImports(of: type, context, to: &imports)
        }
        input.imports = imports.input(context)
        return file("Types\(number)", context, catalog.render(input, with: "types"))
    }

    private func commands(
        _ endpoints: ArraySlice<ResolvedEndpoint>, _ groups: GroupPlan, number: Int, _ context: EmissionContext
    ) -> OutputFile {
        if endpoints.isEmpty { return empty("Commands\(number)", "commands", context) }
        var imports = ImportPlan(context.contract)
        imports.runtime = true
        var input = CommandsInput()
        input.service = context.service
        for endpoint in endpoints {
            let (command, structures) = CommandPlan(context, endpoint).input()
            input.commands.append(command)
            if let structures { input.extensions.append(structures) }
            if endpoint.declaresOwnErrors { imports.addFailure() }
            CommandPlan.addImports(of: endpoint, context, to: &imports)
        }
        input.groups = groups.inputs(beginningWith: endpoints, imports: &imports)
        imports.products = ClientProduct.needed(by: endpoints)
        input.sessions = SessionPlan(context).inputs(of: endpoints)
        input.confirmations = ConfirmationPlan(context).inputs(of: endpoints)
        input.durables = DurabilityPlan(context).inputs(of: endpoints)
        input.paginations = PaginationPlan(context).inputs(of: endpoints)
        input.subscriptions = SubscriptionPlan(context).inputs(of: endpoints)
        input.imports = imports.input(context)
        return file("Commands\(number)", context, catalog.render(input, with: "commands"))
    }

    private func empty(_ suffix: String, _ what: String, _ context: EmissionContext) -> OutputFile {
        var text = Layout()
        text.add(.comment("// This file has no \(what), because the build planned more files than the contract needs."))
        text.add(.newline)
        return file(suffix, context, text)
    }

    private func file(_ suffix: String, _ context: EmissionContext, _ content: Layout) -> OutputFile {
        var text = Layout()
        text.add(GeneratedMarker.line(contract: context.contract.file))
        text.add(.newline)
        text.add(content)
        return OutputFile(path: "\(context.service)/\(context.service)\(suffix).swift", text: text.printed)
    }
}
