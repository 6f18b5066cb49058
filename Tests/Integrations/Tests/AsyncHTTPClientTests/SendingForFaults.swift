import ErrandRuntime

extension Transport {
    /// Sends a request, and returns its fault; nil if it got a response.
    func fault(of request: TransportRequest) async -> TransportFault? {
        do throws(TransportFault) {
            _ = try await send(request)
            return nil
        } catch {
            return error
        }
    }
}
