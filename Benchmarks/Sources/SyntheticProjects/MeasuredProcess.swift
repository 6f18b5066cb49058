import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A command that ran to its end, with what the operating system says it used. Processes that it waited for count too.
public struct MeasuredProcess {
    /// Seconds of wall time.
    public let wall: Double
    /// Seconds of processor time, user and system.
    public let processor: Double
    /// The largest resident size of any one process, in bytes.
    public let peakMemory: Int

    /// The file in the command's folder that has its output.
    public static let logName = "command.log"

    public struct Failure: Error, CustomStringConvertible {
        public let description: String

        public init(description: String) { self.description = description }
    }

    /// Runs a command; its output goes to a file, which the error quotes if the command fails.
    public static func run(_ tool: String, _ arguments: [String], in folder: URL) throws -> MeasuredProcess {
        let log = folder.appendingPathComponent(logName).path
        // The shell changes the folder and the streams, then becomes the command.
        let script = "cd \"$1\" && shift && log=\"$1\" && shift && exec \"$@\" >\"$log\" 2>&1"
        let words = (["/bin/sh", "-c", script, "sh", folder.path, log, tool] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        let start = ContinuousClock.now
        let status = posix_spawn(&process, "/bin/sh", nil, nil, words, environ)
        guard status == 0 else {
            throw Failure(description: "\(tool) cannot be started: \(String(cString: strerror(status)))")
        }
        var ending: Int32 = 0
        var usage = rusage()
        while wait4(process, &ending, 0, &usage) < 0, errno == EINTR {}
        let wall = ContinuousClock.now - start
        guard ending == 0 else {
            let output = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            throw Failure(
                description: "\(tool) \(arguments.prefix(6).joined(separator: " ")) … failed:\n\(output.suffix(4000))")
        }
        #if canImport(Darwin)
        let unit = 1
        #else
        let unit = 1024
        #endif
        return MeasuredProcess(
            wall: Double(wall.components.seconds) + Double(wall.components.attoseconds) / 1e18,
            processor: seconds(usage.ru_utime) + seconds(usage.ru_stime),
            peakMemory: Int(usage.ru_maxrss) * unit
        )
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
