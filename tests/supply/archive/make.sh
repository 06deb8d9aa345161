#!/usr/bin/env bash
# Regenerates this archive: one package of two lines, signed by a temporary key, and a key that has signed nothing.
set -euo pipefail
cd "$(dirname "$0")"
dists=dists/trixie
mkdir -p "$dists/main/binary-amd64" pool
printf 'What apt downloads is compared with its SHA-256,\nnot opened.\n' > pool/tiny_1.0_amd64.deb

packages=$dists/main/binary-amd64/Packages
cat > "$packages" <<END
Package: tiny
Version: 1.0
Architecture: amd64
Filename: pool/tiny_1.0_amd64.deb
Size: $(stat -c %s pool/tiny_1.0_amd64.deb)
SHA256: $(sha256sum pool/tiny_1.0_amd64.deb | cut -d' ' -f1)
Description: for tests
END
cat > "$dists/Release" <<END
Origin: Debian
Suite: stable
Codename: trixie
Date: Sat, 01 Jan 2022 00:00:00 UTC
Architectures: amd64
Components: main
SHA256:
 $(sha256sum "$packages" | cut -d' ' -f1) $(stat -c %s "$packages") main/binary-amd64/Packages
END

GNUPGHOME=$(mktemp -d)
export GNUPGHOME
trap 'gpgconf --kill all; rm -r "$GNUPGHOME"' EXIT
for name in signed another; do
  gpg --batch --quiet --passphrase '' --faked-system-time 20220101T000000 --quick-gen-key "$name" ed25519 sign never
  gpg --batch --export "$name" > "$name.gpg"
done
gpg --batch --yes --local-user signed --digest-algo SHA256 --clearsign --output "$dists/InRelease" "$dists/Release"
