/// A value with fields that must not be printed. Its mirror shows `Redaction.mark` in their place, and so does every way to
/// print it.
///
/// It is streamable rather than `CustomStringConvertible`. A contract may call a field `description`, which would then satisfy
/// that protocol's requirement and be printed in place of the mirror.
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
    /// The text in place of redacted values.
    public static let mark = "•••"

    /// The start of a server's text, with secrets blanked; the mark alone if the text must be left out.
    ///
    /// - Parameters:
    ///   - places: what is secret by its place in the text, in bytes.
    ///   - limit: how many Unicode scalars stay.
    ///   - isCut: whether the text is itself the start of another.
    static func blank(
        _ search: SecretSearch, in text: [UInt8], places: [Range<Int>] = [], limit: Int, isCut: Bool = false
    ) -> String {
        // Secrets are searched for beyond the limit, or one that crosses it would be shown in part.
        let window = min(text.count, 4 * limit + 4_096)
        let shown = Array(text[..<window])
        guard let found = search.places(in: shown, isCut: isCut || window < text.count) else { return mark }
        let secret = places.filter { $0.lowerBound < window } + found
        if secret.isEmpty, window == text.count {
            return PrintedText.cut(String(decoding: shown, as: UTF8.self), to: limit)
        }
        var result: [UInt8] = []
        var position = 0
        for place in secret.sorted(by: { $0.lowerBound < $1.lowerBound }) where place.upperBound > position {
            if place.lowerBound >= position {
                result += shown[position..<place.lowerBound]
                result += mark.utf8
            }
            position = min(place.upperBound, window)
        }
        result += shown[position...]
        let blanked = PrintedText.cut(String(decoding: result, as: UTF8.self), to: limit)
        return window < text.count && !blanked.hasSuffix("…") ? blanked + "…" : blanked
    }
}
