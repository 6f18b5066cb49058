/// A text of a client that is another one if its bytes are others. To `String`, two spellings of a letter are the same, and to a service
/// they are two ids.
struct ByteText: Hashable, Sendable {
    private let text: String

    init(_ text: String) { self.text = text }

    static func == (left: Self, right: Self) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// The number of bytes.
    var size: Int { text.utf8.count }

    func hasPrefix(_ other: String) -> Bool { text.utf8.starts(with: other.utf8) }
}
