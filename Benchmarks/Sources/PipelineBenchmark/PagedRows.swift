import ErrandRuntime
import FigureTables
import Foundation
import InstantBank
import MeasuredTurns

/// A list of numbers in pages, on a transport that already has them.
struct PagedList: ServiceClient {
    var binding: ServiceBinding

    init(_ transport: any Transport) {
        binding = ServiceBinding(
            Self.service, server: "https://list.example", on: Dispatcher(transport: transport), session: Session())
    }

    static let service = ServiceDescription(name: "PagedList", version: "1")

    struct GetPage: PagedCommand {
        var page = 1
        typealias Service = PagedList
        typealias Failure = CommandFault
        typealias Response = Numbers
        static let endpoint = EndpointDescription(
            PagedList.service, "getPage", .get, effect: .read,
            pagination: .page("page", total: "total", items: "items"))
        func encode(into request: inout RequestEncoder) {
            request.path("/numbers")
            request.query("page", page)
        }
        static func load(from reader: inout JSONReader) -> Numbers? { Numbers.load(from: &reader) }
        func pageMark() -> PageMark? { PageMark(page) }
        func turned(to mark: PageMark) -> Self? { mark.value(as: Int.self).map { Self(page: $0) } }
        static func elements(of response: Numbers) -> [Int] { response.items }
    }

    struct Numbers: Sendable, JSONReadable {
        let items: [Int]
        let total: Int
        static let keys = JSONKeys(["items", "total"])
        static func load(from reader: inout JSONReader) -> Numbers? {
            var (items, total) = ([Int](), 0)
            var fields = reader.beginObject()
            while true {
                switch reader.nextField(keys, &fields) {
                case 0: items = reader.readArray { $0.readInt() }
                case 1: total = reader.readInt()
                default: return reader.isFaulted ? nil : Numbers(items: items, total: total)
                }
            }
        }
    }
}

/// A transport that already has the pages: odd ones have the numbers in another order than even ones, because a walk refuses
/// two pages in a row with the same elements.
private struct PagedTransport: Transport {
    let pages: [TransportResponse]

    init(size: Int, count: Int) {
        pages = [(1...size).map { $0 }, (1...size).reversed()].map { numbers in
            let items = numbers.map(String.init).joined(separator: ",")
            return TransportResponse(status: 200, body: Array(#"{"items":[\#(items)],"total":\#(count)}"#.utf8))
        }
    }

    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        pages[Int(request.url.utf8.last ?? 0) & 1]
    }
}

extension PipelineRows {
    /// Walks over a list, beside the same commands in a loop, over the same transport.
    func pages() async throws -> FigureTable {
        let (count, size) = isQuick ? (100, 100) : (10_000, 100)
        var table = FigureTable(
            "A list of \(count) pages with \(size) elements each, beside the same commands in a loop",
            columns: ["walk", "reader", "walk, each page", "loop, each page", "walk ÷ loop", "goal", ""])
        let list = PagedList(PagedTransport(size: size, count: count))
        let loop = Contender {
            var sum = 0
            for page in 1...count {
                for number in try await list.send(PagedList.GetPage(page: page)).items { sum &+= number }
            }
            return sum
        }
        let loopOnMainActor = Contender { @MainActor in
            var sum = 0
            for page in 1...count {
                for number in try await list.send(PagedList.GetPage(page: page)).items { sum &+= number }
            }
            return sum
        }
        func add(_ walk: String, _ reader: String, _ goal: Goal, _ loop: Contender, _ ours: Contender) async throws {
            let found = try await Comparison.measure(rounds: rounds, slot: 0.01, ours: ours, theirs: loop)
            let ratio = found.ours / found.theirs
            table.add(
                [
                    walk, reader, duration(found.ours / Double(count)), duration(found.theirs / Double(count)),
                    "\(rounded(ratio)) ×",
                ] + goal.cells(ratio))
        }
        try await add(
            "pages(of:)", "a task", .atMost(1.2), loop,
            Contender {
                var sum = 0
                for try await page in list.pages(of: PagedList.GetPage()) {
                    for number in page.elements { sum &+= number }
                }
                return sum
            })
        try await add(
            "elements(of:)", "a task", .atMost(1.4), loop,
            Contender {
                var sum = 0
                for try await number in list.elements(of: PagedList.GetPage()) { sum &+= number }
                return sum
            })
        try await add(
            "elements(of:)", "the main actor", .atMost(1.4), loopOnMainActor,
            Contender { @MainActor in
                var sum = 0
                for try await number in list.elements(of: PagedList.GetPage()) { sum &+= number }
                return sum
            })
        return table
    }
}
