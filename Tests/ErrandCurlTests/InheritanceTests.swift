#if os(Linux)
import ErrandCurl
import ErrandRuntime
import ErrandTransportConformance
import Foundation
import Testing

/// What a process inherits that is started while requests are under way.
@Suite(.serialized, .timeLimit(.minutes(2))) struct InheritanceTests {
    @Test func aProcessInheritsNothingOfATransport() async throws {
        let hasArrived = LockedState<Int> { 0 }
        let server = try RawServer { connection, _ in
            while let request = connection.readRequest() {
                if request.contains("/kept") {
                    connection.respond("200 OK", "", "x")
                } else {
                    hasArrived.withLock { $0 += 1 }
                    _ = connection.isClosedByClient(within: 60)
                }
            }
        }
        let before = Self.inherited()
        // Two with idle connections, in addition to the one with requests.
        let transports = [CurlTransport(), CurlTransport(), CurlTransport()]
        for transport in transports.dropFirst() {
            #expect(try await transport.send(TransportRequest(method: .get, url: server.url + "/kept")).status == 200)
        }
        let running = (0..<12).map { number in
            Task { try await transports[0].send(TransportRequest(method: .get, url: "\(server.url)/\(number)")) }
        }
        let end = ContinuousClock.now + .seconds(30)
        while hasArrived.withLock({ $0 }) < 12, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(hasArrived.withLock { $0 } == 12)
        let during = Self.inherited()
        #expect(before.isSuperset(of: ["0", "1", "2"]))
        // The last one is the folder that is listed.
        #expect(during.subtracting(before).filter { !$0.contains("/proc/") } == [])
        for task in running { task.cancel() }
        withExtendedLifetime(transports) {}
    }

    /// The descriptors of a started process, with what they are.
    private static func inherited() -> Set<String> {
        guard let output = popen("ls -l /proc/self/fd", "re") else { return [] }
        defer { pclose(output) }
        var lines: Set<String> = []
        var buffer = [CChar](repeating: 0, count: 1_024)
        while fgets(&buffer, Int32(buffer.count), output) != nil {
            let text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            guard let arrow = text.range(of: " -> "),
                let number = text[..<arrow.lowerBound].split(separator: " ").last.flatMap({ Int($0) })
            else { continue }
            let target = text[arrow.upperBound...].trimmingCharacters(in: .newlines)
            // Of the standard streams, only the numbers: each listing has another pipe.
            lines.insert(number > 2 ? "\(number) -> \(target)" : "\(number)")
        }
        return lines
    }
}
#endif
