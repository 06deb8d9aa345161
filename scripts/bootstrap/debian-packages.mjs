/** The Debian release whose packages are unpacked: the first with Emscripten ≥ 3.1.69 and clang ≥ 16. */
export const suite = 'trixie';

/** Raise when the way of unpacking changes, so that existing unpacked folders are made anew. */
export const recipe = 1;

const runtime = ['libc6', 'libgcc-s1', 'libstdc++6', 'patchelf'];

const llvm = [
  ...['clang-19', 'lld-19', 'llvm-19', 'libllvm19', 'libclang-cpp19', 'libclang-common-19-dev'],
  ...['zlib1g', 'libzstd1', 'libxml2', 'libedit2', 'libbsd0', 'libmd0', 'libtinfo6', 'libffi8', 'libz3-4'],
  ...['liblzma5', 'libicu76', 'libgmp10'],
];

/** llvm-symbolizer, which gives sanitizer reports their line numbers, is linked with libcurl. */
const symbolizer = [
  ...['libcurl4t64', 'libbrotli1', 'libcom-err2', 'libgnutls30t64', 'libgssapi-krb5-2', 'libhogweed6t64'],
  ...['libidn2-0', 'libk5crypto3', 'libkeyutils1', 'libkrb5-3', 'libkrb5support0', 'libldap2'],
  ...['libnettle8t64', 'libnghttp2-14', 'libnghttp3-9', 'libp11-kit0', 'libpsl5t64', 'librtmp1'],
  ...['libsasl2-2', 'libssh2-1t64', 'libssl3t64', 'libtasn1-6', 'libunistring5'],
];

const groups = {
  libraries: [...runtime, 'ninja-build', 'libxtensor-dev', 'xtl-dev', 'nlohmann-json3-dev', 'googletest'],
  native: [
    ...[...llvm, ...symbolizer, 'clang-format-19', 'clang-tidy-19', 'libclang-rt-19-dev'],
    ...['libc6-dev', 'linux-libc-dev', 'libcrypt-dev', 'libstdc++-14-dev', 'libgcc-14-dev'],
  ],
  emscripten: [...llvm, 'emscripten', 'binaryen', 'node-acorn', 'node-xtend'],
};

/** Names of the packages of these groups, each once, sorted. */
export const packagesOf = (names) => [...new Set(names.flatMap((name) => groups[name]))].sort();

/** What no build here reads: documentation, and system libraries for dynamic linking of wasm (800 MB). */
export const leftOut = [
  './etc',
  './usr/share/doc',
  './usr/share/man',
  './usr/share/emscripten/cache/sysroot/lib/wasm32-emscripten/pic',
  './usr/share/emscripten/cache/sysroot/lib/wasm32-emscripten/lto-pic',
];
