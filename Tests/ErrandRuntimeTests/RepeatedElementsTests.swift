import ErrandTesting
import Foundation
import TestShelf
import Testing

@testable import ErrandRuntime

/// Servers that give the same elements whatever page is asked for.
@Suite(.overSocketsToo, .timeLimit(.minutes(2))) struct RepeatedElementsTests {
    /// A way of turning pages, and what a server says beside the elements so that each page has another one after it.
    enum Style: CaseIterable {
        case page, pageWithTotal, offset, cursor, link

        /// A page that differs from each other one in everything but its elements.
        func answer(_ items: String, _ number: Int) -> TransportResponse {
            switch self {
            case .page, .offset: return .json(200, #"{"at":\#(number),"items":\#(items),"sent":"\#(number) ms"}"#)
            case .pageWithTotal: return .json(200, #"{"total":300,"at":\#(number),"items":\#(items)}"#)
            case .cursor: return .json(200, #"{"next":"cursor \#(number)","items":\#(items)}"#)
            case .link:
                var answer = TransportResponse.json(200, #"{"items":\#(items),"at":\#(number)}"#)
                answer.headers.append("Link", "<?genre=all&after=\(number)>; rel=next")
                return answer
            }
        }

        /// The elements that a walk gives, how many requests it sends, and how it ends.
        func walk(_ shelf: PagedShelf) async -> (elements: [Int], problem: PageError?) {
            switch self {
            case .page, .pageWithTotal: await Self.walk(shelf.elements(of: PagedShelf.ByPage()))
            case .offset: await Self.walk(shelf.elements(of: PagedShelf.ByOffset()))
            case .cursor: await Self.walk(shelf.elements(of: PagedShelf.ByCursor()))
            case .link: await Self.walk(shelf.elements(of: PagedShelf.ByLink()))
            }
        }

        private static func walk<C: PagedCommand>(
            _ elements: PageElements<C>
        ) async -> (elements: [Int], problem: PageError?)
        where C.PageElement == Int, C.Failure == CommandFault {
            var found: [Int] = []
            do throws(CommandFault) {
                for try await element in elements where found.count < 2_000 { found.append(element) }
                return (found, nil)
            } catch {
                #expect(error.kind == .malformed)
                return (found, error.context.underlying as? PageError)
            }
        }
    }

    private static func shelf(_ answer: @escaping ScriptedTransport.Answer) -> (PagedShelf, ScriptedTransport) {
        let transport = ScriptedTransport.scripted(answer)
        let environment = DispatcherEnvironment(clock: InstantClock(), generator: SeededGenerator(seed: 7))
        return (
            PagedShelf(on: Dispatcher(transport: transport, environment: environment)).with { $0.maximumPages = 400 },
            transport
        )
    }

    @Test(arguments: Style.allCases)
    func aServerThatIgnoresThePositionIsFound(_ style: Style) async {
        let (shelf, transport) = Self.shelf { _, number in style.answer("[3, 1, 2]", number) }
        let (elements, problem) = await style.walk(shelf)
        #expect(problem == .repeatedElements)
        // The elements of the second page aren't given again.
        #expect(elements == [3, 1, 2])
        #expect(transport.requests.count == 2)
    }

    /// A server that clamps the position gives its last page for every later one.
    @Test(arguments: Style.allCases)
    func aServerThatStaysAtItsLastPageIsFound(_ style: Style) async {
        let (shelf, transport) = Self.shelf { _, number in style.answer("[\(min(number, 4))]", number) }
        let (elements, problem) = await style.walk(shelf)
        #expect(problem == .repeatedElements)
        #expect(elements == [1, 2, 3, 4])
        #expect(transport.requests.count == 5)
    }

    @Test(arguments: Style.allCases)
    func pagesThatComeAgainLaterAreTaken(_ style: Style) async {
        let (shelf, _) = Self.shelf { _, number in
            number > 6
                ? .json(200, #"{"items":[],"total":0}"#) : style.answer(number % 2 == 0 ? "[1,2]" : "[2,1]", number)
        }
        let (elements, problem) = await style.walk(shelf)
        #expect(problem == nil)
        #expect(elements == [2, 1, 1, 2, 2, 1, 1, 2, 2, 1, 1, 2])
    }

    /// A list may hold nothing but zeros. They show that the pages aren't turned only after a while.
    @Test(arguments: Style.allCases)
    func oneValueMayFillManyPages(_ style: Style) async {
        let (shelf, _) = Self.shelf { _, number in
            number > 60 ? .json(200, #"{"items":[],"total":0}"#) : style.answer("[0, 0,0]", number)
        }
        let (elements, problem) = await style.walk(shelf)
        #expect(problem == nil)
        #expect(elements == Array(repeating: 0, count: 180))

        let (endless, transport) = Self.shelf { _, number in style.answer("[0,0]", number) }
        #expect(await style.walk(endless).problem == .repeatedElements)
        #expect(transport.requests.count == 101)
    }

    /// The page that is asked for again after a failure is compared with the page before it, and not with itself.
    @Test func aPageThatIsAskedForAgainIsNotRepeated() async throws {
        let (shelf, _) = Self.shelf { _, number in
            number == 2 ? .json(404, "{}") : .json(200, #"{"items":[\#(number),0],"total":3}"#)
        }
        let walk = shelf.pages(of: PagedShelf.ByPage()).makeAsyncIterator()
        #expect(try await walk.next()?.elements == [1, 0])
        await #expect(throws: CommandFault.self) { try await walk.next() }
        #expect(try await walk.next()?.elements == [3, 0])
        #expect(try await walk.next()?.elements == [4, 0])
        #expect(try await walk.next() == nil)
    }
}

#if !canImport(Darwin)
extension RepeatedElementsTests {
    @Test(arguments: Style.allCases)
    func aSimulatedServerThatIgnoresThePositionIsFound(_ style: Style) async throws {
        try await Simulation.run(seeds: 5) { simulation in
            let answer: SimulatedServer.Handler = { style.answer("[3, 1, 2]", $0.number) }
            simulation.server.on(PagedShelf.ByPage.self, answer)
            simulation.server.on(PagedShelf.ByOffset.self, answer)
            simulation.server.on(PagedShelf.ByCursor.self, answer)
            simulation.server.on(PagedShelf.ByLink.self, answer)
            let (elements, problem) = await style.walk(PagedShelf(on: simulation.dispatcher))
            #expect(problem == .repeatedElements && elements == [3, 1, 2], "\(simulation)")
        }
    }

    /// The simulator makes up a list even if its elements have nothing that tells one from the other.
    @Test func aSimulatedListOfOneValueIsWalked() async throws {
        try await Simulation.run(seeds: 5) { simulation in
            simulation.server.list(of: PagedShelf.Flags.self, hasElements: 45)
            var count = 0
            for try await _ in PagedShelf(on: simulation.dispatcher).elements(of: PagedShelf.Flags()) { count += 1 }
            #expect(count == 45, "\(simulation)")
        }
    }
}
#endif

extension PagedShelf {
    /// A list whose elements have nothing that tells one from the other.
    fileprivate struct Flags: PagedCommand {
        var page = 1
        typealias Service = PagedShelf
        typealias Failure = CommandFault
        typealias Response = [Bool]
        static let endpoint = EndpointDescription(
            PagedShelf.service, "flags", .get, effect: .read, list: true, pagination: .page("page"))
        func encode(into request: inout RequestEncoder) {
            request.path("/flags")
            request.query("page", page)
        }
        static func load(from reader: inout JSONReader) -> [Bool]? { [Bool].load(from: &reader) }
        func pageMark() -> PageMark? { PageMark(page) }
        func turned(to mark: PageMark) -> Self? { mark.value(as: Int.self).map { Self(page: $0) } }
        static func elements(of response: [Bool]) -> [Bool] { response }
    }
}

/// What is found in the body of a page, beside its elements.
@Suite struct PageBodyTests {
    private func body(_ text: String, _ pagination: Pagination, depth: Int? = nil) throws -> PageBody {
        let bytes = Array(text.utf8)
        let rule = PageRule(pagination)
        var notes = PageBody.Notes()
        _ = try JSON.scan(bytes) { reader -> JSONValue? in
            if let depth = depth ?? rule.itemsDepth { reader.noteArrays(atDepth: depth) }
            let value = Self.read(&reader)
            notes.payload = 0..<bytes.count
            notes.arrays = reader.knownArrays
            return value
        }
        return PageBody(bytes, rule, notes)
    }

    /// Reads with the calls of generated code, which note arrays.
    private static func read(_ reader: inout JSONReader) -> JSONValue? {
        switch reader.peekKind() {
        case .array: return .array(reader.readArray { read(&$0) })
        case .object:
            var fields = reader.beginObject()
            while reader.nextKey(&fields) != nil { _ = read(&reader) }
            return .null
        default: return reader.readValue()
        }
    }

    private static let texts: [(text: String, items: String, total: Int?)] = [
        (#"{"items":[1,2],"total":7}"#, "items", 7), (#"{"total":7,"items":[1,2]}"#, "items", 7),
        (#"{"meta":{"total":7,"x":[9]},"data":{"other":[3],"items":[ 1, 2 ]}}"#, "data.items", nil),
        (#"{"data":{"other":[3,[4]],"items":[{"a":[1]},{"a":[]}],"more":[5]},"total":7}"#, "data.items", 7),
        (#"{"items":[[1],[2]],"total":"7"}"#, "items", 7), (#"{"items":[1],"items":[2],"total":7}"#, "items", 7),
        (#"{"items":"none","total":7}"#, "items", 7), (#"{"items":null,"total":7}"#, "items", 7),
        (#"{"it\u0065ms":[1],"total":7}"#, "items", 7), (#"{"a":{"items":[1]},"items":[],"total":7}"#, "items", 7),
        ("{" + (0..<40).map { "\"a\($0)\":[\($0)]," }.joined() + #""items":[1,2],"total":7}"#, "items", 7),
        (#"[1,2]"#, "items", nil),
    ]

    /// What is known of arrays makes no difference but in time.
    @Test(arguments: texts) func theSameIsFoundWithoutNotes(_ text: String, _ items: String, _ total: Int?) throws {
        let pagination = Pagination.page("page", total: "total", items: items)
        let (noted, plain) = (try body(text, pagination), try body(text, pagination, depth: 400))
        #expect(try noted.total() == total)
        #expect(try plain.total() == total)
        #expect(noted.elementsHash == plain.elementsHash)
        #expect(noted.elementCount == plain.elementCount)
    }

    @Test func onlyElementsCount() throws {
        func hash(_ text: String, items: String? = "items") throws -> Int? {
            try body(text, .link("next", items: items)).elementsHash
        }
        let wanted = try #require(try hash(#"{"items":[1,2],"at":1}"#))
        #expect(try hash(#"{"at":2,"items":[1,2],"tags":["x"]}"#) == wanted)
        #expect(try hash("[1,2]", items: nil) == wanted)
        #expect(try hash(#"{"items":[2,1],"at":1}"#) != wanted)
        for empty in [#"{"items":[],"at":1}"#, #"{"items":[ ]}"#, #"{"items":null}"#, #"{"at":1}"#] {
            #expect(try hash(empty) == nil, "\(empty)")
        }
    }

    @Test(arguments: [
        ("[1,1, 1]", true), ("[1]", false), ("[]", false), ("[1,1,2]", false), (#"[{"a":1},{"a":1}]"#, true),
    ])
    func oneValueIsTold(_ list: String, _ isOne: Bool) throws {
        #expect(try body(#"{"items":\#(list)}"#, .link("next", items: "items")).hasOneValue == isOne)
        #expect(try body(list, .link("next")).hasOneValue == isOne)
    }
}
