/// A command whose response is a part of a list (`paginate` in the contract). ``ServiceClient/pages(of:)`` and
/// ``ServiceClient/elements(of:)`` walk the list.
///
/// Each page is requested with a command of its own. Stubs, simulated servers and observers see this command with the number or
/// the cursor of its page.
public protocol PagedCommand: Command {
    /// An element of the list.
    associatedtype PageElement: Sendable

    /// Which page the command itself asks for; nil if it leaves that to the server.
    func pageMark() -> PageMark?

    /// The same command for another page; nil if the mark does not fit its input.
    func turned(to mark: PageMark) -> Self?

    /// The elements in a response, in their order.
    static func elements(of response: Response) -> [PageElement]
}

extension PagedCommand {
    /// Pages that follow each other by links have no mark.
    public func pageMark() -> PageMark? { nil }

    /// Where pages follow each other by links, the command is the same for all.
    public func turned(to mark: PageMark) -> Self? { self }
}

/// The number or cursor that identifies a page in a request, as text.
public struct PageMark: Sendable, Hashable {
    public let text: String

    public init<Value: LosslessStringConvertible>(_ value: Value) { text = value.description }

    /// The mark as an input of a command; nil if it does not fit.
    public func value<Value: LosslessStringConvertible>(as type: Value.Type) -> Value? { Value(text) }
}

/// A part of a list.
public struct Page<C: PagedCommand>: Sendable {
    /// The elements, in their order.
    public let elements: [C.PageElement]
    /// The complete reply.
    public let reply: Reply<C.Response>
    /// How many pages came before it in this walk.
    public let index: Int
    /// How many pages there are, as this one says; nil if it does not.
    public let totalPages: Int?
    /// How many elements the whole list has, as this page says; nil if it does not.
    public let totalElements: Int?
    /// Whether no page follows.
    public let isLast: Bool

    /// A page that no server gave, for an app's own tests and previews.
    public init(
        elements: [C.PageElement], reply: Reply<C.Response>, index: Int = 0, totalPages: Int? = nil,
        totalElements: Int? = nil, isLast: Bool = true
    ) {
        self.elements = elements
        self.reply = reply
        self.index = index
        self.totalPages = totalPages
        self.totalElements = totalElements
        self.isLast = isLast
    }
}
