# `make help` lists the targets.

# The Swift runtime is linked statically, so that the program starts faster and runs without a toolchain. libstdc++ is
# linked statically from $(archives): resolving the symbols of the shared library takes half of the instructions at
# startup. A program linked by lld touches fewer pages at startup than one linked by gold.
archives = $(CURDIR)/.build/archives
release = swift build -c release --product lqip --disable-local-rpath $(search) $(SWIFT_OPTIONS) \
  $(if $(filter Linux,$(shell uname)),--static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker -L$(archives))
lqip = .build/release/lqip

# For packagers, such as --disable-sandbox.
SWIFT_OPTIONS =

# `make static`: a position-independent program without shared libraries. LQIP_LINKED links the libraries that the
# dynamic program loads on first use. A regex literal, `replacing` without `import LqipSystem`, a clock, a task or an actor
# would link large libraries. HEIC is left out, because of the license of libde265 and the patents on HEVC. The build ID,
# and the hashes that incremental builds store, would depend on the directory. The second link places the functions and
# variables of the startup, which $(order) lists, on few pages.
static_lqip = .build/static/lqip
order = .build/static/order
static_release = swift build -c release --product lqip --disable-local-rpath --scratch-path .build/static-build \
  --traits WebP,GIF,AVIF --static-swift-stdlib -Xcc -DLQIP_LINKED -Xswiftc -use-ld=lld -Xswiftc -static-executable \
  $(addprefix -Xswiftc ,-Xclang-linker -static-pie -Xfrontend -disable-incremental-llvm-codegen) \
  $(addprefix -Xswiftc ,-Xfrontend -function-sections) -Xcc -ffunction-sections -Xcc -fdata-sections \
  $(addprefix -Xlinker ,--pack-dyn-relocs=relr --icf=all --build-id=none \
  --symbol-ordering-file=$(CURDIR)/$(order) --no-warn-symbol-ordering \
  -L$(CURDIR)/.build/static/lib $(CURDIR)/.build/static/lib/libmicrohttpd.a -larchive -ldav1d -lgumbo -lzstd -llzma -lbz2 -lz)

# Homebrew search paths of the libraries that only the program links; Package.swift does not contain them.
search = $(if $(filter Darwin,$(shell uname)),$(patsubst -I%,-Xcc -I%,$(patsubst -L%,-Xlinker -L%,$(shell \
  pkg-config --cflags-only-I --libs-only-L gumbo libarchive libmicrohttpd nettle))))

# Tests hash millions of pixels, which takes minutes without optimization.
tests = $(search) -c release -Xswiftc -enable-testing --scratch-path .build/tests

# A debug build with optimization, for `make check`: it recompiles only the changed files. A release build recompiles
# the modules of these files, and all modules that import them.
incremental = $(search) -Xswiftc -O --scratch-path .build/check

# Suites that `make check` skips: they take most of the time of `make test`.
slow = BrowserTests EncodeMemoryTests FewResourcesTests HostileDirectoryTests \
  ExportCommandTests OptionFuzzTests

# For `make install`; STRIP= keeps the symbols.
PREFIX = /usr/local
UNITDIR = $(PREFIX)/lib/systemd/system
STRIP = -s
destination = $(DESTDIR)$(PREFIX)
pages = share/man/man1/lqip.1 share/bash-completion/completions/lqip \
  share/zsh/site-functions/_lqip share/fish/vendor_completions.d/lqip.fish
notices = LICENSE THIRD-PARTY.md
units = $(if $(filter Linux,$(shell uname)),lqip.service lqip.socket)
staged = .build/install

.PHONY: help check demo chat test lint build program staged install uninstall deb static wheel npm container dist \
  try-dist docs browser bootstrap bench bench-quick bytes cost fixtures fuzz sanitize spark

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

check: bootstrap lint ## Lint, build, and run the quick tests
	swift build $(incremental) --build-tests
	@scripts/run-tests $(incremental) --skip-build $(addprefix --skip ,$(slow))

demo: build ## Encode the images in Tests/Images and build a gallery, in demo
	@mkdir -p demo
	@$(lqip) gallery Tests/Images --exclude broken -o demo/gallery.html --quiet
	@echo "Every image next to its placeholders: demo/gallery.html"
	@echo
	@$(lqip) encode Tests/Images -o demo/placeholders.ndjson --quiet; test $$? -le 1
	@echo "One record per image: demo/placeholders.ndjson. An example:"
	@$(lqip) encode Tests/Images/size-640x480.png --kinds blurhash,lqip,thumbhash,css | fold -w 100
	@echo "$$(grep -c '"error"' demo/placeholders.ndjson) deliberately broken files have an error record; the others are not affected"
	@$(lqip) decode 'LEHV6nWB2yk8pyo0adR*.7kCMdnj' -o demo/blurhash.png
	@$(lqip) decode '#6590f691' -o demo/lqip.png
	@echo "Previews of a BlurHash and of a three-color LQIP: demo/blurhash.png, demo/lqip.png"
	@if [ -t 1 ]; then $(lqip) decode 'LEHV6nWB2yk8pyo0adR*.7kCMdnj' --width 40; fi

