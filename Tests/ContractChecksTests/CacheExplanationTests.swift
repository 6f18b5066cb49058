import ContractModel
import Testing

@testable import ContractChecks

/// What `errand explain` says of stored responses.
@Suite struct CacheExplanationTests {
    @Test func aCachedReadSaysForHowLong() throws {
        let contract = try #require(
            examine(
                """
                errand: 1
                service: Sample
                endpoints:
                  list: {get: /a, response: int, cache: {http: true, offline: 1h}}
                  find: {get: /b, response: int, cache: http}
                  drop: {delete: /a, clears: [list, find]}
                """
            ).resolved)
        func cache(_ name: String) throws -> [String] { try #require(EndpointExplanation(name, in: contract)).cache }
        #expect(try cache("list").count == 4 && cache("find").count == 3)
        let offline = try cache("list")[1]
        #expect(offline.contains("up to 1 h"), "\(offline)")
        #expect(try cache("drop") == ["unless it is refused, the stored responses of `list`, `find` are gone after it"])
        #expect(try cache("find").last == "they are removed by a write to the same URL, `drop` or `emptyCache()`")
    }

    /// The generated client says the same to the runtime (`CacheStorage`).
    @Test func aCachedReadSaysWhereItsResponsesAre() throws {
        let contract = try #require(
            examine(
                """
                errand: 1
                service: Sample
                session: {header: X-Token, login: logIn, token: token}
                credentials: {key: {header: X-Key}, secret: {query: key}}
                endpoints:
                  logIn: {post: /in, response: {token: {type: string, sensitive: true}}, session: none, effect: idempotent}
                  plain: {get: /a, response: int, cache: http}
                  open: {get: /b, response: int, cache: http, session: none, credentials: key}
                  sealed: {get: /c, response: {pin: {type: string, sensitive: true}}, cache: http}
                  hidden: {get: /d, query: {pin: {type: string, sensitive: true}}, response: int, cache: http}
                  signed: {get: /e, response: int, cache: http, credentials: secret}
                """
            ).resolved)
        func place(_ name: String) throws -> String {
            try #require(EndpointExplanation(name, in: contract)?.cache.dropFirst().first)
        }
        #expect(try place("plain").contains("for the cache; those with cookies only if the folder is sealed"))
        #expect(try place("open").contains("for the cache; those with credentials or cookies only if"))
        #expect(try place("sealed").contains("only if it is sealed, because they have sensitive members"))
        for name in ["hidden", "signed"] { #expect(try place(name).contains("in memory only"), "\(name)") }
        let ends = try ["plain", "open"].map { try #require(EndpointExplanation($0, in: contract)?.cache.last) }
        #expect(ends[0].contains("the end of the login") && !ends[1].contains("login"), "\(ends)")
    }
}
