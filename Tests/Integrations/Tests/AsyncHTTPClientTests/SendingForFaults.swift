import ErrandRuntime

extension Transport {
    /// Sends a request: how it failed, nil where it was answered.
    func fault(of request: TransportRequest) async -> TransportFault? {
        do throws(TransportFault) {
            _ = try await send(request)
            return nil
        } catch {
            return error
        }
    }
}
