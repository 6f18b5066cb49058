import Testing

@testable import LanguageServer

/// Messages out of bytes, however the bytes come.
@Suite struct MessageFramingTests {
    private func steps(_ bytes: [UInt8], inPiecesOf size: Int) -> [MessageFraming.Step] {
        var framing = MessageFraming()
        var steps: [MessageFraming.Step] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            framing.append(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
            var step = framing.next()
            while case .message = step {
                steps.append(step)
                step = framing.next()
            }
            if case .broken = step { return steps + [step] }
        }
        return steps
    }

    @Test(arguments: [1, 2, 3, 7, 64, 100_000])
    func theLengthIsInBytesAndPiecesAreOfNoMatter(size: Int) {
        let messages = [
            "{}", "{\"text\":\"🧾 é\"}", "", String(repeating: "ü", count: 40_000), "{\"a\":\"\\r\\n\\r\\n\"}",
        ]
        let bytes = messages.flatMap { MessageFraming.framed(Array($0.utf8)) }
        #expect(steps(bytes, inPiecesOf: size) == messages.map { .message(Array($0.utf8)) })
    }

    @Test func namesOfHeadersAreReadInAnyCaseAndOthersAreLeftAlone() {
        let text =
            "CONTENT-length:  2 \r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n{}content-length:1\n\n1"
        #expect(steps(Array(text.utf8), inPiecesOf: 5) == [.message(Array("{}".utf8)), .message(Array("1".utf8))])
    }

    @Test(arguments: [
        "Content-Length: x\r\n\r\n", "Content-Length: -1\r\n\r\n{}", "Content-Length:\r\n\r\n", "hello\r\n\r\n",
        "\r\n\r\n{}",
        "Content-Type: text\r\n\r\n{}", "Content-Length: 99999999999999999999\r\n\r\n",
        String(repeating: "a", count: 9000),
        "Content-Length: 4000000000\r\n\r\n",
    ])
    func whatIsNoHeaderEndsIt(text: String) {
        guard case .broken? = steps(Array(text.utf8), inPiecesOf: 11).last else {
            Issue.record("\(text.debugDescription.prefix(60)) is taken for a header")
            return
        }
    }
}
