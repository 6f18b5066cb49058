import Diagnostics
import Foundation

@testable import Pipeline
@testable import ProjectTasks

extension FindingCases {
    private static let item = #"{"id":1,"kind":"book"}"#

    /// A recording for each kind of finding of `errand replay`.
    static let recordings: [String: Case] = [
        "tolerated-value": { try replay(entry("/items/1", body: #"{"id":1,"kind":"toy"}"#)) },
        "uncacheable-response": { try replay(entry("/kinds", body: #"["book"]"#)) },
        "undeclared-member": { try replay(entry("/items/1", body: #"{"id":1,"kind":"book","size":3}"#)) },
        "undeclared-request": { try replay(entry("/orders"), entry("/items/1", body: item)) },
        "undeclared-response": { try replay(entry("/items/1", status: 418)) },
        "undeclared-status": { try replay(entry("/made", status: 200, body: #"{"id":1}"#)) },
        "undecodable-payload": { try replay(entry("/items/1", body: #"{"kind":"book"}"#)) },
        "unfit-request": { try replay(entry("/items/one", body: item)) },
        "unreadable-entry": { try replay("7", entry("/items/1", body: item)) },
        "unreadable-recording": { try replay(text: #"{"log":{}}"#).filter { !$0.isOf(.unrecordedService) } },
        "unrecorded-body": { try replay(entry("/sealed")).filter { !$0.isOf(.unseenDeclaration) } },
        "unrecorded-service": { try replay(text: #"{"log":{"entries":[]}}"#) },
        "unseen-declaration": {
            try recordedFindings(har([entry("/items/1", body: item)])).filter { $0.message.contains("`open`") }
        },
    ]

    private static func entry(_ path: String, status: Int = 200, body: String? = nil) -> String {
        let quoted = body.map { $0.replacing("\"", with: "\\\"") }
        let text = quoted.map { #""text":"\#($0)""# } ?? #""size":9"#
        return
            #"{"request":{"method":"GET","url":"https://shop.example\#(path)"},"response":{"status":\#(status),"content":{\#(text)}}}"#
    }

    private static func har(_ entries: [String]) -> String {
        #"{"log":{"entries":["# + entries.joined(separator: ",") + "]}}"
    }

    /// What is found beside the declarations that the entries do not have.
    private static func replay(_ entries: String...) throws -> [Diagnostic] { try replay(text: har(entries)) }

    private static func replay(text: String) throws -> [Diagnostic] {
        try recordedFindings(text).filter { !$0.isOf(.unseenDeclaration) }
    }

    private static func recordedFindings(_ text: String) throws -> [Diagnostic] {
        try inProject { folder in
            try folder.write(
                """
                errand: 1
                service: Shop
                servers: {main: https://shop.example}
                envelopes: {sealed: {data: data, code: code, success: 0}}
                types: {Kind: {enum: [book]}}
                endpoints:
                  getItem: {get: "/items/{id:int}", response: {id: int, kind: Kind}}
                  listKinds: {get: /kinds, response: "[Kind]", cache: http}
                  getMade: {get: /made, response: {id: int}, status: 203}
                  open: {get: /sealed, response: {id: int}, envelope: sealed}
                """, to: "shop.contract.yaml")
            try folder.write(text, to: "a.har")
            let contract = folder.path("shop.contract.yaml")
            let options = ReplayOptions(
                recordings: [folder.path("a.har")], contracts: [contract], in: ProjectBoundary(naming: [contract]))
            return Replay.run(options).findings
        }
    }
}
