import ErrandJSON
import ErrandRuntime
import ErrandXML

/// What tests translate with.
enum Sample {
    /// The JSON of a document, as text.
    static func json(
        _ document: String, _ shape: XMLShape = .any, _ types: XMLTypes = XMLTypes(), charset: String? = nil
    ) throws(JSONError) -> String {
        try json(Array(document.utf8), shape, types, charset: charset)
    }

    static func json(
        _ document: [UInt8], _ shape: XMLShape = .any, _ types: XMLTypes = XMLTypes(), charset: String? = nil
    ) throws(JSONError) -> String {
        let json = try SystemXML().json(from: document, charset: charset, as: shape, types)
        return String(decoding: json, as: UTF8.self)
    }

    /// The document for JSON, without the declaration.
    static func document(
        _ json: String, _ shape: XMLShape = .any, _ types: XMLTypes = XMLTypes(), element: String = "root"
    ) throws(JSONError) -> String {
        let document = try SystemXML().document(from: Array(json.utf8), as: XMLBody(element, shape), types)
        return String(decoding: document.drop { $0 != UInt8(ascii: ">") }.dropFirst(), as: UTF8.self)
    }

    /// The code of the fault of a document.
    static func fault(_ document: [UInt8], charset: String? = nil) -> JSONError.Code? {
        do throws(JSONError) {
            _ = try SystemXML().json(from: document, charset: charset, as: .any, XMLTypes())
            return nil
        } catch {
            return error.code
        }
    }

    static func fault(_ document: String) -> JSONError.Code? { fault(Array(document.utf8)) }
}
