import ErrandRuntime
import EverythingClient
import Foundation
import Testing

/// The declared headers of responses, read by generated code.
@Suite struct ResponseHeaderTests {
    /// Responds with these headers to everything.
    private struct Responding: Transport {
        let response: TransportResponse

        func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse { response }
    }

    private static let items = #"{"data":[{"id":1,"na\"me":"n"}]}"#

    private func client(_ headers: HTTPHeaders, _ status: Int = 200, _ body: String = items) -> Everything {
        Everything(
            .fixed,
            on: Dispatcher(
                transport: Responding(
                    response: TransportResponse(status: status, headers: headers, body: Array(body.utf8)))),
            common: Everything.Common(xDevice: UUID(), apiKey: "k"), secretKey: "s")
    }

    @Test func eachHeaderIsReadAsItsType() async throws {
        let id = UUID()
        let reply = try await client([
            "x-remaining": " 12 ", "X-Reset": "Sun, 06 Nov 1994 08:49:37 GMT", "X-Level": "a-b c", "X-Grade": "-3",
            "X-Tags": #"a, "b, \"c\"",, d"#, "X-Flags": "true,0", "Let": id.uuidString,
            "X-Secret": "canary",
        ]).reply(to: Everything.ReadQuota())
        let headers = try #require(reply.declaredHeaders(of: Everything.ReadQuota.self))
        #expect(headers.remaining == 12 && headers.resetAt == Date(timeIntervalSince1970: 784_111_777))
        #expect(headers.level == .aBC && headers.grade == .best)
        #expect(headers.tags == ["a", "b, \"c\"", "d"] && headers.flags == [true, false])
        #expect(headers.let == id && headers.default == 3 && headers.at == nil)
        #expect(headers.secret == "canary" && !"\(reply)".contains("canary"), "\(reply)")
        #expect(reply.value.map(\.id) == [1] && reply.skippedCount == 0)
        // The raw headers stay as they are.
        #expect(reply.headers["X-Remaining"] == "12")
    }

    /// A list may be spread over several fields.
    @Test func fieldsOfOneNameAreOneList() async throws {
        var headers: HTTPHeaders = ["X-Remaining": "1", "X-Tags": "a"]
        headers.append("x-tags", "b,c")
        let reply = try await client(headers).reply(to: Everything.ReadQuota())
        #expect(reply.declaredHeaders(of: Everything.ReadQuota.self)?.tags == ["a", "b", "c"])
    }

    /// The command has succeeded, whatever the headers say.
    @Test func aWrongValueCountsAsAbsent() async throws {
        let reply = try await client([
            "X-Remaining": "1", "X-Reset": "soon", "X-Default": "many", "Let": "x", "X-Flags": "true, perhaps",
            "X-Grade": "", "X-At": "x",
        ]).reply(to: Everything.ReadQuota())
        let headers = try #require(reply.declaredHeaders(of: Everything.ReadQuota.self))
        #expect(headers.resetAt == nil && headers.default == 3 && headers.let == nil && headers.flags == nil)
        #expect(headers.grade == nil && headers.at == nil)
        #expect(
            reply.skippedCount == 5 && reply.skipped.allSatisfy { $0.path.hasPrefix("headers") }, "\(reply.skipped)")
    }

    @Test(arguments: [[:], ["X-Remaining": "many"], ["X-Remaining": ""], ["X-Remaining": "1.5"]] as [HTTPHeaders])
    func aRequiredHeaderIsNeeded(headers: HTTPHeaders) async throws {
        let result = await client(headers).result(of: Everything.ReadQuota())
        guard case .failure(let failure) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(failure.context.name == "malformed" && "\(failure)".contains("X-Remaining"), "\(failure)")
    }

    /// Callers that do not know of the headers see no difference.
    @Test func theResponseStaysTheSame() async throws {
        let client = client(["X-Remaining": "1"])
        let items: [Everything.Item] = try await client.readQuota()
        let reply: Reply<[Everything.Item]> = try await client.reply(to: Everything.ReadQuota())
        #expect(items.count == 1 && reply.value.count == 1)
    }

    @Test func headersAreTheResponseWithoutAnother() async throws {
        let probed = try await client(["ETag": "\"v1\"", "X-Size": "2"], 200, "").probe()
        #expect(probed.etag == "\"v1\"" && probed.size == .large)
        let missing = await client(["X-Size": "2"], 200, "").result(of: Everything.Probe())
        guard case .failure(let failure) = missing else {
            Issue.record("\(missing)")
            return
        }
        #expect(failure.context.name == "malformed")
        guard case .completed(let kept) = try await client(["X-Version": "7"], 200, "not JSON").keepQuota() else {
            Issue.record("an outcome")
            return
        }
        #expect(kept.version == 7)
        guard case .later = try await client(["X-Version": "7"], 202, "").keepQuota() else {
            Issue.record("no outcome")
            return
        }
    }

    @Test func bytesHaveHeadersToo() async throws {
        let reply = try await client(["ETag": "a"], 200, "raw").reply(to: Everything.LoadQuota())
        #expect(reply.value == Array("raw".utf8))
        #expect(reply.declaredHeaders(of: Everything.LoadQuota.self)?.etag == "a")
    }

    @Test func linksAreReadByTheirRelation() async throws {
        let reply = try await client([
            "X-Remaining": "1",
            "Link": "</quota?page=1>; rel=\"prev first\", <https://other.example/q?page=3>; rel=next",
        ]).reply(to: Everything.ReadQuota())
        #expect(reply.link("prev") == "https://everything.example/quota?page=1")
        #expect(reply.link("FIRST") == reply.link("prev") && reply.link("last") == nil)
        #expect(reply.link("next") == "https://other.example/q?page=3")
        // A reply that no server gave has no place of its own.
        let made = Reply(value: 1, headers: ["Link": "<https://a.example/b>; rel=next, </c>; rel=prev"])
        #expect(made.link("next") == "https://a.example/b" && made.link("prev") == nil)
    }
}
