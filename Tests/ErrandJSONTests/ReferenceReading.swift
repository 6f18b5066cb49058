import ErrandJSON
import Foundation

/// Whether a document is accepted, by whom.
enum ReferenceReading {
    static func ofReading(_ bytes: [UInt8]) -> Bool {
        (try? JSON.scan(bytes) { $0.readValue() }) != nil
    }

    static func ofSkipping(_ bytes: [UInt8]) -> Bool {
        (try? JSON.scan(bytes) { $0.skipValue() }) != nil
    }

    static func ofFoundation(_ bytes: [UInt8]) -> Bool {
        (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
    }

    /// Where Foundation on Linux and this reader differ over JSONTestSuite.
    static let knownDifferences = [
        // Foundation refuses numbers beyond Double; here they are kept as text.
        "i_number_huge_exp", "i_number_neg_int_huge_exp", "i_number_pos_double_huge_exp",
        "i_number_real_neg_overflow", "i_number_real_pos_overflow",
        // Foundation takes UTF-16 and byte order marks, against RFC 8259 section 8.1.
        "i_string_UTF-16LE_with_BOM", "i_string_utf16BE_no_BOM", "i_string_utf16LE_no_BOM",
        "i_structure_UTF-8_BOM_empty_object",
        // Foundation takes trailing commas, against RFC 8259 sections 4 and 5.
        "n_array_extra_comma", "n_array_number_and_comma", "n_object_trailing_comma",
    ]

    /// Whether the two may differ over a document, for one of the reasons above.
    static func isKnownDifference(_ bytes: [UInt8]) -> Bool {
        if let value = try? JSON.scan(bytes, { $0.readValue() }) { return hasHugeNumber(value) }
        return ofReading(withoutTrailingCommas(bytes)) || bytes.starts(with: [0xEF, 0xBB, 0xBF])
            || bytes.contains(0)
    }

    private static func hasHugeNumber(_ value: JSONValue) -> Bool {
        switch value {
        case .number(let number): number.double == nil
        case .array(let list): list.contains(where: hasHugeNumber)
        case .object(let object): object.contains { hasHugeNumber($0.value) }
        default: false
        }
    }

    private static func withoutTrailingCommas(_ bytes: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        for byte in bytes {
            if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") {
                while let last = kept.last, [0x20, 0x09, 0x0A, 0x0D].contains(last) { kept.removeLast() }
                if kept.last == UInt8(ascii: ",") { kept.removeLast() }
            }
            kept.append(byte)
        }
        return kept
    }
}
