/// A value with fields that must not be printed. Its mirror shows `Redaction.mark` in their place, and
/// so does everything that prints it.
///
/// It is streamable rather than `CustomStringConvertible`: a contract may call a field `description`,
/// which would become that protocol's requirement and be printed in place of the mirror.
public protocol Redacted: CustomReflectable, TextOutputStreamable {}

extension Redacted {
    public func write<Target: TextOutputStream>(to target: inout Target) {
        let fields = customMirror.children.map { child in
            "\(child.label ?? "_"): \(String(describing: child.value))"
        }
        target.write("\(Self.self)(\(fields.joined(separator: ", ")))")
    }
}

/// How sensitive values are printed.
public enum Redaction {
    /// What stands in their place.
    public static let mark = "•••"

    /// Values shorter than this are not searched for in other text: they would match by chance.
    private static let shortestSecret = 4

    /// A text of somebody else's, a server's message for instance, with the given values blanked.
    static func blank(_ secrets: [String], in text: String) -> String {
        var text = text
        // The longest first: one may be a part of another, of which the rest would stay.
        for secret in secrets.sorted(by: { $0.utf8.count > $1.utf8.count }) where secret.utf8.count >= shortestSecret {
            text = replace(secret, in: text)
        }
        return text
    }

    private static func replace(_ secret: String, in text: String) -> String {
        let text8 = Array(text.utf8)
        let secret8 = Array(secret.utf8)
        var result: [UInt8] = []
        var position = 0
        while position < text8.count {
            if text8[position...].starts(with: secret8) {
                result += mark.utf8
                position += secret8.count
            } else {
                result.append(text8[position])
                position += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
