import ContractModel
import Diagnostics

package enum StreamWithoutEnd: LintRule {
    package static let kind = FindingKind(
        "stream-without-end", .note,
        page: """
            A stream of events with neither `end` nor `reopen: always`.

            ## Why is this bad
            The end of such a stream is the end of its response. Some frameworks end the response correctly after an exception: FastAPI 0.165
            sends the last chunk if the exception comes after a pause between two events, and Tornado and Sanic always do. The loop over the
            elements is over then, without an error and with elements missing.

            ## Example
            ```yaml
            complete:
              post: /completions
              body: {prompt: string}
              response: {text: string}
              effect: once
              delivery: {stream: events}
            ```
            ## Use instead
            ```yaml
            complete:
              post: /completions
              body: {prompt: string}
              response: {text: string}
              effect: once
              delivery: {stream: events, end: "[DONE]"}
            ```
            if the server says when it is done. A response that ends without it is then `connectionLost`. For a stream that goes on for as
            long as the app listens, write `reopen: always`. If an end without a word is right, suppress the note with this reason.
            """)

    package static let tags: [RuleTag] = [.retry]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints {
            guard let stream = endpoint.resolved.definition.stream, stream.format == .events, stream.end == nil,
                stream.reopening != .always
            else { continue }
            report.add(
                "an exception of the server in the middle of `\(endpoint.name)` may look like its end",
                at: endpoint.written.delivery?.range ?? endpoint.written.name.range,
                help: "add `end`, the data after which no element comes, or `reopen: always`")
        }
    }
}
