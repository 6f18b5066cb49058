extension FindingKind {
    /// Every kind, in the order of the stages.
    package static let all: [FindingKind] = [
        kindsOfBytes, kindsOfSyntax, kindsOfTrees, kindsOfKeys, kindsOfValues, kindsOfTypes, kindsOfEndpoints,
        kindsOfErrors, kindsOfSessions, kindsOfConnections, kindsOfSwift,
        kindsOfTemplates, kindsOfOpenAPI, kindsOfChanges, kindsOfRecordings, kindsOfProjects, kindsOfFiles,
    ].flatMap { $0 }
}
