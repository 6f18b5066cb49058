/// Why the next page cannot be asked for, though the page itself can be read. The page fails as `malformed` then, with this as
/// its `underlying` error.
public enum PageError: Error, Sendable, Hashable {
    /// The page names a next one that was there before in the same walk.
    case repeated
    /// The page has the same elements as the page before it, so the server doesn't turn the page. If the elements of a page all have
    /// one value, 100 such pages may follow each other.
    case repeatedElements
    /// This number of consecutive pages had no element, and the last one announces another page.
    case emptyPages(Int)
    /// The number of pages or elements isn't an integer from 0 on.
    case invalidTotal
    /// The response announces the first number of elements, but only the second number arrived.
    case totalNotReached(total: Int, received: Int)
    /// The cursor isn't text or a number, is too long, or does not fit the parameter that takes it.
    case invalidCursor
    /// The page announces another page, but has no cursor for it.
    case missingCursor
    /// The flag that says whether another page follows is neither true nor false.
    case invalidFlag
    /// The number of the next page is out of range.
    case numberOutOfRange
    /// The link isn't an http or https URL, or is too long.
    case invalidLink
    /// The link leads to another origin, which the contract does not allow, or away from https; or the request has a body, which goes
    /// to no other origin.
    case foreignLink(origin: String)
}

extension PageError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .repeated: "the next page is one that was read before"
        case .repeatedElements: "the page has the same elements as the page before it"
        case .emptyPages(let count): "\(count) pages in a row have no element"
        case .invalidTotal: "the total isn't an integer"
        case .totalNotReached(let total, let received): "the server announced \(total) elements and sent \(received)"
        case .invalidCursor: "the cursor is not a valid value of its parameter"
        case .missingCursor: "the page announces another page and has no cursor for it"
        case .invalidFlag: "the flag for another page is neither true nor false"
        case .numberOutOfRange: "the next page has no number"
        case .invalidLink: "the link to the next page isn't a URL"
        case .foreignLink(let origin): "the link to the next page leads to \(origin)"
        }
    }
}
