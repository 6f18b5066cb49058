import ContractModel
import Diagnostics

package enum StreamWithoutPosition: LintRule {
    package static let kind = FindingKind(
        "stream-without-position", .note,
        page: """
            A subscription over a connection without `position` and `resume`.

            ## Why is this bad
            After a lost connection, the client subscribes again, and nothing tells the server where to continue. Elements may be
            missing, which the app must handle: each element of such a subscription is `EventOrGap`.

            ## Example
            ```yaml
            followRoom:
              frame: room.follow
              body: {room: int}
              response: {seq: int, text: string}
              effect: read
              delivery: {stream: frames}
            ```
            ## Use instead
            ```yaml
            followRoom:
              frame: room.follow
              body: {room: int, since: int?}
              response: {seq: int, text: string}
              effect: read
              delivery: {stream: frames, position: seq, resume: since}
            ```
            If the server keeps no history, because only the present state matters, suppress the note with this reason.
            """)

    package static let tags: [RuleTag] = [.retry]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints
        where endpoint.resolved.frame != nil && endpoint.resolved.isReopened
            && endpoint.resolved.definition.stream?.position == nil
        {
            report.add(
                "after a lost connection, elements of `\(endpoint.name)` may be missing",
                at: endpoint.written.delivery?.range ?? endpoint.written.name.range,
                help:
                    "add `position`, the field of an element that has its position, and `resume`, the input that takes it"
            )
        }
    }
}
