import JSONTree

/// Reads a recording (HAR 1.2) that comes in chunks. It has one entry in the memory at a time.
package struct RecordingReader: Sendable {
    /// How many bytes of an entry are read. A payload of an API is far smaller.
    package static let longestEntry = 64 << 20

    private var scanner: JSONElementScanner
    /// How many entries were read.
    private(set) var entries = 0

    package init(longestEntry: Int = Self.longestEntry) {
        scanner = JSONElementScanner(
            listAt: ["log", "entries"], keeping: RecordedEntry.members, noting: RecordedEntry.noted,
            longest: longestEntry)
    }

    /// An entry, or why it cannot be judged.
    struct Item {
        let index: Int
        let place: JSONElementScanner.Place
        let entry: Result<RecordedEntry, RecordedEntry.Fault>
    }

    mutating func read(_ chunk: UnsafeRawBufferPointer, _ found: (Item) -> Void) {
        var count = 0
        scanner.read(chunk) { element in
            count += 1
            found(Item(index: element.index, place: element.place, entry: Self.entry(element)))
        }
        entries += count
    }

    private static func entry(_ element: JSONElementScanner.Element) -> Result<RecordedEntry, RecordedEntry.Fault> {
        switch element.content {
        case .other: return .failure(RecordedEntry.Fault(message: "it is not an object"))
        case .tooLong(let bytes):
            return .failure(
                RecordedEntry.Fault(
                    message: "it has more than \(longestEntry >> 20) MiB", url: RecordedEntry.url(in: bytes)))
        case .object(let bytes):
            do throws(RecordedEntry.Fault) {
                return .success(try RecordedEntry(bytes))
            } catch {
                return .failure(error)
            }
        }
    }

    var place: JSONElementScanner.Place { scanner.place }

    /// Whether the rest of the recording can be read.
    var canGoOn: Bool { if case .failure = end() { false } else { true } }

    func end() -> JSONElementScanner.End { scanner.end() }
}
