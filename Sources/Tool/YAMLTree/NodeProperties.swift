/// The anchor and the tag before a node, read from the text: libyaml's events have their names but not their places.
struct NodeProperties {
    private(set) var anchor: YAMLProperty?
    private(set) var tag: YAMLProperty?
    /// Where the node's own text begins.
    private(set) var contentStart: Int

    /// `bytes[start]` begins the first property; libyaml has checked that what follows is one.
    init(_ bytes: [UInt8], from start: Int, to end: Int) {
        var position = start
        contentStart = start
        while position < end {
            switch bytes[position] {
            case UInt8(ascii: "&") where anchor == nil:
                let first = position
                position += 1
                while position < end, Self.isAnchorByte(bytes[position]) { position += 1 }
                anchor = Self.property(bytes, first, position, dropping: 1)
                contentStart = position
            case UInt8(ascii: "!") where tag == nil:
                let first = position
                while position < end, !isBlank(bytes[position]), !isLineBreak(bytes[position]) { position += 1 }
                tag = Self.property(bytes, first, position, dropping: 0)
                contentStart = position
            case UInt8(ascii: "#"):
                while position < end, !isLineBreak(bytes[position]) { position += 1 }
            case let byte where isBlank(byte) || isLineBreak(byte):
                position += 1
            default:
                contentStart = position
                return
            }
        }
        // Nothing follows: the place of the absent node is the end of its last property.
    }

    private static func property(_ bytes: [UInt8], _ start: Int, _ end: Int, dropping prefix: Int) -> YAMLProperty {
        let text = String(decoding: bytes[(start + prefix)..<end], as: UTF8.self)
        return YAMLProperty(text: text, start: UInt32(start), end: UInt32(end))
    }

    private static func isAnchorByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default:
            false
        }
    }
}
