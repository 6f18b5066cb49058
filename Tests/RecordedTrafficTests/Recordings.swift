import ContractModel
import Diagnostics
import Foundation
import JSONTree

@testable import RecordedTraffic

/// Entries of recordings, and what is found in them.
enum Recordings {
    struct Broken: Error, CustomStringConvertible { let description: String }

    /// A service without an envelope.
    static let shop = """
        errand: 1
        service: Shop
        servers: {main: https://shop.example/v1}
        errors:
          soldOut: {category: nonRetryable, when: {status: 409}, data: {left: int}, message: Gone.}
          barred: {category: nonRetryable, when: {status: 403}, message: No.}
          lost: {category: retryable, when: {transport: [lost]}, message: No.}
        types:
          Item:
            id: int
            name: string
            price: {type: decimal, coerce: true}
            kind: Kind
            tags: {type: [string], lenient: true}
            labels: "[string: string]"
            parts: {type: [Part], skipInvalid: true}
            added: timestamp?
          Part: {size: {type: int, range: 1..5}}
          Kind: {enum: [book, toy]}
        endpoints:
          listItems: {get: /items, query: {limit: {type: int?, range: 1..50}, secret: {type: string?, sensitive: true}}, response: [Item]}
          getItem: {get: "/items/{id:int}", response: Item}
          buyItem:
            post: "/items/{id:int}/purchases"
            body: {count: int, note: string?, card: {type: string?, sensitive: true}}
            response: {receipt: string}
            effect: once
            errors: [soldOut, barred, lost]
            outcomes: {waiting: {when: {status: 202}, data: {place: int}}}
          getPicture: {get: "/items/{id:int}/picture", response: bytes}
          removeItem: {delete: "/items/{id:int}"}
        """

    static func contract(_ text: String) throws -> ResolvedContract {
        try resolve(Text(text: text), "shop.contract.yaml")
    }

    static func shipped(_ name: String) throws -> ResolvedContract {
        try resolve(Folder(), "contracts/\(name).contract.yaml")
    }

    private static func resolve(_ provider: any SourceProvider, _ path: String) throws -> ResolvedContract {
        let examination = ContractResolver(provider: provider).examine(path: path)
        guard let contract = examination.resolved else {
            throw Broken(description: examination.findings.map { "\($0.message)" }.joined(separator: "\n"))
        }
        return contract
    }

    private struct Text: SourceProvider {
        let text: String
        func read(_ path: String) -> SourceReading { .bytes(Array(text.utf8)) }
    }

    private struct Folder: SourceProvider {
        func read(_ path: String) -> SourceReading {
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            guard let data = try? Data(contentsOf: root.appendingPathComponent(path)) else {
                return .failure(rule: .missingFile, message: "no \(path)", help: nil)
            }
            return .bytes(Array(data))
        }
    }

    // MARK: Entries

    /// An entry, as browsers write it.
    static func entry(
        _ method: String, _ url: String, _ status: Int, _ body: String? = nil, sent: String? = nil,
        headers: [String: String] = [:], answered: [String: String] = [:], _ more: String = ""
    ) -> String {
        func list(_ headers: [String: String]) -> String {
            JSONNode.array(
                headers.sorted { $0.key < $1.key }.map {
                    .object([JSONNode.Member("name", .string($0.key)), JSONNode.Member("value", .string($0.value))])
                }
            ).description
        }
        func quoted(_ text: String) -> String { JSONNode.string(text).description }
        let data = sent.map { #","postData":{"mimeType":"application/json","text":\#(quoted($0))}"# } ?? ""
        let content = body.map { #"{"size":\#($0.utf8.count),"text":\#(quoted($0))}"# } ?? #"{"size":0}"#
        return #"""
            {"startedDateTime":"2026-11-21T08:00:00Z","time":1,"request":{"method":"\#(method)","url":\#(quoted(url)),"httpVersion":"h2","headers":\#(list(headers)),"bodySize":\#(sent?.utf8.count ?? 0)\#(data)},"response":{"status":\#(status),"headers":\#(list(answered)),"content":\#(content),"bodySize":\#(body?.utf8.count ?? 0)}\#(more),"timings":{}}
            """#
    }

    static func har(_ entries: [String]) -> String {
        #"{"log":{"version":"1.2","creator":{"name":"test","version":"1"},"entries":["# + entries.joined(separator: ",")
            + "]}}"
    }

    static func judge(
        _ text: String, by contracts: [ResolvedContract], at addresses: [String] = [], chunk: Int = 1_000,
        longestEntry: Int = RecordingReader.longestEntry
    ) -> TrafficReport {
        judge(Array(text.utf8), by: contracts, at: addresses, chunk: chunk, longestEntry: longestEntry)
    }

    static func judge(
        _ bytes: [UInt8], by contracts: [ResolvedContract], at addresses: [String] = [], chunk: Int = 1_000,
        longestEntry: Int = RecordingReader.longestEntry
    ) -> TrafficReport {
        var judge = TrafficJudge(contracts, at: addresses.compactMap { RecordedAddress($0) })
        var reader = RecordingReader(longestEntry: longestEntry)
        bytes.withUnsafeBytes { all in
            for start in stride(from: 0, to: all.count, by: chunk) {
                let part = all[start..<min(start + chunk, all.count)]
                judge.read(UnsafeRawBufferPointer(rebasing: part), of: "a.har", with: &reader)
            }
        }
        judge.end("a.har", reader)
        return judge.report(["a.har"])
    }
}

extension TrafficReport {
    /// The findings without those about what is not in the recording: severity, kind and message.
    var lines: [String] {
        findings.filter { !$0.isOf(.unseenDeclaration) }.map { "\($0.severity.rawValue) \($0.rule): \($0.message)" }
    }
}
