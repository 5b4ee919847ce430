# `make demo` shows what it does, `make test` shows that it works.

# Without a copy of Swift's runtime beside it, the program starts faster and can be moved elsewhere.
release = swift build -c release --product lqip $(if $(filter Linux,$(shell uname)),--static-swift-stdlib)
lqip = .build/release/lqip

# Tests hash millions of pixels: optimized, they take seconds in place of minutes.
tests = -c release -Xswiftc -enable-testing --scratch-path .build/tests

PREFIX = /usr/local
destination = $(DESTDIR)$(PREFIX)
share = $(destination)/share

.PHONY: demo test lint build install bootstrap bench bench-quick cost fixtures fuzz sanitize spark

demo: build
	@mkdir -p demo
	$(lqip) encode Tests/Images -o demo/placeholders.ndjson; test $$? -le 1
	@cat demo/placeholders.ndjson
	$(lqip) decode 'LEHV6nWB2yk8pyo0adR*.7kCMdnj' -o demo/blurhash.png
	$(lqip) decode '#6590f691' -o demo/lqip.png
	@echo
	@echo "One record an image: demo/placeholders.ndjson"
	@echo "A BlurHash as a preview: demo/blurhash.png"
	@echo "A three-color LQIP as a preview: demo/lqip.png"

test: bootstrap lint
	@scripts/test-tools
	@scripts/check-rooms
	@scripts/check-embedded
	swift build $(tests) --build-tests
	swift test $(tests) --skip-build

lint:
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Fuzzing

build: bootstrap
	$(release)

# The program, its manual page, and completions where each shell looks for them.
install: build
	install -d $(destination)/bin $(share)/man/man1 $(share)/bash-completion/completions \
	  $(share)/zsh/site-functions $(share)/fish/vendor_completions.d
	install -m 755 $(lqip) $(destination)/bin/lqip
	$(lqip) man > $(share)/man/man1/lqip.1
	$(lqip) completions bash > $(share)/bash-completion/completions/lqip
	$(lqip) completions zsh > $(share)/zsh/site-functions/_lqip
	$(lqip) completions fish > $(share)/fish/vendor_completions.d/lqip.fish

bootstrap:
	@scripts/bootstrap

# What needs more than the toolchain and the C libraries.

fixtures:
	scripts/make-fixtures

# Each fuzz target for so many seconds.
TIME = 20
fuzz: bootstrap
	scripts/fuzz $(TIME)

# The tests under AddressSanitizer, then under ThreadSanitizer; those in a browser test no more of it.
sanitize: bootstrap
	for each in address thread; do \
	  swift test -c release -Xswiftc -enable-testing --scratch-path .build/sanitize-$$each \
	    --sanitize=$$each --skip BrowserTests || exit 1; \
	done

bench: build
	Benchmarks/run

bench-quick: build
	Benchmarks/speed --quick

# Counts instructions, so that it fails for what a change costs and not for what else the machine does.
cost: build
	Benchmarks/cost

spark: build
	Examples/spark/setup
	Examples/spark/test
