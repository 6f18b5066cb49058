import ErrandRuntime

/// Keeps durable commands in memory, for tests. They end with the store.
public actor MemoryOutboxStore: OutboxStore {
    private var intents: [Int: KeptIntent] = [:]
    private var inputs: [Int: [UInt8]] = [:]
    private var claimed: Set<String> = []
    private var last = 0

    public init() {}

    public func claim(_ service: String) -> Bool { claimed.insert(service).inserted }

    public func release(_ service: String) { claimed.remove(service) }

    public func append(_ intent: KeptIntent, inputs bytes: [UInt8]) -> Int {
        last += 1
        var intent = intent
        intent.number = last
        intents[last] = intent
        inputs[last] = bytes
        return last
    }

    public func intents(of service: String, after number: Int, limit: Int) -> [KeptIntent] {
        let found = intents.values.filter { $0.service == service && $0.number > number }
        return Array(found.sorted { $0.number < $1.number }.prefix(limit))
    }

    public func inputs(of number: Int) -> [UInt8]? { inputs[number] }

    public func update(_ number: Int, _ progress: IntentProgress, isSynced: Bool) {
        intents[number]?.progress = progress
    }

    public func remove(_ number: Int) {
        intents[number] = nil
        inputs[number] = nil
    }
}
