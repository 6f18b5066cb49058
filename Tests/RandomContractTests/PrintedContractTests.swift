import ContractModel
import Diagnostics
import Foundation
import OpenAPI
import Pipeline
import ProjectTasks
import TestDocuments
import Testing
import YAMLTree

/// A contract that is printed and read again is the same contract, at other places.
@Suite struct PrintedContractTests {
    @Test(arguments: PrintedYAML.Style.allCases)
    func randomContracts(_ style: PrintedYAML.Style) throws {
        let seed = ContractRun.takesAll ? ContractRun.seed : UInt64.random(in: 0 ... .max / 2)
        print("seed \(seed)")
        var count = 0
        for number in 0..<UInt64(max(150, ContractRun.count)) {
            let text = RandomContract(service: "Shop", seed: seed + number).root.contractText
            if try expectSame(text, "seed \(seed + number)", style) { count += 1 }
        }
        #expect(count > 50, "most contracts can be read")
    }

    @Test(arguments: PrintedYAML.Style.allCases)
    func contractsOfTheCheckout(_ style: PrintedYAML.Style) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        var count = 0
        for name in names where name.hasSuffix(".contract.yaml") && !name.contains(".build") {
            let text = try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
            if try expectSame(text, name, style) { count += 1 }
        }
        #expect(count > 50)
    }

    static let documents = RealDocuments.openAPI(upTo: 1_000_000)

    @Test(.enabled(if: !documents.isEmpty, "ERRAND_CORPORA names no folder with real documents"), arguments: documents)
    func importedContracts(_ path: String) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("errand-print-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var options = ImportOptions(document: path)
        let output = folder.appendingPathComponent("a.contract.yaml")
        options.output = output.path
        // A folder with documents may have other files too.
        guard Import.run(options).written != nil else { return }
        let text = try String(contentsOf: output, encoding: .utf8)
        #expect(try expectSame(text, path, .printer))
    }

    /// Returns false for a contract that has errors.
    private func expectSame(_ text: String, _ name: String, _ style: PrintedYAML.Style) throws -> Bool {
        guard let first = decoded(text), let contract = first.contract,
            !first.diagnostics.contains(where: { $0.severity == .error })
        else { return false }
        let printed =
            style == .printer
            ? ContractPrinter.text(of: contract) : PrintedYAML.text(of: .mapping(contract.printed), style)
        guard let second = decoded(printed), let again = second.contract else {
            Issue.record("\(name) cannot be read again:\n\(listing(decoded(printed)?.diagnostics ?? []))\n\(printed)")
            return true
        }
        let known = Set(first.diagnostics.map(\.rule))
        let new = second.diagnostics.filter { !known.contains($0.rule) }
        #expect(new.isEmpty, "\(name):\n\(listing(new))\n\(printed)")
        let (before, after) = (ValueText.lines(of: contract), ValueText.lines(of: again))
        if let difference = zip(before, after).first(where: { $0 != $1 }) {
            Issue.record("\(name): \(difference.0) is now \(difference.1)\n\(printed.prefix(20_000))")
        } else {
            #expect(before.count == after.count, "\(name)")
        }
        return true
    }

    private func decoded(_ text: String) -> ContractDecoder.Result? {
        let parsed = YAMLParser().parse(text, file: "a.contract.yaml")
        guard let document = parsed.document else { return nil }
        var result = ContractDecoder.decode(document)
        result.diagnostics += parsed.diagnostics
        return result
    }

    private func listing(_ diagnostics: [Diagnostic]) -> String {
        diagnostics.map { "\($0.range?.start.line ?? 0): \($0.rule): \($0.message)" }.joined(separator: "\n")
    }
}

/// Prints a tree in block style, in the one way or the other that a printer may choose.
enum PrintedYAML {
    enum Style: CaseIterable {
        /// Quotation marks only where YAML requires them.
        case plain
        /// Quotation marks wherever they do not change the meaning.
        case quoted
        /// The printer of the import.
        case printer
    }

    static func text(of node: PrintedNode, _ style: Style, indent: String = "") -> String {
        switch node {
        case .mapping(let pairs):
            pairs.map { "\(indent)\(scalar($0.key, style)):" + value($0.value, style, indent) }.joined()
        case .list(let elements): elements.map { "\(indent)-" + value($0, style, indent) }.joined()
        default: indent + scalar(node, style) + "\n"
        }
    }

    private static func value(_ node: PrintedNode, _ style: Style, _ indent: String) -> String {
        switch node {
        case .mapping(let pairs): pairs.isEmpty ? " {}\n" : "\n" + text(of: node, style, indent: indent + "  ")
        case .list(let elements): elements.isEmpty ? " []\n" : "\n" + text(of: node, style, indent: indent + "  ")
        default: " " + scalar(node, style) + "\n"
        }
    }

    private static func scalar(_ node: PrintedNode, _ style: Style) -> String {
        switch node {
        case .text(let text): scalar(text, style)
        case .type(let text):
            style == .plain && text.hasPrefix("[") && text.hasSuffix("]") && !text.contains("?")
                ? text : scalar(text, style)
        case .quoted(let text): YAMLText.quoted(text)
        case .plain(let text): text
        case .list, .mapping: ""
        }
    }

    private static func scalar(_ text: String, _ style: Style) -> String {
        style == .plain ? YAMLText.plain(text) : YAMLText.quoted(text)
    }
}

/// A value as text, a line for each part: equal for values that differ only in places of a file.
enum ValueText {
    static func lines(of value: Any) -> [String] {
        var lines: [String] = []
        add(value, "", &lines)
        return lines
    }

    private static func add(_ value: Any, _ path: String, _ lines: inout [String]) {
        switch value {
        case is SourceRange: return
        case let text as String: return lines.append("\(path) = \(text.debugDescription)")
        case let names as Set<String>: return lines.append("\(path) = \(names.sorted())")
        case let field as FieldDefinition:
            add(field.name, path + ".name", &lines)
            add(field.type, path + ".type", &lines)
            lines.append("\(path).wireName = \(field.wireName)")
            // The long form without an option is the short form.
            return add(field.options ?? FieldOptions(), path, &lines)
        default: break
        }
        let mirror = Mirror(reflecting: value)
        guard !mirror.children.isEmpty else { return lines.append("\(path) = \(value)") }
        for (position, child) in mirror.children.enumerated() {
            add(child.value, "\(path).\(child.label ?? "\(position)")", &lines)
        }
    }
}
