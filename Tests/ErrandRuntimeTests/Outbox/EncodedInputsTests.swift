import Foundation
import Testing

@testable import ErrandDurable
@testable import ErrandRuntime

/// The form of a command's inputs in a store.
@Suite struct EncodedInputsTests {
    private func encoder() -> RequestEncoder {
        RequestEncoder(
            method: .post, base: "https://a.example", isSigned: true, sensitiveNames: ["pin"], wallTime: Date(),
            chance: RandomSource(SystemRandomNumberGenerator()))
    }

    private static let bodies: [@Sendable (inout RequestEncoder) -> Void] = [
        { _ in },
        {
            $0.beginBody(.json)
            $0.field("text", "a \"b\" é")
            $0.field("list") { writer in writer.writeArray([1, 2]) { value, writer in writer.write(value) } }
        },
        { $0.bodyJSON { writer in writer.writeArray(["x"]) { value, writer in writer.write(value) } } },
        {
            $0.beginBody(.form)
            $0.field("a", "1 2")
        },
        {
            $0.beginBody(.multipart)
            $0.field("a", "1")
            $0.file("file", FilePart([1, 2, 255], fileName: "x.bin"))
        },
        {
            $0.beginBody(.multipart, nesting: .brackets)
            $0.field("list") { writer in writer.writeArray([1, 2]) { value, writer in writer.write(value) } }
        },
        { $0.body(bytes: [0, 255, 10], contentType: "image/png") },
    ]

    private func write(_ body: Int, _ request: inout RequestEncoder) {
        request.path("/things/")
        request.segment("a b", sensitive: true)
        request.query("q", "é&", sensitive: true)
        request.header("X-A", "1", sensitive: true)
        Self.bodies[body](&request)
    }

    private static let endpoint = EndpointDescription(
        ServiceDescription(name: "A", version: "1"), "a", .post, effect: .once, response: .none)
    private static let limits = RequestLimits(
        timeout: .seconds(1), maximumRedirects: 0, maximumResponseSize: 1, priority: .normal)

    /// A request that is made of kept inputs has the bytes of the command's own, with what is added for each attempt.
    @Test(arguments: bodies.indices) func keptInputsMakeTheSameRequest(_ body: Int) throws {
        var own = encoder()
        write(body, &own)
        own.parameter("common", "c")
        let wanted = try own.finish(Self.endpoint, Self.limits, home: nil).get()

        var kept = encoder()
        write(body, &kept)
        let inputs = try kept.takeInputs().get()
        let bytes = try #require(inputs.keptBytes)
        let read = try #require(EncodedInputs(kept: bytes))
        #expect(read.keptBytes == inputs.keptBytes)
        var replayed = encoder()
        replayed.write(read)
        replayed.parameter("common", "c")
        #expect(replayed.parameters.map(\.value) == inputs.parameterValues + ["c"])
        let made = try replayed.finish(Self.endpoint, Self.limits, home: nil).get()

        #expect(made.request.url == wanted.request.url)
        #expect(made.printedURL == wanted.printedURL)
        #expect(made.secrets == wanted.secrets)
        let boundary = inputs.body?.form == .multipart || inputs.body?.form == .brackets
        // The boundary of the parts is random.
        if !boundary { #expect(made.request.body == wanted.request.body) }
        #expect((made.request.body ?? []).isEmpty == (wanted.request.body ?? []).isEmpty)
        #expect(made.request.headers["X-A"] == "1")
        #expect(made.request.headers.fields.first { $0.name == "X-A" }?.isSensitive == true)
    }

    @Test func aFileThatIsReadLaterCannotBeKept() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data([1]).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var request = encoder()
        request.body(try .file(at: file))
        guard case .failure(let problem) = request.takeInputs() else {
            Issue.record("the file was kept")
            return
        }
        #expect(problem.broken.map(\.name) == ["body"])
    }

    @Test func secretsInsideOfModelsAreFound() throws {
        var request = encoder()
        request.beginBody(.json)
        request.field("account") { writer in
            writer.beginObject()
            writer.key("pin")
            writer.write("1234")
            writer.endObject()
        }
        #expect(try request.takeInputs().get().secrets.contains("1234"))
    }

    @Test(arguments: [
        "", "{}", "{\"version\":2}", "{\"version\":1,\"headers\":[\"a\"]}", "{\"version\":1,\"body\":\"x\"}",
    ])
    func damagedInputsAreNotRead(_ text: String) {
        #expect(EncodedInputs(kept: Array(text.utf8)) == nil)
    }
}

extension EncodedInputs {
    fileprivate var parameterValues: [String] { parameters.enumerated().filter { $0.offset % 2 == 1 }.map(\.element) }
}
