import ContractModel
import Foundation
import SwiftEmitter
import Testing

@testable import ReferencePages

/// Sites of contracts in the repository, or of texts.
enum SampleSite {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static let shipped = ["auth", "bank", "conversations", "friends", "live", "presence", "video"]

    static func contract(_ name: String) throws -> ResolvedContract {
        try resolve(Folder(), "contracts/\(name).contract.yaml")
    }

    /// The contract with every key of the language.
    static func everything() throws -> ResolvedContract {
        try resolve(Folder(), "Tests/Support/GeneratedFixture/everything.contract.yaml")
    }

    static func contract(text: String) throws -> ResolvedContract {
        try resolve(Text(text: text), "shop.contract.yaml")
    }

    static func files(
        _ contracts: [ResolvedContract], _ format: PageFormat = .html, overrides: [String: TemplateText] = [:]
    ) throws -> [String: String] {
        let loaded = PageTemplates.load(format, overrides: overrides)
        let templates = try #require(loaded.templates, "\(loaded.diagnostics.map(\.message))")
        return Dictionary(
            uniqueKeysWithValues: Site.files(of: contracts, templates).map {
                ($0.path, String(decoding: $0.bytes, as: UTF8.self))
            })
    }

    /// What is wrong with a site: markup, links, identities, headings and sizes.
    static func problems(_ files: [String: String]) -> [String] {
        let pages = files.filter { $0.key.hasSuffix(".html") }.mapValues(ReadPage.init)
        var problems: [String] = []
        for (path, page) in pages.sorted(by: { $0.key < $1.key }) {
            problems += page.problems.map { "\(path): \($0)" }
            if (files[path]?.utf8.count ?? 0) > 300_000 {
                problems.append("\(path) has \(files[path]?.utf8.count ?? 0) bytes")
            }
            if Set(page.identities).count != page.identities.count { problems.append("\(path) has an id twice") }
            if page.headings.count(where: { $0.level == 1 }) != 1 { problems.append("\(path) needs one h1") }
            for (heading, next) in zip(page.headings, page.headings.dropFirst()) where next.level > heading.level + 1 {
                problems.append("\(path): h\(next.level) \(next.text) follows h\(heading.level)")
            }
            for link in page.links + page.elements.compactMap({ $0["src"] }) {
                let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                var target = path.split(separator: "/").dropLast().map(String.init)
                for step in parts[0].split(separator: "/") {
                    if step == ".." { target.removeLast() } else { target.append(String(step)) }
                }
                let file = parts[0].isEmpty ? path : target.joined(separator: "/")
                if files[file] == nil { problems.append("\(path): \(link) leads nowhere") }
                if parts.count == 2, pages[file]?.identities.contains(String(parts[1])) != true {
                    problems.append("\(path): \(link) has no target")
                }
            }
        }
        return problems
    }

    private static func resolve(_ provider: any SourceProvider, _ path: String) throws -> ResolvedContract {
        let examination = ContractResolver(provider: provider).examine(path: path)
        return try #require(
            examination.resolved, "\(examination.findings.map { "\($0.message) \($0.range?.start.line ?? 0)" })")
    }

    private struct Folder: SourceProvider {
        func read(_ path: String) -> SourceReading {
            let url = SampleSite.root.appendingPathComponent(path)
            return (try? Data(contentsOf: url)).map { .bytes(Array($0)) } ?? .bytes([])
        }
    }

    private struct Text: SourceProvider {
        let text: String
        func read(_ path: String) -> SourceReading { .bytes(Array(text.utf8)) }
    }
}
