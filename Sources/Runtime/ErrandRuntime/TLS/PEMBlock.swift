#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A block of a text in PEM (RFC 7468).
struct PEMBlock {
    /// What the block contains: `CERTIFICATE`, `PRIVATE KEY`.
    let label: String
    /// Nil if the block has no end, or isn't Base64.
    let bytes: [UInt8]?
    /// Whether a header says that the bytes are encrypted (RFC 1421 section 4.6.1.1), as old versions of OpenSSL write it.
    let isEncrypted: Bool

    private static let begin = "-----BEGIN "
    private static let end = "-----END "
    private static let dashes = "-----"

    /// All blocks of a text. What is around them is ignored.
    static func all(in text: String) -> [PEMBlock] {
        var blocks: [PEMBlock] = []
        var open: (label: String, lines: [Substring], isEncrypted: Bool)?
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix(begin), line.hasSuffix(dashes), open == nil {
                open = (String(line.dropFirst(begin.count).dropLast(dashes.count)), [], false)
            } else if let block = open, line == "\(end)\(block.label)\(dashes)" {
                let bytes = Data(base64Encoded: block.lines.joined()).map { Array($0) }
                blocks.append(PEMBlock(label: block.label, bytes: bytes, isEncrypted: block.isEncrypted))
                open = nil
            } else if line.contains(":") {
                if line.hasPrefix("Proc-Type:"), line.hasSuffix("ENCRYPTED") { open?.isEncrypted = true }
            } else {
                open?.lines.append(line)
            }
        }
        if let open { blocks.append(PEMBlock(label: open.label, bytes: nil, isEncrypted: open.isEncrypted)) }
        return blocks
    }
}

/// Writes bytes as a block of PEM (RFC 7468 section 2).
package func pemText(_ label: String, _ bytes: [UInt8]) -> String {
    let text = Data(bytes).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
    return "-----BEGIN \(label)-----\n\(text)\n-----END \(label)-----\n"
}
