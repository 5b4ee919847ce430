# `make dist` writes this file with the version and the checksums of a release.
# nix-build --expr '(import <nixpkgs> { }).callPackage ./default.nix { }'
{ lib, stdenvNoCC, fetchurl }:

let
  version = "@VERSION@";
  machine = stdenvNoCC.hostPlatform.parsed.cpu.name;
  checksums = {
    x86_64 = "@SHA256_X86_64@";
    aarch64 = "@SHA256_AARCH64@";
  };
in
stdenvNoCC.mkDerivation {
  pname = "lqip";
  inherit version;

  src = fetchurl {
    url = "https://git.example.org/placeholders/releases/download/${version}/lqip-${version}-linux-${machine}.tar.xz";
    sha256 = checksums.${machine} or (throw "lqip: no release for ${machine}");
  };

  # The program, the manual page and the completions.
  installPhase = ''
    mkdir $out
    cp -r bin share $out
  '';

  # The program is static and stripped.
  dontStrip = true;
  dontPatchELF = true;

  doInstallCheck = true;
  installCheckPhase = "$out/bin/lqip --version";

  meta = {
    description = "Image placeholders: BlurHash, ThumbHash, CSS gradients and previews";
    homepage = "https://git.example.org/placeholders";
    license = lib.licenses.asl20;
    mainProgram = "lqip";
    platforms = [ "x86_64-linux" "aarch64-linux" ];
    sourceProvenance = [ lib.sourceTypes.binaryNativeCode ];
  };
}
