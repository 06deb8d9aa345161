#!/usr/bin/env bash
# Packages of Debian 13 for machines with an older Debian, without root: apt downloads and checks them, dpkg-deb unpacks.
#
#   debian.sh download <folder> <suite> <keyring> [<package>…]   into <folder>/debs, all below if none is named
#   debian.sh unpack <folder> <place>                            <folder>/debs into <folder>/debian, to be moved to <place>
set -euo pipefail
export LC_ALL=C
command=$1 folder=$2

packages=(
  libc6 libgcc-s1 libstdc++6 patchelf ninja-build libxtensor-dev xtl-dev nlohmann-json3-dev googletest clang-19
  lld-19 llvm-19 libllvm19 libclang-cpp19 libclang-common-19-dev zlib1g libzstd1 libxml2 libedit2 libbsd0 libmd0
  libtinfo6 libffi8 libz3-4 liblzma5 libicu76 libgmp10 emscripten binaryen node-acorn node-xtend clang-format-19
  clang-tidy-19 libclang-rt-19-dev libc6-dev linux-libc-dev libcrypt-dev libstdc++-14-dev libgcc-14-dev
  # llvm-symbolizer, which gives sanitizer reports their line numbers, is linked with libcurl.
  libcurl4t64 libbrotli1 libcom-err2 libgnutls30t64 libgssapi-krb5-2 libhogweed6t64 libidn2-0 libk5crypto3
  libkeyutils1 libkrb5-3 libkrb5support0 libldap2 libnettle8t64 libnghttp2-14 libnghttp3-9 libp11-kit0 libpsl5t64
  librtmp1 libsasl2-2 libssh2-1t64 libssl3t64 libtasn1-6 libunistring5
)

# The machine's own mirrors, in its order.
mirrors() {
  apt-get indextargets --no-release-info --format '$(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
    sed -n 's/^main //p' | awk '!seen[$0]++'
}

# An apt that reads one source and writes only inside the folder. It refuses what no key of the keyring has signed: of
# the machine's own settings only those of the connection (proxies, certificates) apply, so that none can allow
# unsigned, weakly signed or expired packages.
configure() {
  mkdir -p "$folder"/{sources,settings,lists/partial,cache/archives/partial,debs}
  touch "$folder/status"
  { apt-config dump | grep -E '^Acquire::(https?|ForceIPv[46])\b' || true; } > "$folder/apt.conf"
  cat >> "$folder/apt.conf" <<END
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$folder/sources";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "$folder/settings";
Dir::Etc::main "/dev/null";
Dir::Etc::parts "$folder/settings";
Dir::State::lists "$folder/lists";
Dir::State::status "$folder/status";
Dir::Cache "$folder/cache";
Acquire::Languages "none";
Acquire::Retries "3";
APT::Architecture "amd64";
APT::Architectures { "amd64"; };
APT::Sandbox::User "root";
END
}

download() {
  local suite=$1 keyring=$2 mirror codename tried=''
  shift 2
  if [[ ! -e $keyring ]]; then
    echo "$keyring is needed to check Debian's signatures, got none, so nothing is downloaded. Install Debian's package" \
      "debian-archive-keyring and run the command again." >&2
    exit 1
  fi
  configure
  for mirror in $(mirrors); do
    printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n' "$mirror" "$suite" "$keyring" \
      > "$folder/sources/debian.sources"
    if APT_CONFIG=$folder/apt.conf apt-get update --error-on=any > /dev/null 2> "$folder/errors"; then
      # A mirror could serve another suite under this name, also signed by Debian.
      codename=$(APT_CONFIG=$folder/apt.conf apt-get indextargets --format '$(CODENAME)' | sed -n 1p)
      if [[ $codename == "$suite" ]]; then
        cd "$folder/debs"
        APT_CONFIG=$folder/apt.conf apt-get download "${@:-${packages[@]}}" > /dev/null && return
        echo 'Debian packages could not be downloaded. Check the network and run the command again.' >&2
        exit 1
      fi
      echo "Its \"$suite\" is \"$codename\"." > "$folder/errors"
    fi
    tried+="  $mirror"$'\n'"$(sed 's/^/    /' "$folder/errors")"$'\n'
  done
  echo "Debian's \"$suite\" packages cannot be had, signed by a key of $keyring. Tried were this machine's apt sources:
${tried}Check the network and /etc/apt/sources.list*; add Debian’s archive there once the suite has left the mirrors;
upgrade debian-archive-keyring where a public key is missing or has expired; and run the command again." >&2
  exit 1
}

# The programs and libraries in folders.
elf_files() {
  find "$@" -maxdepth 1 -type f -print0 | xargs -0 grep -lZaP '^\x7fELF'
}

unpack() {
  local place=$1 libraries=usr/lib/x86_64-linux-gnu system=usr/share/emscripten/cache/sysroot/lib/wasm32-emscripten
  mkdir "$folder/debian"
  cd "$folder/debian"
  # Left out is what no build here reads: documentation, and libraries for dynamic linking of wasm (800 MB).
  find "$folder/debs" -name '*.deb' -print0 | xargs -0 -n 1 -P "$(nproc)" bash -euo pipefail -c '
    dpkg-deb --fsys-tarfile "$2" | tar -x --exclude=./etc --exclude=./usr/share/{doc,man} --exclude="./$1"/{pic,lto-pic}
  ' _ "$system"
  # The programs use these libraries instead of the machine's. It is an old-style RPATH, because that also applies to
  # libraries of libraries; LLVM's own RUNPATH would override it.
  local patchelf=("$libraries/ld-linux-x86-64.so.2" --library-path "$libraries" usr/bin/patchelf)
  elf_files usr/bin usr/lib/llvm-19/bin | grep -zv '/patchelf$' | xargs -0 -n 8 -P "$(nproc)" "${patchelf[@]}" \
    --set-interpreter "$place/$libraries/ld-linux-x86-64.so.2" --force-rpath --set-rpath "$place/$libraries"
  elf_files "$libraries" | grep -zE '/lib(LLVM|clang)[^/]*$' | xargs -0 "${patchelf[@]}" --remove-rpath

  # Links that other packages of a Debian system provide, and include folders with only the libraries in use.
  mkdir bin include
  ln -s usr/lib lib
  ln -s usr/lib64 lib64
  ln -s ../usr/include/{xtensor,xtl,nlohmann} include/
  ln -s ../usr/bin/ninja bin/
  ln -s ../usr/lib/llvm-19/bin/{clang,clang++,clang-format,clang-tidy,llvm-symbolizer} bin/
  # Debian has acorn in a folder that only CommonJS resolves; Emscripten's own scripts are ES modules.
  ln -s ../nodejs usr/share/emscripten/node_modules
  # Emscripten's scripts are CommonJS; this repository's package.json would make them ES modules.
  echo '{ "type": "commonjs" }' > package.json
}

"$command" "${@:3}"
