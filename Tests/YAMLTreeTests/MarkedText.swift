/// YAML with markers for the places that a test is about: `«…»` for the first, `‹…›` for a second.
///
/// The markers are stripped before parsing; the ranges are byte offsets into the stripped text.
struct MarkedText {
    private(set) var text = ""
    private(set) var range: Range<Int>?
    private(set) var second: Range<Int>?

    init(_ marked: String) {
        var starts: [Character: Int] = [:]
        for character in marked {
            switch character {
            case "«", "‹": starts[character] = text.utf8.count
            case "»": range = starts["«"].map { $0..<text.utf8.count }
            case "›": second = starts["‹"].map { $0..<text.utf8.count }
            default: text.append(character)
            }
        }
    }
}
