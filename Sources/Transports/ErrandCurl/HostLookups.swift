#if os(Linux)
import CCurl
import ErrandRuntime
import Foundation

/// Looks up the addresses of hosts, for all transports of the process.
///
/// A lookup is a call of `getaddrinfo`, which reads `/etc/hosts` and asks the system's name servers. It blocks a thread and holds
/// a descriptor until a server answers or the system gives up, and it cannot be cancelled. libcurl would start one for each request.
/// Here, all requests to a host share one lookup, and at most `maximumLookups` run at a time. Further hosts wait their turn, each
/// request for as long as its time limit allows. A few places are reserved for hosts whose last lookup succeeded, so that names
/// without an answer cannot hold up the hosts that a program usually talks to.
final class HostLookups: Sendable {
    static let shared = HostLookups()

    /// Gets the addresses in their textual form; none if the host has none, or if no server answered.
    typealias Receiver = @Sendable ([String]) -> Void

    /// A request's wait for the addresses of a host.
    struct Ticket: Sendable {
        fileprivate let host: String
        fileprivate let number: Int
    }

    private struct State {
        /// The requests that wait for a host, by the numbers of their tickets. Their host is also in `running` or in `queue`.
        var receivers: [String: [Int: Receiver]] = [:]
        /// The hosts with a thread. A lookup goes on when all of its requests were cancelled.
        var running: Set<String> = []
        /// The hosts without one, in the order of their turns.
        var queue: [String] = []
        /// The hosts whose last lookup succeeded.
        var found: Set<String> = []
        var number = 0
    }

    /// How many hosts whose last lookup succeeded are remembered.
    private static let maximumFound = 1_024

    private let maximumLookups: Int
    private let reservedLookups: Int
    private let lookUp: @Sendable (String) -> [String]
    private let state = LockedState<State> { State() }

    /// - Parameters:
    ///   - maximumLookups: how many lookups run at a time.
    ///   - reservedLookups: how many of them are reserved for hosts whose last lookup succeeded.
    ///   - lookUp: returns the addresses of a host. It may block for as long as it likes.
    init(
        maximumLookups: Int = 64, reservedLookups: Int = 8,
        lookUp: @escaping @Sendable (String) -> [String] = HostLookups.systemAddresses
    ) {
        self.maximumLookups = maximumLookups
        self.reservedLookups = reservedLookups
        self.lookUp = lookUp
    }

    /// Asks for the addresses of a host. The receiver is called once on another thread, unless the ticket is given back before.
    func ask(_ host: String, then receiver: @escaping Receiver) -> Ticket {
        let (ticket, hosts) = state.withLock { state in
            state.number += 1
            if state.receivers[host] == nil, !state.running.contains(host) { state.queue.append(host) }
            state.receivers[host, default: [:]][state.number] = receiver
            return (Ticket(host: host, number: state.number), takeTurns(&state))
        }
        start(hosts)
        return ticket
    }

    /// Gives a ticket back. A lookup that has begun goes on, and serves the next request to its host.
    func giveBack(_ ticket: Ticket) {
        state.withLock { state in
            state.receivers[ticket.host]?[ticket.number] = nil
            guard state.receivers[ticket.host]?.isEmpty == true else { return }
            state.receivers[ticket.host] = nil
            if let index = state.queue.firstIndex(of: ticket.host) { state.queue.remove(at: index) }
        }
    }

    /// The hosts whose turn has come.
    private func takeTurns(_ state: inout State) -> [String] {
        guard !state.queue.isEmpty, state.running.count < maximumLookups else { return [] }
        var hosts: [String] = []
        state.queue.removeAll { host in
            let limit = state.found.contains(host) ? maximumLookups : maximumLookups - reservedLookups
            guard state.running.count < limit else { return false }
            state.running.insert(host)
            hosts.append(host)
            return true
        }
        return hosts
    }

    private func start(_ hosts: [String]) {
        var hosts = hosts
        while let host = hosts.popLast() {
            // Without a thread, the host has no addresses, and the next one has its turn.
            if !startThread(host) { hosts += end(host, []) }
        }
    }

    private func startThread(_ host: String) -> Bool {
        let work = Unmanaged.passRetained(Work { [self] in start(end(host, lookUp(host))) })
        let isStarted = errand_curl_start_thread(
            { context in
                errand_curl_block_pipe_signal()
                context.map { Unmanaged<Work>.fromOpaque($0).takeRetainedValue().run() }
                return nil
            }, work.toOpaque())
        if !isStarted { work.release() }
        return isStarted
    }

    /// Hands the addresses of a host to all that wait for them, and returns the hosts whose turn has come.
    private func end(_ host: String, _ addresses: [String]) -> [String] {
        let (receivers, hosts) = state.withLock { state in
            state.running.remove(host)
            state.found.remove(host)
            if !addresses.isEmpty {
                if state.found.count >= Self.maximumFound { state.found.removeFirst() }
                state.found.insert(host)
            }
            return (state.receivers.removeValue(forKey: host) ?? [:], takeTurns(&state))
        }
        for receiver in receivers.values { receiver(addresses) }
        return hosts
    }

    /// What a thread does.
    private final class Work: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}

extension HostLookups {
    /// How many addresses of a host are used.
    private static let maximumAddresses = 64

    /// The addresses of a host of both families, in the system's order of preference (RFC 6724).
    static func systemAddresses(of host: String) -> [String] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        #if canImport(Glibc)
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
        hints.ai_socktype = SOCK_STREAM
        #endif
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &found) == 0 else { return [] }
        defer { freeaddrinfo(found) }
        var addresses: [String] = []
        var next = found
        while let entry = next?.pointee, addresses.count < maximumAddresses {
            if let text = text(of: entry) { addresses.append(text) }
            next = entry.ai_next
        }
        return addresses
    }

    /// Nil for an address that only names a host together with a network interface, which libcurl can't be given.
    private static func text(of entry: addrinfo) -> String? {
        let capacity = 128
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            buffer.withMemoryRebound(to: CChar.self) { characters in
                let code = getnameinfo(
                    entry.ai_addr, entry.ai_addrlen, characters.baseAddress, socklen_t(capacity), nil, 0,
                    NI_NUMERICHOST)
                count = code == 0 ? characters.firstIndex(of: 0) ?? 0 : 0
            }
        }
        return bytes.isEmpty || bytes.contains(UInt8(ascii: "%")) ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
#endif
