import BankClient
import ErrandRuntime
import ErrandTesting
import Foundation
import Testing

@testable import ErrandUI

extension AsyncStream<[UInt8]> {
    /// One chunk.
    fileprivate init(_ chunk: [UInt8]) {
        self.init { continuation in
            continuation.yield(chunk)
            continuation.finish()
        }
    }
}

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The presenter in a terminal, with the real clock and pipeline.
@Suite(.timeLimit(.minutes(1))) struct TerminalTests {
    private let presenter = ErrorPresenter(texts: PresentationTexts(languages: ["en"]), showsTechnicalLine: true)
    private let network = ScriptedPathMonitor()

    /// A bank whose server is down until it is told otherwise.
    private func makeBank(_ isDown: LockedState<Bool>, _ session: Session = Session()) -> Bank {
        let transport = ScriptedTransport { (request, _) async throws(TransportFault) in
            if isDown.withLock({ $0 }) { throw TransportFault(.refused, evidence: .notSent) }
            if request.url.hasSuffix("/sessions") {
                return TransportResponse(status: 200, body: Array(#"{"data":{"token":"t","customer":1}}"#.utf8))
            }
            guard request.headers["Authorization"] == "Bearer t" else { return TransportResponse(status: 401) }
            return TransportResponse(status: 200, body: Array(#"{"data":[]}"#.utf8))
        }
        let dispatcher = Dispatcher(
            transport: transport, network: network, responder: presenter,
            settings: DispatcherSettings(retry: RetryRule(attempts: 1)))
        return Bank(on: dispatcher, session: session)
    }

    private func loggedIn() async -> Session {
        let session = Session()
        await session.begin(SessionTokens(access: "t"))
        return session
    }

    @Test func aPersonTriesAgain() async throws {
        let isDown = LockedState { true }
        let bank = makeBank(isDown, await loggedIn())
        let fake = FakeTerminal()
        let terminal = TerminalHost(presenter, on: fake.streams)
        let accounts = try await terminal.run {
            async let accounts = bank.listAccounts()
            await fake.reads("[t] Try Again  [c] Close: ")
            fake.type("what?")
            await fake.reads("[t] Try Again  [c] Close: ", times: 2)
            isDown.withLock { $0 = false }
            fake.type("T ")
            return try await accounts
        }
        #expect(accounts.isEmpty)
        #expect(fake.text.hasPrefix("! No Answer. The server cannot be reached.\n  [Bank.unreachable, listAccounts]\n"))
    }

    @Test func anEmptyLineIsTheFirstButtonAndTheEndOfInputTheLast() async throws {
        let isDown = LockedState { true }
        let bank = makeBank(isDown, await loggedIn())
        let fake = FakeTerminal()
        let terminal = TerminalHost(presenter, on: fake.streams)
        let result = await terminal.run {
            async let result = bank.result(of: Bank.ListAccounts())
            await fake.reads("Close: ")
            fake.type("")
            await fake.reads("Close: ", times: 2)
            fake.endInput()
            return await result
        }
        #expect(throws: Bank.Failure.self) { try result.get() }
    }

    @Test func whatHasEndedByItselfTakesNoAnswer() async throws {
        let isDown = LockedState { true }
        let bank = makeBank(isDown, await loggedIn())
        let fake = FakeTerminal()
        let terminal = TerminalHost(presenter, on: fake.streams)
        network.goAway()
        let names = try await terminal.run {
            async let accounts = bank.listAccounts()
            await fake.reads("There is no connection to the network.")
            await fake.reads("Close: ")
            isDown.withLock { $0 = false }
            network.comeBack()
            await fake.reads("This is over.\n")
            // Meant for the question that has gone.
            fake.type("c")
            let count = try await accounts.count
            isDown.withLock { $0 = true }
            async let second = bank.result(of: Bank.ListAccounts())
            await fake.reads("Close: ", times: 2)
            isDown.withLock { $0 = false }
            fake.type("t")
            return try await (count, second.get().count)
        }
        #expect(names == (0, 0))
    }

    @Test func withoutATerminalThereAreLinesAndNoQuestions() async throws {
        let isDown = LockedState { true }
        let bank = makeBank(isDown, await loggedIn())
        let fake = FakeTerminal(isInteractive: false)
        let terminal = TerminalHost(presenter, on: fake.streams, logIn: { _ in true })
        let result = await terminal.run { await bank.result(of: Bank.ListAccounts()) }
        #expect(throws: Bank.Failure.self) { try result.get() }
        #expect(fake.text == "! No Answer. The server cannot be reached.\n  [Bank.unreachable, listAccounts]\n")
        #expect(await terminal.ask("Name: ") == nil)
        // The network is waited for.
        network.goAway()
        isDown.withLock { $0 = false }
        let accounts = try await terminal.run {
            async let accounts = bank.listAccounts()
            await fake.reads("! No Connection.")
            network.comeBack()
            return try await accounts
        }
        #expect(accounts.isEmpty)
    }

    @Test func aPersonLogsIn() async throws {
        let bank = makeBank(LockedState { false })
        let fake = FakeTerminal()
        let terminal = TerminalHost(presenter, on: fake.streams) { terminal in
            guard let user = await terminal.ask("User: "), let password = await terminal.askPassword("Password: ")
            else {
                return false
            }
            return (try? await terminal.loginClient(bank).logIn(user: user, password: password)) != nil
        }
        let accounts = try await terminal.run {
            async let accounts = bank.listAccounts()
            await fake.reads("[l] Log In  [c] Close: ")
            fake.type("l")
            await fake.reads("User: ")
            fake.type("ada")
            await fake.reads("Password: ")
            fake.type("lovelace")
            return try await accounts
        }
        #expect(accounts.isEmpty)
        #expect(fake.isHidden == [true, false])
    }

    /// The session has expired, and the contract's tokens name no user: the login of the terminal continues it all the same.
    @Test func aLoginInTheTerminalContinuesTheSession() async throws {
        let session = Session()
        await session.begin(SessionTokens(access: "old"))
        let bank = makeBank(LockedState { false }, session)
        let fake = FakeTerminal()
        let terminal = TerminalHost(presenter, on: fake.streams) { terminal in
            (try? await terminal.loginClient(bank).logIn(user: "ada", password: "lovelace")) != nil
        }
        let accounts = try await terminal.run {
            async let accounts = bank.listAccounts()
            await fake.reads("[l] Log In  [c] Close: ")
            fake.type("l")
            return try await accounts
        }
        #expect(accounts.isEmpty)
    }

    /// What the terminal cannot hide is not asked for.
    @Test func noPasswordIsAskedForThatEveryoneCanRead() async {
        let fake = FakeTerminal(canHide: false)
        let terminal = TerminalHost(presenter, on: fake.streams)
        #expect(await terminal.askPassword("Password: ") == nil)
        #expect(fake.text.isEmpty)
        let asking = Task { await terminal.ask("Name: ") }
        await fake.reads("Name: ")
        fake.type("ada")
        #expect(await asking.value == "ada")
    }

    @Test func aCancelledPasswordShowsTypedTextAgain() async {
        let fake = FakeTerminal()
        let terminal = TerminalHost(presenter, on: fake.streams)
        let asking = Task { await terminal.askPassword("Password: ") }
        await fake.reads("Password: ")
        #expect(fake.isHidden == [true])
        asking.cancel()
        #expect(await asking.value == nil)
        #expect(fake.isHidden == [true, false])
    }

    @Test func theBodysErrorIsThrown() async {
        let terminal = TerminalHost(presenter, on: FakeTerminal().streams)
        await #expect(throws: CommandFault.self) { try await terminal.run { throw CommandFault(.rejected) } }
    }

    // MARK: Progress

    @Test func aBarGivesWayToWhatIsSaid() async {
        let fake = FakeTerminal(width: 60)
        let terminal = TerminalHost(presenter, on: fake.streams)
        let progress = terminal.progress("Upload\u{1B}[2Jing", total: 4)
        progress.advance()
        progress.advance(by: .max)
        #expect(progress.fraction == 1)
        progress.finish()
        progress.advance()
        let room = 40
        func bar(_ percent: Int, _ number: String) -> String {
            let filled = room * percent / 100
            return
                "Uploading [\(String(repeating: "#", count: filled))\(String(repeating: ".", count: room - filled))] \(number)"
        }
        let erase = "\r\u{1B}[K"
        #expect(fake.text == bar(0, "  0 %") + erase + bar(25, " 25 %") + erase + bar(100, "100 %") + erase)
        for width in [0, 1, 10, 20, 80, 9_999] {
            for percent in [0, 9, 10, 99, 100] {
                let text = TerminalProgress.bar("Uploading", percent, width: width)
                #expect(text.count <= max(1, width - 1), "\(width)")
            }
        }
    }

    @Test func withoutATerminalProgressIsALineForEachQuarter() {
        let fake = FakeTerminal(isInteractive: false)
        let terminal = TerminalHost(presenter, on: fake.streams)
        let progress = terminal.progress("Sending", total: 1_000)
        for _ in 0..<1_000 { progress.advance() }
        progress.finish()
        #expect(fake.text == "Sending 0 %\nSending 25 %\nSending 50 %\nSending 75 %\nSending 100 %\n")
    }

    @Test func aBarWithoutATotalMovesAndCounts() {
        let fake = FakeTerminal(width: 60)
        let progress = TerminalHost(presenter, on: fake.streams).progress("Reading", total: nil)
        for _ in 1...3 { progress.advance() }
        #expect(progress.fraction == nil)
        progress.finish()
        let dots = String(repeating: ".", count: 35)
        let erase = "\r\u{1B}[K"
        #expect(
            fake.text == "Reading [#####\(dots)] 0\(erase)Reading [.#####\(dots.dropLast())] 1\(erase)"
                + "Reading [..#####\(dots.dropLast(2))] 2\(erase)Reading [...#####\(dots.dropLast(3))] 3\(erase)")
        for width in [0, 1, 10, 20, 80, 9_999] {
            for tick in [0, 1, 34, 35, 36, 70, 71, 1_000_000] {
                let text = TerminalProgress.bar("Reading", "1.5 GB", tick: tick, width: width)
                #expect(text.count <= max(1, width - 1), "\(width)")
                if width == 80 { #expect(text.filter { $0 == "#" }.count == 5 && text.count == 57, "\(text)") }
            }
        }
        let sizes = [0, 999, 1_000, 1_550, 999_999, 1_000_000, 1_572_864_000, .max]
        #expect(
            sizes.map(TerminalProgress.size) == [
                "0 B", "999 B", "1.0 kB", "1.5 kB", "999.9 kB", "1.0 MB", "1.5 GB", "9.2 EB",
            ])
    }

    /// The length of a transfer becomes known, and the transfer starts anew: each is shown.
    @Test func aBarFollowsATransfer() {
        for isInteractive in [true, false] {
            let fake = FakeTerminal(isInteractive: isInteractive, width: 60)
            let progress = TerminalHost(presenter, on: fake.streams).progress("File", total: nil)
            for bytes in [1_000, 1_004, 1_500, 4_000] { progress.update(to: TransferState(bytes: bytes, total: nil)) }
            progress.update(to: TransferState(bytes: 5_000, total: 10_000))
            #expect(progress.fraction == 0.5)
            progress.update(to: TransferState(bytes: 100, total: 10_000, restarts: 1))
            progress.update(to: TransferState(bytes: 10_000, total: 10_000, restarts: 1))
            progress.update(to: TransferState(bytes: 0, total: 0, restarts: 2))
            #expect(progress.fraction == 1)
            progress.finish()
            let shown =
                isInteractive
                ? fake.text.components(separatedBy: "\r\u{1B}[K").map { $0.components(separatedBy: "] ").last ?? "" }
                : fake.text.components(separatedBy: "\n").map { String($0.dropFirst(5)) }
            #expect(
                shown
                    == (isInteractive
                        ? ["0", "1.0 kB", "1.5 kB", "4.0 kB", " 50 %", "  1 %", "100 %", ""]
                        : ["0", "1.0 kB", "4.0 kB", "50 %", "1 %", "100 %", ""]))
        }
    }

    @Test func theBarOfARealTransferEndsWithIt() async throws {
        let fake = FakeTerminal(isInteractive: false)
        let bar = TerminalHost(presenter, on: fake.streams).progress("Upload", total: nil)
        let transfer = TransferProgress()
        let foundation = Progress(totalUnitCount: 0)
        var reader = try BodySource.stream(AsyncStream<[UInt8]>([7, 8])).reporting(to: transfer).makeReader()
        async let shown: Void = bar.follow(transfer)
        async let told: Void = transfer.report(to: foundation)
        while try await reader.next() != nil {}
        await shown
        await told
        bar.finish()
        #expect(fake.text.hasSuffix("Upload 2 B\n"))
        #expect(foundation.completedUnitCount == 2 && foundation.isIndeterminate)
        var again = try BodySource.bytes([1, 2, 3, 4]).reporting(to: transfer).makeReader()
        while try await again.next() != nil {}
        await transfer.report(to: foundation)
        #expect(
            foundation.completedUnitCount == 4 && foundation.totalUnitCount == 4 && foundation.fractionCompleted == 1)
    }

    @Test func thePromptHasTheBarsPlaceWhileItAsks() async throws {
        let isDown = LockedState { true }
        let bank = makeBank(isDown, await loggedIn())
        let fake = FakeTerminal()
        let terminal = TerminalHost(presenter, on: fake.streams)
        let progress = terminal.progress("Work", total: 2)
        _ = try await terminal.run {
            async let accounts = bank.listAccounts()
            await fake.reads("Close: ")
            progress.advance()
            isDown.withLock { $0 = false }
            fake.type("t")
            return try await accounts
        }
        let afterPrompt = fake.text.components(separatedBy: "Close: ").last ?? ""
        #expect(afterPrompt.hasPrefix("Work [") && afterPrompt.contains(" 50 %"))
        progress.finish()
    }

    // MARK: A real one

    @Test func aRealTerminalIsFoundAndRead() async throws {
        let (controller, device) = try PseudoTerminal.open()
        let file = FileHandle(fileDescriptor: device, closeOnDealloc: false)
        let screen = FileHandle(fileDescriptor: controller, closeOnDealloc: false)
        let streams = TerminalStreams(reading: file, writing: file)
        #expect(streams.isInteractive == (ProcessInfo.processInfo.environment["TERM"] != "dumb"))
        let pipe = Pipe()
        #expect(!TerminalStreams(reading: pipe.fileHandleForReading, writing: file).isInteractive)

        let isDown = LockedState { true }
        let bank = makeBank(isDown, await loggedIn())
        let terminal = TerminalHost(
            presenter,
            on: TerminalStreams(isInteractive: true, width: streams.width, lines: streams.lines, write: streams.write))
        // The terminal's content, as a person reads it.
        let shown = FakeTerminal()
        let write = shown.streams.write
        let reader = Thread {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(controller, &buffer, buffer.count)
                guard count > 0 else { return }
                write(String(decoding: buffer[..<count], as: UTF8.self))
            }
        }
        reader.start()
        let accounts = try await terminal.run {
            async let accounts = bank.listAccounts()
            await shown.reads("Close: ")
            isDown.withLock { $0 = false }
            screen.write(Data("t\n".utf8))
            return try await accounts
        }
        #expect(accounts.isEmpty)
        #expect(streams.width() > 0)
    }
}
