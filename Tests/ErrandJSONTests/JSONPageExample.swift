import ErrandJSON
import Foundation

struct Invoice: JSONReadable, JSONWritable {
    var number: Int
    var total: Decimal
    var due: CalendarDate
    var note: String?
    var lines: [String]

    /// As they are spelled on the wire, in the order of their indices.
    static let keys = JSONKeys(["number", "total", "due", "note", "lines"], optional: ["note"])

    static func load(from reader: inout JSONReader) -> Invoice? {
        var number = 0
        var total = Decimal()
        var due: CalendarDate?
        var note: String?
        var lines: [String] = []
        var fields = reader.beginObject()
        while true {
            switch reader.nextField(keys, &fields) {
            case 0: number = reader.readInt()
            case 1: total = reader.readDecimal()
            case 2: due = reader.readCalendarDate()
            case 3: note = reader.readNull() ? nil : reader.readString()
            case 4: lines = reader.readArray { $0.readString() }
            default:
                guard !reader.isFaulted, let due else { return nil }
                return Invoice(number: number, total: total, due: due, note: note, lines: lines)
            }
        }
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("number")
        writer.write(number)
        writer.key("total")
        writer.write(total)
        writer.key("due")
        writer.write(due)
        if let note {
            writer.key("note")
            writer.write(note)
        }
        writer.key("lines")
        writer.writeArray(lines) { $1.write($0) }
        writer.endObject()
    }
}
