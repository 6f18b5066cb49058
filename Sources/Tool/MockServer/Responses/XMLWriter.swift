import ContractModel
import Diagnostics
import JSONTree

/// A payload as a document in XML, by the places that its wire names are.
struct XMLWriter {
    private let contract: ResolvedContract
    private var text = #"<?xml version="1.0" encoding="UTF-8"?>"#

    /// The document of a value. The name of the root element means nothing to a client.
    static func document(_ value: JSONNode, type: TypeReference, in contract: ResolvedContract) -> [UInt8] {
        var writer = XMLWriter(contract: contract)
        writer.write(value, type: type, as: "document")
        return Array(writer.text.utf8)
    }

    static func document(_ value: JSONNode, fields: [FieldDefinition], in contract: ResolvedContract) -> [UInt8] {
        var writer = XMLWriter(contract: contract)
        writer.write(value, fields: fields, as: "document", namespace: nil)
        return Array(writer.text.utf8)
    }

    private init(contract: ResolvedContract) { self.contract = contract }

    private mutating func write(_ value: JSONNode, type: TypeReference, as name: String, namespace: String? = nil) {
        if let fields = contract.structure(type)?.fields {
            return write(value, fields: fields, as: name, namespace: namespace)
        }
        open(name, namespace)
        text += ">\(Self.escaped(value.scalarText ?? ""))</\(name)>"
    }

    private mutating func write(_ value: JSONNode, fields: [FieldDefinition], as name: String, namespace: String?) {
        open(name, namespace)
        var content: [(field: FieldDefinition, place: XMLPlace, value: JSONNode)] = []
        for field in fields {
            guard let member = value[field.wireName], member != .null, let place = XMLPlace(field.wireName) else {
                continue
            }
            if case .attribute(let attribute) = place {
                let prefix = attribute.namespace.map { $0.isEmpty ? "" : "a:" } ?? ""
                if !prefix.isEmpty { text += " xmlns:a=\"\(Self.escaped(attribute.namespace ?? ""))\"" }
                text += " \(prefix)\(attribute.local)=\"\(Self.escaped(member.scalarText ?? ""))\""
            } else {
                content.append((field, place, member))
            }
        }
        text += ">"
        for (field, place, member) in content {
            let type = contract.expanded(field.type.unwrapped).type.unwrapped
            let element: TypeReference = if case .list(let inner) = type { inner } else { type }
            let members = member.elements ?? [member]
            switch place {
            case .text: text += Self.escaped(member.scalarText ?? "")
            case .element(let name):
                for member in members { write(member, type: element, as: name.local, namespace: name.namespace) }
            case .wrapped(let wrapper, let item):
                open(wrapper.local, wrapper.namespace)
                text += ">"
                for member in members { write(member, type: element, as: item.local, namespace: item.namespace) }
                text += "</\(wrapper.local)>"
            case .attribute: break
            }
        }
        text += "</\(name)>"
    }

    private mutating func open(_ name: String, _ namespace: String?) {
        text += "<\(name)"
        if let namespace { text += " xmlns=\"\(Self.escaped(namespace))\"" }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing(scalar: "&", with: "&amp;").replacing(scalar: "<", with: "&lt;")
            .replacing(scalar: ">", with: "&gt;").replacing(scalar: "\"", with: "&quot;")
    }
}
