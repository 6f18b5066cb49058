import ErrandRuntime
import TestSeeds
import Testing

@testable import ErrandUI

/// The steps of the queue, in orders that no one would think of.
@Suite struct PresentationQueueTests {
    /// A queue with the questions that it was asked, as a test knows them.
    private final class World {
        var queue: PresentationQueue
        /// The content's name of each question that is open.
        var open: [Int: String] = [:]
        var answered: [Int: IncidentAnswer] = [:]
        var asked = 0
        var withdrawn = 0
        var places: [Int] = []
        /// The presentation that a place has yet to close.
        var closing: (presentation: Int, place: Int)?
        var shown: (presentation: ErrorPresentation, place: Int)?
        private let answers = LockedState<[(Int, IncidentAnswer)]> { [] }
        private var nextName = 0

        init(_ login: ErrorPresenter.Login = .screen) {
            queue = PresentationQueue(login: login) { id, content, actions, count in
                ErrorPresentation(
                    id, content, actions, count: count, in: PresentationTexts(languages: []), content.style)
            }
        }

        func ask(
            _ category: ErrorCategory, raised: Bool, name: String? = nil, importance: Int = 2, at place: Int? = nil
        ) {
            nextName += 1
            let name = name ?? "error\(nextName)"
            let content = PresentationContent(
                importance: PresentationContent.Importance(rawValue: importance) ?? .refusal, title: "", message: name,
                category: category, name: name, canRetry: true, service: "", isRaised: raised)
            let number = LockedState<Int> { 0 }
            let id = queue.ask(content, at: place) { [answers] answer in
                let id = number.withLock { $0 }
                answers.withLock { $0.append((id, answer)) }
            }
            number.withLock { $0 = id }
            asked += 1
            open[id] = name
        }

        /// Gives the answers, and compares the shown presentations with the permitted ones.
        func settle(_ seed: UInt64) {
            for (callback, answer) in queue.takeAnswers() { callback(answer) }
            for (id, answer) in answers.withLock({ $0 }) {
                #expect(answered[id] == nil && open[id] != nil, "\(id) is answered once, seed \(seed)")
                answered[id] = answer
                open[id] = nil
            }
            answers.withLock { $0 = [] }
            #expect(asked == open.count + answered.count + withdrawn, "none is lost, seed \(seed)")
            let now = places.compactMap { place in queue.state(of: place).presentation.map { ($0, place) } }
            #expect(now.count <= 1, "\(now.count) at once, seed \(seed)")
            if let old = shown, now.first?.0.id != old.presentation.id, places.contains(old.place) {
                closing = (old.presentation.id, old.place)
            }
            shown = now.first
            if let shown {
                #expect(!shown.presentation.buttons.isEmpty, "seed \(seed)")
                #expect(
                    open.values.contains(shown.presentation.name) || shown.presentation.count > 1, "ended: seed \(seed)"
                )
                #expect(closing == nil, "shown while another is being closed, seed \(seed)")
            }
            let wantsLogin = places.filter { queue.state(of: $0).isLoginWanted }
            #expect(wantsLogin.count <= 1, "seed \(seed)")
        }

        func withdraw(_ id: Int) {
            open[id] = nil
            withdrawn += 1
            queue.withdraw(id)
        }

        func choose(_ action: PresentationAction, of id: Int) -> Bool { queue.choose(action, of: id) }

        func didClose() {
            guard let closing else { return }
            self.closing = nil
            queue.didClose(closing.presentation, at: closing.place)
        }

