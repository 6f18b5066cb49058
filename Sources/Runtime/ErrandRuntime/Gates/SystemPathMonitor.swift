#if canImport(Network)
import Dispatch
import Network

/// Reports the state of the network from `NWPathMonitor`.
public final class SystemPathMonitor: PathMonitor {
    /// One for the whole process.
    public static let shared = SystemPathMonitor()

    private let monitor = NWPathMonitor()
    private let followers = EventFollowers<NetworkPath>(limit: 1)

    private init() {
        monitor.pathUpdateHandler = { [followers] path in followers.tell(NetworkPath(path)) }
        monitor.start(queue: DispatchQueue(label: "errand.path"))
    }

    public var current: NetworkPath { NetworkPath(monitor.currentPath) }

    public func paths() -> AsyncStream<NetworkPath> {
        followers.stream { [monitor] in NetworkPath(monitor.currentPath) }
    }
}

extension NetworkPath {
    init(_ path: NWPath) {
        let kind: Kind =
            if path.usesInterfaceType(.wiredEthernet) {
                .wired
            } else if path.usesInterfaceType(.wifi) {
                .wiFi
            } else if path.usesInterfaceType(.cellular) {
                .cellular
            } else {
                .other
            }
        self.init(
            isSatisfied: path.status == .satisfied, kind: kind, isExpensive: path.isExpensive,
            isConstrained: path.isConstrained)
    }
}
#else
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reports the state of the network. On Linux this is whether a route out exists, which is looked up every two seconds while
/// the monitor has a reader.
///
/// Linux has no notion of billed traffic, so no path is expensive or constrained.
public final class SystemPathMonitor: PathMonitor {
    /// One for the whole process.
    public static let shared = SystemPathMonitor()

    private let routes: RoutingTable
    private let interval: Duration

    /// - Parameters:
    ///   - folder: the folder of the kernel's tables, or another one in a test.
    ///   - interval: how often they are looked up.
    init(routes: RoutingTable = RoutingTable(), interval: Duration = .seconds(2)) {
        self.routes = routes
        self.interval = interval
    }

    public var current: NetworkPath { routes.path() }

    public func paths() -> AsyncStream<NetworkPath> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            // Detached, because the task runs for as long as the path is followed, without the task-local values of the
            // follower.
            let task = Task.detached { [routes, interval] in
                while !Task.isCancelled {
                    continuation.yield(routes.path())
                    do { try await Task.sleep(for: interval) } catch { break }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

/// The kernel's routes (proc(5), `/proc/net/route` and `/proc/net/ipv6_route`).
struct RoutingTable: Sendable {
    var processes = "/proc/net"
    var interfaces = "/sys/class/net"

    /// The path over the default route, or without one, over any that leaves the machine: a server may
    /// talk to nothing but its neighbors. If the tables can't be read, only an attempt can tell.
    func path() -> NetworkPath {
        guard let table = text(processes + "/route") else { return .satisfied }
        let routes = routes(table) + newerRoutes(text(processes + "/ipv6_route") ?? "")
        guard let route = routes.first(where: \.isDefault) ?? routes.first else { return .unsatisfied }
        let name = route.interface
        if FileManager.default.fileExists(atPath: interfaces + "/" + name + "/wireless") {
            return NetworkPath(isSatisfied: true, kind: .wiFi)
        }
        if name.hasPrefix("wwan") || name.hasPrefix("ppp") {
            return NetworkPath(isSatisfied: true, kind: .cellular)
        }
        if name.hasPrefix("eth") || name.hasPrefix("en") {
            return NetworkPath(isSatisfied: true, kind: .wired)
        }
        return .satisfied
    }

    private struct Route {
        var interface: String
        var isDefault: Bool
    }

    /// Interface, destination, gateway, flags, references, uses, metric, mask, …: numbers in hexadecimal, a
    /// header line first.
    private func routes(_ table: String) -> [Route] {
        table.split(separator: "\n").dropFirst().compactMap { line in
            let columns = line.split(whereSeparator: { $0 == "\t" || $0 == " " })
            guard columns.count >= 8, columns[0] != "lo", isUp(columns[3]) else { return nil }
            let isDefault = columns[1] == "00000000" && columns[7] == "00000000"
            return Route(interface: String(columns[0]), isDefault: isDefault)
        }
    }

    /// Destination, its prefix's length, source, its length, next hop, metric, references, uses, flags, interface.
    /// Every interface has routes for its own link and for multicast, whether or not anything is at the other end.
    private func newerRoutes(_ table: String) -> [Route] {
        table.split(separator: "\n").compactMap { line in
            let columns = line.split(separator: " ", omittingEmptySubsequences: true)
            guard columns.count >= 10, columns[9] != "lo", isUp(columns[8]),
                !columns[0].hasPrefix("fe80"), !columns[0].hasPrefix("ff")
            else { return nil }
            let isDefault = columns[1] == "00" && columns[0].allSatisfy { $0 == "0" }
            return Route(interface: String(columns[9]), isDefault: isDefault)
        }
    }

    /// `RTF_UP` is set and `RTF_REJECT` is not.
    private func isUp(_ flags: Substring) -> Bool {
        guard let bits = UInt32(flags, radix: 16) else { return false }
        return bits & 0x1 != 0 && bits & 0x200 == 0
    }

    private func text(_ path: String) -> String? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        return String(decoding: data, as: UTF8.self)
    }
}
#endif
