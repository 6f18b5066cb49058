import BankClient
import ErrandRuntime
import Foundation

let bank = Bank()
let dispatcher = Dispatcher()
let answers: [String: String] = [:]
let device = UUID()
let error: any Error = CancellationError()
let translations: [String: String] = [:]
let transport = RecordedTransport(answers: [:])
let clock = ContinuousClock()
let show: @Sendable (_ text: String, _ canRetry: Bool) async -> Bool = { _, _ in false }

func reload() async {}
@Sendable func log(_ line: String) {}
