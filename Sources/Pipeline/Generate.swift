import ContractModel
import Diagnostics
import SwiftEmitter

/// `errand generate`: from contracts on disk to clients on disk.
///
///     [path] ─ ContractResolver ─▶ [ResolvedContract] ─ SwiftEmitter ─▶ [OutputFile] ─ OutputPlan ─▶ changed files
///
/// Each stage hands on its result and its diagnostics. Nothing is written unless every contract went all the way.
package struct Generate {
    /// What to do, every question settled.
    package struct Order: Sendable {
        /// Contract files, as the user gave them or as a folder listed them.
        package var contracts: [String]
        package var output: String
        /// A folder of templates that replace built-in ones.
        package var templates: String?
        package var access: AccessLevel
        /// Whether output is only compared.
        package var checksOnly: Bool
        /// Whether the contracts are all there are, so that other clients in the output folder are leftovers.
        package var isWholeProject: Bool

        package init(
            contracts: [String], output: String, templates: String? = nil, access: AccessLevel = .public,
            checksOnly: Bool = false, isWholeProject: Bool = false
        ) {
            self.contracts = contracts
            self.output = output
            self.templates = templates
            self.access = access
            self.checksOnly = checksOnly
            self.isWholeProject = isWholeProject
        }
    }

    /// What came of one contract.
    package struct Client: Sendable {
        package let contract: String
        package let service: String
        package let milliseconds: Double
        package fileprivate(set) var new: [String] = []
        package fileprivate(set) var changed: [String] = []
        package fileprivate(set) var removed: [String] = []
        package fileprivate(set) var unchanged = 0
    }

    /// What came of the whole run.
    package struct Report: Sendable {
        package enum Outcome: Sendable {
            /// Output is as the contracts want it.
            case done
            /// A contract or template is wrong, or output is stale.
            case findings
            /// Something could not be read or written.
            case failed
        }

        package var outcome = Outcome.done
        package var clients: [Client] = []
        package var diagnostics: [Diagnostic] = []
        /// Leftovers of contracts that are no longer there.
        package var removed: [String] = []
    }

    private let files: FileAccess
    private let progress: (_ contract: String, _ position: Int, _ count: Int) -> Void

    /// - Parameter progress: told before each contract is begun.
    package init(
        files: FileAccess = FileAccess(),
        progress: @escaping (_ contract: String, _ position: Int, _ count: Int) -> Void = { _, _, _ in }
    ) {
        self.files = files
        self.progress = progress
    }

    package func run(_ order: Order) -> Report {
        var report = Report()
        let overrides = readTemplates(order.templates, &report)
        guard report.outcome == .done else { return report }
        let (catalogue, findings) = TemplateCatalogue.load(overrides: overrides)
        guard let catalogue else { return Report(outcome: .findings, diagnostics: findings) }

        let emitter = SwiftEmitter(catalogue: catalogue, options: EmitterOptions(access: order.access))
        var output: [[OutputFile]] = []
        var contracts: [ResolvedContract] = []
        var bag = DiagnosticBag()
        for (position, path) in order.contracts.enumerated() {
            progress(path, position, order.contracts.count)
            let start = ContinuousClock.now
            let source = ContractSource(files: files)
            let (contract, diagnostics) = ContractResolver(provider: source).resolve(path: path)
            bag.add(contentsOf: diagnostics)
            if source.hasFailed { report.outcome = .failed }
            guard let contract else { continue }
            let emitted = emitter.emit(contract)
            bag.add(contentsOf: emitted.diagnostics)
            contracts.append(contract)
            output.append(emitted.files)
            let (seconds, attoseconds) = (ContinuousClock.now - start).components
            report.clients.append(Client(
                contract: path, service: contract.service.value,
                milliseconds: Double(seconds) * 1e3 + Double(attoseconds) / 1e15))
        }
        bag.add(contentsOf: Self.collisions(contracts))
        report.diagnostics = bag.sorted()
        if bag.hasErrors {
            if report.outcome == .done { report.outcome = .findings }
            report.clients = []
            return report
        }
        finish(output, order, &report)
        return report
    }

    // MARK: Stages

    private func readTemplates(_ folder: String?, _ report: inout Report) -> [String: TemplateText] {
        guard let folder else { return [:] }
        var overrides: [String: TemplateText] = [:]
        do throws(FileProblem) {
            for name in try files.names(in: folder).get() where name.hasSuffix(".mustache") {
                let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
                let bytes = try files.read(path).get()
                guard let text = String(validating: bytes, as: UTF8.self) else {
                    throw FileProblem("file-not-utf8", "`\(path)` is no UTF-8 text", help: "Save it as UTF-8.")
                }
                overrides[name] = TemplateText(file: path, text: text)
            }
            if overrides.isEmpty {
                throw FileProblem("templates-missing", "there is no template in `\(folder)`", help: "Templates end in `.mustache`.")
            }
        } catch {
            report.outcome = .failed
            report.diagnostics.append(Diagnostic(error, file: folder))
        }
        return overrides
    }

    private func finish(_ output: [[OutputFile]], _ order: Order, _ report: inout Report) {
        let plan = OutputPlan(output, in: order.output, files: files, removesStrangers: order.isWholeProject)
        if !plan.problems.isEmpty {
            report.diagnostics += plan.problems
            report.outcome = .failed
            report.clients = []
            return
        }
        if order.checksOnly {
            if !plan.writes.isEmpty || !plan.removals.isEmpty { report.outcome = .findings }
        } else if let problem = plan.carryOut() {
            report.diagnostics.append(problem)
            report.outcome = .failed
            report.clients = []
            return
        }
        for index in report.clients.indices { report.clients[index].unchanged = plan.unchanged[index] ?? 0 }
        for write in plan.writes {
            if write.isNew { report.clients[write.owner].new.append(write.path) } else { report.clients[write.owner].changed.append(write.path) }
        }
        for removal in plan.removals {
            if let owner = removal.owner { report.clients[owner].removed.append(removal.path) } else { report.removed.append(removal.path) }
        }
    }

    /// Contracts whose clients would go into one folder, on a disk that knows no letter case too.
    private static func collisions(_ contracts: [ResolvedContract]) -> [Diagnostic] {
        var first: [String: ResolvedContract] = [:]
        return contracts.compactMap { contract in
            guard let other = first[contract.service.value.lowercased()] else {
                first[contract.service.value.lowercased()] = contract
                return nil
            }
            return Diagnostic(
                rule: "service-name-collision",
                message: "`\(contract.file)` and `\(other.file)` both describe a service `\(contract.service.value)`",
                at: contract.service.range,
                notes: [DiagnosticNote("the other one", at: other.service.range)],
                help: "Give one of them another name, or generate them into different folders.")
        }
    }
}

/// Reads contracts from disk for the resolver.
private final class ContractSource: SourceProvider {
    private let files: FileAccess
    private(set) var hasFailed = false

    init(files: FileAccess) {
        self.files = files
    }

    func read(_ path: String) -> SourceReading {
        switch files.read(path) {
        case .success(let bytes): return .bytes(bytes)
        case .failure(let problem):
            hasFailed = true
            return .failure(rule: problem.rule, message: problem.message, help: problem.help)
        }
    }
}

/// Who may use generated code, for those who know this target only.
package typealias ClientAccess = AccessLevel
