import ErrandJSON
import Foundation

/// A document in a heap block of exactly its size, so that address sanitizer sees each byte past the end.
typealias Document = UnsafeRawBufferPointer

/// Holds a property, or ends the process, so that the fuzzer keeps the input.
func hold(_ isTrue: Bool, _ property: @autoclosure () -> String) {
    if isTrue { return }
    FileHandle.standardError.write(Data("broken property: \(property())\n".utf8))
    abort()
}

/// Reads a document, and holds what every fault promises.
func read<Value>(
    _ document: Document, sensitive: Set<String> = [], maximumDepth: Int = JSON.defaultMaximumDepth,
    _ body: (inout JSONReader) -> Value?
) -> Result<Value, JSONError> {
    do throws(JSONError) {
        return .success(
            try JSON.scan(document, sensitive: sensitive, maximumDepth: maximumDepth) { reader in
                let value = body(&reader)
                hold(reader.isFaulted || value != nil, "no value without a fault")
                return value
            })
    } catch {
        hold(error, in: document)
        return .failure(error)
    }
}

/// A fault is in its document, and can be told.
func hold(_ fault: JSONError, in document: Document) {
    hold((0...document.count).contains(fault.byteOffset), "offset \(fault.byteOffset) is in the document")
    hold(fault.path.hasPrefix("$"), "path \(fault.path) starts at the root")
    // 40 bytes, each of which may become U+FFFD, and an ellipsis.
    hold(fault.excerpt.utf8.count <= 40 * 3 + 3, "excerpt of \(fault.excerpt.utf8.count) bytes is short")
    hold(fault.byteOffset < document.count || fault.excerpt.isEmpty, "nothing is at the end")
    hold(!fault.description.isEmpty, "a fault has words")
    hold(fault.code != .notWritable, "reading writes nothing")
}

extension Result {
    var value: Success? {
        if case .success(let value) = self { value } else { nil }
    }

    var fault: Failure? {
        if case .failure(let fault) = self { fault } else { nil }
    }
}
