import ContractDiff
import Testing

/// One row of the table of what breaks: an edit of the sample, and the verdict of each column.
struct VerdictRow: Sendable, CustomTestStringConvertible {
    var testDescription: String
    let old: String
    let new: String
    let path: String
    let source: ChangeVerdict.Level
    let wire: ChangeVerdict.Level
    let behavior: ChangeVerdict.Level
    var direction: ChangeVerdict.Direction?

    init(
        _ name: String, _ old: String, _ new: String, at path: String, source: ChangeVerdict.Level = .none,
        wire: ChangeVerdict.Level = .none, behavior: ChangeVerdict.Level = .none,
        _ direction: ChangeVerdict.Direction? = nil
    ) {
        testDescription = name
        (self.old, self.new, self.path) = (old, new, path)
        (self.source, self.wire, self.behavior, self.direction) = (source, wire, behavior, direction)
    }
}

@Suite struct VerdictRowTests {
    private static let fields: [VerdictRow] = [
        .init(
            "request field added, required", "{card: int}", "{card: int, pin: string}",
            at: "endpoints.order.body.fields.pin",
            source: .breaks, wire: .breaks, .oldApp),
        .init(
            "request field removed, required", "{card: int}", "{}", at: "endpoints.order.body.fields.card",
            source: .breaks, wire: .breaks, .both),
        .init(
            "request field added, optional", "{card: int}", "{card: int, pin: string?}",
            at: "endpoints.order.body.fields.pin"),
        .init(
            "request field added, with a default", "{card: int}", "{card: int, copies: int = 1}",
            at: "endpoints.order.body.fields.copies", wire: .warns, .oldApp),
        .init(
            "request field removed, optional", "note: string?, ", "", at: "endpoints.transfer.body.fields.note",
            source: .breaks, wire: .breaks, .oldApp),
        .init(
            "request field optional to required", "note: string?", "note: string",
            at: "endpoints.transfer.body.fields.note.type", source: .breaks, wire: .breaks, .oldApp),
        .init(
            "request field required to optional", "{card: int}", "{card: int?}",
            at: "endpoints.order.body.fields.card.type",
            wire: .warns, .newApp),
        .init(
            "response field removed", "confirmation: int, ", "", at: "endpoints.transfer.response.fields.confirmation",
            source: .breaks, wire: .breaks, .oldApp),
        .init(
            "response field added, required", "confirmation: int, ", "confirmation: int, fee: decimal, ",
            at: "endpoints.transfer.response.fields.fee", wire: .warns, .newApp),
        .init(
            "response field required to optional", "confirmation: int,", "confirmation: int?,",
            at: "endpoints.transfer.response.fields.confirmation.type", source: .breaks, wire: .breaks, .oldApp),
        .init(
            "response field optional to required", "reference: string?", "reference: string",
            at: "endpoints.transfer.response.fields.reference.type", source: .breaks, wire: .warns, .newApp),
        .init(
            "number width changed", "{card: int}", "{card: int32}", at: "endpoints.order.body.fields.card.type",
            source: .breaks, wire: .breaks, .both),
        .init(
            "type of a response changed", "id: int\n", "id: string\n", at: "types.Account.fields.id.type",
            source: .breaks, wire: .breaks, .both),
        .init(
            "date format changed, same Swift type", "openedAt: timestamp", "openedAt: timestamp(unix)",
            at: "types.Account.fields.openedAt.type", wire: .breaks, .both),
        .init(
            "date format with a pattern", "openedAt: timestamp",
            "openedAt: {type: timestamp, format: yyyy-MM-dd HH:mm:ss}", at: "types.Account.fields.openedAt.format",
            wire: .breaks, .both),
        .init(
            "wire name changed", "nickname: string?", "nickname: {type: string?, wire: nick}",
            at: "types.Account.fields.nickname.wire", wire: .breaks, .both),
        .init(
            "Swift name changed, wire name kept", "nickname: string?", "pet: {type: string?, wire: nickname}",
            at: "types.Account.fields.pet", source: .breaks),
        .init(
            "Swift name changed by `swift`", "nickname: string?", "nickname: {type: string?, swift: pet}",
            at: "types.Account.fields.nickname.swift", source: .breaks),
        .init(
            "default changed", "page: int = 1", "page: int = 0", at: "endpoints.listAccounts.query.page.default",
            behavior: .breaks, .both),
        .init(
            "constraint tightened on a request", "range: 1..500", "range: 1..400",
            at: "endpoints.transfer.body.fields.amount.range", wire: .breaks, .oldApp),
        .init(
            "constraint loosened on a request", "range: 1..500", "range: 1..900",
            at: "endpoints.transfer.body.fields.amount.range", wire: .warns, .newApp),
        .init(
            "constraint loosened on a response", "length: 0..80", "length: 0..90",
            at: "endpoints.transfer.response.fields.memo.length", wire: .warns, .oldApp),
        .init(
            "constraint tightened on a response", "length: 0..80", "length: 0..70",
            at: "endpoints.transfer.response.fields.memo.length"),
        .init(
            "sensitive removed", "{type: string, sensitive: true}", "string",
            at: "types.Account.fields.owner.sensitive",
            behavior: .breaks, .newApp),
        .init(
            "sensitive added", "password: string}", "password: {type: string, sensitive: true}}",
            at: "endpoints.logIn.body.fields.password.sensitive"),
    ]