# CHAT= takes options of chat.py, such as --encrypted or --delay=3.
CHAT =
chat: build browser ## Start the chat of Examples/chat, with pictures of this repository
	@mkdir -p .build/chat/lqip
	@cp .build/browser/*.js .build/browser/*.wasm .build/chat/lqip
	@$(lqip) css >.build/chat/lqip/lqip.css
	@$(lqip) serve --listen 127.0.0.1:8091 --log none & trap "kill $$!" EXIT INT TERM; sleep 1; \
	  Examples/chat/chat.py --data .build/chat --service http://127.0.0.1:8091 --demo Examples/chat/demo.json $(CHAT)

test: bootstrap lint ## Run all checks and tests, as CI does
	@scripts/test-tools
	@scripts/check-modules
	@scripts/make-browser
	@scripts/check-platforms
	swift build $(tests) --build-tests
	scripts/check-snippets .build/tests/release
	scripts/check-views .build/tests/release
	scripts/check-api .build/tests/release
	scripts/make-docs .build/tests/release
	scripts/check-clients
	@scripts/run-tests $(tests) --skip-build

lint: ## Check the formatting
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Fuzzing

build: bootstrap ## Build .build/release/lqip
	@$(MAKE) --no-print-directory program

program: ## Build without installing the C libraries
	@mkdir -p $(archives)
	@! archive=$$(clang -print-file-name=libstdc++.a) || [ ! -f "$$archive" ] || ln -sf "$$archive" $(archives)
	$(release)
	@$(MAKE) --no-print-directory staged

# Writes the manual page and the shell completions for `make install`.
staged:
	@mkdir -p $(addprefix $(staged)/,$(dir $(pages)))
	@$(lqip) man >$(staged)/share/man/man1/lqip.1
	@$(lqip) completions bash >$(staged)/share/bash-completion/completions/lqip
	@$(lqip) completions zsh >$(staged)/share/zsh/site-functions/_lqip
	@$(lqip) completions fish >$(staged)/share/fish/vendor_completions.d/lqip.fish

# Does not build, so that root can run it without creating files in .build.
install: ## Install the output of `make build` under PREFIX
	@test -x $(lqip) -a -d $(staged) || { echo "install: run 'make build' first" >&2; exit 1; }
	install -d $(destination)/bin $(addprefix $(destination)/,$(dir $(pages))) \
	  $(destination)/share/doc/lqip $(if $(units),$(DESTDIR)$(UNITDIR))
	install $(STRIP) -m 755 $(lqip) $(destination)/bin/lqip
	for page in $(pages); do install -m 644 $(staged)/$$page $(destination)/$$page || exit; done
	install -m 644 $(notices) $(destination)/share/doc/lqip
	for unit in $(units); do \
	  sed 's|/usr/local/bin/|$(PREFIX)/bin/|' Packaging/$$unit >$(DESTDIR)$(UNITDIR)/$$unit && \
	  chmod 644 $(DESTDIR)$(UNITDIR)/$$unit || exit; \
	done

uninstall: ## Remove the installed files
	rm -f $(addprefix $(destination)/,bin/lqip $(pages) $(addprefix share/doc/lqip/,$(notices))) \
	  $(addprefix $(DESTDIR)$(UNITDIR)/,$(units))
	[ ! -d $(destination)/share/doc/lqip ] || rmdir $(destination)/share/doc/lqip

bootstrap: ## Install the C libraries with apt or Homebrew
	@scripts/bootstrap

docs: bootstrap ## Build the API reference, in .build/docs/site
	swift build --target PlaceholderEncoding
	scripts/make-docs

browser: ## Build the npm package @lqip/browser, in .build/browser
	@scripts/test-tools
	@scripts/make-browser

# The following targets install additional tools.

static: bootstrap ## Build .build/static/lqip, which runs on any Linux
	scripts/static-libraries
	scripts/check-embedded
	@touch $(order)
	$(static_release)
	scripts/startup-order .build/static-build/release/lqip $(order)
	$(static_release)
	@! nm .build/static-build/release/lqip | grep -E '_RegexParser|swift_task_create$$' || \
	  { echo "static: the program links regular expressions or the concurrency library" >&2; exit 1; }
	strip -o $(static_lqip) .build/static-build/release/lqip
	@$(MAKE) --no-print-directory staged lqip=$(static_lqip) staged=.build/static/install

wheel: static ## Build a Python wheel, in .build/dist
npm: static ## Build the Node.js package, in .build/dist
container: static ## Build a container image, in .build/dist
wheel npm container:
	scripts/make-dist $@

dist: static ## Build all artifacts of a release, in .build/dist
	scripts/make-dist

try-dist: build dist ## Install each release artifact in a fresh environment, and use it; requires root
	scripts/try-dist

deb: bootstrap ## Build a Debian package, in .build/deb
	scripts/make-deb

fixtures: ## Generate Tests/Images
	scripts/make-fixtures

# Seconds per fuzz target.
TIME = 20
fuzz: bootstrap ## Run each fuzz target for TIME seconds
	scripts/fuzz $(TIME)

sanitize: bootstrap ## Run the tests under three sanitizers
	scripts/sanitize

bench: build ## Compare with peers and write Benchmarks/RESULTS.md
	Benchmarks/run

bench-quick: build ## Measure the speed in two minutes
	Benchmarks/speed --quick

bytes: build ## Compare placeholders with those of other programs in size and closeness
	Benchmarks/bytes

cost: build ## Count instructions, and fail if a case grows by 5%
	Benchmarks/cost

spark: build ## Run the Spark example on two workers
	Examples/spark/setup
	Examples/spark/test
