/// How a list that comes in parts is walked (`paginate` in the contract).
///
/// Paths are of the whole body, with dots between the steps.
public struct Pagination: Sendable {
    /// The parameter that selects a page.
    package enum Style: Sendable {
        /// The page's number.
        case page(first: Int, total: String?)
        /// The number of elements before the page, beside the number of the first element.
        case offset(first: Int, total: String?)
        /// A text that the page before gives. `more` is the path of the flag that says whether a page follows.
        case cursor(CursorPlace, more: String?)
        /// The URL of the next page, which the page before gives.
        case link(LinkPlace, foreign: ForeignLinks)
    }

    /// Where a page has the URL of the next one.
    package enum LinkPlace: Sendable {
        /// In a `Link` field with this relation (RFC 8288).
        case header(relation: String)
        /// At this path.
        case response(String)
    }

    /// Where a page has the cursor of the next one.
    package enum CursorPlace: Sendable {
        case response(String)
        /// A path inside the last element.
        case lastElement(String)
    }

    package let style: Style
    /// The wire names of the query parameters that select the page and the number of elements in a page.
    package let parameter: String?
    package let size: String?
    /// Where the elements are; nil if they are the payload itself.
    package let items: String?
    /// The status with which the service refuses a page after the last one.
    package let past: Int?

    private init(_ style: Style, _ parameter: String?, size: String? = nil, items: String?, past: Int?) {
        self.style = style
        self.parameter = parameter
        self.size = size
        self.items = items
        self.past = past
    }

    /// - Parameters:
    ///   - parameter: the query parameter that takes the page's number.
    ///   - first: the number of the first page.
    ///   - total: the path of the number of pages.
    ///   - items: where the elements are, where they are not the payload itself.
    ///   - past: the status with which the service refuses a page after the last one, such as 404: it ends the list.
    public static func page(
        _ parameter: String, first: Int = 1, total: String? = nil, items: String? = nil, past: Int? = nil
    ) -> Pagination {
        Pagination(.page(first: first, total: total), parameter, items: items, past: past)
    }

    /// - Parameters:
    ///   - parameter: the query parameter that takes the number of elements to skip.
    ///   - first: what it is for the first element.
    ///   - size: the query parameter that takes the number of elements of a page.
    ///   - total: the path of the number of elements.
    ///   - items: where the elements are, where they are not the payload itself.
    ///   - past: the status with which the service refuses a page after the last one, such as 404: it ends the list.
    public static func offset(
        _ parameter: String, first: Int = 0, size: String? = nil, total: String? = nil, items: String? = nil,
        past: Int? = nil
    ) -> Pagination {
        Pagination(.offset(first: first, total: total), parameter, size: size, items: items, past: past)
    }

    /// - Parameters:
    ///   - parameter: the query parameter that takes the cursor.
    ///   - next: the path of the next cursor. Without one, the page is the last.
    ///   - more: the path of the flag that is false in the last page.
    ///   - items: where the elements are, where they are not the payload itself.
    ///   - past: the status with which the service refuses a page after the last one, such as 404: it ends the list.
    public static func cursor(
        _ parameter: String, next: String, more: String? = nil, items: String? = nil, past: Int? = nil
    ) -> Pagination {
        Pagination(.cursor(.response(next), more: more), parameter, items: items, past: past)
    }

    /// - Parameters:
    ///   - parameter: the query parameter that takes the cursor.
    ///   - last: the path of the next cursor inside the last element of a page. A page without elements is the last.
    ///   - more: the path of the flag that is false in the last page.
    ///   - items: where the elements are, where they are not the payload itself.
    ///   - past: the status with which the service refuses a page after the last one, such as 404: it ends the list.
    public static func cursor(
        _ parameter: String, last: String, more: String? = nil, items: String? = nil, past: Int? = nil
    ) -> Pagination {
        Pagination(.cursor(.lastElement(last), more: more), parameter, items: items, past: past)
    }

    /// - Parameters:
    ///   - relation: the relation of the `Link` field that leads to the next page. Without one, the page is the last.
    ///   - foreign: how a link to another origin is treated.
    ///   - items: the place of the elements, if they aren't the payload itself.
    ///   - past: the status with which the service refuses a page after the last one, such as 404: it ends the list.
    public static func link(
        _ relation: String, foreign: ForeignLinks = .refused, items: String? = nil, past: Int? = nil
    ) -> Pagination {
        Pagination(.link(.header(relation: relation), foreign: foreign), nil, items: items, past: past)
    }

    /// - Parameters:
    ///   - path: the path of the URL of the next page, absolute or relative (RFC 3986). Without one, the page is the last.
    ///   - foreign: how a URL at another origin is treated.
    ///   - items: the place of the elements, if they aren't the payload itself.
    ///   - past: the status with which the service refuses a page after the last one, such as 404: it ends the list.
    public static func next(
        _ path: String, foreign: ForeignLinks = .refused, items: String? = nil, past: Int? = nil
    ) -> Pagination {
        Pagination(.link(.response(path), foreign: foreign), nil, items: items, past: past)
    }
}

/// How a link to a next page at another origin is treated.
public enum ForeignLinks: String, Sendable, CaseIterable {
    /// The page fails as malformed.
    case refused
    /// It is followed without the session, and without any header that may identify the user.
    case anonymous
    /// Its path and query are taken to the service's own origin, for a service that does not know the origin at which it is reached.
    case own
}
