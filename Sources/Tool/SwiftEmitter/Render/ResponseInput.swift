/// The input of `response.mustache` and of `loading.mustache`: a command's response, and the functions that read it.
struct ResponseInput: TemplateInput {
    var access = ""
    /// The type that the response is an alias of; nil if it is a type of its own.
    var alias: SwiftType?
    /// The cases of a response with outcomes.
    var cases: [Case] = []
    /// The statements that read it from JSON.
    var loading: [Statement] = []
    /// The type of the bytes that a response with outcomes is made from; nil if it is made from JSON.
    var bytes: SwiftType?
    /// The type of a stream's elements; nil if it is a type of its own, or without a stream.
    var element: SwiftType?
    /// The name of that type inside the command, and of the function that reads an element.
    var elementName = ""
    var elementReader = ""
    /// The statements that read an element of a stream.
    var elementLoading: [Statement] = []

    static let table = TagTable<ResponseInput>(
        "a response",
        [
            .text("access") { $0.access }, .flag("isAlias") { $0.alias != nil },
            .text("alias") { $0.alias?.spelled ?? "" },
            .flag("hasCases") { !$0.cases.isEmpty }, .list("cases") { $0.cases },
            .list("outcomes") { Array($0.cases.dropFirst()) },
            .flag("isLoaded") { !$0.loading.isEmpty }, .list("loading") { $0.loading },
            .flag("isBytes") { $0.bytes != nil }, .text("bytes") { $0.bytes?.spelled ?? "" },
            .flag("hasElement") { $0.element != nil }, .text("element") { $0.element?.spelled ?? "" },
            .text("elementName") { $0.elementName }, .text("elementReader") { $0.elementReader },
            .flag("isStream") { !$0.elementLoading.isEmpty }, .list("elementLoading") { $0.elementLoading },
        ])

    /// The success, which comes first, or an outcome.
    struct Case: TemplateInput {
        var doc = DocComment()
        var name = ""
        /// The outcome's name in the contract.
        var literal = Expression.null
        /// The type of what comes with it; nil for nothing.
        var payload: SwiftType?
        /// The function that reads an outcome's data.
        var loader: Expression?

        init(name: String) { self.name = name }

        static let table = TagTable<Case>(
            "a response's case",
            [
                .doc("doc") { $0.doc }, .text("name") { $0.name }, .expression("literal") { $0.literal },
                .flag("hasPayload") { $0.payload != nil }, .text("payload") { $0.payload?.spelled ?? "" },
                .optionalExpression("loader") { $0.loader },
            ])
    }
}
