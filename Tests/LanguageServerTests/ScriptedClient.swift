import Foundation

@testable import LanguageServer

/// A client that says what it was told to and keeps what it hears. When it has nothing left to say, its stream ends.
final class ScriptedClient {
    private var pending: [UInt8] = []
    private(set) var heard: [[String: Any]] = []
    private(set) var logged: [String] = []
    private var nextID = 0

    func say(_ text: String) { pending += MessageFraming.framed(Array(text.utf8)) }

    func sayBytes(_ bytes: [UInt8]) { pending += bytes }

    @discardableResult
    func request(_ method: String, _ parameters: Any) -> Int {
        nextID += 1
        say(Self.text(["jsonrpc": "2.0", "id": nextID, "method": method, "params": parameters]))
        return nextID
    }

    func note(_ method: String, _ parameters: Any) {
        say(Self.text(["jsonrpc": "2.0", "method": method, "params": parameters]))
    }

    /// Sends all messages, and returns how the server ended and how many analyses it made.
    ///
    /// - Parameter steps: the next messages, each sent when the server has no work left.
    @discardableResult
    func run(then steps: [() -> Void] = []) -> (status: Int32, analyses: Int) {
        var framing = MessageFraming()
        var steps = steps[...]
        let streams = ClientStreams(
            receive: { time in
                if self.pending.isEmpty, time == nil { steps.popFirst()?() }
                guard !self.pending.isEmpty else { return time == nil ? .end : .nothing }
                defer { self.pending = [] }
                return .bytes(self.pending)
            },
            send: { framing.append($0) },
            log: { self.logged.append($0) }
        )
        let server = LanguageServer(streams, version: "test", pause: .zero)
        let status = server.run()
        while case .message(let bytes) = framing.next() {
            if let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] {
                heard.append(object)
            }
        }
        return (status, server.analysisCount)
    }

    /// The codes of errors, in order; 0 for a response.
    var codes: [Int] {
        heard.filter { $0["method"] == nil }.map { ($0["error"] as? [String: Any])?["code"] as? Int ?? 0 }
    }

    func result(of id: Int) -> Any? { heard.first { $0["id"] as? Int == id && $0["method"] == nil }?["result"] }

    /// The published findings, in order: the rules by URI.
    var published: [(uri: String, rules: [String], version: Int?)] {
        heard.filter { $0["method"] as? String == "textDocument/publishDiagnostics" }.compactMap { message in
            guard let parameters = message["params"] as? [String: Any], let uri = parameters["uri"] as? String,
                let diagnostics = parameters["diagnostics"] as? [[String: Any]]
            else { return nil }
            return (uri, diagnostics.compactMap { $0["code"] as? String }, parameters["version"] as? Int)
        }
    }

    static func text(_ object: Any) -> String {
        (try? JSONSerialization.data(withJSONObject: object)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

extension ScriptedClient {
    /// Begins, with a folder open.
    func begin(in folder: URL, capabilities: [String: Any] = [:]) {
        request("initialize", ["rootUri": folder.absoluteString, "capabilities": capabilities])
        note("initialized", [String: Any]())
    }

    func open(_ uri: String, _ text: String, version: Int = 1) {
        note(
            "textDocument/didOpen",
            ["textDocument": ["uri": uri, "languageId": "yaml", "version": version, "text": text]])
    }

    func change(_ uri: String, to text: String, version: Int) {
        note(
            "textDocument/didChange",
            ["textDocument": ["uri": uri, "version": version], "contentChanges": [["text": text]]])
    }
}
