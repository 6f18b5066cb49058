import ErrandJSON
import Foundation
import Testing

/// The documents of nst/JSONTestSuite, read as a value, skipped, and compared with `JSONSerialization`.
@Suite struct JSONTestSuiteTests {
    /// `ERRAND_CORPORA` names the folder of documents that other people wrote.
    static let folder = URL(fileURLWithPath: ProcessInfo.processInfo.environment["ERRAND_CORPORA"] ?? "/nonexistent")
        .appendingPathComponent("json-test-suite/test_parsing")

    static var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    /// What RFC 8259 leaves open, and what is chosen here: true for accepted.
    static let choices: [String: Bool] = [
        // Numbers: any size is well-formed and kept as text by JSONValue; readDouble refuses infinity.
        "i_number_double_huge_neg_exp": true,
        "i_number_huge_exp": true,
        "i_number_neg_int_huge_exp": true,
        "i_number_pos_double_huge_exp": true,
        "i_number_real_neg_overflow": true,
        "i_number_real_pos_overflow": true,
        "i_number_real_underflow": true,
        "i_number_too_big_neg_int": true,
        "i_number_too_big_pos_int": true,
        "i_number_very_big_negative_int": true,
        // Halves of surrogate pairs aren't characters.
        "i_object_key_lone_2nd_surrogate": false,
        "i_string_1st_surrogate_but_2nd_missing": false,
        "i_string_1st_valid_surrogate_2nd_invalid": false,
        "i_string_incomplete_surrogate_and_escape_valid": false,
        "i_string_incomplete_surrogate_pair": false,
        "i_string_incomplete_surrogates_escape_valid": false,
        "i_string_invalid_lonely_surrogate": false,
        "i_string_invalid_surrogate": false,
        "i_string_inverted_surrogates_U+1D11E": false,
        "i_string_lone_second_surrogate": false,
        // Only UTF-8, only valid, no byte order mark.
        "i_string_UTF-16LE_with_BOM": false,
        "i_string_UTF-8_invalid_sequence": false,
        "i_string_UTF8_surrogate_U+D800": false,
        "i_string_invalid_utf-8": false,
        "i_string_iso_latin_1": false,
        "i_string_lone_utf8_continuation_byte": false,
        "i_string_not_in_unicode_range": false,
        "i_string_overlong_sequence_2_bytes": false,
        "i_string_overlong_sequence_6_bytes": false,
        "i_string_overlong_sequence_6_bytes_null": false,
        "i_string_truncated-utf-8": false,
        "i_string_utf16BE_no_BOM": false,
        "i_string_utf16LE_no_BOM": false,
        "i_structure_UTF-8_BOM_empty_object": false,
        // 500 levels are below the default limit of 512.
        "i_structure_500_nested_arrays": true,
    ]

    @Test func everyDocument() throws {
        let names = Self.names
        if names.isEmpty {
            print("skipped: no JSONTestSuite at \(Self.folder.path)")
            return
        }
        var differences: [String] = []
        for name in names {
            let bytes = [UInt8](try Data(contentsOf: Self.folder.appendingPathComponent(name)))
            let isAccepted = ReferenceReading.ofReading(bytes)
            #expect(ReferenceReading.ofSkipping(bytes) == isAccepted, "\(name): reading and skipping differ")
            let stem = String(name.dropLast(5))
            let isWanted = name.hasPrefix("y_") || (name.hasPrefix("i_") && Self.choices[stem] == true)
            if name.hasPrefix("i_") { #expect(Self.choices[stem] != nil, "\(name): no choice") }
            #expect(isAccepted == isWanted, "\(name)")
            if ReferenceReading.ofFoundation(bytes) != isAccepted { differences.append(stem) }
        }
        #expect(names.count == 318)
        // On Apple's systems Foundation is another implementation.
        #if os(Linux)
        #expect(differences == ReferenceReading.knownDifferences)
        #endif
    }
}
