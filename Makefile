# The two commands of the README stand first; everything else is below them.
.PHONY: demo test integrations documentation threads generate check artifact-bundle examples format fuzz bench reliability verify clean

# From nothing to a generated client at work against a local server.
demo:
	@scripts/demo

# Everything that is tested every day. One test at a time, since many of them measure out time on real sockets.
test:
	@scripts/install-libraries
	@scripts/install-python-tools
	@scripts/swift-test

# What requires a trait of its own: what each trait fetches, and the tests of `Tests/Integrations/`. The first build takes minutes.
# SwiftPM hands several traits to the compiler in an order that hashing decides, and another order would compile all anew.
integrations:
	@scripts/check-fetched
	@SWIFT_DETERMINISTIC_HASHING=1 scripts/swift-test --package-path Tests/Integrations

# The pages of the public products, from what `make integrations` has built, which has all but one, and what `make test` has built.
documentation:
	@scripts/documentation Tests/Integrations/.build/debug/Modules
	@scripts/documentation .build/debug/Modules .build/documentation ErrandDigests

# The tests that run on more than one thread, under thread sanitizer; a race is planted first, which it must see.
threads:
	@scripts/check-threads

# Writes generated/ anew from contracts/, here and in the example that commits its client.
generate:
	@scripts/install-libraries
	@swift run --quiet errand generate
	@cd Examples/CommittedClient && ../../.build/debug/errand generate

# A SwiftPM artifact bundle of the tool for this system, and a package with the plugins on it: .build/artifact-bundle/errand-tool.
artifact-bundle:
	@scripts/artifact-bundle

# Formats all Swift that people write.
format:
	@git ls-files -co --exclude-standard '*.swift' | grep -vE '(^|/)(generated|wanted)/' | xargs swift format -i --configuration .swift-format

# Whether they are what contracts/ say; writes nothing.
check:
	@scripts/install-libraries
	@swift run --quiet errand generate --check
	@cd Examples/CommittedClient && ../../.build/debug/errand generate --check

# Builds and runs the packages of Examples/ against this checkout.
examples:
	@scripts/examples

# Ten minutes of inputs that nobody would write; CI takes one.
fuzz:
	@Tests/Fuzzing/run 600

# The figures of docs/performance.md beside what is promised of them; `Benchmarks/run --record` puts them into that page.
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

# All of what `.ci/run` takes a part of, in full: several hours. CONTRIBUTING.md lists it.
CONTRACTS ?= 5000
verify: reliability fuzz
	@ERRAND_CONTRACTS=$(CONTRACTS) ERRAND_INSTANCES=all scripts/swift-test --filter RandomContractTests
	@scripts/check-memory 100000
	@Benchmarks/run

clean:
	swift package clean
