public import ErrandRuntime

/// The requirements that the pipeline's promises place on a transport of messages, as a suite of checks.
///
/// The checks need a server whose texts are orders: `echo TEXT` sends the text back, `burst N` sends the numbers below N, `long N` sends
/// a text of N bytes, `binary N` sends bytes, `close CODE` closes, `cut` ends the connection without closing, `flood` sends texts of 64
/// KiB as long as it can, and `flooded` says how many of those were sent so far.
public enum MessageConformance {
    public static let checks: [Check] = exchangeChecks + endChecks + boundChecks

    /// One requirement.
    public struct Check: Sendable, CustomStringConvertible {
        public let name: String
        public let requirement: String
        let attempt: @Sendable (MessageTrial) async throws -> Void

        init(
            _ name: String, _ requirement: String, _ attempt: @escaping @Sendable (MessageTrial) async throws -> Void
        ) {
            self.name = name
            self.requirement = requirement
            self.attempt = attempt
        }

        public var description: String { name }

        /// Runs the check.
        ///
        /// - Returns: what the transport did that it must not; empty if it conforms. It returns after a bounded time.
        public func run(on transport: any MessageTransport, _ opening: ConnectionOpening) async -> [String] {
            let trial = MessageTrial(transport, opening)
            do {
                try await trial.bounded { try await attempt(trial) }
            } catch {
                trial.note("it failed: \(error)")
            }
            return trial.seen.map { "\(name): \($0)\n  required: \(requirement)" }
        }
    }

    // MARK: Messages

    private static let exchangeChecks = [
        Check("echo", "a text arrives as it was sent") { trial in
            let connection = try await trial.open()
            for text in ["", "a", "ö€😀\u{0}", String(repeating: "b", count: 125), String(repeating: "c", count: 126)] {
                try await trial.expect("echo " + text, [.text(Array(text.utf8))], on: connection)
            }
        },
        Check("long", "long texts arrive whole, in both directions") { trial in
            let connection = try await trial.open()
            for size in [65_535, 65_536, 1 << 20] {
                let text = String(repeating: "d", count: size)
                try await trial.expect("echo " + text, [.text(Array(text.utf8))], on: connection)
            }
        },
        Check("order", "messages keep their order, in both directions") { trial in
            let connection = try await trial.open()
            for number in 0..<200 {
                let order = Array("echo \(number)".utf8)
                if number.isMultiple(of: 3) || !connection.sendAtOnce(order) { try await connection.send(order) }
            }
            for number in 0..<200 { try await trial.expect([.text(Array("\(number)".utf8))], on: connection) }
            try await trial.expect("burst 500", (0..<500).map { .text(Array("\($0)".utf8)) }, on: connection)
        },
        Check("binary", "bytes are told from text") { trial in
            let connection = try await trial.open()
            try await trial.expect("binary 70000", [.binary(count: 70_000)], on: connection)
            try await trial.expect("echo a", [.text([97])], on: connection)
        },
        Check("notice", "an action is called once when something has arrived, and at the end") {
            trial in
            let connection = try await trial.open()
            let (calls, called) = AsyncStream.makeStream(of: Void.self)
            let count = LockedState<Int> { 0 }
            let action: @Sendable () -> Void = {
                count.withLock { $0 += 1 }
                called.yield()
            }
            var iterator = calls.makeAsyncIterator()
            try await connection.send(Array("echo a".utf8))
            let notice = connection.notify(action)
            switch notice {
            case .set: await iterator.next()
            case .arrived: break
            case .unavailable: return
            }
            let first = connection.receiveAtOnce()
            trial.check(first == .text([97]), "a notice came, and \(first.map { "\($0)" } ?? "nothing") was there")
            try await trial.expect("echo b", [.text([98])], on: connection)
            let wanted = notice == .set ? 1 : 0
            trial.check(count.withLock { $0 } == wanted, "an action was called \(count.withLock { $0 }) times")
            try await connection.send(Array("cut".utf8))
            if connection.notify(action) == .set { await iterator.next() }
            trial.check(connection.receiveAtOnce() == nil, "a message came with the end")
            let fault = await trial.fault(of: connection)
            trial.check(fault?.kind == .lost, "it ended as \(fault.map { "\($0)" } ?? "a message")")
        },
        Check("ping", "a ping gets one pong, after which texts arrive as before") { trial in
            let connection = try await trial.open()
            try await connection.ping()
            try await trial.expect([.pong], on: connection)
            try await trial.expect("echo a", [.text([97])], on: connection)
        },
        Check("bytes", "the bytes that arrive are counted, or none are") { trial in
            let connection = try await trial.open()
            try await trial.expect("echo a", [.text([97])], on: connection)
            let before = connection.receivedByteCount
            try await trial.expect("long 100000", [.text(Array(repeating: 0x78, count: 100_000))], on: connection)
            let count = connection.receivedByteCount - before
            let isUncounted = before == 0 && count == 0
            trial.check(isUncounted || 100_000..<200_000 ~= count, "\(count) bytes of 100,000 were counted")
        },
        Check("canceled-receive", "a canceled receiver loses nothing, and the connection stays open") { trial in
            let connection = try await trial.open()
            let receiver = Task { () -> TransportFault.Kind? in
                do throws(TransportFault) {
                    _ = try await connection.receive()
                    return nil
                } catch {
                    return error.kind
                }
            }
            receiver.cancel()
            let kind = await receiver.value
            trial.check(kind == .cancelled, "the receiver ended as \(kind.map { "\($0)" } ?? "a message")")
            try await trial.expect("echo a", [.text([97])], on: connection)
        },
    ]

