import ContractChecks
import ContractModel
import Diagnostics
import Foundation
import SwiftEmitter

/// What one edit of a contract costs where it is looked at after each, as in an editor. `Benchmarks/run` and
/// `Benchmarks/instruction-count` run it.
///
///     EditTimer CONTRACT EDITS
///
/// Every edit is of another kind: a letter inside an endpoint, one inside a type, a line that comes, the same line that goes.
/// It prints the processor time of each in milliseconds, the median first, after it has seen that what was found is what a
/// new look at the whole text finds.
@main
struct EditTimer {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let edits = Int(arguments[2]),
            let data = FileManager.default.contents(atPath: arguments[1])
        else {
            print("usage: EditTimer CONTRACT EDITS")
            exit(2)
        }
        let editor = Editor(path: arguments[1], text: String(decoding: data, as: UTF8.self))
        _ = editor.look(with: editor.resolver)
        var times: [Double] = []
        for number in 0..<edits {
            editor.edit(number)
            let start = processorTime()
            let findings = editor.look(with: editor.resolver)
            times.append((processorTime() - start) * 1000)
            guard number > 7 || findings == editor.look(with: ContractResolver(provider: editor.file)) else {
                print("edit \(number) was looked at in another way than the whole text")
                exit(1)
            }
        }
        let sorted = times.sorted()
        guard !sorted.isEmpty else { return }
        print(([sorted[sorted.count / 2]] + times).map { String(format: "%.3f", $0) }.joined(separator: " "))
    }

    /// Seconds of processor time that this process has used.
    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// A file that is open in an editor.
private final class Editor {
    final class File: SourceProvider {
        var bytes: [UInt8]

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        func read(_ path: String) -> SourceReading { .bytes(bytes) }
    }

    let file: File
    let resolver: ContractResolver
    private let path: String
    private let runner = LintRunner()
    private var lines: [String]

    init(path: String, text: String) {
        self.path = path
        lines = text.components(separatedBy: "\n")
        file = File(Array(text.utf8))
        resolver = ContractResolver(provider: file)
    }

    /// Everything that `errand lint` finds.
    func look(with resolver: ContractResolver) -> [Diagnostic] {
        let examination = resolver.examine(path: path)
        var findings = DiagnosticBag(runner.run(examination))
        if let contract = examination.resolved { findings.add(contentsOf: ClientEmitter.findings(in: contract)) }
        return findings.sorted()
    }

    func edit(_ number: Int) {
        let half = lines.count / 2
        switch number % 4 {
        case 0: change("    doc: Does", "    doc: Doest")
        case 1: change("    name:", "    nameOf:")
        case 2: lines.insert("    # a line", at: (lines[(half / 2)...].firstIndex { $0.hasPrefix("    ") } ?? half) + 1)
        default: lines.remove(at: lines.firstIndex(of: "    # a line") ?? half)
        }
        file.bytes = Array(lines.joined(separator: "\n").utf8)
    }

    /// Puts letters into a line of a kind, or takes them out where they are there.
    private func change(_ one: String, _ other: String) {
        let isThere = lines.contains { $0.hasPrefix(other) }
        let (old, new) = isThere ? (other, one) : (one, other)
        guard let line = lines.indices.dropFirst(lines.count / 3).first(where: { lines[$0].hasPrefix(old) }) else {
            return
        }
        lines[line] = new + lines[line].dropFirst(old.count)
    }
}
