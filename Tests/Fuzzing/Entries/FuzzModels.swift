/// What libFuzzer calls with one input, in a heap block of exactly its size.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafeRawPointer, _ count: Int) -> CInt {
    ModelProbe.check(Document(start: bytes, count: count))
    return 0
}
