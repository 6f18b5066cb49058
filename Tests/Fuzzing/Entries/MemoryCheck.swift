import Foundation

/// Every document of the corpora, every prefix of the short ones that people wrote, and mutations and prefixes of all, each in
/// a heap block of exactly its size. It stops where address sanitizer sees a byte touched beyond it, or a property breaks.
@main
struct MemoryCheck {
    private static let shortest = 200

    /// Arguments: how many mutations, and as many prefixes; folders of documents that people wrote; `--`, and folders of
    /// documents that a fuzzer found. `ERRAND_SEED` repeats the mutations of an earlier run.
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        let mutations = arguments.first.flatMap { Int($0) } ?? 2_000
        let folders = arguments.dropFirst().split(separator: "--", omittingEmptySubsequences: false)
        let written = (folders.first ?? []).flatMap(documents(in:))
        let documents = written + folders.dropFirst().joined().flatMap(documents(in:))
        let seed = ProcessInfo.processInfo.environment["ERRAND_SEED"].flatMap(UInt64.init) ?? .random(in: 0 ... .max)
        say("memory: \(documents.count) documents, \(mutations) mutations, seed \(seed)")
        if documents.isEmpty { exit(2) }
        for document in documents { check(document) }
        var prefixes = 0
        for document in written where document.count <= shortest {
            for count in 0..<document.count { check(Array(document[..<count])) }
            prefixes += document.count
        }
        var random = SeededGenerator(seed: seed)
        for _ in 0..<mutations {
            check(mutated(documents[random.below(documents.count)], &random))
            let document = documents[random.below(documents.count)]
            check(Array(document[..<random.below(document.count + 1)]))
        }
        say("memory: nothing touched past the end of \(documents.count + prefixes + 2 * mutations) documents")
    }

    /// At once, so that it is before what the sanitizer says.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    private static func documents(in folder: String) -> [[UInt8]] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().compactMap { name in
            FileHandle(forReadingAtPath: "\(folder)/\(name)").map { [UInt8]($0.readDataToEndOfFile()) }
        }
    }

    /// An array may have room after its last element; this block does not.
    private static func check(_ bytes: [UInt8]) {
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { block.deallocate() }
        block.copyBytes(from: bytes)
        ReaderProbe.check(Document(block))
        ModelProbe.check(Document(block))
    }

    private static func mutated(_ document: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        let alphabet =
            Array(#"{}[]",:\\tfnu0123456789.eE+-/ a"#.utf8) + [0x09, 0x1F, 0x7F, 0x80, 0xC3, 0xED, 0xF0, 0xFF]
        var bytes = document
        for _ in 0...random.next() % 4 where !bytes.isEmpty {
            let place = Int(random.next() % UInt64(bytes.count))
            let byte = alphabet[Int(random.next() % UInt64(alphabet.count))]
            switch random.next() % 4 {
            case 0: bytes[place] = byte
            case 1: bytes.insert(byte, at: place)
            case 2: bytes.remove(at: place)
            default: bytes.removeSubrange(place...)
            }
        }
        return bytes
    }
}
