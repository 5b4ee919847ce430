# `make dist` writes this formula with the version and the checksums of a release.
class Lqip < Formula
  desc "Image placeholders: BlurHash, ThumbHash, CSS gradients and previews"
  homepage "https://git.example.org/placeholders"
  version "@VERSION@"
  license "Apache-2.0"

  on_macos do
    url "https://git.example.org/placeholders.git", tag: "@VERSION@", revision: "@REVISION@"

    depends_on "pkgconf" => :build
    # The first version with Swift 6.3.
    depends_on xcode: ["26.4", :build]
    depends_on "giflib"
    depends_on "isa-l"
    depends_on "jpeg-turbo"
    depends_on "libarchive"
    depends_on "libmicrohttpd"
    depends_on "libpng"
    depends_on "little-cms2"
    depends_on macos: :sequoia
    depends_on "nettle"
    depends_on "webp"
  end

  on_linux do
    on_intel do
      url "https://git.example.org/placeholders/releases/download/@VERSION@/lqip-@VERSION@-linux-x86_64.tar.xz"
      sha256 "@SHA256_X86_64@"
    end
    on_arm do
      url "https://git.example.org/placeholders/releases/download/@VERSION@/lqip-@VERSION@-linux-aarch64.tar.xz"
      sha256 "@SHA256_AARCH64@"
    end
  end

  def install
    if OS.mac?
      # SwiftPM cannot start its sandbox inside that of Homebrew.
      system "make", "program", "SWIFT_OPTIONS=--disable-sandbox"
      system "make", "install", "PREFIX=#{prefix}"
    else
      prefix.install "bin", "share"
    end
  end

  test do
    system bin/"lqip", "decode", "#47d37520", "-o", "image.png"
    assert_equal "#47d37520", shell_output("#{bin}/lqip encode image.png --text lqip").chomp
  end
end
