import ContractModel
import Diagnostics

// The types of schemas at their own places, by the keywords that they have.
extension TypePlanner {
    /// The type of a schema without a reference.
    func inline(_ view: SchemaView, at place: TypePlace) -> TypeUse {
        let use = type(of: view, at: place)
        loseParts(of: view, as: use)
        if let mapping = view.discriminator?["mapping"] { reportLostCases(of: mapping, at: place) }
        return use
    }

    private func type(of view: SchemaView, at place: TypePlace) -> TypeUse {
        if place.schemas.count == 1, isBase(place.schema, view) {
            return union(place.schema["discriminator"], [], base: place.schema, at: place)
        }
        if !view.alternatives.isEmpty, let use = alternatives(view, at: place) {
            loseBounds(view, except: [], "alternatives")
            return use
        }
        if let constant = view.constant { return self.constant(constant, view) }
        if let values = allowedValues(of: view, at: place.schema) { return enumeration(values, view, at: place) }
        if let number = numberOfDigits(view) {
            var plain = view
            plain.bounds["pattern"] = nil
            var use = scalar(number, plain, place.schema)
            use.coerces = view.bounds["pattern"] != nil
            return use
        }
        switch view.types.count {
        case 0 where !view.properties.isEmpty || !view.additional.isEmpty: break
        case 0 where !view.items.isEmpty: return list(view, at: place)
        case 0:
            if view.format != nil || ["pattern", "minLength", "maxLength"].contains(where: { view.bounds[$0] != nil }) {
                return scalar("string", view, place.schema)
            }
            loseBounds(view, except: [], "a value of any type")
            return TypeUse(type: .word("json"))
        case 1: break
        default:
            if Set(view.types) == ["integer", "number"] { return scalar("number", view, place.schema) }
            return kinds(of: view, at: place)
        }
        switch view.types.first ?? "object" {
        case "array": return list(view, at: place)
        case "object": return object(view, at: place)
        case "string", "integer", "number", "boolean": return scalar(view.types[0], view, place.schema)
        case "file": return TypeUse(type: .word("file"))
        default:
            findings.add(.openAPISchemaLost, "JSON Schema has no type `\(view.types[0])`", at: place.schema)
            return TypeUse(type: .word("json"))
        }
    }
}
