import ErrandRuntime
import ErrandTesting
import TestShelf
import Testing

/// A walk over a list gives each element once and in its order, despite any failures on the way.
@Suite(.serialized) struct PagePromiseTests {
    @Test func noElementIsLostOrComesTwice() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("9  no element of a list is lost or comes twice") { simulation in
            let shelf = PagedShelf(on: simulation.dispatcher)
            let length = Int(simulation.seed % 61)
            simulation.server.list(of: PagedShelf.ByPage.self, hasElements: length)
            simulation.server.list(of: PagedShelf.ByOffset.self, hasElements: length)
            simulation.server.list(of: PagedShelf.ByCursor.self, hasElements: length)
            simulation.server.list(of: PagedShelf.ByLink.self, hasElements: length)
            simulation.server.list(of: PagedShelf.ByURL.self, hasElements: length)
            simulation.server.faults = FaultPlan(rate: 0.4)
            var finding = PromiseRun.Finding()
            func walk<C: PagedCommand>(_ command: C) async
            where C.Service == PagedShelf, C.PageElement == Int {
                let (elements, pages) = await (
                    Self.elements(of: shelf.elements(of: command)), Self.pages(of: shelf.pages(of: command))
                )
                finding.cases += elements.count + pages.count
                let wanted = Array(0..<length)
                finding.expect(elements == wanted, "\(C.endpoint.name): \(elements) instead of 0..<\(length)")
                finding.expect(pages == wanted, "\(C.endpoint.name) by pages: \(pages) instead of 0..<\(length)")
            }
            await walk(PagedShelf.ByPage())
            await walk(PagedShelf.ByOffset())
            await walk(PagedShelf.ByCursor())
            await walk(PagedShelf.ByLink())
            await walk(PagedShelf.ByURL())
            return finding
        }
    }

    /// Several tasks share one walk: together they get everything once.
    @Test func tasksThatShareAWalkGetEachElementOnce() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("9  tasks that share a walk get each element once") { simulation in
            let shelf = PagedShelf(on: simulation.dispatcher)
            simulation.server.list(of: PagedShelf.ByCursor.self, hasElements: 45)
            simulation.server.faults = FaultPlan(rate: 0.3)
            let walk = shelf.elements(of: PagedShelf.ByCursor()).makeAsyncIterator()
            let parts = await simulation.concurrently(5) { _ in
                var mine: [Int] = []
                for _ in 0..<500 {
                    guard let next = try? await walk.next() else {
                        if walk.isOver { break }
                        continue
                    }
                    mine.append(next)
                }
                return mine
            }
            var finding = PromiseRun.Finding(cases: 45)
            let all = parts.flatMap { $0 }
            finding.expect(all.sorted() == Array(0..<45), "\(parts)")
            finding.expect(parts.allSatisfy { $0 == $0.sorted() }, "one task got them out of order: \(parts)")
            return finding
        }
    }

    // MARK: A caller who does not give up

    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
    private static func elements<C: PagedCommand>(of sequence: PageElements<C>) async -> [C.PageElement] {
        let walk = sequence.makeAsyncIterator()
        var found: [C.PageElement] = []
        for _ in 0..<2_000 {
            do {
                guard let element = try await walk.next() else { return found }
                found.append(element)
            } catch {
                continue
            }
        }
        return found
    }

    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
    private static func pages<C: PagedCommand>(of sequence: Pages<C>) async -> [C.PageElement] {
        let walk = sequence.makeAsyncIterator()
        var found: [C.PageElement] = []
        for _ in 0..<2_000 {
            do {
                guard let page = try await walk.next() else { return found }
                found += page.elements
            } catch {
                continue
            }
        }
        return found
    }
}
