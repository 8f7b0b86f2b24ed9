# shellcheck shell=sh disable=SC2034
# Shared by build.sh, .ci/release and .ci/sdist, which read it from the top folder.

fail() {
    echo "build.sh: $*" >&2
    exit 1
}

need_tools() {
    # A fresh rustup install is found even before a new terminal is opened.
    PATH="$PATH:${CARGO_HOME:-${HOME:-}/.cargo}/bin"
    command -v cargo >/dev/null ||
        fail "Rust is not installed (no cargo on the PATH): install Rust 1.89 or newer from https://rustup.rs and try again"
    command -v cc >/dev/null ||
        fail "a C linker is missing (no cc on the PATH): install one, on Debian and Ubuntu with: apt-get install gcc libc6-dev"
}

# Makes a compiler for the target the one in use: rustup has standard libraries
# for most, of Debian's compiler the source is there. $build_std holds cargo's
# option for the latter.
use_compiler() {
    for compiler in "${RUSTC:-rustc}" /usr/bin/rustc; do
        library=$("$compiler" --print sysroot 2>/dev/null)/lib/rustlib || continue
        if [ -d "$library/$1" ]; then
            export RUSTC="$compiler"
            build_std=
            return
        elif [ -d "$library/src/rust/library" ]; then
            export RUSTC="$compiler" RUSTC_BOOTSTRAP=1
            build_std='-Z build-std=std,panic_abort'
            return
        fi
    done
    fail "the Rust target $1 is missing: rustup target add $1 (or, on Debian: apt-get install rustc-web rust-web-src)"
}

# Adds flags of the compiler to those in RUSTFLAGS, and keeps this machine's paths
# out of what is built. The flags may hold spaces.
use_flags() {
    separator=$(printf '\037')
    CARGO_ENCODED_RUSTFLAGS=$(printf %s "${RUSTFLAGS:-}" | tr -s ' ' "$separator")
    for flag in "$@" "--remap-path-prefix=${CARGO_HOME:-${HOME:-}/.cargo}=/cargo"; do
        CARGO_ENCODED_RUSTFLAGS=${CARGO_ENCODED_RUSTFLAGS:+$CARGO_ENCODED_RUSTFLAGS$separator}$flag
    done
    export CARGO_ENCODED_RUSTFLAGS
}

# Puts the licences of the crates in the Python package beside its pyproject.toml until the
# script ends: maturin packs them. They are those for one target, or for all.
add_python_licences() {
    trap 'rm -f src/python/LICENSE-THIRD-PARTY.txt' EXIT
    python3 .ci/licences.py --package santorini-python ${1:+--target "$1"} \
        >src/python/LICENSE-THIRD-PARTY.txt
}

# The files of the source, each with a zero byte behind it: those that git tracks,
# without what builds and programs left here. In an unpacked archive, of which git
# knows nothing, they are all that there is.
source_files() {
    set -- Cargo.toml Cargo.lock src tests build.sh .ci .gitignore README.txt CHANGELOG.md CITATION.cff LICENSE
    if git ls-files --error-unmatch build.sh >/dev/null 2>&1; then
        git ls-files -z -- "$@"
    else
        find "$@" -type f -print0
    fi
}

# The time that packed files get: that of the last commit, in an unpacked archive
# that of its files.
use_source_date() {
    : "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || date -r Cargo.toml +%s)}"
    export SOURCE_DATE_EPOCH
}

# Packs files of the current folder into an archive, in which they are in a folder, by
# default `santorini`. Their names come from standard input, each with a zero byte behind it.
# The same files give the same bytes.
pack() {
    # No pipes, whose first programs could fail without a word.
    LC_ALL=C sort -z >"$1.names"
    tar -cf "$1.tar" --format=ustar --owner=0 --group=0 --numeric-owner --mode=u+rw,go=rX \
            --mtime="@$SOURCE_DATE_EPOCH" --transform "s,^,${2:-santorini}/," \
            --null --no-recursion --files-from "$1.names"
    gzip -n -9 <"$1.tar" >"$1"
    rm -f "$1.names" "$1.tar"
}
