import Diagnostics
import Pipeline

/// `errand lsp`: handles a client's messages, and sends responses and diagnostics (LSP 3.17).
///
///     bytes ─ Connection ─▶ Incoming ─ Workspace ─▶ ContractLook ─ Features/ ─▶ Outgoing ─ Connection ─▶ bytes
///
/// Between two messages, when the user has not typed for a moment, the server checks the open contracts and sends its findings.
/// All features share one analysis of each state of the text.
///
/// Architecture invariant: one thread does all work, one message after the other, so that published findings always match the
/// current text. No message of a client makes it trap or stop, except a stream that cannot be cut into messages.
package final class LanguageServer {
    enum Stage {
        case fresh, running, shutDown
    }

    let connection: Connection
    let workspace: Workspace
    var client = ClientAbilities()
    /// The published diagnostics of each file, so that equal ones are not sent again.
    var published: [String: PublishedDiagnostics] = [:]
    private let version: String
    private let pause: Duration
    private var stage = Stage.fresh
    /// When what was edited is looked at; `nil` where everything was.
    private var due: ContinuousClock.Instant?

    /// - Parameters:
    ///   - access: What the command line allows beyond the files of the projects.
    ///   - pause: how long the user must not have typed before a text is checked.
    package init(
        _ streams: ClientStreams, version: String, _ access: AccessOptions = AccessOptions(),
        pause: Duration = .milliseconds(80)
    ) {
        workspace = Workspace(access)
        connection = Connection(streams)
        self.version = version
        self.pause = pause
    }

    /// How many contracts were analyzed so far.
    package var analysisCount: Int { workspace.analysisCount }

    /// Serves until the client says `exit` or its stream ends.
    ///
    /// - Returns: the exit status of the process: 0 if the client has requested the shutdown before, 1 otherwise.
    package func run() -> Int32 {
        while true {
            switch connection.next(waitingAtMost: due.map { max(.zero, ContinuousClock.now.duration(to: $0)) }) {
            case .end: return stage == .shutDown ? 0 : 1
            case .message(let message):
                if message.method == "exit", message.kind == .notification { return stage == .shutDown ? 0 : 1 }
                take(message)
                publishIfDue()
            case .nothing: publishIfDue()
            }
        }
    }

    /// Says that texts are others than before.
    func textsChanged() { due = .now + pause }

    private func publishIfDue() {
        guard let due, due <= .now else { return }
        // A user who is still typing gets the findings after the last letter.
        guard !connection.hasEditWaiting else { return textsChanged() }
        self.due = nil
        publishDiagnostics()
    }

    // MARK: Messages

    private func take(_ message: Incoming) {
        switch message.kind {
        case .malformed: connection.send(Outgoing.failure(nil, ResponseError(.parseError, "the message is not JSON")))
        case .invalid(let id):
            connection.send(
                Outgoing.failure(
                    id, ResponseError(.invalidRequest, "the message is neither a request nor a notification")))
        case .response: break
        case .notification:
            guard stage == .running, let method = message.method else { return }
            do throws(ResponseError) {
                try note(method, message)
            } catch {
                connection.log(error.message)
            }
        case .request(let id):
            do throws(ResponseError) {
                if connection.isCancelled(id) { throw ResponseError(.requestCancelled, "taken back") }
                connection.send(Outgoing.response(id, try answer(message.method ?? "", message)))
            } catch {
                connection.send(Outgoing.failure(id, error))
            }
        }
    }

    private func answer(_ method: String, _ message: Incoming) throws(ResponseError) -> any Encodable {
        switch (stage, method) {
        case (.fresh, "initialize"): return try initialize(message.parameters(InitializeParameters.self))
        case (.fresh, _): throw ResponseError(.serverNotInitialized, "the first request must be `initialize`")
        case (.shutDown, _): throw ResponseError(.invalidRequest, "the server was shut down")
        case (.running, "initialize"): throw ResponseError(.invalidRequest, "`initialize` can be sent only once")
        case (.running, "shutdown"):
            stage = .shutDown
            due = nil
            return Nothing()
        case (.running, _): return try feature(method, message)
        }
    }

    private func initialize(_ parameters: InitializeParameters) -> InitializeResult {
        stage = .running
        client = ClientAbilities(parameters.capabilities)
        let folders = parameters.workspaceFolders?.map(\.uri) ?? parameters.rootUri.map { [$0] } ?? []
        for folder in folders { workspace.add(folder: folder) }
        return InitializeResult(
            capabilities: InitializeResult.Capabilities(positionEncoding: client.encoding),
            serverInfo: InitializeResult.ServerInfo(version: version)
        )
    }

    private func note(_ method: String, _ message: Incoming) throws(ResponseError) {
        switch method {
        case "initialized":
            guard client.watchesFiles else { return }
            connection.send(Outgoing.request(.text("watch"), "client/registerCapability", WatchRegistration()))
        case "textDocument/didOpen": open(try message.parameters(DidOpenParameters.self))
        case "textDocument/didChange": change(try message.parameters(DidChangeParameters.self))
        case "textDocument/didClose": close(try message.parameters(DocumentParameters.self))
        case "workspace/didChangeWatchedFiles": filesChanged(try message.parameters(WatchedFilesParameters.self))
        case "workspace/didChangeWorkspaceFolders":
            let event = try message.parameters(InitializeParameters.FolderChange.self).event
            for folder in event.removed { workspace.remove(folder: folder.uri) }
            for folder in event.added { workspace.add(folder: folder.uri) }
            textsChanged()
        default: break  // `$/` and all that the server has not asked for
        }
    }

    private func feature(_ method: String, _ message: Incoming) throws(ResponseError) -> any Encodable {
        switch method {
        case "textDocument/hover": return hover(try message.parameters(PositionParameters.self))
        case "textDocument/definition": return definition(try message.parameters(PositionParameters.self))
        case "textDocument/references": return references(try message.parameters(ReferenceParameters.self))
        case "textDocument/documentHighlight": return highlights(try message.parameters(PositionParameters.self))
        case "textDocument/documentSymbol": return symbols(try message.parameters(DocumentParameters.self))
        case "textDocument/completion": return completions(try message.parameters(PositionParameters.self))
        case "textDocument/codeAction": return codeActions(try message.parameters(CodeActionParameters.self))
        case "textDocument/prepareRename": return try prepareRename(message.parameters(PositionParameters.self))
        case "textDocument/rename": return try rename(message.parameters(RenameParameters.self))
        default: throw ResponseError(.methodNotFound, "there is no method `\(method)`")
        }
    }
}

/// `null`, the content of an empty response.
struct Nothing: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encodeNil()
    }
}

/// The client's abilities, as far as responses depend on them.
struct ClientAbilities {
    var encoding = PositionEncoding.utf16
    var watchesFiles = false
    var takesVersionedEdits = false
    var showsRelatedInformation = false
    var tags: Set<Int> = []
    var showsHierarchy = false
    var showsMarkdown = true

    init() {}

    init(_ capabilities: InitializeParameters.Capabilities) {
        if capabilities.general?.positionEncodings?.contains(PositionEncoding.utf8.rawValue) == true {
            encoding = .utf8
        }
        watchesFiles = capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration ?? false
        takesVersionedEdits = capabilities.workspace?.workspaceEdit?.documentChanges ?? false
        let published = capabilities.textDocument?.publishDiagnostics
        showsRelatedInformation = published?.relatedInformation ?? false
        tags = Set(published?.tagSupport?.valueSet ?? [])
        showsHierarchy = capabilities.textDocument?.documentSymbol?.hierarchicalDocumentSymbolSupport ?? false
        showsMarkdown = capabilities.textDocument?.hover?.contentFormat?.contains("markdown") ?? true
    }
}
