/// The part of a list that a request asks for, and what comes after it.
package struct ListPage: Sendable, Equatable {
    /// How a request says where its page begins.
    package enum Place: Sendable {
        /// By the page's number.
        case page(first: Int)
        /// By the number of its first element.
        case offset(first: Int)
        /// By a text that the page before has given: a cursor, or what a link has.
        case cursor
        /// By the text in the last element of the page before.
        case lastElement
    }

    /// The positions of its elements in the list, from 0.
    package let elements: Range<Int>
    /// How many elements a whole page has.
    package let size: Int
    /// How many elements the list has.
    package let length: Int

    /// How many elements a page has if the request does not say.
    private static let usualSize = 10
    /// The query parameter in which a link to the next page carries its place.
    package static let linkParameter = "errand-start"

    /// - Parameters:
    ///   - text: what the request says at the place; nil for the first page.
    ///   - size: how many elements it asks for.
    package init(_ place: Place, _ text: String?, size: String?, most: Int = .max, of length: Int) {
        let size = Self.size(size, most: most)
        self.init(from: Self.start(place, text, size), size: size, of: length)
    }

    /// - Parameter start: the position of the first element. One outside of the list is brought to its nearest end.
    package init(from start: Int, size: Int, of length: Int) {
        let start = min(max(0, start), length)
        elements = start..<(start + min(size, length - start))
        self.size = size
        self.length = length
    }

    /// The position at which the next page begins; nil at the end of the list.
    package var next: Int? { elements.upperBound < length ? elements.upperBound : nil }

    /// How many pages the list has.
    package var count: Int { length == 0 ? 0 : (length - 1) / size + 1 }

    /// The number of elements that a request asks for, at least one.
    package static func size(_ text: String?, most: Int = .max) -> Int {
        min(max(1, text.flatMap { Int($0) } ?? usualSize), most)
    }

    private static func start(_ place: Place, _ text: String?, _ size: Int) -> Int {
        switch place {
        case .page(let first):
            let (product, overflow) = distance(first, text).multipliedReportingOverflow(by: size)
            return overflow ? .max : product
        case .offset(let first): return distance(first, text)
        case .cursor: return text.map(position) ?? 0
        case .lastElement: return text.map { min(position(of: $0), .max - 1) + 1 } ?? 0
        }
    }

    /// How far a number is from the first one; 0 for one before it, and for what is no number.
    private static func distance(_ first: Int, _ text: String?) -> Int {
        guard let number = text.flatMap({ Int($0) }), number > first else { return 0 }
        let (distance, overflow) = number.subtractingReportingOverflow(first)
        return overflow ? .max : distance
    }

    // MARK: Cursors and links

    /// The cursor of a position, as a text that is no UUID.
    package static func cursor(_ position: Int) -> String { "cursor-\(position)" }

    /// The cursor of a position, as a UUID.
    package static func uuid(_ position: Int) -> String { uuid(endingIn: String(position, radix: 16)) }

    /// A UUID with digits at its end.
    ///
    /// - Parameter beginning: its first 24 characters.
    package static func uuid(
        endingIn digits: String, _ beginning: Substring = "00000000-0000-4000-8000-"
    ) -> String {
        beginning + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
    }

    /// The position that a cursor stands for; 0 for a cursor that no page has given.
    private static func position(of cursor: String) -> Int {
        let last = cursor.split(separator: "-").last ?? ""
        return Int(cursor) ?? Int(last, radix: cursor.hasPrefix("cursor-") ? 10 : 16) ?? 0
    }

    /// The URL of the page that begins at a position, by the URL of this one.
    package static func link(to position: Int, from url: String) -> String {
        let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let kept = (parts.dropFirst().first ?? "").split(separator: "&").filter { !$0.hasPrefix("\(linkParameter)=") }
        return parts[0] + "?" + (kept + ["\(linkParameter)=\(position)"]).joined(separator: "&")
    }
}
