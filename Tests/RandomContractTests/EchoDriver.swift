/// The main file of a program that responds to each line of its input. `answer`, which a test adds, takes the number of a
/// question and its text; `echo` reads JSON and writes the value that it has read.
enum EchoDriver {
    static let source = """
        import ErrandJSON

        @main struct Driver {
            static func main() {
                while let line = readLine() {
                    let parts = line.split(separator: " ", maxSplits: 1)
                    print(answer(parts[0], String(parts[1])))
                }
            }
        }

        func echo<Value: JSONWritable>(_ text: String, _ load: (inout JSONReader) -> Value?) -> String {
            do throws(JSONError) {
                let value = try JSON.scan(Array(text.utf8), load)
                return String(decoding: try JSON.bytes { value.write(to: &$0) }, as: UTF8.self)
            } catch {
                return "refused: \\(error)"
            }
        }


        """
}
