import Testing

@testable import SwiftEmitter

@Suite struct GroupNameTests {
    @Test(arguments: [
        ("createIssue", "issues", "create"), ("createIssueComment", "issues", "createComment"),
        ("listIssues", "issues", "list"), ("issuesListForRepo", "issues", "listForRepo"),
        ("addLabelsToIssue", "issues", "addLabels"), ("listPagesOfBook", "books", "listPages"),
        ("getPullRequest", "pull requests", "get"), ("deleteCategory", "categories", "delete"),
        ("importIssues", "issues", "import"), ("listAddresses", "address", "list"),
        ("transferFunds", "transfers", "transferFunds"), ("issue", "issues", "issue"),
        ("getUser", "issues", "getUser"), ("toIssue", "issues", "to"), ("initIssue", "issues", "initIssue"),
        ("get1Issue", "issues", "get1Issue"), ("issues2fa", "issues", "issues2fa"),
        ("größeIssue", "issues", "größeIssue"),
        ("clientIssue", "issues", "clientIssue"), ("getIssueURL", "issues", "getURL"),
    ])
    func aMethodHasItsEndpointsNameWithoutTheGroup(_ endpoint: String, _ group: String, _ name: String) {
        #expect(GroupNames(group, [endpoint]).name(of: endpoint) == name)
    }

    @Test(arguments: [
        ["createIssue", "issuesCreate"], ["listIssues", "list"], ["getIssueURL", "getUrl"],
    ])
    func aNameThatTwoWouldHaveIsTheNameOfNeither(_ endpoints: [String]) {
        let names = GroupNames("issues", endpoints)
        #expect(endpoints.map(names.name(of:)) == endpoints)
    }

    @Test func aGroupTakesNoNameOfTheClient() throws {
        for (text, finding) in [
            ("groups: {books: The catalog.}\nendpoints: {books: {get: /x, group: books}}", "swift-name-collision"),
            ("groups: {session: Who.}\nendpoints: {find: {get: /x, group: session}}", "swift-reserved-word"),
            (
                "groups: {books: The catalog.}\ntypes: {BooksGroup: {a: int}}\nendpoints: {find: {get: /x, group: books}}",
                "swift-name-collision"
            ),
            ("groups: {books: The catalog.}\nendpoints: {client: {get: /x, group: books}}", "swift-reserved-word"),
        ] {
            let emitted = try EmittedContract(EmittedContract.contract(text))
            #expect(
                emitted.findings.count == 1 && emitted.findings[0].hasPrefix(finding), "\(emitted.findings) \(text)")
        }
    }

    /// A group is declared once, with the endpoints of all files, and an unused one not at all.
    @Test func aGroupIsDeclaredOnce() throws {
        let endpoints = (0..<60).map { "  get\($0)Book: {get: /books/\($0), group: books}" }
        let text =
            "groups: {books: The catalog., loans: None.}\nendpoints:\n" + endpoints.joined(separator: "\n") + "\n"
        let emitted = try EmittedContract(EmittedContract.contract(text))
        #expect(emitted.findings == [])
        #expect(emitted.text.ranges(of: "struct BooksGroup").count == 1)
        #expect(emitted.text.ranges(of: "self.client.get").count == 60)
        #expect(!emitted.text.contains("LoansGroup"))
    }
}
