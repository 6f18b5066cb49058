/// What one pass over a file's bytes finds out before the parser sees them: the lines, and what is not text.
struct TextSurvey: Sendable {
    var lineStarts: [UInt32] = [0]
    var isASCII = true
}
