# Everything a contributor needs. Only Go has to be installed; targets that want
# more say so and either fetch it themselves or skip by name.

SHELL      := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c

GO        ?= go
BIN       := bin
# A version that can be compared, as `make dist` has it, also in a checkout without tags.
VERSION   ?= $(shell git describe --tags --exact-match --match 'v*' 2>/dev/null || \
	echo "$$(sed -n 's/^var Version = "\(.*\)"/\1/p' internal/version/version.go).g$$(git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)$$(git diff --quiet HEAD 2>/dev/null || echo .dirty)")
LDFLAGS   := -s -w -X github.com/trammel-dev/trammel/internal/version.Version=$(VERSION)
export CGO_ENABLED := 0
# The same everywhere, so that what one target compiled serves the others. What debuggers want is a tenth of compiling;
# release builds (dist/make) have flags of their own.
export GOFLAGS := -trimpath -gcflags=all=-dwarf=false

.PHONY: build demo demo-console interpreters test race soak mutants check lint cross bench fuzz e2e flow-kit e2e-windows dist dist-test golden site clean

build: ## both programs, into bin/
	$(GO) build -ldflags '$(LDFLAGS)' -o $(BIN)/ ./cmd/trammel ./cmd/trammel-hook

demo: build ## a guarded agent session, end to end
	$(BIN)/trammel demo

demo-console: build ## a server with some made-up history, to click through
	$(BIN)/trammel demo --console

# Secrets of tests are cheap to guess: deriving their keys took a tenth of all the time. Their SQLite files survive killed
# processes but no power failure: half of the time of approvals was waiting for the disk. make race tests what is shipped.
TEST_LDFLAGS := -s -w -X github.com/trammel-dev/trammel/approvals.memory=64 -X github.com/trammel-dev/trammel/store/sqlite.synchronous=OFF
# Garbage is collected rarely: that saves a fifth of the compiler's time. Many tests wait rather than compute, so three times as many
# packages run at once as there are processors, and those that take longest begin.
LONGEST := ./test/guards ./cmd/trammel ./server ./approvals/...
# Tests start Python and node a few hundred times, from its own library only. What chooses a version of Python on some machines,
# what else is installed for it, and certificates for node took longer than the programs of the tests.
INTERPRETERS := $(CURDIR)/$(BIN)/test/interpreters
test race: export PATH := $(INTERPRETERS):$(PATH)
test race: export NODE_EXTRA_CA_CERTS :=
test cross: export GOGC := 1600
test: export GOMEMLIMIT := 800MiB
race: export GOGC := 400
interpreters:
	@mkdir -p $(INTERPRETERS); cd $(INTERPRETERS); ./python3 -c '' 2>/dev/null || { rm -f python3; \
		real=$$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null) || exit 0; \
		printf '#!/bin/sh\nexec "%s" -S "$$@"\n' "$$real" >python3; chmod +x python3; }

# Tests make a hundred thousand small files. In memory that takes a fifth of the time; there has to be space, and programs have to
# run from there. The place has a fixed name, as results of tests that use it are cached by it.
IN_MEMORY := if d=/dev/shm/trammel-test-$$(id -u) && [ "$$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $$4 }')" -gt 4000000 ] \
	2>/dev/null && mkdir -p "$$d" && [ -O "$$d" ] && chmod 1777 "$$d" && printf '\#!/bin/sh\n' >"$$d/run" && chmod +x "$$d/run" && \
	"$$d/run" 2>/dev/null; then export TMPDIR="$$d"; fi;

test: build interpreters ## all tests but those with real agents
	@$(IN_MEMORY) TRAMMEL_TEST_LDFLAGS='$(TEST_LDFLAGS)' $(GO) test -ldflags '$(TEST_LDFLAGS)' -vet=off -timeout 10m -p $$((3 * $$(getconf _NPROCESSORS_ONLN))) \
		$(LONGEST) ./...

# What starts a goroutine. The rest has nothing for the race detector to find, nor do tests that only start our programs,
# which are built without it. SQLite is slow with it, and has to be in it: with parts left out it reports races that are none.
CONCURRENT = $(shell git grep -lE '^[[:blank:]]*go (func|[a-z])|[.]Go.func' -- '*.go' ':!cmd' ':!demo' ':!integrations' ':!test' | \
	xargs -n1 dirname | sort -u | sed 's|^|./|')
