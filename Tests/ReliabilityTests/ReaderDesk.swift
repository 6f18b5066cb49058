import BankClient
import ErrandRuntime
import ErrandTesting

/// A server whose data has a number that each write raises, and what its users see of it.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
protocol ReaderDesk: AnyObject, Sendable {
    var simulation: Simulation { get }
    var chance: SeededGenerator { get set }
    func random(below bound: Int) -> Int
    /// Reads, and returns what is wrong with the result.
    func look(as user: Int, at bank: Bank) async -> String?
    func change(at bank: Bank) async -> String?
}

/// What a user does, each as one of so many.
struct ReaderHabits {
    let commands: Int
    let writes: Int
    /// Commands after which one is given up.
    let givenUp: Int
    /// Commands after which there is a pause.
    let pauses: Int
    /// The longest pause, in milliseconds.
    let longestPause: Int
}

@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
extension ReaderDesk {
    /// A user reads, writes and gives up, while earlier commands are under way. Notes what is wrong with the results.
    func act(as user: Int, at bank: Bank, _ habits: ReaderHabits, _ finding: inout PromiseRun.Finding) async {
        var tasks: [Task<String?, Never>] = []
        for _ in 0..<habits.commands {
            let isWrite = random(below: habits.writes) == 0
            let task = simulation.task { isWrite ? await self.change(at: bank) : await self.look(as: user, at: bank) }
            tasks.append(task)
            if random(below: habits.givenUp) == 0, let given = tasks.randomElement(using: &chance) { given.cancel() }
            if random(below: habits.pauses) == 0 {
                await simulation.sleep(for: .milliseconds(random(below: habits.longestPause)))
            }
        }
        for task in tasks {
            finding.cases += 1
            if let violation = await task.value { finding.violations.append(violation) }
        }
    }
}
