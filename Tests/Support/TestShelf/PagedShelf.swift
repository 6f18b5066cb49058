public import ErrandRuntime

/// A service with one list, which can be walked in each of the five ways.
public struct PagedShelf: ServiceClient {
    public var binding: ServiceBinding

    public init(
        on dispatcher: Dispatcher, session: Session = Session(tokens: SessionTokens(access: "token")),
        server: String = "https://shelf.example/v1"
    ) {
        binding = ServiceBinding(Self.service, server: server, on: dispatcher, session: session)
    }

    public static let service = ServiceDescription(name: "PagedShelf", version: "1")

    /// A page: numbers, and possible members beside them.
    public struct Part: Sendable, JSONReadable {
        public let items: [Int]
        public let next: String?
        public let total: Int?

        static let keys = JSONKeys(["items", "next", "total"], optional: ["next", "total"])
        public static func load(from reader: inout JSONReader) -> Part? {
            var (items, next, total) = ([Int](), String?.none, Int?.none)
            var fields = reader.beginObject()
            loop: while true {
                switch reader.nextField(keys, &fields) {
                case 0: items = reader.readArray { $0.readInt() }
                case 1:
                    next =
                        reader.peekKind() == .null
                        ? {
                            reader.skipValue()
                            return nil
                        }() : reader.readString()
                case 2:
                    total =
                        reader.peekKind() == .null
                        ? {
                            reader.skipValue()
                            return nil
                        }() : reader.readInt()
                default: break loop
                }
            }
            return reader.isFaulted ? nil : Part(items: items, next: next, total: total)
        }
    }

    private static func describe(_ name: String, _ pagination: Pagination) -> EndpointDescription {
        EndpointDescription(service, name, .get, effect: .read, pagination: pagination)
    }

    public struct ByPage: PagedCommand {
        public var page: Int?

        public init(page: Int? = nil) { self.page = page }

        public typealias Service = PagedShelf
        public typealias Failure = CommandFault
        public typealias Response = Part
        public static let endpoint = describe("byPage", .page("page", total: "total", items: "items"))
        public func encode(into request: inout RequestEncoder) {
            request.path("/books")
            if let page { request.query("page", page) }
        }
        public static func load(from reader: inout JSONReader) -> Part? { Part.load(from: &reader) }
        public func pageMark() -> PageMark? { page.map { PageMark($0) } }
        public func turned(to mark: PageMark) -> Self? { mark.value(as: Int.self).map { Self(page: $0) } }
        public static func elements(of response: Part) -> [Int] { response.items }
    }

    public struct ByOffset: PagedCommand {
        public var start: Int?
        public var size: Int

        public init(start: Int? = nil, size: Int = 7) {
            self.start = start
            self.size = size
        }

        public typealias Service = PagedShelf
        public typealias Failure = CommandFault
        public typealias Response = Part
        public static let endpoint = describe("byOffset", .offset("start", size: "size", items: "items"))
        public func encode(into request: inout RequestEncoder) {
            request.path("/books")
            if let start { request.query("start", start) }
            request.query("size", size)
        }
        public static func load(from reader: inout JSONReader) -> Part? { Part.load(from: &reader) }
        public func pageMark() -> PageMark? { start.map { PageMark($0) } }
        public func turned(to mark: PageMark) -> Self? { mark.value(as: Int.self).map { Self(start: $0, size: size) } }
        public static func elements(of response: Part) -> [Int] { response.items }
    }

    public struct ByCursor: PagedCommand {
        public var after: String?

        public init(after: String? = nil) { self.after = after }

        public typealias Service = PagedShelf
        public typealias Failure = CommandFault
        public typealias Response = Part
        public static let endpoint = describe("byCursor", .cursor("after", next: "next", items: "items"))
        public func encode(into request: inout RequestEncoder) {
            request.path("/books")
            if let after { request.query("after", after) }
        }
        public static func load(from reader: inout JSONReader) -> Part? { Part.load(from: &reader) }
        public func pageMark() -> PageMark? { after.map { PageMark($0) } }
        public func turned(to mark: PageMark) -> Self? { Self(after: mark.text) }
        public static func elements(of response: Part) -> [Int] { response.items }
    }

    public struct ByLink: PagedCommand {
        public var genre: String

        public init(genre: String = "all") { self.genre = genre }

        public typealias Service = PagedShelf
        public typealias Failure = CommandFault
        public typealias Response = Part
        public static let endpoint = describe("byLink", .link("next", items: "items"))
        public func encode(into request: inout RequestEncoder) {
            request.path("/books")
            request.query("genre", genre)
        }
        public static func load(from reader: inout JSONReader) -> Part? { Part.load(from: &reader) }
        public static func elements(of response: Part) -> [Int] { response.items }
    }

    /// Whose pages have the URL of the next one in their body.
    public struct ByURL: PagedCommand {
        public init() {}

        public typealias Service = PagedShelf
        public typealias Failure = CommandFault
        public typealias Response = Part
        public static let endpoint = describe("byURL", .next("next", items: "items"))
        public func encode(into request: inout RequestEncoder) { request.path("/books") }
        public static func load(from reader: inout JSONReader) -> Part? { Part.load(from: &reader) }
        public static func elements(of response: Part) -> [Int] { response.items }
    }
}
