import ContractDiff
import Diagnostics

/// The changes of a run by the services that have them. A change of a definition that several contracts import is there once.
struct SharedChanges {
    /// The changes that the same services have.
    struct Section {
        /// `Bank`, or `Bank, Shop`.
        let name: String
        var changes: [Change]
    }

    private(set) var sections: [Section] = []

    init(_ services: [DiffReport.Service]) {
        var owners: [SourceRange: [(change: Change, services: [String])]] = [:]
        for service in services {
            for change in service.changes {
                guard let range = change.range else { continue }
                if let position = owners[range]?.firstIndex(where: { $0.change == change }) {
                    owners[range]?[position].services.append(service.name)
                } else {
                    owners[range, default: []].append((change, [service.name]))
                }
            }
        }
        var shared: [Section] = []
        for service in services {
            var own = Section(name: service.name, changes: [])
            for change in service.changes {
                let found = change.range.flatMap { owners[$0]?.first { $0.change == change } }
                guard let found, found.services.count > 1 else {
                    own.changes.append(change)
                    continue
                }
                guard found.services.first == service.name else { continue }
                let name = found.services.joined(separator: ", ")
                if let position = shared.firstIndex(where: { $0.name == name }) {
                    shared[position].changes.append(change)
                } else {
                    shared.append(Section(name: name, changes: [change]))
                }
            }
            if !own.changes.isEmpty || service.changes.isEmpty { sections.append(own) }
        }
        sections += shared
    }
}

/// The findings about changes. What several services have at one place is one finding, as severe as the most severe of them.
struct SharedFindings {
    private struct Key: Hashable {
        let range: SourceRange?
        let file: String
        let message: String
    }

    private var found: [(finding: Diagnostic, services: [String])] = []
    private var positions: [Key: Int] = [:]

    mutating func add(_ finding: Diagnostic, of service: String) {
        let key = Key(range: finding.range, file: finding.file, message: finding.message)
        guard let position = positions[key] else {
            positions[key] = found.count
            found.append((finding, [service]))
            return
        }
        if finding.severity.weight > found[position].finding.severity.weight { found[position].finding = finding }
        if found[position].services.last != service { found[position].services.append(service) }
    }

    var findings: [Diagnostic] {
        found.map { finding, services in
            guard services.count > 1 else { return finding }
            let names = services.map { "`\($0)`" }.joined(separator: ", ")
            return finding.weighing(finding.severity, because: "the services \(names) have this change")
        }
    }
}
