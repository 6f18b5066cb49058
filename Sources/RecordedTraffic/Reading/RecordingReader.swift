import JSONTree

/// Reads a recording (HAR 1.2) that comes in chunks. It has one entry in the memory at a time.
package struct RecordingReader: Sendable {
    /// How many bytes of an entry are read. A payload of an API is far smaller.
    package static let longestEntry = 64 << 20

    private var scanner: JSONElementScanner

    package init(longestEntry: Int = Self.longestEntry) {
        scanner = JSONElementScanner(
            listAt: ["log", "entries"], keeping: RecordedEntry.members, longest: longestEntry)
    }

    /// An entry, or why it cannot be judged.
    struct Item {
        let index: Int
        let place: JSONElementScanner.Place
        let entry: Result<RecordedEntry, RecordedEntry.Fault>
    }

    mutating func read(_ chunk: UnsafeRawBufferPointer, _ found: (Item) -> Void) {
        scanner.read(chunk) { element in
            found(Item(index: element.index, place: element.place, entry: Self.entry(element)))
        }
    }

    private static func entry(_ element: JSONElementScanner.Element) -> Result<RecordedEntry, RecordedEntry.Fault> {
        switch element.content {
        case .other: return .failure(RecordedEntry.Fault(message: "it is not an object"))
        case .tooLong:
            return .failure(RecordedEntry.Fault(message: "it has more than \(longestEntry >> 20) MiB"))
        case .object(let bytes):
            do throws(RecordedEntry.Fault) {
                return .success(try RecordedEntry(bytes))
            } catch {
                return .failure(error)
            }
        }
    }

    var place: JSONElementScanner.Place { scanner.place }

    func end() -> JSONElementScanner.End { scanner.end() }
}