        func detach(_ place: Int) {
            places.removeAll { $0 == place }
            if closing?.place == place { closing = nil }
            if shown?.place == place { shown = nil }
            queue.detach(place)
        }
    }

    @Test func neverTwoAtOnceNoneLostAndEveryButtonEndsIt() {
        let first = TestSeeds.SeededGenerator.newSeed()
        print("Presentations: seeds from \(first)")
        for number in UInt64(0)..<400 {
            let seed = first &+ number
            var chance = TestSeeds.SeededGenerator(seed: seed)
            let world = World(Bool.random(using: &chance) ? .screen : .session)
            for _ in 0..<Int.random(in: 20...200, using: &chance) {
                step(world, &chance, seed)
                world.settle(seed)
            }
            drain(world, &chance, seed)
        }
    }

    private func step(_ world: World, _ chance: inout TestSeeds.SeededGenerator, _ seed: UInt64) {
        let category = ErrorCategory.allCases.randomElement(using: &chance) ?? .retryable
        switch Int.random(in: 0..<14, using: &chance) {
        case 0, 1, 2:
            // A few names that are met often, so that errors look alike.
            let name = Bool.random(using: &chance) ? "same\(Int.random(in: 0..<3, using: &chance))" : nil
            world.ask(category, raised: true, name: name, at: world.places.randomElement(using: &chance))
        case 3, 4: world.ask(category, raised: false, importance: Int.random(in: 0...3, using: &chance))
        case 5, 6: if let id = world.open.keys.sorted().randomElement(using: &chance) { world.withdraw(id) }
        case 7, 8:
            guard let shown = world.shown else { return }
            let action = PresentationAction.allCases.randomElement(using: &chance) ?? .retry
            let isOffered = shown.presentation.buttons.contains { $0.action == action }
            #expect(world.choose(action, of: shown.presentation.id) == isOffered, "seed \(seed)")
            if isOffered { #expect(!world.choose(action, of: shown.presentation.id), "a double tap, seed \(seed)") }
        case 9: world.didClose()
        case 10: world.places.append(world.queue.attach(showsLogin: Bool.random(using: &chance)))
        case 11: if let place = world.places.randomElement(using: &chance) { world.detach(place) }
        case 12: if let place = world.places.randomElement(using: &chance) { world.queue.activate(place) }
        default:
            if Bool.random(using: &chance) {
                world.queue.endLogin(isLoggedIn: Bool.random(using: &chance))
            } else {
                world.queue.noteLogin()
            }
        }
    }

    /// A patient person answers all remaining questions.
    private func drain(_ world: World, _ chance: inout TestSeeds.SeededGenerator, _ seed: UInt64) {
        world.places.append(world.queue.attach(showsLogin: true))
        world.settle(seed)
        var steps = 0
        while !world.open.isEmpty, steps < 2_000 {
            steps += 1
            world.didClose()
            world.settle(seed)
            if let shown = world.shown, let button = shown.presentation.buttons.randomElement(using: &chance) {
                #expect(world.choose(button.action, of: shown.presentation.id), "seed \(seed)")
            } else {
                world.queue.endLogin(isLoggedIn: Bool.random(using: &chance))
            }
            world.settle(seed)
        }
        #expect(world.open.isEmpty, "\(world.open.count) are never shown, seed \(seed)")
        #expect(world.shown == nil && world.queue.isEmpty, "seed \(seed)")
    }

    // MARK: What a person sees

    @Test func theMostImportantGoesFirstAndNothingIsInterrupted() {
        let world = World()
        world.places = [world.queue.attach(showsLogin: true)]
        world.ask(.retryable, raised: false, name: "network", importance: 0)
        world.settle(0)
        for (name, importance) in [("outage", 1), ("refusal", 2), ("older", 3), ("newer", 3)] {
            world.ask(.retryable, raised: false, name: name, importance: importance)
        }
        var seen: [String] = []
        for _ in 0..<5 {
            world.settle(0)
            guard let shown = world.shown else { break }
            seen.append(shown.presentation.name)
            #expect(world.choose(.dismiss, of: shown.presentation.id))
            world.settle(0)
            #expect(world.shown == nil, "the place says first that it is closed")
            world.didClose()
        }
        #expect(seen == ["network", "older", "newer", "refusal", "outage"])
    }

    @Test func aThousandErrorsThatLookAlikeAreOneAndDifferentOnesAreFew() {
        let world = World()
        world.places = [world.queue.attach(showsLogin: false)]
        for _ in 0..<1_000 { world.ask(.retryable, raised: true, name: "row") }
        world.settle(0)
        #expect(world.shown?.presentation.count == 1_000)
        #expect(world.shown?.presentation.message == "row\nAnd 999 more.")
        #expect(world.queue.waiting == 0)
        for _ in 0..<1_000 { world.ask(.nonRetryable, raised: true) }
        world.settle(0)
        #expect(world.queue.waiting <= PresentationQueue.maximumWaiting)
        var taps = 0
        while let shown = world.shown, taps < 100 {
            taps += 1
            #expect(world.choose(.dismiss, of: shown.presentation.id))
            world.settle(0)
            world.didClose()
            world.settle(0)
        }
        #expect(world.answered.count == 2_000 && taps <= PresentationQueue.maximumWaiting + 1, "\(taps) taps")
    }

    @Test func aWindowThatClosesHandsItsPresentationOn() {
        let world = World()
        let (first, second) = (world.queue.attach(showsLogin: false), world.queue.attach(showsLogin: false))
        world.places = [first, second]
        world.queue.activate(first)
        world.ask(.retryable, raised: false, name: "a")
        world.settle(0)
        #expect(world.shown?.place == first)
        world.detach(first)
        world.settle(0)
        #expect(world.shown?.place == second && world.shown?.presentation.name == "a")
        world.detach(second)
        world.settle(0)
        #expect(world.queue.waiting == 1, "it waits for a window")
        world.places = [world.queue.attach(showsLogin: false)]
        world.settle(0)
        #expect(world.shown?.presentation.name == "a")
    }

    @Test func anErrorIsShownInTheWindowThatRaisedIt() {
        let world = World()
        let (first, second) = (world.queue.attach(showsLogin: false), world.queue.attach(showsLogin: false))
        world.places = [first, second]
        world.queue.activate(second)
        world.ask(.nonRetryable, raised: true, name: "a", at: first)
        world.settle(0)
        #expect(world.shown?.place == first)
    }

    @Test func whoLogsInIsAskedOnce() {
        let world = World()
        let place = world.queue.attach(showsLogin: true)
        world.places = [place]
        world.ask(.requiresLogout, raised: false, name: "session", importance: 3)
        world.ask(.requiresLogout, raised: true, name: "raised", importance: 3)
        world.settle(0)
        guard let shown = world.shown else { return #expect(Bool(false), "nothing is shown") }
        #expect(shown.presentation.buttons.map(\.action) == [.logIn, .dismiss])
        #expect(world.choose(.logIn, of: shown.presentation.id))
        world.ask(.requiresLogout, raised: true, name: "late", importance: 3)
        world.settle(0)
        world.didClose()
        world.settle(0)
        #expect(world.queue.state(of: place).isLoginWanted && world.shown == nil && world.open.count == 3)
        // An error of the login itself is shown above the login screen.
        world.ask(.nonRetryable, raised: true, name: "password")
        world.settle(0)
        #expect(world.shown?.presentation.name == "password")
        world.queue.noteLogin()
        world.settle(0)
        #expect(Set(world.answered.values) == [.retry] && world.answered.count == 3)
        #expect(!world.queue.state(of: place).isLoginWanted && world.shown?.presentation.name == "password")
    }

    @Test func withoutALoginScreenNoneIsOffered() {
        let world = World()
        let place = world.queue.attach(showsLogin: false)
        world.places = [place]
        world.ask(.requiresLogout, raised: false, importance: 3)
        world.settle(0)
        #expect(world.shown?.presentation.buttons.map(\.action) == [.dismiss])
        let login = world.queue.attach(showsLogin: true)
        world.places.append(login)
        world.settle(0)
        #expect(world.shown?.presentation.buttons.map(\.action) == [.logIn, .dismiss], "another window has one")
    }
}
