import Foundation
import Testing

@testable import LanguageServer

/// Beginning and ending as LSP 3.17 says, and what a client does wrong.
@Suite struct LifecycleTests {
    private func codes(_ messages: [String]) -> (codes: [Int], status: Int32) {
        let client = ScriptedClient()
        for message in messages { client.say(message) }
        let status = client.run().status
        return (client.codes, status)
    }

    static let initialize = #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#
    static let shutdown = #"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#
    static let exit = #"{"jsonrpc":"2.0","method":"exit"}"#
    static let place = #""params":{"textDocument":{"uri":"file:///a"},"position":{"line":0,"character":0}}"#
    static let hover = #"{"jsonrpc":"2.0","id":3,"method":"textDocument/hover",\#(place)}"#

    @Test func theWholeLife() {
        let life = codes([
            Self.initialize, #"{"jsonrpc":"2.0","method":"initialized","params":{}}"#, Self.hover, Self.shutdown,
            Self.exit,
        ])
        #expect(life.codes == [0, 0, 0] && life.status == 0)
    }

    @Test func whatComesTooEarlyOrTooLate() {
        #expect(
            codes([Self.hover, Self.shutdown, Self.initialize, Self.initialize]).codes == [-32002, -32002, 0, -32600])
        let late = codes([Self.initialize, Self.shutdown, Self.hover, Self.shutdown, Self.exit])
        #expect(late.codes == [0, 0, -32600, -32600] && late.status == 0)
    }

    @Test func theStatusSaysWhetherItWasShutDown() {
        #expect(codes([Self.initialize, Self.exit]).status == 1)
        #expect(codes([Self.exit]).status == 1)
        #expect(codes([Self.initialize]).status == 1, "the stream ended")
        #expect(codes([Self.initialize, Self.shutdown]).status == 0)
        #expect(codes([]).status == 1)
    }

    @Test func whatIsNoMessageIsSaidToBeNone() {
        let malformed = ["{", "", "nothing", "\u{0}", String(repeating: "[", count: 100_000)]
        #expect(codes(malformed + [Self.initialize]).codes == Array(repeating: -32700, count: 5) + [0])
        let others = [
            #"{"id":1}"#, "[]", "[1,2]", "7", "null", #"{"method":7}"#, #"{"id":{},"method":"shutdown"}"#,
            #"{"id":null,"method":"shutdown"}"#,
        ]
        #expect(codes(others + [Self.initialize]).codes == Array(repeating: -32600, count: 8) + [0])
    }

    @Test func whatIsNotKnown() {
        let unknown = codes([
            Self.initialize, #"{"id":5,"method":"textDocument/dance"}"#, #"{"id":"six","method":"$/secret"}"#,
            #"{"method":"$/secret"}"#,
            #"{"method":"dance","params":7}"#, #"{"id":7,"result":null}"#, #"{"id":8,"method":"textDocument/hover"}"#,
            #"{"id":9,"method":"textDocument/hover","params":{"textDocument":7}}"#,
            #"{"method":"textDocument/didOpen","params":[]}"#,
            Self.shutdown,
        ])
        #expect(unknown.codes == [0, -32601, -32601, -32602, -32602, 0])
    }

    @Test func aRequestThatWasTakenBackIsNotAnswered() {
        let client = ScriptedClient()
        client.say(Self.initialize)
        client.say(Self.hover)
        client.say(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":3}}"#)
        client.say(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"never"}}"#)
        client.say(Self.hover.replacingOccurrences(of: "\"id\":3", with: "\"id\":4"))
        client.run()
        #expect(client.codes == [0, -32800, 0])
    }

    @Test func aStreamThatCannotBeCutEndsIt() {
        let client = ScriptedClient()
        client.say(Self.initialize)
        client.sayBytes(Array("Content-Length: nine\r\n\r\n{}".utf8))
        client.say(Self.shutdown)
        #expect(client.run().status == 1)
        #expect(client.codes == [0] && client.logged.count == 1)
    }

    @Test func theEncodingIsAgreedOn() throws {
        for (offered, agreed) in [
            ([], "utf-16"), (["utf-16"], "utf-16"), (["utf-32"], "utf-16"), (["utf-16", "utf-8"], "utf-8"),
        ] {
            let client = ScriptedClient()
            let id = client.request("initialize", ["capabilities": ["general": ["positionEncodings": offered]]])
            client.run()
            let capabilities = try #require(
                (client.result(of: id) as? [String: Any])?["capabilities"] as? [String: Any])
            #expect(capabilities["positionEncoding"] as? String == agreed)
        }
    }
}
