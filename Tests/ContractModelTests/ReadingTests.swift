import ContractModel
import Testing

/// Which fields are read leniently.
@Suite struct ReadingTests {
    private static let parts = """
        session: {header: X-Session, login: logIn, token: token, expiresIn: lifetime, identity: user, refresh: renew, refreshToken: again}
        envelopes: {flat: {code: code, success: 0}, deep: {data: result, code: result.code, success: 0}}
        errors:
          declined: {category: nonRetryable, when: {status: 409}, data: Refusal}
          barred: {category: nonRetryable, when: {status: 410}, data: {why: LENIENTstring?}}
        types:
          Login: {token: {type: string, sensitive: true}, lifetime: LENIENTint?, user: LENIENTint?, hint: LENIENTstring?, again: LENIENTstring?}
          Renewal: {token: {type: string, sensitive: true}, lifetime: LENIENTint?, user: int, again: LENIENTstring?, note: LENIENTstring?}
          Page: {items: LENIENT[Book], next: LENIENTstring?, note: LENIENTstring?, ads: LENIENT[string]}
          Book: {title: string, year: LENIENTint?, more: LENIENTjson?, tags: LENIENT[string: string], shape: Shape?, form: Form?}
          Shape: {union: {by: kind, cases: {box: Box}}}
          Box: {kind: LENIENTstring?, width: LENIENTint?}
          Form: {union: {keys: {lines: Text, pages: Scan}}}
          Text: {lines: LENIENT[string]}
          Scan: {pages: LENIENT[int], depth: LENIENTint?}
          Note: {id: LENIENTint?, text: LENIENTstring?}
          Refusal: {reason: LENIENTstring?, detail: Detail?}
          Detail: {text: LENIENTstring?}
          Order: {book: string, gift: Gift}
          Gift: {card: LENIENTstring?}
          Edit: {note: {type: string?, nullable: distinct}, kept: {type: string?, lenient: false}}
        endpoints:
          logIn: {post: /sessions, session: none, body: {user: string}, response: Login, effect: once}
          renew: {post: /renewals, session: none, body: {again: string}, response: Renewal, effect: once}
          listBooks: {get: /books, query: {after: string?}, response: Page, paginate: {cursor: after, next: next, items: items}}
          listNotes: {get: /notes, query: {after: int?}, response: {notes: LENIENT[Note], more: LENIENTbool?}, paginate: {cursor: after, last: id, more: more, items: notes}}
          order: {post: /orders, body: Order, response: {left: LENIENTint?, edit: Edit}, effect: keyed, errors: [declined, barred]}
          status: {get: /status, envelope: flat, response: {code: LENIENTint?, load: LENIENTdouble?}}
          load: {get: /load, envelope: deep, response: {code: LENIENTint?, load: LENIENTdouble?}}
          state: {get: /state, response: {state: LENIENTstring?, since: LENIENTint?}, outcomes: {gone: {when: {body: {state: gone}}}}}
        """

    private static func contract(_ lenient: String, _ defaults: String) -> String {
        var text = parts
        while let place = text.firstRange(of: "LENIENT") {
            let type = text[place.upperBound...].prefix { $0 != "," && $0 != "}" }
            let end = type.endIndex
            text.replaceSubrange(
                place.lowerBound..<end, with: lenient.isEmpty ? "\"\(type)\"" : "{type: \"\(type)\", \(lenient)}")
        }
        return ContractFixture.head + defaults + text + "\n"
    }

    /// The fields of types and responses that are lenient.
    private static func lenient(_ contract: ResolvedContract) -> [String] {
        func names(_ owner: String, _ fields: [FieldDefinition]) -> [String] {
            fields.filter(\.isLenient).map { "\(owner).\($0.name.value)" }
        }
        return contract.types.flatMap { type -> [String] in
            if case .structure(let fields) = type.form { names(type.name.value, fields) } else { [] }
        }
            + contract.endpoints.flatMap { endpoint -> [String] in
                if case .fields(let fields) = endpoint.response.value { names(endpoint.name.value, fields) } else { [] }
            }
    }

    /// Nothing that something depends on is lenient, and nothing for which there is no substitute.
    @Test func theDefaultLeavesOutWhatMattersToTheClient() throws {
        let result = resolve(Self.contract("", "defaults: {reading: lenient}\n"))
        let contract = try #require(result.contract, "\(listing(result.diagnostics))")
        #expect(
            Self.lenient(contract).sorted() == [
                "Book.form", "Book.shape", "Book.tags", "Book.year", "Box.width", "Login.hint", "Note.text", "Page.ads",
                "Page.note", "Renewal.note", "Scan.depth", "load.load", "order.left", "state.since", "status.load",
            ])
        let strict = try #require(resolve(Self.contract("", "")).contract)
        #expect(Self.lenient(strict) == [])
    }

    /// A field that says so itself is an error there, with the reason.
    @Test func aLenientFieldThatMattersIsFound() {
        let found = resolve(Self.contract("lenient: true", "")).diagnostics
        let reasons = found.filter { $0.rule == "reading-must-be-strict" }.map(\.message).sorted()
        #expect(
            reasons == [
                "`again` cannot be lenient, because it leads to the refresh token of the session",
                "`again` cannot be lenient, because it leads to the refresh token of the session",
                "`card` cannot be lenient, because the keyed command `order` sends it",
                "`code` cannot be lenient, because the envelope `deep` recognizes a failure by it",
                "`code` cannot be lenient, because the envelope `flat` recognizes a failure by it",
                "`id` cannot be lenient, because it leads to the cursor of the pages",
                "`items` cannot be lenient, because it leads to the elements of the pages",
                "`kind` cannot be lenient, because it tells the cases of a union apart",
                "`lifetime` cannot be lenient, because it leads to the lifetime of the session",
                "`lifetime` cannot be lenient, because it leads to the lifetime of the session",
                "`lines` cannot be lenient, because a union recognizes its case by it",
                "`more` cannot be lenient, because it leads to the flag of the pages",
                "`next` cannot be lenient, because it leads to the next cursor of the pages",
                "`notes` cannot be lenient, because it leads to the elements of the pages",
                "`pages` cannot be lenient, because a union recognizes its case by it",
                "`reason` cannot be lenient, because the error `declined` has it",
                "`state` cannot be lenient, because `gone` is recognized by it",
                "`text` cannot be lenient, because the error `declined` has it",
                "`user` cannot be lenient, because it leads to the identity of the session",
                "`why` cannot be lenient, because the error `barred` has it",
            ])
        #expect(found.filter { $0.rule != "reading-must-be-strict" }.map(\.rule) == ["conflicting-keys"])
    }
}
