import Foundation
import TestPrograms
import Testing

/// The Swift on the pages of `errand docs`, for all shipped contracts.
@Suite struct PageSwiftTests {
    /// A call of a page, with the parameters of its method as parameters of a function around it.
    private struct Call {
        var service: String
        var name: String
        var signature: String
        var text: String

        /// The function, which compiles if the signature and the call are those of the client.
        var function: String {
            let start = signature.firstIndex(of: "(") ?? signature.endIndex
            var depth = 0
            let end = signature[start...].firstIndex { character in
                depth += character == "(" ? 1 : character == ")" ? -1 : 0
                return depth == 0
            }
            let parameters = end.map { signature[signature.index(after: start)..<$0] } ?? ""
            let isFirst = parameters.allSatisfy(\.isWhitespace)
            let client = "_ \(service.lowercased()): \(service)"
            return """
                func \(service)_\(name)(\(client)\(isFirst ? "" : ", ")\(parameters)) async {
                \(text)
                }

                """
        }
    }

    private static func decoded(_ html: some StringProtocol) -> String {
        var text = ""
        var rest = html[...]
        while let start = rest.range(of: "&#") {
            text += rest[..<start.lowerBound]
            let digits = rest[start.upperBound...].prefix(while: \.isNumber)
            if let value = UInt32(digits), let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
            rest = rest[digits.endIndex...].dropFirst()
        }
        return text + rest
    }

    /// The parts of a page's code below a heading.
    private static func code(below heading: String, in page: String) -> [String] {
        guard let section = page.components(separatedBy: "<h2>\(heading)</h2>").dropFirst().first else { return [] }
        let end = section.components(separatedBy: "</section>")[0]
        return end.components(separatedBy: "<code>").dropFirst().map {
            decoded($0.components(separatedBy: "</code>")[0])
        }
    }

    @Test func everyCallCompilesWithItsCatches() throws {
        let folder = try ProjectFolder()
        let contracts = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("contracts").path
        let run = try CommandRun(["docs", contracts, "-o", "site", "--quiet"], in: folder.url)
        #expect(run.status == 0, "\(run.complaints)")
        var calls: [Call] = []
        for (path, bytes) in folder.contents where path.hasPrefix("site/") && path.hasSuffix(".html") {
            let parts = path.split(separator: "/")
            guard parts.count == 3 else { continue }
            let code = Self.code(below: "In Swift", in: String(decoding: bytes, as: UTF8.self))
            // A command that only the runtime makes has no call.
            guard code.count == 2 else { continue }
            calls.append(
                Call(
                    service: String(parts[1]), name: String(parts[2].dropLast(".html".count)), signature: code[0],
                    text: code[1]))
        }
        let services = Set(calls.map(\.service)).sorted()
        #expect(services.count == 7 && calls.count > 50, "\(services) \(calls.count)")
        let head =
            "import Foundation\n" + services.map { "import \($0)Client\n" }.joined()
            + "func show() {}\nfunc show<Value>(_ value: Value) {}\n"
        let text = head + calls.sorted { $0.function < $1.function }.map(\.function).joined()
        let refused = try compile(text, in: folder)
        #expect(refused.isEmpty, "\(refused.prefix(2000))")
        // The compiler sees the calls: an error that no endpoint has is refused.
        let broken = text.replacing("catch .insufficientFunds(", with: "catch .insufficientFund(")
        #expect(try compile(broken, in: folder).contains("insufficientFund"))
    }

    /// What the compiler says about a file that imports the modules of this build.
    private func compile(_ text: String, in folder: ProjectFolder) throws -> String {
        try folder.write(text, to: "Calls.swift")
        let modules = try CommandRun.tool().deletingLastPathComponent().appendingPathComponent("Modules").path
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments =
            ["swiftc", "-typecheck", "-swift-version", "6", "-parse-as-library", "-warnings-as-errors"]
            // A page shows a deprecated endpoint, too.
            + ["-Wwarning", "DeprecatedDeclaration", "Calls.swift", "-I", modules] + (try ModuleMaps.arguments())
        compiler.currentDirectoryURL = folder.url
        let pipe = Pipe()
        compiler.standardError = pipe
        try compiler.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        compiler.waitUntilExit()
        return compiler.terminationStatus == 0 ? "" : output.isEmpty ? "the compiler failed" : output
    }
}
