#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A program that was run to its end.
struct ChildProcess {
    /// The exit status. If a signal ended the program, 128 plus the signal's number, as in a shell.
    let status: Int32
    let output: [UInt8]
    let complaints: String
    /// Whether it printed more than was asked for. It was then ended, and ``output`` is not complete.
    let wasTooLong: Bool

    /// The kept bytes of what a program complains.
    private static let mostComplaints = 1 << 16

    /// Runs a program without standard input, and waits for it.
    ///
    /// - Parameters:
    ///   - program: The path from the root. Nothing is searched for.
    ///   - environment: All variables that it gets, as `NAME=VALUE`.
    ///   - limit: How many bytes it may print.
    /// - Throws: `ENOENT` if no such program exists.
    init(_ program: String, _ arguments: [String], environment: [String], limit: Int) throws(SystemFailure) {
        let out = try Channel()
        let err = try Channel()
        var process = pid_t()
        let code = Self.start(&process, program, arguments, environment, out: out, err: err)
        out.closeEntrance()
        err.closeEntrance()
        defer {
            out.closeExit()
            err.closeExit()
        }
        guard code == 0 else { throw SystemFailure(code: code) }
        let texts = Self.drain(out, err, limit: limit)
        if texts.isTooLong { kill(process, SIGKILL) }
        var ended: Int32 = 0
        while waitpid(process, &ended, 0) < 0 {
            guard errno == EINTR else { throw .last() }
        }
        status = ended & 0x7F == 0 ? (ended >> 8) & 0xFF : 128 + (ended & 0x7F)
        output = texts.out
        complaints = String(decoding: texts.err, as: UTF8.self)
        wasTooLong = texts.isTooLong
    }

    private static func start(
        _ process: inout pid_t, _ program: String, _ arguments: [String], _ environment: [String], out: Channel,
        err: Channel
    ) -> Int32 {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, out.entrance, 1)
        posix_spawn_file_actions_adddup2(&actions, err.entrance, 2)
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup($0) } + [nil]
        defer { for text in words + variables { free(text) } }
        return posix_spawn(&process, program, &actions, nil, words, variables)
    }

    /// Reads both channels to their ends, as data arrives, so that the program never waits for a reader.
    private static func drain(
        _ out: Channel, _ err: Channel, limit: Int
    ) -> (out: [UInt8], err: [UInt8], isTooLong: Bool) {
        var texts: [[UInt8]] = [[], []]
        let limits = [limit, mostComplaints]
        var waits = [out, err].map { pollfd(fd: $0.exit, events: Int16(POLLIN), revents: 0) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while waits.contains(where: { $0.fd >= 0 }) {
            guard poll(&waits, nfds_t(waits.count), -1) >= 0 || errno == EINTR else { break }
            for index in waits.indices where waits[index].fd >= 0 && waits[index].revents != 0 {
                let count = buffer.withUnsafeMutableBytes { read(waits[index].fd, $0.baseAddress, $0.count) }
                if count > 0 {
                    texts[index].append(contentsOf: buffer[..<min(count, limits[index] + 1 - texts[index].count)])
                    if index == 0, texts[0].count > limit { return (texts[0], texts[1], true) }
                } else if count == 0 || errno != EINTR {
                    waits[index].fd = -1
                }
            }
        }
        return (texts[0], texts[1], false)
    }
}

/// A pipe. A started program inherits only the end that it was given.
private struct Channel {
    let exit: Int32
    let entrance: Int32

    init() throws(SystemFailure) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw .last() }
        (exit, entrance) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    func closeEntrance() { close(entrance) }

    func closeExit() { close(exit) }
}
