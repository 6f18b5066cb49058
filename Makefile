# The two commands of the README come first.
.PHONY: demo test integrations documentation threads generate check artifact-bundle examples format fuzz bench reliability diff-proof verify clean

# Builds everything, and runs a generated client against a local server.
demo:
	@scripts/demo

# The tests but the long ones, which are a step of `.ci/run`. One test at a time, since many of them measure time on real sockets.
test:
	@scripts/install-libraries
	@scripts/install-python-tools
	@scripts/swift-test

# The tests that require a trait: the packages that each trait fetches, and the tests of `Tests/Integrations/`. The first build
# takes minutes.
# SwiftPM passes several traits to the compiler in an order that depends on hashing, and another order would compile everything
# anew.
integrations:
	@scripts/check fetched
	@SWIFT_DETERMINISTIC_HASHING=1 scripts/swift-test --package-path Tests/Integrations
	@scripts/check pages --as traits Tests/Integrations/.build/debug/Modules

# The pages of the public products, from the modules of `make integrations` for all but three products, and from those of `make
# test` for these; and the reference pages of the shipped contracts beside them.
documentation:
	@scripts/documentation Tests/Integrations/.build/debug/Modules
	@scripts/documentation .build/debug/Modules .build/documentation ErrandDigests ErrandXML ErrandUI ErrandTestServer
	@swift build --quiet --product errand
	@.build/debug/errand docs contracts --output .build/documentation/contracts

# The tests that run on more than one thread, under thread sanitizer. The sanitizer must first report a planted race.
threads:
	@scripts/check threads

# Writes generated/ anew from contracts/, here, in the benchmarks and in the example that commits its client.
generate:
	@scripts/install-libraries
	@swift run --quiet errand generate
	@cd Benchmarks && ../.build/debug/errand generate
	@cd Examples/CommittedClient && ../../.build/debug/errand generate

# A SwiftPM artifact bundle of the tool for this system, and a package with the plugins on it: .build/artifact-bundle/errand-tool.
artifact-bundle:
	@scripts/artifact-bundle

# Formats all handwritten Swift.
format:
	@git ls-files -co --exclude-standard '*.swift' | grep -vE '(^|/)(generated|wanted)/' | xargs swift format -i --configuration .swift-format

# Checks that the generated files match contracts/, and writes nothing.
check:
	@scripts/install-libraries
	@swift run --quiet errand generate --check
	@cd Benchmarks && ../.build/debug/errand generate --check
	@cd Examples/CommittedClient && ../../.build/debug/errand generate --check

# Builds and runs the packages of Examples/ against this checkout.
examples:
	@scripts/examples

# Ten minutes of random inputs; CI takes half a minute.
fuzz:
	@Tests/Fuzzing/run 600

# The figures of docs/performance.md beside their promised values; `Benchmarks/run --record` writes them into that page.
bench:
	@scripts/install-libraries
	@Benchmarks/run

# The promises of the pipeline, each over thousands of simulated runs, and one over as many faults on sockets; prints a row for
# each: the promise, the seeds, the cases, the violations, the seconds. Then bugs are planted into the runtime, and the tests
# must catch them: a row for each. About an hour.
SEEDS ?= 10000
FAULTS ?= 100000
reliability:
	@scripts/install-libraries
	@scripts/reliability $(SEEDS) $(FAULTS)
	@scripts/mutation-gate

# The verdicts of `errand diff` for 2,000 edits of the shipped contracts: clients and services of both versions run. About
# 45 minutes: 500 edits took 690 s alone, and 606 to 948 s beside builds.
DIFFS ?= 2000
diff-proof:
	@scripts/install-libraries
	@ERRAND_DIFFS=$(DIFFS) scripts/swift-test --filter DiffProofTests

# The full versions of the checks in `.ci/run`: several hours. CONTRIBUTING.md lists them.
CONTRACTS ?= 5000
verify: reliability fuzz diff-proof
	@ERRAND_CONTRACTS=$(CONTRACTS) ERRAND_INSTANCES=all scripts/swift-test --filter RandomContractTests
	@ERRAND_DOCUMENTS=all scripts/swift-test --filter 'DocumentDiffTests|CorpusTests|PrintedContractTests'
	@ERRAND_CUTS=all SWIFT_DETERMINISTIC_HASHING=1 scripts/swift-test --package-path Tests/Integrations --filter WebSocketTests
	@ERRAND_KILLS=1000 SWIFT_DETERMINISTIC_HASHING=1 scripts/swift-test --package-path Tests/Integrations --filter OutboxKillTests
	@scripts/check memory 100000
	@scripts/check mock 40
	@scripts/check replay 1000
	@scripts/check lists
	@scripts/check gateways
	@scripts/check bank-behind-gateways
	@scripts/check frameworks
	@scripts/check server-libraries
	@scripts/check mock-page
	@scripts/check reference-pages
	@ERRAND_EXAMPLES=own scripts/examples
	@scripts/check threads
	@scripts/check plugins --all
	@scripts/check apple --planted
	@scripts/check artifact-bundle
	@Benchmarks/run

clean:
	swift package clean
