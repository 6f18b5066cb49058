#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The hosts that are reached without a proxy, by the rules of curl 7.86 and later for `no_proxy`.
struct DirectHosts: Sendable, Hashable {
    private enum Pattern: Sendable, Hashable {
        /// The name of a host, or of a domain that contains it.
        case name(String)
        /// An address, of which so many bits count.
        case address([UInt8], bits: Int)
    }

    private struct Entry: Sendable, Hashable {
        let pattern: Pattern
        /// Nil for all ports.
        let port: Int?
    }

    private let isEveryHost: Bool
    private let entries: [Entry]

    /// Reads the entries: `example.com` and `.example.com` are this host and all hosts in its domain, `10.0.0.0/8` and `fe80::/10`
    /// are networks. A list of `*` alone is every host. An entry that is none of these is no host's.
    ///
    /// - Parameter readsPorts: whether `example.com:8443` is an entry for one port, which it isn't in curl.
    init(_ list: [String], readsPorts: Bool = true) {
        isEveryHost = list == ["*"]
        entries = list.compactMap { Self.entry($0, readsPorts) }
    }

    /// Reads a list as a variable has it, with commas or blanks.
    init(list: String, readsPorts: Bool = true) {
        self.init(
            list.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }).map(String.init),
            readsPorts: readsPorts)
    }

    func contains(_ origin: Origin) -> Bool {
        if isEveryHost { return true }
        if entries.isEmpty { return false }
        let host = origin.host.hasPrefix("[") ? String(origin.host.dropFirst().dropLast()) : origin.host
        let address = Self.address(host)
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        return entries.contains { entry in
            guard entry.port == nil || entry.port == origin.port else { return false }
            switch (entry.pattern, address) {
            case (.address(let network, let bits), let address?): return Self.isEqual(network, address, bits)
            case (.name(let known), nil): return name == known || name.hasSuffix("." + known)
            default: return false
            }
        }
    }

    // MARK: Entries

    private static func entry(_ text: String, _ readsPorts: Bool) -> Entry? {
        var (rest, port) = (text[...], Int?.none)
        if readsPorts, let colon = text.lastIndex(of: ":"),
            text[..<colon].last == "]" || text.firstIndex(of: ":") == colon
        {
            guard let number = Int(text[text.index(after: colon)...]), (1...65_535).contains(number) else { return nil }
            (rest, port) = (text[..<colon], number)
        }
        if readsPorts, rest.first == "[", rest.last == "]" { rest = rest.dropFirst().dropLast() }
        if let network = network(rest) { return Entry(pattern: network, port: port) }
        if rest.last == "." { rest.removeLast() }
        if rest.first == "." { rest.removeFirst() }
        return rest.isEmpty ? nil : Entry(pattern: .name(rest.lowercased()), port: port)
    }

    /// An address, or a network in the notation of CIDR (RFC 4632). As in curl, 0 bits mean all of them.
    private static func network(_ text: Substring) -> Pattern? {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let bytes = address(String(parts[0])) else { return nil }
        guard parts.count == 2 else { return .address(bytes, bits: bytes.count * 8) }
        guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let bits = Int(parts[1]),
            bits <= bytes.count * 8
        else { return nil }
        return .address(bytes, bits: bits == 0 ? bytes.count * 8 : bits)
    }

    private static func isEqual(_ network: [UInt8], _ address: [UInt8], _ bits: Int) -> Bool {
        guard network.count == address.count, network.prefix(bits / 8) == address.prefix(bits / 8) else { return false }
        guard bits % 8 > 0 else { return true }
        return (network[bits / 8] ^ address[bits / 8]) >> (8 - bits % 8) == 0
    }

    /// The bytes of an address of either family; nil for a name.
    private static func address(_ text: String) -> [UInt8]? {
        for (family, size) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: size)
            if inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        return nil
    }
}
