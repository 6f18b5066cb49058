/// Finds secrets in text from elsewhere, in every spelling.
///
/// Each position of the text is compared with the secrets that start with the same four bytes. A budget bounds the
/// comparisons, so that neither many secrets nor a hostile text can take long.
struct SecretSearch {
    /// Secrets shorter than this, in bytes, occur in other text by chance. They count only if they are a word of their
    /// own, and blanking one would tell which of the words it is, so that the whole text is left out.
    static let shortestSearched = 4
    /// Comparisons of bytes, for one text.
    private static let budget = 1 << 20

    private struct Entry {
        let start: UInt32
        let bytes: [UInt8]
    }

    /// Sorted by their starts.
    private var entries: [Entry] = []
    private var words: [[UInt8]] = []

    init(_ secrets: [String]) {
        // A secret may itself look like an escape. Escapes are removed from both the text and the secret, so that they still
        // match.
        for secret in Set(Set(secrets).flatMap { DecodedVariants(Array($0.utf8)).readings.map(\.bytes) }) {
            let bytes = secret.map(Self.folded)
            if bytes.count >= Self.shortestSearched {
                entries.append(Entry(start: Self.start(bytes, 0), bytes: bytes))
            } else if !bytes.isEmpty {
                words.append(bytes)
            }
        }
        entries.sort { $0.start < $1.start }
    }

    var isEmpty: Bool { entries.isEmpty && words.isEmpty }

    /// Where in a text secrets are; nil if the text must be left out as a whole.
    ///
    /// - Parameter isCut: whether the text may end in the middle of a secret.
    func places(in text: [UInt8], isCut: Bool) -> [Range<Int>]? {
        if isEmpty { return [] }
        var budget = Self.budget
        var places: [Range<Int>] = []
        for reading in DecodedVariants(text).readings {
            let bytes = reading.bytes.map(Self.folded)
            if words.contains(where: { Self.contains(word: $0, bytes, &budget) }) { return nil }
            if bytes.count >= Self.shortestSearched {
                for position in 0...bytes.count - Self.shortestSearched {
                    let length = longest(at: position, bytes, isCut, &budget)
                    if length > 0 { places.append(reading.place(of: position..<position + length)) }
                }
            }
            if budget < 0 { return nil }
        }
        return places
    }

    /// The length of the longest secret at a position; 0 for none.
    private func longest(at position: Int, _ bytes: [UInt8], _ isCut: Bool, _ budget: inout Int) -> Int {
        let start = Self.start(bytes, position)
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].start < start { low = middle + 1 } else { high = middle }
        }
        var longest = 0
        while low < entries.count, entries[low].start == start, budget >= 0 {
            let secret = entries[low].bytes
            low += 1
            let rest = bytes.count - position
            guard secret.count <= rest || isCut else { continue }
            let compared = min(secret.count, rest)
            if compared <= longest { continue }
            var matching = Self.shortestSearched
            while matching < compared, secret[matching] == bytes[position + matching] { matching += 1 }
            budget -= matching
            if matching == compared { longest = compared }
        }
        return longest
    }

    /// Whether a short secret occurs in a text with nothing of its own kind beside it: `123` in `cvv123`, not in `51234`.
    private static func contains(word: [UInt8], _ bytes: [UInt8], _ budget: inout Int) -> Bool {
        guard bytes.count >= word.count else { return false }
        budget -= bytes.count
        for position in 0...bytes.count - word.count where bytes[position] == word[0] {
            let end = position + word.count
            guard bytes[position..<end].elementsEqual(word) else { continue }
            let isOpen = position == 0 || kind(bytes[position - 1]) != kind(word[0])
            let isClosed = end == bytes.count || kind(bytes[end]) != kind(word[word.count - 1])
            if isOpen, isClosed { return true }
        }
        return false
    }

    /// Bytes of one kind form words together. Of punctuation, only the same sign repeated does.
    private static func kind(_ byte: UInt8) -> Int {
        switch byte {
        case 0x30...0x39: 1
        case 0x41...0x5A, 0x61...0x7A, 0x80...0xFF: 2
        default: Int(byte) + 3
        }
    }

    /// A form writes a space as a plus sign.
    private static func folded(_ byte: UInt8) -> UInt8 { byte == 0x2B ? 0x20 : byte }

    private static func start(_ bytes: [UInt8], _ position: Int) -> UInt32 {
        UInt32(bytes[position]) << 24 | UInt32(bytes[position + 1]) << 16 | UInt32(bytes[position + 2]) << 8
            | UInt32(bytes[position + 3])
    }
}