    // MARK: The end

    private static let endChecks = [
        Check("old-tls", "a server that has no TLS after version 1.1 is `tls`, `notSent`") { trial in
            let server = try RawServer { connection, _ in
                _ = connection.readPart(10_000)
                connection.write(TransportConformance.oldServerHello)
                // A client that goes on waits for the certificate.
                _ = connection.isClosedByClient(within: 20)
            }
            let opening = ConnectionOpening(
                url: "wss://127.0.0.1:\(server.port)/", timeout: .seconds(5), maximumMessageSize: 1 << 10)
            do {
                _ = try await trial.open(opening)
                trial.note("it is open")
            } catch OpeningFault.failed(let fault) where fault.kind == .tls && fault.evidence == .notSent {
            } catch {
                trial.note("it failed as \(error)")
            }
        },
        Check("close-by-server", "the server's code arrives, and again whenever it is asked for") { trial in
            let connection = try await trial.open()
            let end = ReceivedMessage.closed(CloseCode(rawValue: 4001))
            try await trial.expect("close 4001", [end, end], on: connection)
            await connection.close(.normal)
        },
        Check("cut", "a connection that ends without closing is lost") { trial in
            let connection = try await trial.open()
            try await connection.send(Array("cut".utf8))
            for _ in 0..<2 {
                let fault = await trial.fault(of: connection)
                trial.check(fault?.kind == .lost, "it ended as \(fault.map { "\($0)" } ?? "a message")")
            }
            trial.check(!connection.sendAtOnce([97]), "a connection that has ended took a message")
            do throws(TransportFault) {
                try await connection.send([97])
                trial.note("a message was sent over a connection that has ended")
            } catch {
                trial.check(error.evidence == .notSent, "a message after the end is \(error.evidence)")
            }
        },
        Check("close-by-client", "closing ends the connection, for its receiver too, and may be repeated") { trial in
            let connection = try await trial.open()
            await connection.close(.goingAway)
            await connection.close(.normal)
            trial.check(!connection.sendAtOnce([97]), "a closed connection took a message")
            do throws(TransportFault) {
                try await connection.send([97])
                trial.note("a message was sent over a closed connection")
            } catch {
                trial.check(error.evidence == .notSent, "a message after the end is \(error.evidence)")
            }
            var isOver = false
            do {
                if case .closed = try await connection.receive() { isOver = true }
            } catch {
                isOver = true
            }
            trial.check(isOver, "a message arrived over a closed connection")
        },
    ]

    // MARK: Bounds

    private static let boundChecks = [
        Check("oversized", "a text above the limit ends the connection, one of the limit does not") { trial in
            var opening = trial.opening
            opening.maximumMessageSize = 100_000
            let connection = try await trial.open(opening)
            try await connection.send(Array("long 100000".utf8))
            guard case .text(let bytes) = try await connection.receive(), bytes.count == 100_000 else {
                return trial.note("a text of the limit did not arrive")
            }
            try await connection.send(Array("long 100001".utf8))
            let fault = await trial.fault(of: connection)
            trial.check(fault?.kind == .oversized, "it ended as \(fault.map { "\($0)" } ?? "a message")")
        },
        Check("back-pressure", "a receiver that does not ask holds the server back") { trial in
            let (flooded, watching) = (try await trial.open(), try await trial.open())
            try await flooded.send(Array("flood".utf8))
            // So many texts fill the buffers of any system. A transport that reads on takes more all the time.
            var counts: [Int] = []
            while counts.count < 4 || Set(counts.suffix(4)).count > 1 {
                try await watching.send(Array("flooded".utf8))
                guard case .text(let bytes) = try await watching.receive() else {
                    return trial.note("no count arrived")
                }
                counts.append(Int(String(decoding: bytes, as: UTF8.self)) ?? 0)
                guard counts.last ?? 0 < 2_000 else {
                    return trial.note("the server has sent \(counts.last ?? 0) texts to a receiver that did not ask")
                }
                try await Task.sleep(for: .milliseconds(50))
            }
            for _ in 0..<10 {
                guard case .text(let bytes) = try await flooded.receive(), bytes.count == 65_536 else {
                    return trial.note("a text was lost")
                }
            }
        },
        Check("full", "a connection takes no more messages at once than a server that does not read leaves room for") {
            trial in
            let connection = try await trial.open()
            // The server sends back what nobody receives, until it cannot, and then reads no more.
            let order = Array("echo ".utf8) + Array(repeating: 100, count: 65_536)
            var count = 0
            while connection.sendAtOnce(order) {
                count += 1
                guard count < 2_000 else { return trial.note("it took \(count) texts of 64 KiB at once") }
                await Task.yield()
            }
        },
        Check("canceled-opening", "a canceled opening returns soon") { trial in
            let opening = Task { try await trial.open() }
            opening.cancel()
            _ = try? await opening.value
        },
    ]
}
