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
            paging: .page("page", total: "total", items: "items"))
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
        static let keys = JSONKeys("items", "total", required: 0b11)
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

extension PipelineRows {
    /// A walk over all elements, beside a plain loop over the same transport with the same reading.
    func pages() async throws -> FigureTable {
        let (count, size) = isQuick ? (100, 100) : (10_000, 100)
        var table = FigureTable(
            "A list of \(count) pages with \(size) elements each, beside a plain loop over the same transport",
            columns: ["work", "elements(of:)", "plain loop", "walk ÷ loop"])
        let numbers = (1...size).map(String.init).joined(separator: ",")
        let transport = InstantTransport(#"{"items":[\#(numbers)],"total":\#(count)}"#)
        let list = PagedList(transport)
        let found = try await Comparison.measure(
            rounds: isQuick ? 3 : 5, slot: 0.01,
            ours: Contender {
                var sum = 0
                for try await number in list.elements(of: PagedList.GetPage()) { sum &+= number }
                return sum
            },
            theirs: Contender {
                var sum = 0
                for page in 1...count {
                    let request = TransportRequest(method: .get, url: "https://list.example/numbers?page=\(page)")
                    let answer = try await transport.send(request)
                    for number in try JSON.scan(answer.body, PagedList.Numbers.load).items { sum &+= number }
                }
                return sum
            })
        table.add([
            "processor time", duration(found.ours), duration(found.theirs), "\(rounded(found.ours / found.theirs)) ×",
        ])
        return table
    }
}
