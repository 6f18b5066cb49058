import ContractDiff
import Foundation
import Testing

/// Rows of the table "What breaks" in `docs/diff.md`, each held against an edit.
@Suite struct BreakTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// The first cell of the row.
        let testDescription: String
        let old: String
        let new: String
        /// The place of the change.
        let path: String

        init(_ change: String, _ old: String, _ new: String, at path: String) {
            (testDescription, self.old, self.new, self.path) = (change, old, new, path)
        }
    }

    private static let contract = """
        errand: 1
        service: Shop
        servers: {main: https://shop.example}
        session: {header: Authorization, format: "Bearer {token}", login: logIn, token: token, refresh: renew, refreshToken: again, logout: logOut, identity: user}
        rateLimit: {reset: X-Reset, unit: seconds}
        trust: {main: {pins: sha256/PyKCW5b9RNsBzVDqFqj75LzY2zALOZYsw1QqeQUldEo=, until: 2099-01-01}}
        types:
          Note: {text: string}
          Tag: {name: string}
          Open: {fields: {text: string}, additionalProperties: json}
          Closed: {a: string}
          Sent: {fields: {text: string}, additionalProperties: json}
        endpoints:
          logIn: {post: /in, body: {n: string}, response: {token: string, again: string, user: string}, effect: idempotent}
          renew: {post: /renew, body: {again: string}, response: {token: string, again: string, user: string}, effect: idempotent}
          logOut: {post: /out, response: none, effect: idempotent, session: required}
          leave: {post: /leave, response: none, effect: idempotent, session: required}
          notes: {get: /notes, response: [Note]}
          readTag: {get: /tag, response: Tag}
          readOpen: {get: /open, response: Open}
          sendNote: {post: /send, body: Sent, response: none, effect: idempotent}
          list: {get: /list, response: {n: {type: int, coerce: true}, t: {type: "[Tag]", skipInvalid: true}}}
          watch: {get: /watch, response: Note, delivery: {stream: events}}
          find: {get: /find, query: {id: string}, response: {ok: bool}}
          pay: {post: /pay, body: {id: string}, response: none, effect: once, confirm: {endpoint: find, with: {id: id}}}
          keep: {post: /keep, body: {id: string}, response: none, effect: idempotent, durable: true}
          buy: {post: /buy, body: {id: string}, response: none, effect: {keyed: {lifetime: 1h}}, timeout: 10s, retry: {attempts: 3}}

        """

    static let rows: [Row] = [
        Row(
            "an endpoint or an outcome is removed", "  readTag: {get: /tag, response: Tag}\n", "",
            at: "endpoints.readTag"),
        Row("a type is removed", "  Closed: {a: string}\n", "", at: "types.Closed"),
        Row(
            "the header, the format or the parameter of the token", "Bearer {token}", "Token {token}",
            at: "session.format"),
        Row("`refresh` is changed or removed", "refresh: renew, refreshToken: again, ", "", at: "session.refresh"),
        Row(
            "`refresh` is added, `expiresIn` is removed, or another `logout`", "logout: logOut", "logout: leave",
            at: "session.logout"),
        Row("`identity`", ", identity: user}", "}", at: "session.identity"),
        Row(
            "retries, timeouts, deadlines and the lifetime of an idempotency key", "lifetime: 1h", "lifetime: 2h",
            at: "endpoints.buy.effect.keyed.lifetime"),
        Row(
            "`patience`, `priority`, `redirects`, `network`, `rateLimit` and `trust`",
            "rateLimit: {reset: X-Reset, unit: seconds}\n", "",
            at: "rateLimit"),
        Row(
            "`patience`, `priority`, `redirects`, `network`, `rateLimit` and `trust`", "until: 2099-01-01",
            "until: 2098-01-01", at: "trust.main.until"),
        Row(
            "`patience`, `priority`, `redirects`, `network`, `rateLimit` and `trust`", "timeout: 10s",
            "timeout: 10s, redirects: 1",
            at: "endpoints.buy.redirects"),
        Row("`confirm` is removed", ", confirm: {endpoint: find, with: {id: id}}", "", at: "endpoints.pay.confirm"),
        Row("`durable` is removed", ", durable: true", "", at: "endpoints.keep.durable"),
        Row(
            "the path, the effect, the session or other inputs of a `durable` endpoint", "post: /keep", "post: /kept",
            at: "endpoints.keep.durable"),
        Row(
            "`coerce` or `single` of a response is removed", "{type: int, coerce: true}", "int",
            at: "endpoints.list.response.fields.n.coerce"),
        Row(
            "`lenient` or `skipInvalid` of a response is added or removed", "skipInvalid: true", "skipInvalid: false",
            at: "endpoints.list.response.fields.t.skipInvalid"),
        Row(
            "`additionalProperties` is added", "Note: {text: string}",
            "Note: {fields: {text: string}, additionalProperties: json}", at: "types.Note.additionalProperties"),
        Row(
            "`additionalProperties` is removed", "Sent: {fields: {text: string}, additionalProperties: json}",
            "Sent: {text: string}", at: "types.Sent.additionalProperties"),
        Row(
            "a response becomes a stream, or the reverse", ", delivery: {stream: events}", "",
            at: "endpoints.watch.delivery"),
    ]

    /// The cells of the rows, by the first of them.
    private static let table: [String: [String]] = {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../docs/diff.md")
        let text = (try? String(contentsOf: path, encoding: .utf8)) ?? ""
        let lines = text.components(separatedBy: "\n").filter { $0.hasPrefix("| ") && $0.hasSuffix("|") }
        let rows = lines.map { line in
            line.dropFirst().dropLast().components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        return Dictionary(rows.filter { $0.count == 4 }.map { ($0[0], Array($0.dropFirst())) }) { first, _ in first }
    }()

    @Test(arguments: rows) func aRowIsTrue(_ row: Row) throws {
        try #require(Self.contract.contains(row.old))
        let pair = try ContractPair(Self.contract, Self.contract.replacing(row.old, with: row.new))
        let change = try #require(pair.change(at: row.path), "\(pair.listing)")
        let cells = try #require(Self.table[row.testDescription], "the table has no such row")
        for (cell, column) in zip(cells, change.verdict.columns) {
            let level = column.judgment.level
            // A cell says a word, and may say where or why: "review if it is received".
            let isSaid = level == .none ? cell.isEmpty || cell.contains(" if ") : cell.hasPrefix(level.word)
            #expect(isSaid, "\(column.name): \(pair.listing)")
        }
    }
}
