/// One step from the operations of a document to the plan of a contract.
///
/// A pass names the facts that its result depends on, and the fact that it makes true. Two passes can change places if neither needs
/// the other, directly or through other passes.
struct ImportPass: Sendable {
    /// A part of the plan that is complete.
    enum Fact {
        case service, servers, security, login
        /// What the operations alone determine.
        case endpoints, structures
        /// The inputs of endpoints, without what every request carries.
        case ownInputs
        /// The bodies that ask for a response as a whole or as a stream.
        case streamRequests
        /// The types in the bodies of updates, which may be cleared.
        case updateTypes
        case pages, sentFields, equalTypes, distinctRequests, examples, roles
        case commonParameters, accept, envelopeNames
        /// The wire names of XML, and which endpoints have XML: without regard to their errors, and with regard to these.
        case xmlNames, xmlErrors
        case errors, endpointOrder, groupNames
        /// The types that the contract needs, in their final form.
        case usedTypes
        case typeNames, fieldNames, errorNames
    }

    let name: String
    /// The facts that its result depends on, without those that these depend on themselves.
    var needs: Set<Fact> = []
    /// The fact that it makes true; nil if it only reports something.
    var gives: Fact?
    let run: @Sendable (inout ImportState) -> Void

    /// The passes in their order.
    static let all: [ImportPass] = [
        ImportPass(name: "service", gives: .service) { $0.describeService() },
        ImportPass(name: "servers", gives: .servers) {
            $0.plan.servers = $0.servers.servers(of: $0.document, home: $0.home)
        },
        ImportPass(name: "security", gives: .security) { $0.addSecurity() },
        ImportPass(name: "endpoints", needs: [.servers, .security], gives: .endpoints) { $0.planEndpoints() },
        ImportPass(name: "own inputs", needs: [.endpoints], gives: .ownInputs) {
            $0.security.removeCarried(from: &$0.plan)
        },
        ImportPass(name: "waiting types", needs: [.endpoints], gives: .structures) { $0.types.planWaiting() },
        ImportPass(name: "pages", needs: [.ownInputs, .structures], gives: .pages) { $0.planPages() },
        ImportPass(name: "stream requests", needs: [.structures], gives: .streamRequests) {
            StreamVariants(types: $0.types).ask(&$0.plan, $0.operations, beside: $0.errors.numbers)
        },
        ImportPass(name: "updates", needs: [.streamRequests], gives: .updateTypes) {
            UpdateTypes(types: $0.types, findings: $0.findings).settle(&$0.plan, beside: $0.errors.numbers)
        },
        ImportPass(name: "sent fields", needs: [.pages, .updateTypes], gives: .sentFields) {
            SentFields(types: $0.types, findings: $0.findings).settle(&$0.plan, beside: $0.errors.numbers)
        },
        ImportPass(name: "equal types", needs: [.sentFields], gives: .equalTypes) { $0.joinEqualTypes() },
        ImportPass(name: "equal requests", needs: [.equalTypes], gives: .distinctRequests) { $0.removeEqualRequests() },
        ImportPass(name: "examples", needs: [.distinctRequests], gives: .examples) { $0.addExamples() },
        ImportPass(name: "roles", needs: [.distinctRequests], gives: .roles) { $0.removeUnusedRoles() },
        ImportPass(name: "XML", needs: [.distinctRequests], gives: .xmlNames) {
            $0.xml.settle(&$0.plan, beside: $0.errors.numbers)
        },
        ImportPass(name: "common parameters", needs: [.distinctRequests], gives: .commonParameters) {
            $0.plan.liftCommonParameters()
        },
        ImportPass(name: "accept", needs: [.commonParameters], gives: .accept) { $0.plan.askForResponseType() },
        ImportPass(name: "envelopes", needs: [.distinctRequests], gives: .envelopeNames) { $0.plan.nameEnvelopes() },
        ImportPass(name: "errors", needs: [.distinctRequests], gives: .errors) {
            $0.errors.finish(&$0.plan, $0.framework, isCompared: $0.options.isCompared)
        },
        ImportPass(name: "errors of XML", needs: [.xmlNames, .errors], gives: .xmlErrors) {
            $0.xml.settleErrors(&$0.plan)
        },
        ImportPass(name: "undeclared errors", needs: [.errors]) { $0.reportUndeclaredErrors() },
        ImportPass(name: "undeclared security") { $0.security.reportUndeclared($0.document, $0.findings) },
        // What it needs was made in the order of the document.
        ImportPass(
            name: "order", needs: [.examples, .commonParameters, .envelopeNames, .errors], gives: .endpointOrder
        ) { $0.orderEndpoints() },
        ImportPass(name: "groups", needs: [.distinctRequests], gives: .groupNames) {
            if $0.options.hasGroups { $0.plan.nameGroups() }
        },
        ImportPass(name: "types", needs: [.xmlErrors], gives: .usedTypes) { $0.collectTypes() },
        ImportPass(name: "login", needs: [.usedTypes], gives: .login) { $0.planLogin() },
        ImportPass(name: "type names", needs: [.service, .groupNames, .usedTypes], gives: .typeNames) {
            $0.nameTypes()
        },
        ImportPass(name: "field names", needs: [.commonParameters, .usedTypes], gives: .fieldNames) { $0.nameFields() },
        ImportPass(name: "error names", needs: [.typeNames], gives: .errorNames) { $0.nameErrors() },
    ]
}