race: interpreters ## their tests with the race detector, which needs a C compiler; -short leaves out the longest
	@$(IN_MEMORY) CGO_ENABLED=1 $(GO) test -race -short -timeout 20m $(CONCURRENT) ./store/sqlite

soak: ## misbehaving workers and packs, a hundred times each
	TRAMMEL_SOAK=1 $(GO) test -count 1 -run 'TestBad' -timeout 20m ./internal/worker ./packs

SAMPLE ?= 300
mutants: ## small changes of the lines that decide; lists those that no test notices (SAMPLE=0: all, PACKAGES: where)
	$(GO) run ./test/mutants -sample $(SAMPLE) $(PACKAGES)

check: lint cross ## lint, architecture rules, cross-builds
	TRAMMEL_COUNT=1 $(GO) test -run 'TestArchitecture|TestHotProgram' -count 1 ./test/repository

lint:
	@out=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$out" ]; then echo "not formatted:"; echo "$$out"; exit 1; fi
	$(GO) vet ./...
	$(GO) vet -tags e2e ./test/e2e/... ./integrations/... ./console/... ./test/windows
	$(GO) vet -tags dist ./dist/...
	$(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...

cross: build ## for every system we promise: one processor each, as no file of ours is for one only (TestArchitectureOfProcessors)
	@for target in darwin/arm64 windows/amd64; do \
		echo "$$target"; export GOOS=$${target%/*} GOARCH=$${target#*/}; \
		$(GO) build -o /dev/null ./cmd/trammel-hook && $(GO) build -o /dev/null ./cmd/trammel && $(GO) vet ./... || exit 1; \
	done

bench: build ## the hot path against a Go hello world, and the library; fails beyond its limits
	$(GO) run ./test/bench/hotpath -gate 2.2
	$(GO) run ./test/bench/library
	$(GO) run ./test/bench/packs
	$(GO) run ./test/bench/backtest

FUZZTIME ?= 1m
fuzz: ## every fuzz target, a minute each
	@for pkg in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$pkg 2>/dev/null | grep '^Fuzz'); do \
			echo "== $$pkg $$target"; $(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$pkg || exit 1; \
		done; \
	done

RUN ?= .
e2e: build ## with the real agents; needs npm (and root for a private network), skips by name otherwise (RUN: which tests; TRAMMEL_E2E_ALL=1: all scenarios of MCP servers with each agent)
	$(GO) test -tags e2e -count 1 -timeout 30m -run '$(RUN)' -v ./test/e2e/... ./integrations/... ./console/... 2>&1 | grep -v '^=== '

e2e-windows: ## the Windows programs below Wine, skipped by name without it
	$(GO) test -tags e2e -count 1 -v ./test/windows

flow-kit: ## the public conformance kit of Flow Agents, from the npm registry; part of e2e, too
	$(GO) test -tags e2e -count 1 -v ./test/e2e/flowkit

TARGETS ?= darwin/amd64,darwin/arm64,linux/amd64,linux/arm64,windows/amd64,windows/arm64
dist: ## everything that a release consists of, into bin/dist (TARGETS: for what, KEY: the file with the key that signs it)
	$(GO) run ./dist/make -out $(BIN)/dist -targets '$(TARGETS)' -key '$(KEY)'

dist-test: ## builds a release for this machine twice and installs it in every way there is; what needs a missing program is skipped by name
	$(GO) test -tags dist -count 1 -timeout 30m -run '$(RUN)' -v ./dist/... 2>&1 | grep -v '^=== '

golden: ## rewrite the generated files
	$(GO) test ./config ./dialects/claudecode ./dialects/native ./handlers/rule ./test/repository -run 'Schema|Encodes|Decodes|Golden|Vocabulary|Requirements|HotProgramLinks' -update

site: ## the pages as a static site, into site/: no script, and nothing that is loaded from elsewhere
	$(GO) run ./test/site -out site

clean:
	rm -rf $(BIN) site
