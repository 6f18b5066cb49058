import Testing

/// Apps also import other modules, whose names must not conflict with those of the runtime.
@Suite struct PublicNameTests {
    /// The targets of the runtime whose products apps and tests import.
    static let targets = [
        "ErrandJSON", "ErrandSemantics", "ErrandRuntime", "ErrandTransport", "ErrandCurl", "ErrandURLSession",
        "ErrandDigests",
        "ErrandAsyncHTTPClient",
        "ErrandCompression", "ErrandWebSocket", "ErrandXML", "ErrandConnections", "ErrandDurable", "ErrandBackground",
        "ErrandObservability",
        "ErrandUI", "ErrandStubs", "ErrandTesting", "ErrandTestServer", "ErrandTransportConformance",
    ]

    @Test func noPublicNameIsANeighbors() throws {
        var count = 0
        for target in Self.targets {
            for file in try SourceTree.swiftFiles(of: target) {
                for (name, line) in file.publicTypes {
                    count += 1
                    for (module, names) in NeighborNames.all where names.contains(name) {
                        Issue.record("\(file.path):\(line): \(module) has a `\(name)`, too")
                    }
                }
            }
        }
        #expect(count > 100, "the declarations are found")
    }
}

extension SourceTree.File {
    /// The names of the types and protocols that the file declares at its top level for everyone, each with its line.
    var publicTypes: [(name: String, line: Int)] {
        lines.enumerated().compactMap { number, line in
            // An expression that is tried at every line takes long.
            guard line.contains("public ") else { return nil }
            let pattern =
                /(?:@\w+(?:\([^)]*\))?\s+)*public\s+(?:(?:final|indirect|nonisolated)\s+)*(?:struct|class|enum|protocol|actor|typealias)\s+(\w+)/
            guard let match = line.prefixMatch(of: pattern) else { return nil }
            return (String(match.1), number + 1)
        }
    }
}
