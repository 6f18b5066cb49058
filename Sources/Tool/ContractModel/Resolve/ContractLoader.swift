import Diagnostics
import YAMLTree

/// Reads a contract and everything it imports, each file once.
package struct ContractLoader {
    /// The contracts that could be read, by path.
    private(set) var contracts: [String: Contract] = [:]
    /// The trees of the files that are YAML, by path.
    private(set) var documents: [String: YAMLDocument] = [:]
    /// The paths in the order in which they were met.
    private(set) var order: [String] = []
    private(set) var findings = DiagnosticBag()
    private let provider: any SourceProvider
    private let decoded: DecodedFiles
    private var states: [String: State] = [:]

    private enum State { case open, done }

    init(provider: any SourceProvider, decoded: DecodedFiles) {
        self.provider = provider
        self.decoded = decoded
    }

    /// Loads the file and what it imports. Iterative, since a chain of imports may be long.
    mutating func load(_ root: String) {
        var stack: [(path: String, pending: [Located<String>])] = []
        if let imports = enter(root, from: nil) { stack.append((root, imports)) }
        while var frame = stack.popLast() {
            guard let next = frame.pending.popLast() else {
                states[frame.path] = .done
                continue
            }
            stack.append(frame)
            guard let path = resolve(next, from: frame.path) else { continue }
            switch states[path] {
            case .done: continue
            case .open:
                let cycle = stack.map(\.path).drop { $0 != path } + [path]
                findings.add(
                    Diagnostic(
                        rule: .importCycle,
                        message: "this import is circular: \(cycle.joined(separator: " → "))",
                        at: next.range,
                        help: "move what both need into a third contract"
                    ))
            case nil:
                if let imports = enter(path, from: next) { stack.append((path, imports)) }
            }
        }
    }

    /// The path of an import, as seen from where the run was started.
    mutating func resolve(_ path: Located<String>, from file: String) -> String? {
        let text = path.value
        guard !text.hasPrefix("/"), !text.contains("\\"), !text.contains("://"), !text.contains("\0"), !text.isEmpty
        else {
            findings.add(
                Diagnostic(
                    rule: .invalidImport, message: "`\(text)` is not a relative path", at: path.range,
                    help:
                        "write the path relative to this file's folder, with `/` between folders: `../shared/auth.contract.yaml`"
                ))
            return nil
        }
        return ContractLoader.joined(folderOf: file, text)
    }

    /// `contracts/a.yaml` and `../b.yaml` make `b.yaml`.
    package static func joined(folderOf file: String, _ path: String) -> String {
        let isAbsolute = file.hasPrefix("/")
        var parts = file.split(separator: "/").dropLast().map(String.init)
        for part in path.split(separator: "/").map(String.init) where part != "." {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else if part != ".." || !isAbsolute {
                parts.append(part)
            }
        }
        return (isAbsolute ? "/" : "") + parts.joined(separator: "/")
    }

    /// Reads one file. Returns its imports, or `nil` if it cannot be read.
    private mutating func enter(_ path: String, from importer: Located<String>?) -> [Located<String>]? {
        states[path] = .done
        switch provider.read(path) {
        case .failure(let rule, let message, let help):
            if let importer {
                findings.add(
                    Diagnostic(
                        rule: rule, message: "`\(importer.value)` cannot be imported: \(message)", at: importer.range,
                        help: help))
            } else {
                findings.add(Diagnostic(rule: rule, message: message, file: path, help: help))
            }
            return nil
        case .bytes(let bytes):
            let file = decoded.file(path, bytes)
            findings.add(contentsOf: file.findings)
            documents[path] = file.document
            guard let contract = file.contract else { return nil }
            contracts[path] = contract
            order.append(path)
            states[path] = .open
            return (contract.imports + [contract.session?.from].compactMap { $0 }).reversed()
        }
    }
}

/// The files that a resolver has decoded, so that one which many contracts import is read once.
final class DecodedFiles {
    struct File {
        var document: YAMLDocument?
        var contract: Contract?
        var findings: [Diagnostic]
        var endpointCount = 0
    }

    private let mostEndpoints: Int
    private var endpointCount = 0
    private var files: [String: (bytes: [UInt8], file: File)] = [:]

    init(mostEndpoints: Int) {
        self.mostEndpoints = mostEndpoints
    }

    /// The decoded content of a file, which is decoded again only if its bytes have changed.
    func file(_ path: String, _ bytes: [UInt8]) -> File {
        if let known = files[path], known.bytes == bytes { return known.file }
        endpointCount -= files[path]?.file.endpointCount ?? 0
        let file = decode(path, bytes)
        endpointCount += file.endpointCount
        files[path] = (bytes, file)
        return file
    }

    private func decode(_ path: String, _ bytes: [UInt8]) -> File {
        let parsed = YAMLParser().parse(bytes, file: path)
        guard let document = parsed.document else {
            return File(document: nil, contract: nil, findings: parsed.diagnostics)
        }
        let endpoints = document.root.mapping?.pair(forKey: "endpoints")
        let count = endpoints?.value.mapping?.count ?? 0
        if let endpoints, count > mostEndpoints - endpointCount {
            return File(document: document, contract: nil, findings: [tooMany(count, endpoints.key)])
        }
        let decoded = ContractDecoder.decode(document)
        // For a document in another language, further findings are useless.
        if let foreign = decoded.diagnostics.first(where: { $0.isOf(.openAPIDocument) }) {
            return File(document: document, contract: nil, findings: [foreign])
        }
        return File(
            document: document, contract: decoded.contract, findings: parsed.diagnostics + decoded.diagnostics,
            endpointCount: count)
    }

    private func tooMany(_ count: Int, _ key: YAMLNode) -> Diagnostic {
        let others = endpointCount > 0 ? ", and the contracts before it \(endpointCount)" : ""
        return Diagnostic(
            rule: .tooManyEndpoints,
            message: "this contract has \(count) endpoints\(others), which is more than \(mostEndpoints)",
            at: key.range,
            help:
                "name fewer contracts, or raise the limit: `limits: {endpoints: …}` in errand.yaml, or `--max-endpoints`"
        )
    }
}
