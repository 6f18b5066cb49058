import Foundation

@testable import ErrandBackground
@testable import ErrandRuntime

/// One life of an app. It ends after a number of steps. Each step is a change of a file or a call to the system.
final class Life: Sendable {
    private let left: LockedState<Int>
    let length: Int

    init(steps: Int = .max) {
        length = steps
        left = LockedState { steps }
    }

    /// Ends the process.
    func end() { left.withLock { $0 = 0 } }

    var isOver: Bool { left.withLock { $0 <= 0 } }
    var taken: Int { left.withLock { length - $0 } }

    /// False if the process has ended. Its work then has no effect.
    func step() -> Bool {
        left.withLock { left in
            guard left > 0 else { return false }
            left -= 1
            return left > 0
        }
    }
}

/// A stand-in for the system that continues transfers while no process of the app runs. Its tasks outlast the app, and it reports
/// their results to the next process.
final class TransferSystem: Sendable {
    enum Outcome: Sendable {
        case response(Int, HTTPHeaders, [UInt8])
        case fault(TransportFault.Kind, Evidence)
    }

    /// Returns the outcome of a request. It is called in the order of the requests.
    typealias Server = @Sendable (TransportRequest, [UInt8]) async -> Outcome

    struct Job: Sendable {
        let order: TransferOrder
        let body: [UInt8]
        var isRunning = false
        var outcome: Outcome?
    }

    private struct State: Sendable {
        var jobs: [TransferName: Job] = [:]
        var app: App?
        var isHeld = false
        var started: [TransferOrder] = []
    }

    private let state = LockedState<State> { State() }
    private let server: Server
    private let folder: URL

    init(_ folder: URL, _ server: @escaping Server) {
        self.folder = folder
        self.server = server
    }

    /// All orders so far.
    var started: [TransferOrder] { state.withLock { $0.started } }

    /// Holds all tasks back, or lets them continue.
    func hold(_ isHeld: Bool) async {
        state.withLock { $0.isHeld = isHeld }
        if !isHeld { await runAll() }
    }

    /// Runs all tasks to their ends.
    func runAll() async {
        for name in state.withLock({ $0.jobs.filter { $0.value.outcome == nil }.map(\.key) }) { await run(name) }
    }

    /// Makes the system forget all tasks, as if the user had ended the app or reset the device.
    func forgetAll() { state.withLock { $0.jobs = [:] } }

    /// A process of the app.
    final class App: TransferCarrier {
        let system: TransferSystem
        let life: Life
        private let known = LockedState<TransferRegistry?> { nil }

        init(_ system: TransferSystem, _ life: Life) {
            self.system = system
            self.life = life
        }

        /// The registry of the process, with its journal.
        func makeRegistry(_ journal: URL, acceptsOnce: Bool = true) -> TransferRegistry {
            let registry = TransferRegistry(
                TransferJournal(folder: journal.path) { [life] in life.step() }, self, acceptsOnce: acceptsOnce)
            known.withLock { $0 = registry }
            system.state.withLock { $0.app = self }
            return registry
        }

        var registry: TransferRegistry? { life.isOver ? nil : known.withLock { $0 } }

        func start(_ order: TransferOrder) {
            guard life.step() else { return }
            let body = order.bodyPath.flatMap { FileManager.default.contents(atPath: $0) }.map(Array.init)
            let isHeld = system.state.withLock { state in
                state.started.append(order)
                state.jobs[order.name] = Job(order: order, body: body ?? order.request.body ?? [])
                return state.isHeld
            }
            if !isHeld { Task { [system] in await system.run(order.name) } }
        }

        func cancel(_ name: TransferName) {
            guard life.step() else { return }
            system.state.withLock { _ = $0.jobs.removeValue(forKey: name) }
        }

        func underWay() async -> [TransferName] {
            guard !life.isOver else { return [] }
            for name in system.state.withLock({ $0.jobs.filter { $0.value.outcome != nil }.map(\.key) }) {
                system.tell(name)
            }
            return system.state.withLock { Array($0.jobs.keys) }
        }
    }

    private func run(_ name: TransferName) async {
        let job = state.withLock { state -> Job? in
            guard let job = state.jobs[name], !job.isRunning else { return nil }
            state.jobs[name]?.isRunning = true
            return job
        }
        guard let job else { return }
        let outcome = await server(job.order.request, job.body)
        state.withLock { $0.jobs[name]?.outcome = outcome }
        tell(name)
    }

    /// Reports the outcome of a task to the running process, if one runs.
    private func tell(_ name: TransferName) {
        let (job, app) = state.withLock { ($0.jobs[name], $0.app) }
        guard let job, let outcome = job.outcome, let registry = app?.registry, let life = app?.life else { return }
        switch outcome {
        case .response(let status, let headers, let body):
            if job.order.bodyPath == nil {
                let file = folder.appendingPathComponent("received-\(UUID().uuidString)")
                try? Data(body).write(to: file)
                registry.receive(file.path, as: name)
                try? FileManager.default.removeItem(at: file)
            } else {
                _ = registry.append(body, of: name, isFirst: true)
            }
            registry.end(name, .response(status: status, headers), hasFile: job.order.bodyPath == nil)
        case .fault(let kind, let evidence): registry.end(name, .fault(kind, evidence))
        }
        // The process may have ended during the report. A system either counts the outcome as reported, or reports it again.
        // Both are simulated.
        if !life.isOver || name.attempt.utf8.reduce(0, &+) % 2 == 0 {
            state.withLock { _ = $0.jobs.removeValue(forKey: name) }
        }
    }
}
