/// The parameters of `initialize` that the server uses (LSP 3.17).
struct InitializeParameters: Decodable {
    struct Folder: Codable {
        var uri: String
    }

    struct FolderChange: Decodable {
        struct Event: Decodable {
            var added: [Folder]
            var removed: [Folder]
        }

        var event: Event
    }

    struct Capabilities: Decodable {
        struct General: Decodable {
            var positionEncodings: [String]?
        }

        struct Workspace: Decodable {
            struct Registration: Decodable {
                var dynamicRegistration: Bool?
            }

            struct Edit: Decodable {
                var documentChanges: Bool?
            }

            var didChangeWatchedFiles: Registration?
            var workspaceEdit: Edit?
        }

        struct TextDocument: Decodable {
            struct Published: Decodable {
                struct Tags: Decodable {
                    var valueSet: [Int]?
                }

                var relatedInformation: Bool?
                var tagSupport: Tags?
            }

            struct Symbols: Decodable {
                var hierarchicalDocumentSymbolSupport: Bool?
            }

            struct Hovers: Decodable {
                var contentFormat: [String]?
            }

            var publishDiagnostics: Published?
            var documentSymbol: Symbols?
            var hover: Hovers?
        }

        var general: General?
        var workspace: Workspace?
        var textDocument: TextDocument?
    }

    var rootUri: String?
    var workspaceFolders: [Folder]?
    var capabilities: Capabilities
}

/// The result of `initialize`: the server's capabilities.
struct InitializeResult: Encodable {
    struct ServerInfo: Encodable {
        var name = "errand"
        var version: String
    }

    struct Capabilities: Encodable {
        struct Synchronization: Encodable {
            var openClose = true
            /// Edits come as what changed.
            var change = 2
        }

        struct Completion: Encodable {
            var triggerCharacters = [":", " ", "[", "{", ","]
        }

        struct CodeActions: Encodable {
            var codeActionKinds = ["quickfix", "source.fixAll"]
        }

        struct Rename: Encodable {
            var prepareProvider = true
        }

        struct Workspace: Encodable {
            struct Folders: Encodable {
                var supported = true
                var changeNotifications = true
            }

            var workspaceFolders = Folders()
        }

        var positionEncoding: PositionEncoding
        var textDocumentSync = Synchronization()
        var hoverProvider = true
        var definitionProvider = true
        var referencesProvider = true
        var documentHighlightProvider = true
        var documentSymbolProvider = true
        var completionProvider = Completion()
        var codeActionProvider = CodeActions()
        var renameProvider = Rename()
        var workspace = Workspace()
    }

    var capabilities: Capabilities
    var serverInfo: ServerInfo
}

/// `client/registerCapability` for the files whose changes on the disk the client is asked to tell.
struct WatchRegistration: Encodable {
    struct Registration: Encodable {
        struct Options: Encodable {
            struct Watcher: Encodable {
                var globPattern: String
            }

            var watchers = [Watcher(globPattern: "**/*.yaml"), Watcher(globPattern: "**/*.yml")]
        }

        var id = "contracts"
        var method = "workspace/didChangeWatchedFiles"
        var registerOptions = Options()
    }

    var registrations = [Registration()]
}
