import ContractModel
import Diagnostics

/// Reads a regular file, up to a size. Nothing else is opened, since a pipe or a device would be waited for or never end.
enum FileReading {
    /// - Parameter name: How messages call the file.
    static func read(_ path: String, as name: String, limit: Int) -> SourceReading {
        do {
            switch try SystemCall.kind(of: path) {
            case nil: return .failure(rule: .missingFile, message: "there is no file `\(name)`", help: nil)
            case .folder:
                return .failure(
                    rule: .folderAsFile, message: "`\(name)` is a folder, and not a file",
                    help: "name a file in it")
            case .other:
                return .failure(
                    rule: .noFile, message: "`\(name)` is a pipe or a device, and not a file",
                    help: "write its text into a file")
            case .file, .link: break
            }
            // If standard input is a file, `/dev/stdin` is too. It would be read as a contract in the folder `/dev`.
            if let real = SystemCall.fullPath(of: FilePath.folder(of: path)),
                real == "/dev" || ["/dev/fd", "/proc"].contains(where: { FilePath.isInside(real, $0) })
            {
                return .failure(
                    rule: .noFile, message: "`\(name)` is a device, and not a file",
                    help: "write its text into a file")
            }
            guard let bytes = try SystemCall.read(path, limit: limit) else { return tooLarge(name, limit) }
            return .bytes(bytes)
        } catch {
            return .failure(rule: .unreadableFile, message: "`\(name)` cannot be read: \(error.text)", help: nil)
        }
    }

    /// Why there is nothing to read at a path.
    static func absence(of path: String, as name: String) -> SourceReading {
        do {
            _ = try SystemCall.kind(of: path)
            return .failure(rule: .missingFile, message: "there is no file `\(name)`", help: nil)
        } catch {
            return .failure(rule: .unreadableFile, message: "`\(name)` cannot be read: \(error.text)", help: nil)
        }
    }

    static func tooLarge(_ name: String, _ limit: Int) -> SourceReading {
        .failure(
            rule: .fileTooLarge, message: "`\(name)` is larger than \(SizeLimits.text(limit))",
            help: limit == SizeLimits.smallFileBytes
                ? nil : "split it, or raise the limit: `limits: {file-size: …}` in errand.yaml, or `--max-file-size`")
    }
}

/// How large the input of a run may be. The limits hold for what a stranger sends, so a run has them without being asked to.
package struct SizeLimits: Sendable, Equatable {
    /// The bytes of a contract, and of a baseline.
    package let fileBytes: Int
    /// The endpoints of all contracts of a run.
    package let endpoints: Int
    /// The bytes of one file of an OpenAPI document, from which an import takes less than from a contract.
    var documentBytes: Int { 2 * fileBytes }

    /// What a contract may have without a setting, and with one in `errand.yaml`, in MiB.
    package static let usualMegabytes = 8
    package static let mostConfiguredMegabytes = 32
    /// How many endpoints contracts may have without a setting, and with one in `errand.yaml`.
    package static let usualEndpoints = 50_000
    package static let mostConfiguredEndpoints = 200_000
    /// No setting allows larger files: a position in a file is a number of 32 bits.
    package static let mostMegabytes = 512
    /// The bytes of `errand.yaml`, and of one template. No setting changes them.
    static let smallFileBytes = 1 << 20

    /// The limits of `errand.yaml`, of which the command line's take precedence.
    init(_ configured: ConfiguredLimits = ConfiguredLimits(), _ access: AccessOptions = AccessOptions()) {
        let megabytes = access.megabytes ?? configured.megabytes ?? Self.usualMegabytes
        fileBytes = min(max(megabytes, 1), Self.mostMegabytes) << 20
        endpoints = access.endpoints ?? configured.endpoints ?? Self.usualEndpoints
    }

    static func text(_ bytes: Int) -> String { "\(bytes >> 20) MiB" }
}

/// What `errand.yaml` says under `limits`.
package struct ConfiguredLimits: Sendable, Equatable {
    package var megabytes: Int?
    package var endpoints: Int?

    package init() {}
}
