/// Finds the secrets in JSON that a command wrote: those of models inside a body, which no call marks
/// one by one. What the server repeats of them must not be printed.
enum SecretScan {
    /// The values under sensitive names, however deep; none where the bytes are no JSON.
    static func values(in json: [UInt8], under names: Set<String>) -> [String] {
        guard !names.isEmpty, let value = try? JSONValue(parsing: json) else { return [] }
        var found: [String] = []
        collect(value, names, isSecret: false, &found)
        return found
    }

    /// All values, for JSON that is secret as a whole. A server that repeats it leaves the quotes out.
    static func values(in json: [UInt8]) -> [String] {
        guard let value = try? JSONValue(parsing: json) else { return [] }
        var found = [String(decoding: json, as: UTF8.self)]
        collect(value, [], isSecret: true, &found)
        return found
    }

    private static func collect(
        _ value: JSONValue, _ names: Set<String>, isSecret: Bool, _ found: inout [String]
    ) {
        switch value {
        case .string(let text): if isSecret { found.append(text) }
        case .number(let number): if isSecret { found.append(number.text) }
        case .array(let list):
            for element in list { collect(element, names, isSecret: isSecret, &found) }
        case .object(let object):
            for (name, member) in object {
                collect(member, names, isSecret: isSecret || names.contains(name), &found)
            }
        case .null, .bool: break
        }
    }
}
