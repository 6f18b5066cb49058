import Foundation
import Testing

@testable import ErrandRuntime

extension EncoderTests {
    @Test func multipartBodies() throws {
        let result = encode {
            $0.beginBody(.multipart)
            $0.field("title", "Hello")
            $0.file("photo", FilePart([1, 2], fileName: "a\"\r\nb.jpg"), contentType: "image/jpeg")
        }
        let type = try #require(try result.get().request.headers["content-type"])
        let boundary = try #require(type.split(separator: "=").last)
        let wanted = """
            --\(boundary)
            Content-Disposition: form-data; name="title"

            Hello
            --\(boundary)
            Content-Disposition: form-data; name="photo"; filename="a%22%0D%0Ab.jpg"
            Content-Type: image/jpeg

            \u{1}\u{2}
            --\(boundary)--

            """
        #expect(
            try text(result)
                == wanted.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n"))
    }

    @Test func partsHaveMediaTypesAndBrackets() throws {
        let json = { (writer: inout JSONWriter) in
            writer.beginObject()
            writer.key(dynamic: "a")
            writer.writeArray([1, 2]) { value, writer in value.write(to: &writer) }
            writer.endObject()
        }
        func parts(_ nesting: BodyNesting) throws -> [String] {
            let result = encode {
                $0.beginBody(.multipart, nesting: nesting)
                $0.field("note", "# Hi", contentType: "text/markdown")
                $0.field("tree", json)
                $0.field("whole", contentType: "application/x+json", json)
            }
            let lines = try text(result).components(separatedBy: "\r\n")
            return lines.filter { !$0.isEmpty && !$0.hasPrefix("--") }.map {
                $0.replacing("Content-Disposition: form-data; ", with: "")
            }
        }
        let start = [#"name="note""#, "Content-Type: text/markdown", "# Hi"]
        let end = [#"name="whole""#, "Content-Type: application/x+json", #"{"a":[1,2]}"#]
        #expect(
            try parts(.json)
                == start + [#"name="tree""#, "Content-Type: application/json", #"{"a":[1,2]}"#] + end)
        #expect(try parts(.brackets) == start + [#"name="tree[a][0]""#, "1", #"name="tree[a][1]""#, "2"] + end)
    }
}
