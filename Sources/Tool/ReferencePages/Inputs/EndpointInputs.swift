import SwiftEmitter

/// The input of `endpoint`: the page of one endpoint.
struct EndpointInput: TemplateInput {
    var page: PageHead
    var name: String
    var request: String
    var doc: [Paragraph] = []
    var deprecation: [Paragraph] = []
    /// A few words about sending it twice, and why.
    var effect: String
    var reason: [Paragraph]
    /// What else the client does for it.
    var remarks: [Paragraph]
    var inputs: FieldTable?
    /// The body where it is one value.
    var body: [Paragraph]
    var response: [Paragraph]
    var responseFields: FieldTable?
    var responseHeaders: FieldTable?
    var outcomes: [OutcomeInput]
    /// How many outcomes the page does not have; nil if it has all of them.
    var outcomesLeft: String?
    var rows: [DecisionRowInput]
    var timeline: TimelineInput
    var signature: String
    var call: String?
    var curl: String?
    /// What the words in capital letters of the command stand for.
    var curlRemarks: [Paragraph]
    /// Why a request has no command.
    var curlAbsence: String?
    /// The frame that is sent, and its reply, as JSON.
    var frame: String?
    var frameReply: String?
    var frameRemarks: [Paragraph]
    var examples: [ExampleInput]
    /// How many examples the page does not have, and where they are.
    var examplesLeft: [Paragraph]

    static let table = TagTable<EndpointInput>(
        "the page of an endpoint",
        [
            .section("page") { $0.page }, .text("name") { $0.name }, .text("request") { $0.request },
            .list("doc") { $0.doc }, .list("deprecation") { $0.deprecation }, .text("effect") { $0.effect },
            .list("reason") { $0.reason }, .list("remarks") { $0.remarks }, .section("inputs") { $0.inputs },
            .flag("hasInputs") { $0.inputs != nil || !$0.body.isEmpty }, .list("body") { $0.body },
            .list("response") { $0.response }, .section("responseFields") { $0.responseFields },
            .section("responseHeaders") { $0.responseHeaders }, .flag("hasOutcomes") { !$0.outcomes.isEmpty },
            .list("outcomes") { $0.outcomes }, .optionalText("outcomesLeft") { $0.outcomesLeft },
            .list("rows") { $0.rows }, .section("timeline") { $0.timeline },
            .text("signature") { $0.signature }, .optionalText("call") { $0.call },
            .optionalText("curl") { $0.curl }, .list("curlRemarks") { $0.curlRemarks },
            .optionalText("curlAbsence") { $0.curlAbsence }, .optionalText("frame") { $0.frame },
            .optionalText("frameReply") { $0.frameReply }, .list("frameRemarks") { $0.frameRemarks },
            .flag("hasExamples") { !$0.examples.isEmpty || !$0.examplesLeft.isEmpty },
            .list("examples") { $0.examples }, .list("examplesLeft") { $0.examplesLeft },
        ])
}

/// A normal result that is not the endpoint's usual response.
struct OutcomeInput: TemplateInput {
    var name: String
    var doc: [Paragraph]
    var answer: [Run]
    var data: FieldTable?
    var type: [Run]

    static let table = TagTable<OutcomeInput>(
        "an outcome",
        [
            .text("name") { $0.name }, .list("doc") { $0.doc }, .list("answer") { $0.answer },
            .section("data") { $0.data }, .flag("hasType") { !$0.type.isEmpty }, .list("type") { $0.type },
        ])
}

/// A row of the decision table.
struct DecisionRowInput: TemplateInput {
    var answer: [Run]
    var result: [Run]
    var category: String
    var applied: String
    var then: [Run]

    static let table = TagTable<DecisionRowInput>(
        "a row of the decision table",
        [
            .list("answer") { $0.answer }, .list("result") { $0.result }, .text("category") { $0.category },
            .text("applied") { $0.applied }, .list("then") { $0.then },
        ])
}

/// The attempts of a command at worst, as a drawing and in words.
struct TimelineInput: TemplateInput {
    var title: String
    var description: String
    var height: String
    var bars: [Bar]
    var ticks: [Tick]
    var steps: [Paragraph]
    var remarks: [Paragraph]

    struct Bar: TemplateInput {
        var x: String
        var y: String
        var width: String
        /// The place of the text, and where it is from there.
        var textX: String
        var textY: String
        var anchor: String
        var text: String

        static let table = TagTable<Bar>(
            "an attempt",
            [
                .text("x") { $0.x }, .text("y") { $0.y }, .text("width") { $0.width }, .text("textX") { $0.textX },
                .text("textY") { $0.textY }, .text("anchor") { $0.anchor }, .text("text") { $0.text },
            ])
    }

    struct Tick: TemplateInput {
        var x: String
        var y: String
        var anchor: String
        var text: String

        static let table = TagTable<Tick>(
            "a time",
            [
                .text("x") { $0.x }, .text("y") { $0.y }, .text("anchor") { $0.anchor }, .text("text") { $0.text },
            ])
    }

    static let table = TagTable<TimelineInput>(
        "a timeline",
        [
            .text("title") { $0.title }, .text("description") { $0.description }, .text("height") { $0.height },
            .list("bars") { $0.bars }, .list("ticks") { $0.ticks }, .list("steps") { $0.steps },
            .list("remarks") { $0.remarks },
        ])
}

/// A response with the request that leads to it.
struct ExampleInput: TemplateInput {
    var name: String
    /// Inputs, as JSON.
    var request: String?
    /// `200`, where the endpoint uses HTTP.
    var status: String?
    var response: String?

    static let table = TagTable<ExampleInput>(
        "an example",
        [
            .text("name") { $0.name }, .optionalText("request") { $0.request }, .optionalText("status") { $0.status },
            .optionalText("response") { $0.response },
        ])
}
