import CLibYAML

/// libyaml's parser over bytes in memory.
///
/// A library is used in place of a handwritten parser, because its events have the exact positions that findings need. Its
/// messages are hard to understand, so `SyntaxExplanation` explains each mistake.
///
/// The bytes must outlive it. libyaml reports an event as soon as it is complete, so what was read before a syntax
/// error has been delivered.
final class EventReader {
    private let parser: UnsafeMutablePointer<yaml_parser_t>

    /// The least version that reads `string?` inside `{…}` as text.
    static let leastVersion = (0, 2, 5)

    static var version: (Int, Int, Int) {
        var major: CInt = 0
        var minor: CInt = 0
        var patch: CInt = 0
        yaml_get_version(&major, &minor, &patch)
        return (Int(major), Int(minor), Int(patch))
    }

    /// `nil` if no memory is available.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        parser = .allocate(capacity: 1)
        guard yaml_parser_initialize(parser) == 1 else {
            parser.deallocate()
            return nil
        }
        // The encoding is left for libyaml to detect: told that it is UTF-8, it would count a byte order mark as a
        // column. UTF-16 has been refused before.
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    /// Reads the next event. Returns `false` if no event follows; ``problem`` then gives the reason. The caller deletes the
    /// event.
    func next(_ event: inout yaml_event_t) -> Bool {
        yaml_parser_parse(parser, &event) == 1
    }

    /// The error of the last `next`.
    var problem: (message: String, context: String, mark: Int, contextMark: Int?) {
        let state = parser.pointee
        let context = state.context.map { String(cString: $0) } ?? ""
        return (
            state.problem.map { String(cString: $0) } ?? "it ran out of memory",
            context,
            Int(state.problem_mark.index),
            context.isEmpty ? nil : Int(state.context_mark.index)
        )
    }
}
