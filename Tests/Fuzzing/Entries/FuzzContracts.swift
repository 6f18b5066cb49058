/// What libFuzzer calls with one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafeRawPointer, _ count: Int) -> CInt {
    ContractProbe.check(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
    return 0
}
