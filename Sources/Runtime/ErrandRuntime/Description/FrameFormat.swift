import ErrandJSON

/// The form of a contract's frames: each is a JSON object whose members tell which frame it is and which request it belongs to.
package struct FrameFormat: Sendable {
    /// The member with the name of the frame.
    package let kind: String
    /// The member with the id of the request.
    package let correlation: String
    /// The member with the payload; nil if the members of the payload are beside the two others.
    package let payload: String?
    /// Whether the correlation is written as a number. Both forms are read.
    package let isNumeric: Bool
    private let keys: JSONKeys
    /// The key of the payload's member, with the comma before it and the colon after it.
    private let payloadKey: [UInt8]?

    /// The longest name of a frame that is read, in bytes. No contract has a longer one.
    package static let maximumKindLength = 256

    package init(kind: String, correlation: String, payload: String? = nil, isNumeric: Bool = false) {
        self.kind = kind
        self.correlation = correlation
        self.payload = payload
        self.isNumeric = isNumeric
        let names = [kind, correlation] + (payload.map { [$0] } ?? [])
        keys = JSONKeys(names, optional: names)
        payloadKey = payload.flatMap { name in
            (try? JSON.bytes { $0.write(name) }).map { [UInt8(ascii: ",")] + $0 + [UInt8(ascii: ":")] }
        }
    }

    /// The form that a contract's connection describes.
    package init(_ description: ConnectionDescription) {
        self.init(
            kind: description.kind, correlation: description.correlation, payload: description.payload,
            isNumeric: description.numericCorrelation)
    }
}

/// A frame that arrived, as far as it tells where it belongs.
package struct Frame: Sendable, Hashable {
    package let kind: String
    /// The id of the request; nil for a frame that belongs to none, and `foreignCorrelation` for an id that no client of Errand makes.
    package let correlation: UInt64?
    /// Where the payload is in the message. The whole message, if the format names no member for it; nil if it has none.
    package let payload: Range<Int>?

    /// The id of no request: the ids of a client begin with 1.
    package static let foreignCorrelation: UInt64 = 0
}

/// Why a message isn't a frame.
package enum FrameError: Error, Sendable, Hashable {
    /// It is longer than the limit, in bytes.
    case tooLong(limit: Int)
    /// It isn't JSON, or no object.
    case unreadable(JSONError.Code)
    /// The member with its name is absent, or no text.
    case withoutKind
    /// Its name is longer than any that a contract can have.
    case kindTooLong
}

extension FrameFormat {
    // MARK: Writing

    /// Makes a message.
    ///
    /// - Parameter payload: a JSON document; nil for none. Without a member of its own, it must be an object.
    /// - Returns: nil if the payload isn't what the format demands.
    package func message(_ kind: String, correlation: UInt64?, payload: [UInt8]?) -> [UInt8]? {
        var writer = JSONWriter(capacity: 96)
        writer.beginObject()
        writer.key(dynamic: self.kind)
        writer.write(kind)
        if let correlation {
            writer.key(dynamic: self.correlation)
            if isNumeric { writer.write(UInt(clamping: correlation)) } else { writer.write(String(correlation)) }
        }
        writer.endObject()
        guard var message = try? writer.finish() else { return nil }
        guard let payload else { return message }
        if self.payload != nil {
            guard let payloadKey else { return nil }
            message.reserveCapacity(message.count + payloadKey.count + payload.count)
            message.removeLast()
            message += payloadKey
            message += payload
            message.append(UInt8(ascii: "}"))
            return message
        }
        // The payload's own writer makes no white space.
        guard payload.first == UInt8(ascii: "{"), payload.last == UInt8(ascii: "}") else { return nil }
        if payload.count > 2 {
            message.removeLast()
            message.append(UInt8(ascii: ","))
            message += payload.dropFirst()
        }
        return message
    }

    // MARK: Reading

    /// Reads where a message belongs. Its payload is validated, and not read.
    ///
    /// - Parameter limit: the longest message, in bytes.
    package func read(_ message: [UInt8], limit: Int) throws(FrameError) -> Frame {
        guard message.count <= limit else { throw .tooLong(limit: limit) }
        var parts = Parts()
        do throws(JSONError) {
            try JSON.read(message) { reader in
                var fields = reader.beginObject()
                while true {
                    switch reader.nextField(keys, &fields) {
                    case 0: readKind(&reader, &parts)
                    case 1: parts.correlation = readCorrelation(&reader)
                    case 2:
                        // White space before the value does no harm to its reader.
                        let start = reader.mark().offset
                        reader.skipValue()
                        parts.payload = start..<max(start, reader.mark().offset)
                    default: return !reader.isFaulted
                    }
                }
            }
        } catch {
            throw .unreadable(error.code)
        }
        if parts.isKindTooLong { throw .kindTooLong }
        guard let kind = parts.kind else { throw .withoutKind }
        return Frame(
            kind: kind, correlation: parts.correlation, payload: payload == nil ? 0..<message.count : parts.payload)
    }

    private struct Parts {
        var kind: String?
        var isKindTooLong = false
        var correlation: UInt64?
        var payload: Range<Int>?
    }

    private func readKind(_ reader: inout JSONReader, _ parts: inout Parts) {
        parts.kind = nil
        parts.isKindTooLong = false
        guard reader.peekKind() == .string else { return reader.skipValue() }
        let start = reader.mark()
        reader.skipValue()
        // An escape has at most six bytes, and the quotation marks two.
        guard reader.mark().offset - start.offset <= 6 * Self.maximumKindLength + 2 else {
            parts.isKindTooLong = true
            return
        }
        reader.rewind(to: start)
        let kind = reader.readString()
        parts.isKindTooLong = kind.utf8.count > Self.maximumKindLength
        parts.kind = kind
    }

    /// A correlation that a client of Errand has written, or one that belongs to no request; nil for null, which is none.
    private func readCorrelation(_ reader: inout JSONReader) -> UInt64? {
        let kind = reader.peekKind()
        guard kind == .string || kind == .number else {
            reader.skipValue()
            return kind == .null ? nil : Frame.foreignCorrelation
        }
        let start = reader.mark()
        reader.skipValue()
        guard reader.mark().offset - start.offset <= 32 else { return Frame.foreignCorrelation }
        let end = reader.mark()
        reader.rewind(to: start)
        let number = reader.attempt { $0.readLenientString() }.flatMap { UInt64($0) }
        if !reader.isFaulted { reader.rewind(to: end) }
        return number ?? Frame.foreignCorrelation
    }
}