    private static let types: [VerdictRow] = [
        .init(
            "enum case added, closed (response)", "[debit, credit]", "[debit, credit, gift]",
            at: "types.Kind.enum.gift",
            source: .breaks, wire: .breaks, .oldApp),
        .init(
            "enum case removed, closed (response)", "[debit, credit]", "[debit]", at: "types.Kind.enum.credit",
            source: .breaks, wire: .breaks, .newApp),
        .init(
            "enum case added, open (response)", "[active, closed]", "[active, closed, frozen]",
            at: "types.Status.enum.frozen",
            source: .warns, wire: .warns, behavior: .warns, .both),
        .init(
            "enum case added (request)", "[branch, app]", "[branch, app, phone]", at: "types.Channel.enum.phone",
            source: .warns, wire: .warns, .newApp),
        .init(
            "enum case removed (request)", "[branch, app]", "[app]", at: "types.Channel.enum.branch",
            source: .breaks, wire: .breaks, .oldApp),
        .init(
            "wire value of a case changed", "enum: [branch, app]", "enum: {branch: B, app: app}",
            at: "types.Channel.enum.branch", wire: .breaks, .both),
        .init(
            "enum case renamed", "enum: [branch, app]", "enum: {office: branch, app: app}",
            at: "types.Channel.enum.office",
            source: .breaks),
        .init(
            "closed to open", "credit]\n    closed: true", "credit]", at: "types.Kind.closed", source: .breaks,
            wire: .warns, .oldApp),
        .init(
            "open to closed", "[active, closed]", "[active, closed]\n    closed: true", at: "types.Status.closed",
            source: .breaks, wire: .warns, .both),
        .init(
            "discriminator changed", "by: type", "by: kind", at: "types.Media.union.by", wire: .breaks, .both),
        .init(
            "case of a union removed", "image: Picture, ", "", at: "types.Media.union.cases.image", source: .breaks,
            behavior: .warns, .newApp),
        .init(
            "case of a union added", "image: Picture, ", "image: Picture, sound: Note, ",
            at: "types.Media.union.cases.sound", source: .warns, behavior: .warns, .oldApp),
        .init(
            "case of all other objects added", "text: Note}", "text: Note, \"*\": Picture}",
            at: "types.Media.union.cases.*", source: .breaks),
        .init("type renamed", "Picture", "Photo", at: "types.Photo", source: .breaks),
        .init(
            "type of another kind", "  Channel:\n    enum: [branch, app]", "  Channel: {name: string}",
            at: "types.Channel",
            source: .breaks, wire: .breaks, .both),
    ]

