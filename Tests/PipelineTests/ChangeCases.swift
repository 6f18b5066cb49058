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
        "not-compared": {
            try inProject { folder in
                for (name, step) in [("old.yaml", 5), ("new.yaml", 7)] {
                    try folder.write(
                        "{openapi: 3.1.0, info: {title: Shop, version: '1'}, paths: {/orders: {get: {parameters: [{name: step, in: query, schema: {type: integer, multipleOf: \(step)}}], responses: {'204': {description: ok}}}}}}",
                        to: name)
                }
                return Diff.run(DiffOptions(old: folder.path + "/old.yaml", new: folder.path + "/new.yaml")).findings
            }
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
