import SwiftEmitter

/// The input of `site`: the first page, which lists the contracts.
struct SiteInput: TemplateInput {
    var page: PageHead
    /// The parts of a long list.
    var parts: [Link]
    var contracts: [ContractEntry]

    static let table = TagTable<SiteInput>(
        "the first page",
        [
            .section("page") { $0.page }, .flag("hasParts") { $0.parts.count > 1 }, .list("parts") { $0.parts },
            .list("contracts") { $0.contracts },
        ])

    struct ContractEntry: TemplateInput {
        var name: String
        var href: String
        var version: String
        var doc: [Paragraph]
        var count: String

        static let table = TagTable<ContractEntry>(
            "a contract",
            [
                .text("name") { $0.name }, .text("href") { $0.href }, .text("version") { $0.version },
                .list("doc") { $0.doc }, .text("count") { $0.count },
            ])
    }
}

/// The input of `contract`: the endpoints of a contract, or some of them.
struct ContractInput: TemplateInput {
    var page: PageHead
    var name: String
    var version: String
    var stability: String
    var doc: [Paragraph]
    /// The parts of a long list.
    var parts: [Link]
    var servers: [ServerInput]
    var common: FieldTable?
    var groups: [GroupInput]

    static let table = TagTable<ContractInput>(
        "the page of a contract",
        [
            .section("page") { $0.page }, .text("name") { $0.name }, .text("version") { $0.version },
            .text("stability") { $0.stability }, .list("doc") { $0.doc }, .flag("hasParts") { $0.parts.count > 1 },
            .list("parts") { $0.parts }, .flag("hasServers") { !$0.servers.isEmpty },
            .list("servers") { $0.servers }, .section("common") { $0.common }, .list("groups") { $0.groups },
        ])

    struct ServerInput: TemplateInput {
        var name: String
        var url: String

        static let table = TagTable<ServerInput>("a server", [.text("name") { $0.name }, .text("url") { $0.url }])
    }

    struct GroupInput: TemplateInput {
        var title: String
        var doc: [Paragraph]
        var endpoints: [EndpointEntry]

        static let table = TagTable<GroupInput>(
            "a group of endpoints",
            [.text("title") { $0.title }, .list("doc") { $0.doc }, .list("endpoints") { $0.endpoints }])
    }

    struct EndpointEntry: TemplateInput {
        var name: String
        var href: String
        var request: String
        var effect: String
        var doc: [Run]

        static let table = TagTable<EndpointEntry>(
            "an endpoint",
            [
                .text("name") { $0.name }, .text("href") { $0.href }, .text("request") { $0.request },
                .text("effect") { $0.effect }, .list("doc") { $0.doc },
            ])
    }
}

/// The input of `errors`: the error catalogue, or a part of it.
struct ErrorsInput: TemplateInput {
    var page: PageHead
    var parts: [Link]
    /// Where responses have codes, texts and data.
    var places: [Paragraph]
    var errors: [ErrorEntry]

    static let table = TagTable<ErrorsInput>(
        "the error catalogue",
        [
            .section("page") { $0.page }, .flag("hasParts") { $0.parts.count > 1 }, .list("parts") { $0.parts },
            .list("places") { $0.places }, .list("errors") { $0.errors },
        ])

    struct ErrorEntry: TemplateInput {
        var name: String
        var anchor: String
        /// Whether the entry goes on with one that was too long.
        var isContinued = false
        var isBuiltIn: Bool
        var category: String
        var meaning: [Paragraph]
        var message: [Run]
        var doc: [Paragraph]
        var deprecation: [Paragraph]
        var answers: [Paragraph]
        var data: FieldTable?
        var dataType: [Run]
        var consequences: [ConsequenceEntry]

        static let table = TagTable<ErrorEntry>(
            "an error",
            [
                .text("name") { $0.name }, .text("anchor") { $0.anchor }, .flag("isContinued") { $0.isContinued },
                .flag("isBuiltIn") { $0.isBuiltIn }, .text("category") { $0.category },
                .list("meaning") { $0.meaning }, .flag("hasMessage") { !$0.message.isEmpty },
                .list("message") { $0.message }, .list("doc") { $0.doc }, .list("deprecation") { $0.deprecation },
                .flag("hasAnswers") { !$0.answers.isEmpty }, .list("answers") { $0.answers },
                .section("data") { $0.data }, .flag("hasDataType") { !$0.dataType.isEmpty },
                .list("dataType") { $0.dataType }, .flag("isUsed") { !$0.consequences.isEmpty },
                .list("consequences") { $0.consequences },
            ])
    }

    /// What the client does after an error, and at which endpoints.
    struct ConsequenceEntry: TemplateInput {
        var then: [Run]
        /// The responses after which it follows, where others lead to something else.
        var condition: [Run]
        /// `all endpoints`, or a number of them, in place of their names.
        var count: String?
        var endpoints: [Link]

        static let table = TagTable<ConsequenceEntry>(
            "a consequence",
            [
                .list("then") { $0.then }, .flag("hasCondition") { !$0.condition.isEmpty },
                .list("condition") { $0.condition }, .optionalText("count") { $0.count },
                .list("endpoints") { $0.endpoints },
            ])
    }
}

/// The input of `types`: the types of a contract, or some of them.
struct TypesInput: TemplateInput {
    var page: PageHead
    var parts: [Link]
    var types: [TypeEntry]

    static let table = TagTable<TypesInput>(
        "the page of types",
        [
            .section("page") { $0.page }, .flag("hasParts") { $0.parts.count > 1 }, .list("parts") { $0.parts },
            .flag("hasTypes") { !$0.types.isEmpty }, .list("types") { $0.types },
        ])

    struct TypeEntry: TemplateInput {
        var name: String
        var anchor: String
        var isContinued = false
        var kind: String
        var doc: [Paragraph]
        var deprecation: [Paragraph]
        var remarks: [Paragraph]
        var fields: FieldTable?
        var cases: [CaseEntry]

        static let table = TagTable<TypeEntry>(
            "a type",
            [
                .text("name") { $0.name }, .text("anchor") { $0.anchor }, .flag("isContinued") { $0.isContinued },
                .text("kind") { $0.kind }, .list("doc") { $0.doc }, .list("deprecation") { $0.deprecation },
                .list("remarks") { $0.remarks }, .section("fields") { $0.fields },
                .flag("hasCases") { !$0.cases.isEmpty }, .list("cases") { $0.cases },
            ])
    }

    /// A value of an enumeration, or a case of a union.
    struct CaseEntry: TemplateInput {
        var name: String
        var meaning: [Run]

        static let table = TagTable<CaseEntry>(
            "a case", [.text("name") { $0.name }, .list("meaning") { $0.meaning }])
    }
}
