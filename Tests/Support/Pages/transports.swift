import ErrandRuntime

let pem = ""

struct MyTransport: Transport {
    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        TransportResponse(status: 200)
    }
}
