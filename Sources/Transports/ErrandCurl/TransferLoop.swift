#if os(Linux)
import CCurl
import ErrandRuntime

/// The work of a transport's thread. All calls of libcurl are here.
struct TransferLoop: ~Copyable {
    /// How long connections are kept when no request is under way.
    private static let idleTime = Duration.seconds(60)
    /// The maximum number of handles and of connections, for all hosts together, that are kept for later requests.
    private static let keptHandles = 32
    private static let keptConnections = 128

    private let mailbox: Mailbox
    private let multi: UnsafeMutableRawPointer
    private var transfers: [ObjectIdentifier: Transfer] = [:]
    private let arrivals = Arrivals()
    private let openings = PendingConnections()
    /// The deadlines of requests that libcurl doesn't end in time: those that wait for addresses or for a connection, and those whose streamed responses
    /// haven't begun. libcurl's own limit would apply to the stream as well.
    private var deadlines: [ObjectIdentifier: ContinuousClock.Instant] = [:]
    private var tickets: [ObjectIdentifier: HostLookups.Ticket] = [:]
    private var handles: [UnsafeMutableRawPointer] = []

    /// Nil if libcurl can't allocate it. All orders then fail.
    init?(_ mailbox: Mailbox) {
        guard let multi = errand_curl_multi_make() else {
            repeat {
                for case .start(let exchange) in mailbox.takeOrders() { Self.refuse(exchange) }
            } while !mailbox.retire()
            return nil
        }
        self.mailbox = mailbox
        self.multi = multi
        errand_curl_multi_set(multi, CInt(errand_curlmopt_maximum_host_connections), mailbox.connectionsPerHost)
        errand_curl_multi_set(multi, CInt(errand_curlmopt_maximum_kept_connections), Self.keptConnections)
    }

    deinit {
        for handle in handles { errand_curl_easy_free(handle) }
        errand_curl_multi_free(multi)
    }

    private static func refuse(_ exchange: Exchange) {
        exchange.end { _ in .failure(TransportFault(.refused, evidence: .notSent)) }
    }

    consuming func run() {
        // A write to a closed connection is an error, not the end of the process.
        errand_curl_block_pipe_signal()
        var idleSince: ContinuousClock.Instant?
        while true {
            for order in mailbox.takeOrders() { carryOut(order) }
            _ = errand_curl_multi_perform(multi)
            arrivals.deliver()
            takeResults()
            endLateOnes()
            for id in openings.takeReleased() { takeTurn(id) }
            if mailbox.isClosed, transfers.isEmpty, mailbox.retire() { return }
            let now = ContinuousClock.now
            idleSince = transfers.isEmpty ? idleSince ?? now : nil
            if let idleSince, now - idleSince >= Self.idleTime, mailbox.retire() { return }
            wait(
                until: [idleSince.map { $0 + Self.idleTime }, deadlines.values.min(), openings.nextTurn].compactMap {
                    $0
                }.min(), now)
        }
    }

    private func wait(until end: ContinuousClock.Instant?, _ now: ContinuousClock.Instant) {
        guard mailbox.beginWaiting(multi) else { return }
        let longest = CInt(60_000)
        // One millisecond more, so that the time is over then.
        let limit = end.map { CInt(min(max(0, ($0 - now).milliseconds + 1), Int(longest))) } ?? longest
        _ = errand_curl_multi_poll(multi, limit)
        mailbox.endWaiting()
    }

    private mutating func carryOut(_ order: Mailbox.Order) {
        switch order {
        case .start(let exchange): start(exchange)
        case .stop(let exchange): drop(ObjectIdentifier(exchange), isCancelled: true)
        case .resume(let exchange, let direction): transfers[ObjectIdentifier(exchange)]?.resume(direction)
        case .connect(let exchange, let peer, let addresses): connect(exchange, peer, addresses)
        }
    }

    private mutating func start(_ exchange: Exchange) {
        guard !exchange.isOver else { return }
        guard let handle = handles.popLast() ?? errand_curl_easy_make() else { return Self.refuse(exchange) }
        let transfer = Transfer(exchange, handle, arrivals, openings)
        guard transfer.prepare(), errand_curl_multi_add(multi, handle) == 0 else {
            errand_curl_easy_free(handle)
            return exchange.end { _ in .failure(TransportFault(.unreadable, evidence: .notSent)) }
        }
        let id = ObjectIdentifier(exchange)
        transfers[id] = transfer
        if exchange.request.streamsResponse { deadlines[id] = exchange.deadline }
    }

