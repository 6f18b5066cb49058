/// The questions to each responder, which takes one at a time unless it says that it takes several.
struct QuestionQueues: Sendable {
    struct Question: Sendable {
        let id: Int
        let key: IncidentKey
        let level: ResponderLevel
        /// Whether its answer no longer matters. The responder has yet to return.
        var isWithdrawn = false
        fileprivate var isAsked = false
        fileprivate var task: Task<Void, Never>?
    }

    private struct Queue: Sendable {
        var asked = 0
        /// In the order in which they came.
        var waiting: [Int] = []
    }

    private var questions: [Int: Question] = [:]
    private var queues: [ResponderIdentity: Queue] = [:]

    mutating func add(_ id: Int, about key: IncidentKey, _ level: ResponderLevel) {
        questions[id] = Question(id: id, key: key, level: level)
        queues[level.identity, default: Queue()].waiting.append(id)
    }

    /// Takes the next question that may be put to a responder now.
    mutating func startNext(_ level: ResponderIdentity) -> Question? {
        guard var queue = queues[level], let id = queue.waiting.first, let question = questions[id],
            queue.asked < max(1, question.level.responder.maximumQuestions)
        else { return nil }
        queue.waiting.removeFirst()
        queue.asked += 1
        queues[level] = queue
        questions[id]?.isAsked = true
        return question
    }

    /// Notes the task in which a responder answers. Returns false if the question was withdrawn already.
    mutating func note(_ task: Task<Void, Never>, of id: Int) -> Bool {
        guard let question = questions[id] else { return true }
        questions[id]?.task = task
        return !question.isWithdrawn
    }

    /// Withdraws a question. A waiting question is never asked. Returns the task to cancel if the responder is already working
    /// on it.
    mutating func withdraw(_ id: Int) -> Task<Void, Never>? {
        guard let question = questions[id] else { return nil }
        if question.isAsked {
            questions[id]?.isWithdrawn = true
            return question.task
        }
        questions[id] = nil
        queues[question.level.identity]?.waiting.removeAll { $0 == id }
        tidyUp(question.level.identity)
        return nil
    }

    /// Takes out a question whose responder has returned.
    mutating func finish(_ id: Int) -> Question? {
        guard let question = questions.removeValue(forKey: id) else { return nil }
        queues[question.level.identity]?.asked -= 1
        tidyUp(question.level.identity)
        return question
    }

    private mutating func tidyUp(_ level: ResponderIdentity) {
        if let queue = queues[level], queue.asked == 0, queue.waiting.isEmpty { queues[level] = nil }
    }
}
