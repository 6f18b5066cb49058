/// The forms of texts, each as a regular expression (ECMA-262) for tools that read contracts without the decoder. The decoder
/// gives a more precise message than a mismatch.
package enum TextForm: String, Sendable, CaseIterable {
    case nonEmpty, duration, patience, path, headerName, headerValue, tokenFormat, keyTemplate, serverURL, target
    case serviceName, typeName, envelopeName, numberBounds, countBounds, status, code, zone
    case durationOrNever, frameKind, closeCode, credentialName, credentials, pin, day

    /// The form's meaning, with an example.
    package var meaning: String {
        switch self {
        case .nonEmpty: "a text of at least one character"
        case .duration: "an integer above 0 and a unit: `500ms`, `20s`, `2m` or `1h`"
        case .patience: "`forever`, `0s`, or an integer and a unit: `500ms`, `20s`, `2m` or `1h`"
        case .path: "keys with dots between them: `error.code`"
        case .headerName: "name of a header: letters, digits and `-`"
        case .headerValue: "visible ASCII without line breaks"
        case .tokenFormat: "text that contains `{token}` once: `Bearer {token}`"
        case .keyTemplate: "text that contains `{key}` once: `&privateKey={key}`"
        case .serverURL:
            "base URL without query: `https://api.example.com/v1`, `wss://api.example.com/v1`, `http://127.0.0.1:{port=8080}/v1`"
        case .target: "path that begins with `/`: `/users/{userID:int}/friends`; or a whole URL: `{imageURL:url}`"
        case .serviceName: "an uppercase letter A–Z, then letters, digits and `_`"
        case .typeName: "letters, digits and `_`, but not a word of the language"
        case .envelopeName: "any name except `none`, which is built in"
        case .numberBounds: "`1..500`, `0..`, `..100`, or one number for both ends"
        case .countBounds: "`1..500`, `0..`, `..100`, or one integer for both ends"
        case .status: "`503` or `500..599`"
        case .zone: "`UTC`, or an offset from it: `+08:00`"
        case .durationOrNever: "`never`, or an integer above 0 and a unit: `500ms`, `20s`, `2m` or `1h`"
        case .frameKind: "kind of a frame: `room.follow`, at most 256 bytes without line breaks"
        case .closeCode: "a code that a server may close a connection with: `1012`, or `4000..4099`"
        case .credentialName: "letters, digits and `_`, but not `none`, `required`, `optional` or `session`"
        case .credentials: "`none`, a name from `credentials`, or names with `+` between them: `apiKey + tenant`"
        case .pin: "`sha256/` and the hash of a public key in Base64"
        case .day: "a day of the calendar: `2027-06-01`"
        case .code: "a code such as `900005`, or a range of integers: `4010..4019`"
        }
    }

    package var pattern: String {
        switch self {
        case .nonEmpty: #"^[\s\S]"#
        case .duration: "^[1-9][0-9]*(?:ms|s|m|h)$"
        case .patience: "^(?:forever|(?:0|[1-9][0-9]*)(?:ms|s|m|h))$"
        case .path: #"^(?!\$\.[A-Za-z]|/[A-Za-z])[^.\[ ]+(?:\.[^.\[ ]+){0,15}$"#
        case .headerName: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"
        case .headerValue: #"^[\t -~]*$"#
        case .tokenFormat: #"^(?:(?!\{token\})[\t -~])*\{token\}(?:(?!\{token\})[\t -~])*$"#
        case .keyTemplate: #"^(?:(?!\{key\})[\s\S])*\{key\}(?:(?!\{key\})[\s\S])*$"#
        case .serverURL:
            #"^(?=(?:https?|wss?)://[^/]|\{[A-Za-z_][A-Za-z0-9_]*=)(?!(?:https?|wss?)://[^/]*@)(?:[!$-;=@-\[\]_a-z~]|\{[A-Za-z_][A-Za-z0-9_]*=[^{}]*\})+$"#
        case .target: Self.targetPattern
        case .serviceName: "^[A-Z][A-Za-z0-9_]*$"
        case .typeName: "^(?!(?:\(Self.takenNames.joined(separator: "|")))$)[A-Za-z_][A-Za-z0-9_]*$"
        case .envelopeName: "^(?!none$)"
        case .numberBounds: Self.bounds(of: #"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?"#)
        case .countBounds: Self.bounds(of: "(?:0|[1-9][0-9]*)")
        case .status: #"^[1-9][0-9]{2}(?:\.\.[1-9][0-9]{2})?$"#
        case .zone: "^(?:UTC|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$"
        case .durationOrNever: "^(?:never|[1-9][0-9]*(?:ms|s|m|h))$"
        case .frameKind: #"^[^\x00-\x1f\x7f]{1,256}$"#
        case .closeCode: Self.closeCodePattern
        case .credentialName:
            "^(?!(?:\(CredentialDefinition.reservedNames.joined(separator: "|")))$)[A-Za-z_][A-Za-z0-9_]*$"
        case .credentials: "^[A-Za-z_][A-Za-z0-9_]*(?: *[+] *[A-Za-z_][A-Za-z0-9_]*)*$"
        case .pin: "^sha256/[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$"
        case .day: "^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$"
        case .code:
            #"^(?:(?:0|-?[1-9][0-9]*)\.\.(?:0|-?[1-9][0-9]*)|(?!\$\.)(?:(?!\.\.)[\s\S])*)$"#
        }
    }

    /// The numbers that are valid in place of text; `nil` if none are.
    package var numbers: (isWhole: Bool, least: Int?, greatest: Int?)? {
        switch self {
        case .numberBounds, .path, .headerName, .nonEmpty, .code, .frameKind: (false, nil, nil)
        case .countBounds: (true, 0, nil)
        case .status: (true, 100, 999)
        case .closeCode: (true, 1000, 4999)
        default: nil
        }
    }

    /// The numbers between the least and the greatest one that are invalid all the same.
    package var gaps: [ClosedRange<Int>] { self == .closeCode ? [1004...1006, 1015...2999] : [] }

    /// Whether `true` and `false` are texts like others there.
    package var takesBooleans: Bool { [.path, .headerName, .nonEmpty, .code, .frameKind].contains(self) }

    /// A type without a default. The decoder checks types that are nested deeper than four brackets.
    package static let type = "^\(nestedType)$"
    /// A type, with a default after `=` or without one.
    package static let typeWithDefault = #"^\#(nestedType)(?:=[\s\S]*[^ \t][\s\S]*)?$"#

    /// The words of the language that no type can be called.
    private static let takenNames = Primitive.allCases.map(\.spelling).filter { !$0.contains("(") } + ["none"]

    private static let nestedType: String = {
        let blank = #"[ \t\n]*"#
        let parameters = Primitive.allCases.map(\.spelling).filter { $0.contains("(") }.map { spelling in
            spelling.replacing("(", with: #"\("#).replacing(")", with: #"\)"#)
        }
        let name = #"(?:\#(parameters.joined(separator: "|"))|(?:[A-Za-z0-9_.-]|[^\x00-\x7f])+)"#
        var type = "[^=]+"
        for _ in 0..<4 {
            type = #"\#(blank)(?:\#(name)|\[(?:\#(blank)string\#(blank):)?\#(type)\])\#(blank)\??\#(blank)"#
        }
        return type
    }()

    /// A code that a server may send, or a range of such codes. A range is within one block, because no code between blocks is sent.
    private static let closeCodePattern: String = {
        let blocks = ["100[0-3]", "(?:100[7-9]|101[0-4])", "[34][0-9]{3}"]
        return "^(?:" + blocks.map { #"\#($0)(?:\.\.\#($0))?"# }.joined(separator: "|") + ")$"
    }()

    private static let targetPattern: String = {
        let name = #"[^ \t=/?#&{}"':]+"#
        let parameter = #"\{[ \t]*\#(name)[ \t]*(?::\#(nestedType))?\}"#
        let text = #"[^\x00-\x20\x7f-\x9f"<>\\^`{|}?#]"#
        return
            #"^(?:\{[ \t]*\#(name)[ \t]*:[ \t]*url[ \t]*\}|(?!(?:[\s\S]*/)?\.\.?(?:/|$))/(?:\#(text)|\#(parameter))*)$"#
    }()

    private static func bounds(of number: String) -> String {
        #"^ *(?:\#(number) *(?:\. *\. *(?:\#(number) *)?)?|\. *\. *\#(number) *)$"#
    }
}
