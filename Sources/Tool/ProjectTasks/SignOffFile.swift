import ContractDiff
import ContractModel
import Diagnostics
import Pipeline
import YAMLTree

/// The file with the breaks that a team has accepted.
package enum SignOffFile {
    /// The file beside `errand.yaml` that `errand diff` reads without being asked to.
    package static let name = ".errand-signoffs.yaml"

    /// The keys of the file.
    package static let keys = MappingDescription(
        "sign-offs", "a file of sign-offs",
        [.optional("sign-offs", .oneOrMore(.definition("sign-off")), "the accepted breaks")])

    /// The keys of an entry.
    package static let entryKeys = MappingDescription(
        "sign-off", "a sign-off",
        [
            .required("fingerprint", .form(.nonEmpty), "the change, as `errand diff --sign-off` writes it"),
            .required("reason", .form(.nonEmpty), "why the break is accepted"),
            .required("expires", .form(.nonEmpty), "the last day on which the entry counts: `2026-12-31`"),
        ])

    /// The result of reading a file, and the text that its findings point into.
    package typealias Loaded = (signOffs: SignOffs?, diagnostics: [Diagnostic], sources: [String: [UInt8]])

    /// Reads a file.
    ///
    /// - Parameter isNamed: whether the command line names the file. Another one need not exist.
    package static func read(_ path: String, isNamed: Bool, in boundary: ProjectBoundary) -> Loaded {
        var reading = isNamed ? boundary.readNamed(path) : boundary.readSmall(path)
        // Without `errand.yaml` and without a repository, the working folder is the person's, and may be outside the project.
        if !isNamed, case .failure(.outsideProject, _, _) = reading {
            let isHere = path == name && (try? SystemCall.kind(of: path, followingLinks: false)) == .file
            guard isHere else { return (SignOffs(), [], [:]) }
            reading = boundary.readNamed(path)
        }
        switch reading {
        case .bytes(let bytes):
            let decoded = decode(bytes, file: path)
            return (decoded.signOffs, decoded.diagnostics, [path: bytes])
        case .failure(.missingFile, _, _) where !isNamed: return (SignOffs(), [], [:])
        case .failure(let rule, let message, let help):
            return (nil, [Diagnostic(rule: rule, message: message, file: path, help: help)], [:])
        }
    }

    /// Decodes a file; every problem of it is reported.
    package static func decode(_ bytes: [UInt8], file: String) -> (signOffs: SignOffs?, diagnostics: [Diagnostic]) {
        let parsed = YAMLParser().parse(bytes, file: file)
        guard let document = parsed.document else {
            let isSilent = parsed.diagnostics.allSatisfy { $0.isOf(.yamlOnlyComments) || $0.isOf(.yamlEmptyFile) }
            return isSilent ? (SignOffs(), []) : (nil, parsed.diagnostics)
        }
        var decoder = ConfigurationDecoder(findings: DiagnosticBag(parsed.diagnostics))
        let signOffs = decoder.signOffs(document.root)
        return (decoder.findings.hasErrors ? nil : signOffs, decoder.findings.sorted())
    }

    /// Writes new entries into a file.
    static func write(
        _ addition: SignOffs.Addition, over text: [UInt8]?, to path: String, in boundary: ProjectBoundary
    ) -> [Diagnostic] {
        guard !addition.new.isEmpty || !addition.renewed.isEmpty else { return [] }
        return ContractFiles.replace(path, with: SignOffEdit.text(text ?? [], with: addition), in: boundary)
    }

    /// The entries that need an edit.
    package static func findings(_ result: SignOffs.Result) -> [Diagnostic] {
        let expired = result.expired.compactMap { entry in
            entry.range.map { range in
                Diagnostic(
                    rule: .expiredSignOff,
                    message: "the sign-off of `\(entry.fingerprint.text)` ended on \(entry.expires.text)", at: range,
                    help: "remove the break, or sign it off again with `--sign-off REASON --expires DATE`")
            }
        }
        let unused = result.unused.compactMap { entry in
            entry.range.map { range in
                Diagnostic(
                    rule: .unusedSignOff, message: "no change is `\(entry.fingerprint.text)`", at: range,
                    help: "remove the entry")
            }
        }
        return expired + unused
    }
}

extension ConfigurationDecoder {
    /// Reads the entries of a file of sign-offs.
    mutating func signOffs(_ node: YAMLNode) -> SignOffs {
        var found: [SignOff] = []
        for (key, value) in entries(node, "a file of sign-offs") {
            guard key.text == "sign-offs" else {
                reportUnknown(key, "a file of sign-offs", SignOffFile.keys.names)
                continue
            }
            guard let list = value.sequence else {
                if value.kind != .unreadable {
                    report(
                        .wrongKind, "`sign-offs` must be a list, and is \(value.kindName)", value,
                        help: "begin each entry with `- fingerprint:`")
                }
                continue
            }
            found += list.compactMap { signOff($0) }
        }
        return SignOffs(found)
    }

    private mutating func signOff(_ node: YAMLNode) -> SignOff? {
        var texts: [String: (text: String, node: YAMLNode)] = [:]
        var isReadable = node.mapping != nil
        for (key, value) in entries(node, "a sign-off") {
            guard let name = key.text, SignOffFile.entryKeys.allows(name) else {
                reportUnknown(key, "a sign-off", SignOffFile.entryKeys.names)
                continue
            }
            if let text = text(value, name) { texts[name] = (text, value) } else { isReadable = false }
        }
        guard isReadable else { return nil }
        let missing = SignOffFile.entryKeys.names.filter { texts[$0] == nil }
        for name in missing {
            report(
                .missingKey, "a sign-off must have `\(name)`", node,
                help: SignOffFile.entryKeys.keys.first { $0.name == name }.map { "write \($0.meaning)" })
        }
        guard let fingerprint = texts["fingerprint"], let reason = texts["reason"], let expires = texts["expires"]
        else { return nil }
        guard let date = CalendarDay(expires.text) else {
            report(
                .unknownValue, "`\(expires.text)` is not a date", expires.node,
                help: "write year, month and day, such as `2026-12-31`")
            return nil
        }
        return SignOff(
            fingerprint: ChangeFingerprint(text: fingerprint.text), reason: reason.text, expires: date,
            places: SignOff.Places(
                fingerprint: fingerprint.node.range, reason: reason.node.range, expires: expires.node.range))
    }
}
