import Diagnostics
import Foundation

@testable import Pipeline
@testable import ProjectTasks

extension FindingCases {
    /// Two versions of a contract for each kind of finding of `errand diff`.
    static let changes: [String: Case] = [
        "behavior-break": {
            try diff(endpoint: "{post: /orders, response: none}", "{post: /orders, response: none, effect: idempotent}")
        },
        "change-to-review": {
            try diff(endpoint: "{get: /orders, response: none}", "{get: /orders, response: none, timeout: 5s}")
        },
        "different-services": {
            try diff("errand: 1\nservice: Shop\nendpoints: {}\n", "errand: 1\nservice: Bank\nendpoints: {}\n")
        },
        "source-break": {
            try diff(
                endpoint: "{get: /orders, response: none}", "{get: /orders, response: none, swift: loadOrders}")
        },
        "wire-break": { try diff(endpoint: "{get: /orders, response: none}", "{get: /order, response: none}") },
    ]

    private static func diff(endpoint old: String, _ new: String) throws -> [Diagnostic] {
        func contract(_ endpoint: String) -> String { "errand: 1\nservice: Shop\nendpoints:\n  order: \(endpoint)\n" }
        return try diff(contract(old), contract(new))
    }

    private static func diff(_ old: String, _ new: String) throws -> [Diagnostic] {
        try inProject { folder in
            try folder.write(old, to: "old.contract.yaml")
            try folder.write(new, to: "new.contract.yaml")
            return Diff.run(
                DiffOptions(old: folder.path + "/old.contract.yaml", new: folder.path + "/new.contract.yaml")
            ).findings
        }
    }
}
