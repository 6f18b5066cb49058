/// A contract with one text at every place that takes any text.
enum HostileContract {
    /// Texts that are markup in HTML, in Markdown, in a script, or in an attribute.
    static let texts = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)", "]]></script><!--",
        "--><b>",
        "&lt;b&gt; &amp; &#60;", "| a | b |\n|---|---|", "\n\n# heading\n\n* item\n\n---\n\n1. one\n+ two\n- three",
        "`` ``` ```\n~~~",
        "[link](javascript:alert(1)) ![image](x) [ref]: x <https://evil.example>",
        "https://evil.example www.evil.example a@evil.example",
        "**bold** __bold__ ~~gone~~ $x$ :smile: [^1] \\", "\u{202E}gnp.exe\u{2066}",
        "</pre></code></svg></title><svg onload=alert(1)>",
        "{{name}} {{{name}}} {{#rows}}", "    code\n\tcode", "<details><summary>x</summary>", "a\u{2028}b\u{0085}c",
        "a\u{0300}\u{7}",
        // A combining character makes one `Character` of itself and what is before it.
        "'\u{0301}; touch evil; '\u{0301}", "*/\u{0301} evil /*\u{0301}", "<\u{0301}script>\"\u{0301}>&\u{0301}",
    ]

    static func contract(_ hostile: String) -> String {
        let text = quoted(hostile)
        return """
            errand: 1
            service: Shop
            version: 1.0.0
            doc: \(text)
            servers: {main: "https://shop.example/v1"}
            groups: {goods: \(text)}
            envelopes: {standard: {data: data, error: error, code: error.code, message: error.message}}
            errors:
              soldOut:
                category: nonRetryable
                when: [{status: 409, code: \(text)}, {status: 410, body: {reason: \(text)}}]
                message: \(text)
                doc: \(text)
                deprecated: \(text)
                data: {left: {type: string, doc: \(text)}}
            defaults: {envelope: standard}
            types:
              Product:
                doc: \(text)
                deprecated: \(text)
                fields:
                  name: {type: string, doc: \(text), deprecated: \(text), wire: \(text)}
                  color: {type: Color, default: red}
              Color: {enum: {red: \(text), blue: b}, doc: \(text)}
              Code: {alias: string, doc: \(text), length: 1..9}
            endpoints:
              buy:
                post: /products
                group: goods
                doc: \(text)
                deprecated: \(text)
                effect: idempotent
                body: {note: {type: string, default: \(text), doc: \(text)}, code: Code?}
                response: Product
                errors: [soldOut]
                outcomes: {wait: {when: {code: 7}, doc: \(text), data: {until: {type: string, doc: \(text)}}}}
                examples:
                  \(text): {request: {note: \(text)}, response: {name: \(text), color: red}}
            """
    }

    /// A text as a double-quoted scalar of YAML.
    private static func quoted(_ text: String) -> String {
        let inner = text.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case _ where scalar.value < 0x20 || scalar.value > 0x7E: "\\U" + String(format(scalar.value))
            default: String(Character(scalar))
            }
        }.joined()
        return "\"\(inner)\""
    }

    private static func format(_ value: UInt32) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
