import ErrandRuntime
import Foundation
import Testing

@testable import ErrandUI

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Passwords on a terminal of the system's. One at a time: signal handlers belong to the process.
@Suite(.serialized, .timeLimit(.minutes(1))) struct TerminalPasswordTests {
    private let presenter = ErrorPresenter(texts: PresentationTexts(languages: ["en"]))

    /// Waits until something holds that another thread does.
    private func becomes(_ condition: () -> Bool) async -> Bool {
        let end = ContinuousClock.now + .seconds(30)
        while !condition(), ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(2)) }
        return condition()
    }

    /// Reads what a person at the terminal sees.
    private func watch(_ controller: Int32) -> FakeTerminal {
        let shown = FakeTerminal()
        let write = shown.streams.write
        let reader = Thread {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while case let count = read(controller, &buffer, buffer.count), count > 0 {
                write(String(decoding: buffer[..<count], as: UTF8.self))
            }
        }
        reader.start()
        return shown
    }

    private func type(_ text: String, at controller: Int32) {
        FileHandle(fileDescriptor: controller, closeOnDealloc: false).write(Data(text.utf8))
    }

    @Test func aPasswordIsNotShown() async throws {
        let (controller, device) = try PseudoTerminal.open()
        let file = FileHandle(fileDescriptor: device, closeOnDealloc: false)
        let real = TerminalStreams(reading: file, writing: file)
        // Also where the tests themselves run in a dumb terminal.
        let terminal = TerminalHost(
            presenter,
            on: TerminalStreams(isInteractive: true, lines: real.lines, write: real.write, hideInput: real.hideInput))
        let shown = watch(controller)
        let asking = Task {
            let user = await terminal.ask("User: ")
            let password = await terminal.askPassword("Password: ")
            return (user, password, await terminal.ask("Account: "))
        }
        await shown.reads("User: ")
        #expect(PseudoTerminal.echoes(device))
        type("ada\n", at: controller)
        await shown.reads("Password: ")
        #expect(!PseudoTerminal.echoes(device))
        type("lovelace\n", at: controller)
        await shown.reads("Account: ")
        #expect(PseudoTerminal.echoes(device))
        type("7\n", at: controller)
        let answers = await asking.value
        #expect(answers == ("ada", "lovelace", "7"))
        await shown.reads("7\r\n")
        #expect(shown.text == "User: ada\r\nPassword: \r\nAccount: 7\r\n")
    }

    /// A signal's own action follows: here that of the test, which lets the process live.
    @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
    func aSignalShowsTypedTextAgain(signal: Int32) async throws {
        let (_, device) = try PseudoTerminal.open()
        var own = sigaction()
        var before = sigaction()
        #if canImport(Darwin)
        own.__sigaction_u.__sa_handler = { _ in }
        #elseif canImport(Glibc)
        own.__sigaction_handler.sa_handler = { _ in }
        #else
        own.__sa_handler.sa_handler = { _ in }
        #endif
        sigaction(signal, &own, &before)
        defer { sigaction(signal, &before, nil) }
        #expect(TerminalEcho.hide(device))
        #expect(!PseudoTerminal.echoes(device))
        #expect(!TerminalEcho.hide(device), "one password at a time")
        kill(getpid(), signal)
        #expect(await becomes { PseudoTerminal.echoes(device) })
        TerminalEcho.restore()
        #expect(TerminalEcho.hide(device))
        TerminalEcho.restore()
        #expect(PseudoTerminal.echoes(device))
    }

    @Test func whatIsNoTerminalHidesNothing() {
        #expect(!TerminalEcho.hide(Pipe().fileHandleForReading.fileDescriptor))
        #expect(!TerminalEcho.hide(-1))
        TerminalEcho.restore()
    }
}