    private mutating func takeResults() {
        var result: CInt = 0
        while let handle = errand_curl_multi_next(multi, &result) {
            guard let context = errand_curl_context(handle) else { continue }
            let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
            if transfer.isHeld, !transfer.exchange.isSent {
                hold(transfer)
                continue
            }
            switch transfer.need(after: result) {
            case .addresses(let peer):
                lookUp(peer, for: transfer)
            case .nothing:
                beginAgain(transfer)
            case nil:
                transfer.finish(result)
                drop(ObjectIdentifier(transfer.exchange))
            }
        }
    }

    // MARK: Addresses

    private mutating func lookUp(_ peer: Peer, for transfer: Transfer) {
        _ = errand_curl_multi_remove(multi, transfer.handle)
        let exchange = transfer.exchange
        let id = ObjectIdentifier(exchange)
        deadlines[id] = exchange.deadline
        tickets[id] = mailbox.lookups.ask(peer.host) { [mailbox] addresses in
            mailbox.post(.connect(exchange, peer, addresses: addresses))
        }
    }

    private mutating func connect(_ exchange: Exchange, _ peer: Peer, _ addresses: [String]) {
        let id = ObjectIdentifier(exchange)
        tickets[id] = nil
        guard let transfer = transfers[id] else { return }
        if transfer.take(addresses, of: peer) { return beginAgain(transfer) }
        transfer.finish(CInt(errand_curle_unresolved_host))
        drop(id)
    }

    // MARK: Connections

    private mutating func hold(_ transfer: Transfer) {
        _ = errand_curl_multi_remove(multi, transfer.handle)
        let exchange = transfer.exchange
        deadlines[ObjectIdentifier(exchange)] = exchange.deadline
        openings.wait(ObjectIdentifier(exchange), for: exchange.origin)
    }

    private mutating func takeTurn(_ id: ObjectIdentifier) {
        guard let transfer = transfers[id] else { return }
        transfer.takeTurn()
        beginAgain(transfer)
    }

    private mutating func beginAgain(_ transfer: Transfer) {
        let id = ObjectIdentifier(transfer.exchange)
        if !transfer.exchange.request.streamsResponse { deadlines[id] = nil }
        transfer.setTimeLimit()
        _ = errand_curl_multi_remove(multi, transfer.handle)
        guard errand_curl_multi_add(multi, transfer.handle) != 0 else { return }
        transfer.finish(CInt(errand_curle_unresolved_host))
        drop(id)
    }

    // MARK: Ends

    private mutating func endLateOnes() {
        guard !deadlines.isEmpty else { return }
        let now = ContinuousClock.now
        for (id, deadline) in deadlines {
            guard let transfer = transfers[id], !transfer.isHandedOver else {
                deadlines[id] = nil
                continue
            }
            guard deadline <= now else { continue }
            transfer.finish(CInt(errand_curle_timeout))
            drop(id)
        }
    }

    /// Takes a transfer from libcurl, which closes its connection if it has not ended.
    private mutating func drop(_ id: ObjectIdentifier, isCancelled: Bool = false) {
        if let ticket = tickets.removeValue(forKey: id) { mailbox.lookups.giveBack(ticket) }
        deadlines[id] = nil
        guard let transfer = transfers.removeValue(forKey: id) else { return }
        openings.end(id, to: transfer.exchange.origin, isCancelled: isCancelled)
        _ = errand_curl_multi_remove(multi, transfer.handle)
        guard handles.count < Self.keptHandles else { return errand_curl_easy_free(transfer.handle) }
        errand_curl_easy_reset(transfer.handle)
        handles.append(transfer.handle)
    }
}

/// The transfers with bytes to hand over. Used on the transport's thread only.
final class Arrivals {
    private var transfers: [Transfer] = []

    func note(_ transfer: Transfer) { transfers.append(transfer) }

    func deliver() {
        guard !transfers.isEmpty else { return }
        for transfer in transfers { transfer.deliver() }
        transfers.removeAll(keepingCapacity: true)
    }
}

extension Duration {
    /// Rounded down.
    var milliseconds: Int {
        Int(clamping: components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000)
    }
}
#endif
