#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The paths of the requests of one command, whatever its values are. A server for tests finds the command of a request with it.
package struct PathTemplate: Sendable, Hashable {
    /// The segments, each as the texts around its values. A segment without a value is one text.
    let segments: [[String]]

    /// - Parameter command: any command of the type. Its values are not looked at.
    /// - Returns: nil if the requests go to a URL that the caller gives, or travel in frames.
    package init?(of command: some Command) {
        let endpoint = type(of: command).endpoint
        guard endpoint.frame == nil else { return nil }
        var encoder = RequestEncoder(
            method: endpoint.method, base: "", isSigned: false, wallTime: Date(timeIntervalSince1970: 0),
            chance: RandomSource(SeededGenerator(seed: 0)))
        encoder.marksSegments = true
        command.encode(into: &encoder)
        guard encoder.isAtHome else { return nil }
        self.init(encoder.path)
    }

    private init(_ path: String) {
        segments = path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            segment.split(separator: RequestEncoder.segmentMark, omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// How many values the path has. Of two templates, the one with fewer is the more certain one.
    package var valueCount: Int { segments.reduce(0) { $0 + $1.count - 1 } }

    /// Whether a path, with its percent encoding and without the query, is of this form.
    package func matches(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == segments.count && zip(parts, segments).allSatisfy { Self.matches($0, $1) }
    }

    private static func matches(_ part: Substring, _ texts: [String]) -> Bool {
        guard let first = texts.first, let last = texts.last, texts.count > 1 else { return texts == [String(part)] }
        guard part.hasPrefix(first) else { return false }
        var rest = part.dropFirst(first.count)
        // A value has at least one character.
        for text in texts.dropFirst().dropLast() {
            rest = rest.dropFirst()
            guard !text.isEmpty else { continue }
            guard let range = rest.firstRange(of: text) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.count > last.count && rest.hasSuffix(last)
    }
}
