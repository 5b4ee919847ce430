# `make demo` shows what it does, `make test` shows that it works.

# Without a copy of Swift's runtime beside it, the program starts faster and can be moved elsewhere. The C++ library
# that the runtime needs is linked in too, where the folder $(archives) is searched first: to look up the symbols of
# the shared one takes half of the instructions of a start. What lld links has fewer pages to touch than what gold does.
archives = $(CURDIR)/.build/archives
release = swift build -c release --product lqip --disable-local-rpath $(search) \
  $(if $(filter Linux,$(shell uname)),--static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker -L$(archives))
lqip = .build/release/lqip

# Homebrew's folders of the libraries that only the program uses; Package.swift says why it does not name them.
search = $(if $(filter Darwin,$(shell uname)),$(patsubst -I%,-Xcc -I%,$(patsubst -L%,-Xlinker -L%,$(shell \
  pkg-config --cflags-only-I --libs-only-L libarchive libmicrohttpd nettle))))

# Tests hash millions of pixels: optimized, they take seconds in place of minutes.
tests = $(search) -c release -Xswiftc -enable-testing --scratch-path .build/tests

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

.PHONY: demo test lint build program staged install uninstall deb docs bootstrap bench bench-quick cost \
  fixtures fuzz sanitize spark

demo: build
	@mkdir -p demo
	@$(lqip) gallery Tests/Images --exclude broken -o demo/gallery.html --quiet --progress never
	@echo "Every image beside what its viewers will see: demo/gallery.html"
	@echo
	@$(lqip) encode Tests/Images -o demo/placeholders.ndjson --quiet --progress never; test $$? -le 1
	@echo "One record an image, in demo/placeholders.ndjson; of one of them:"
	@$(lqip) encode Tests/Images/size-640x480.png --kinds blurhash,lqip,thumbhash,css | fold -w 100
	@echo "$$(grep -c '"error"' demo/placeholders.ndjson) deliberately broken files refused, and none of the others affected"
	@$(lqip) decode 'LEHV6nWB2yk8pyo0adR*.7kCMdnj' -o demo/blurhash.png
	@$(lqip) decode '#6590f691' -o demo/lqip.png
	@echo "Previews of a BlurHash and of a three-color LQIP: demo/blurhash.png, demo/lqip.png"
	@if [ -t 1 ]; then $(lqip) decode 'LEHV6nWB2yk8pyo0adR*.7kCMdnj' --width 40; fi

test: bootstrap lint
	@scripts/test-tools
	@scripts/check-modules
	@scripts/check-embedded
	@scripts/check-platforms
	swift build $(tests) --build-tests
	scripts/check-snippets .build/tests/release
	scripts/make-docs .build/tests/release
	scripts/check-clients
	swift test $(tests) --skip-build

lint:
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Fuzzing

build: bootstrap
	@$(MAKE) --no-print-directory program

# Like `build`, but installs nothing.
program:
	@mkdir -p $(archives)
	@! archive=$$(clang -print-file-name=libstdc++.a) || [ ! -f "$$archive" ] || ln -sf "$$archive" $(archives)
	$(release)
	@$(MAKE) --no-print-directory staged

# Writes the manual page and the completions, for `install`.
staged:
	@mkdir -p $(addprefix $(staged)/,$(dir $(pages)))
	@$(lqip) man >$(staged)/share/man/man1/lqip.1
	@$(lqip) completions bash >$(staged)/share/bash-completion/completions/lqip
	@$(lqip) completions zsh >$(staged)/share/zsh/site-functions/_lqip
	@$(lqip) completions fish >$(staged)/share/fish/vendor_completions.d/lqip.fish

# Copies what `make build` has built; it builds nothing itself, so that it can run as root.
install:
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

uninstall:
	rm -f $(addprefix $(destination)/,bin/lqip $(pages) $(addprefix share/doc/lqip/,$(notices))) \
	  $(addprefix $(DESTDIR)$(UNITDIR)/,$(units))
	[ ! -d $(destination)/share/doc/lqip ] || rmdir $(destination)/share/doc/lqip

bootstrap:
	@scripts/bootstrap

# Writes the documentation of the libraries as a static site, .build/docs/site.
docs: bootstrap
	swift build --target PlaceholderEncoding
	scripts/make-docs

# What needs more than the toolchain and the C libraries.

deb: bootstrap
	scripts/make-deb

fixtures:
	scripts/make-fixtures

# Each fuzz target for so many seconds.
TIME = 20
fuzz: bootstrap
	scripts/fuzz $(TIME)

# The tests under AddressSanitizer, then under ThreadSanitizer.
sanitize: bootstrap
	scripts/sanitize

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