    private static let endpoints: [VerdictRow] = [
        .init(
            "endpoint removed", "  getAccount:\n    get: /accounts/{id:int}\n    response: Account\n", "",
            at: "endpoints.getAccount", source: .breaks, wire: .breaks, .oldApp),
        .init(
            "endpoint added", "endpoints:\n", "endpoints:\n  ping: {get: /ping, response: none}\n", at: "endpoints.ping"
        ),
        .init("endpoint renamed", "  getAccount:", "  readAccount:", at: "endpoints.readAccount", source: .breaks),
        .init(
            "path changed", "/accounts/{id:int}", "/account/{id:int}", at: "endpoints.getAccount.get", wire: .breaks,
            .both),
        .init(
            "method changed", "post: /orders", "put: /orders", at: "endpoints.order.put", wire: .breaks, .both),
        .init(
            "encoding changed", "body: {card: int}", "body: {encoding: form, fields: {card: int}}",
            at: "endpoints.order.body.encoding", wire: .breaks, .both),
        .init(
            "envelope path changed", "data: data\n", "data: result\n", at: "envelopes.standard.data", wire: .breaks,
            behavior: .breaks, .both),
        .init(
            "success condition changed", "error: error\n", "success: [0]\n", at: "envelopes.standard.success",
            wire: .breaks,
            behavior: .breaks, .both),
        .init(
            "outcome added", "needsApproval:", "delayed: {when: {status: 203}}\n      needsApproval:",
            at: "endpoints.transfer.outcomes.delayed", source: .breaks, behavior: .breaks, .oldApp),
        .init(
            "outcome removed",
            "    outcomes:\n      needsApproval:\n        when: {status: 202}\n        data: {approver: string}\n", "",
            at: "endpoints.transfer.outcomes.needsApproval", source: .breaks, wire: .breaks, .newApp),
        .init(
            "outcome renamed", "needsApproval:", "waits:", at: "endpoints.transfer.outcomes.waits", source: .breaks),
        .init(
            "effect weakened", "effect: keyed", "effect: once", at: "endpoints.transfer.effect", behavior: .breaks,
            .oldApp),
        .init(
            "effect strengthened", "/orders\n", "/orders\n    effect: keyed\n", at: "endpoints.order.effect",
            behavior: .breaks, .newApp),
        .init(
            "retry changed for all", "attempts: 3", "attempts: 5", at: "defaults.retry.attempts", behavior: .warns,
            .both),
        .init("timeout changed", "timeout: 20s", "timeout: 5s", at: "defaults.timeout.any", behavior: .warns, .both),
        .init(
            "deadline added", "timeout: 20s", "timeout: 20s\n  deadline: 60s", at: "defaults.deadline",
            behavior: .warns,
            .newApp),
        .init(
            "session required no longer", "get: /accounts/{id:int}\n",
            "get: /accounts/{id:int}\n    session: optional\n",
            at: "endpoints.getAccount.session", wire: .warns, behavior: .warns, .both),
        .init(
            "session scheme changed", "header: Authorization", "header: X-Token", at: "session.header", wire: .breaks,
            behavior: .breaks, .both),
        .init(
            "pagination path changed", "total: total", "total: pages", at: "endpoints.listAccounts.paginate.total",
            behavior: .warns, .both),
        .init(
            "server removed", "  test: https://test.bank.example/v1\n", "", at: "servers.test", source: .breaks,
            wire: .breaks, .oldApp),
        .init(
            "signing added", "envelopes:\n",
            "signing: {algorithm: hmac-sha256, over: sortedParameters, key: appKey, into: {header: sign}}\nenvelopes:\n",
            at: "signing", source: .breaks, wire: .breaks, .oldApp),
    ]

