import Foundation
import Testing

/// The contract in the README is one.
@Suite struct ReadmeTests {
    @Test func theContractResolves() throws {
        let page = try String(contentsOf: CheckoutSource.root.appendingPathComponent("README.md"), encoding: .utf8)
        let start = try #require(page.range(of: "```yaml\n"))
        let end = try #require(page[start.upperBound...].range(of: "```"))
        let result = resolve(String(page[start.upperBound..<end.lowerBound]))
        #expect(result.contract != nil, "\(listing(result.diagnostics))")
    }
}
