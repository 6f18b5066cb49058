import ContractModel
import Diagnostics

package enum MixedEndpointCases: LintRule {
    package static let kind = FindingKind(
        "mixed-endpoint-cases", .note,
        page: """
            A contract with endpoints in both `likeThis` and `like_this` style.

            ## Why is this bad
            The name of an endpoint becomes a method, and appears in logs, metrics and errors as the contract has it. A search for one style
            misses the other. For the names of parameters and fields, see `mixed-name-cases`.

            ## Example
            ```yaml
            getBook: {get: /book, response: string}
            getCover: {get: /cover, response: string}
            list_books: {get: /names, response: string}
            ```
            ## Use instead
            ```yaml
            getBook: {get: /book, response: string}
            getCover: {get: /cover, response: string}
            listBooks: {get: /names, response: string}
            ```
            """)

    package static let tags: [RuleTag] = [.naming]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        var camel: [Located<String>] = []
        var snake: [Located<String>] = []
        for endpoint in subject.contract.endpoints {
            let name = endpoint.name.value.utf8
            if name.dropFirst().contains(where: { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }) {
                snake.append(endpoint.name)
            } else if name.first.map({ (0x61...0x7A).contains($0) }) == true,
                name.contains(where: { (0x41...0x5A).contains($0) })
            {
                camel.append(endpoint.name)
            }
        }
        // Two names are not enough to tell a style.
        guard max(camel.count, snake.count) > 1, let other = (camel.count >= snake.count ? camel : snake).first,
            let odd = (camel.count >= snake.count ? snake : camel).first
        else { return }
        let count = min(camel.count, snake.count)
        report.add(
            "the endpoints `\(odd.value)`\(count > 1 ? " and \(count - 1) more" : "") and `\(other.value)` have different naming styles",
            at: odd.range, notes: [DiagnosticNote("the other style", at: other.range)], help: "use one style")
    }
}