    private static let errors: [VerdictRow] = [
        .init(
            "error added to an endpoint", "errors: [noFunds]", "errors: [noFunds, frozen, overloaded]",
            at: "endpoints.transfer.errors.overloaded", source: .breaks, behavior: .warns, .oldApp),
        .init(
            "error removed from all endpoints", "    errors: [noFunds]\n", "", at: "endpoints.transfer.errors.noFunds",
            source: .breaks, behavior: .warns, .newApp),
        .init(
            "error renamed", "noFunds", "tooLittle", at: "errors.tooLittle", source: .breaks, behavior: .warns, .newApp),
        .init(
            "what recognizes an error changed", "when: {status: 422}", "when: {code: 12}", at: "errors.noFunds.when",
            wire: .breaks, behavior: .breaks, .both),
        .init(
            "category changed to retryable", "nonRetryable\n    when: {status: 422}",
            "retryable\n    when: {status: 422}",
            at: "errors.noFunds.category", behavior: .breaks, .newApp),
        .init(
            "category changed from retryable", "category: retryable", "category: nonRetryable",
            at: "errors.overloaded.category", behavior: .breaks, .both),
        .init(
            "category changed to a logout", "category: retryable", "category: requiresLogout",
            at: "errors.overloaded.category", behavior: .breaks, .newApp),
        .init(
            "data of an error removed", "missing: decimal, ", "", at: "errors.noFunds.data.missing", source: .breaks,
            wire: .breaks, .oldApp),
    ]

    @Test(arguments: fields + types + endpoints + errors)
    func hasItsVerdict(_ row: VerdictRow) throws {
        let pair = try ContractPair(SampleContract.text, SampleContract.replacing(row.old, row.new))
        let change = try #require(pair.change(at: row.path), "\(pair.listing)")
        let levels = change.verdict.columns.map(\.judgment.level)
        #expect(levels == [row.source, row.wire, row.behavior], "\(pair.listing)")
        #expect(change.verdict.direction == row.direction, "\(pair.listing)")
        let range = try #require(change.range, "\(pair.listing)")
        #expect(range.file == (change.isInOld ? "old" : "new") + ".contract.yaml")
        #expect(change.isInOld == (change.edit == .removed))
    }

    /// What an edit adds, the reverse edit removes: the engine finds a change in both directions, at the same place.
    @Test(arguments: fields + types + endpoints + errors)
    func isFoundInReverse(_ row: VerdictRow) throws {
        let pair = try ContractPair(SampleContract.replacing(row.old, row.new), SampleContract.text)
        #expect(!pair.changes.isEmpty)
        for change in pair.changes where change.verdict.level > .none {
            #expect(change.finding(in: "new.contract.yaml") != nil)
        }
    }

    @Test func aSessionIsRequiredWhereItWasNot() throws {
        let optional = try SampleContract.replacing(
            "get: /accounts/{id:int}\n", "get: /accounts/{id:int}\n    session: optional\n")
        let pair = try ContractPair(optional, SampleContract.text)
        let change = try #require(pair.change(at: "endpoints.getAccount.session"), "\(pair.listing)")
        #expect(change.verdict.columns.map(\.judgment.level) == [.warns, .breaks, .breaks])
        #expect(change.verdict.direction == .oldApp)
    }

    @Test func whatIsTheSameIsNoChange() throws {
        let same = SampleContract.text.replacing("Please try again.", with: "Please try again.  # later")
            .replacing("{user: string, password: string}", with: "{user: {type: string}, password: string}")
            .replacing("{confirmation: int, reference: string?,", with: "{reference: string?, confirmation: int,")
            .replacing("[active, closed]", with: "[closed, active]")
            .replacing("when: {status: 422}", with: "when: [{status: [422]}]")
        let pair = try ContractPair(SampleContract.text, same)
        #expect(pair.changes.isEmpty, "\(pair.listing)")
    }
}
