import ErrandSemantics
import Testing

@testable import ErrandService

@Suite struct RefusalTests {
    /// The response for an error, as a client reads it that has the same table.
    private func refusal(
        _ name: DeclaredName, _ table: DecisionTable, hasCode: Bool = true, isDecidedByCode: Bool = false,
        preferred: Int? = nil, among statuses: ClosedRange<Int> = 200...599
    ) -> Refusal? {
        Refusal.saying(
            .error(name), in: table, hasCode: hasCode, isDecidedByCode: isDecidedByCode, preferred: preferred,
            among: statuses
        ) { refusal in
            table.row(status: refusal.status, code: refusal.code ?? "") { match in
                let text: String? =
                    switch match.place {
                    case .body: refusal.body.first { $0.path == match.path }?.text
                    case .header(let name): refusal.headers.first { $0.name == name }?.value
                    case .text: refusal.text
                    }
                return text.map(match.pattern.matches) ?? false
            }?.verdict
        }
    }

    @Test func theStatusIsTheOneThatServersUse() {
        let table: DecisionTable = [
            .error("gone", applied: .never, status: [404, 410]),
            .error("busy", applied: .maybe, status: .range(500...599)),
            .error("funds", applied: .never, code: "FUNDS"), .error("teapot", applied: .never, status: 418),
        ]
        #expect(refusal("gone", table)?.status == 404)
        #expect(refusal("busy", table)?.status == 500)
        #expect(refusal("teapot", table)?.status == 418)
        #expect(refusal("funds", table)?.status == 400)
        #expect(refusal("funds", table)?.code == "FUNDS")
        // Where codes tell failures, they come with 200.
        #expect(refusal("funds", table, isDecidedByCode: true)?.status == 200)
        #expect(refusal("funds", table, preferred: 422)?.status == 422)
        #expect(refusal("funds", table, isDecidedByCode: true, preferred: 422)?.status == 200)
        // A row that names its statuses has no other.
        #expect(refusal("teapot", table, preferred: 422)?.status == 418)
    }

    @Test func anEarlierRowTakesNothingAway() {
        let table: DecisionTable = [
            .error("first", applied: .never, status: 400), .error("second", applied: .never, status: [400, 401]),
            .error("third", applied: .never, status: .range(400...401)),
            .error("third", applied: .never, status: 499, values: [.text("c", at: "kind")]),
        ]
        #expect(refusal("second", table)?.status == 401)
        // Its first row has no response that is left.
        #expect(refusal("third", table)?.status == 499)
        #expect(refusal("third", table)?.body.map(\.text) == ["c"])
    }

    /// Where a narrower row takes the text without anything in place of the star, another text is found.
    @Test func aPatternHasAText() {
        let table: DecisionTable = [
            .error("mine", applied: .never, status: 503, values: [.text("*refused*")]),
            .error("full", applied: .never, status: 403, values: [.header("X-Left", "0")]),
            .error("some", applied: .never, status: 403, values: [.header("X-Left", "*0*")]),
            .error("any", applied: .never, status: 403, values: [.header("X-Left", "*")]),
        ]
        #expect(refusal("mine", table)?.text == "refused")
        #expect(refusal("full", table)?.headers.map(\.value) == ["0"])
        #expect(refusal("some", table)?.headers.map(\.value) == ["101"])
        #expect(refusal("any", table)?.headers.map(\.value) == [""])
        #expect(refusal("any", table)?.headers.map(\.name) == ["x-left"])
    }

    @Test func whatNoResponseSaysHasNone() {
        let table: DecisionTable = [
            .error("lost", applied: .maybe, transport: [.lost]), .error("coded", applied: .never, code: "C"),
            .error("hidden", applied: .never, code: "C"), .error("slow", applied: .never, status: 504),
        ]
        #expect(refusal("lost", table) == nil)
        #expect(refusal("hidden", table) == nil)
        #expect(refusal("other", table) == nil)
        #expect(refusal("coded", table, hasCode: false) == nil)
        // A frame counts as 200.
        #expect(refusal("slow", table, among: 200...200) == nil)
        #expect(refusal("coded", table, among: 200...200)?.status == 200)
    }
}
