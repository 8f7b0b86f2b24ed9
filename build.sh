#!/bin/sh
# Builds, tests, shows and packs Santorini. `./build.sh help` lists what it can do.
set -eu
cd "$(dirname "$0")"
. .ci/common.sh

ARCHIVE=santorini-handin.tar.gz

usage() {
    cat <<'USAGE'
./build.sh           build the program to ./santorini
./build.sh test      check the format, run the linter and all tests
./build.sh lint      the same without the tests
./build.sh sanitize  run the tests that reach unsafe code with AddressSanitizer
./build.sh web       build the page with the engine inside to santorini.html, and without the
                     network for games with cards to santorini-small.html; the two files
                     beside them let a web host offer the page for use without a network
./build.sh python    build the Python package, a wheel in target/wheels
./build.sh demo      build, then watch the player play one game against itself
./build.sh handin    build, then pack source, program and documents into santorini-handin.tar.gz
./build.sh container build a container image, santorini, that holds the program alone
./build.sh release   build downloads for other machines into target/release-files
./build.sh site      build a site for a static host into target/site: the page, guides, documents
USAGE
}

build() {
    need_tools
    use_program_flags
    profile=${PROFILE:-release}
    cargo build --locked --profile "$profile" --target "$target"
    case "$profile" in dev) folder=debug ;; *) folder=$profile ;; esac
    # A program that is running cannot be written to, but it can be replaced.
    cp "${CARGO_TARGET_DIR:-target}/$target/$folder/santorini" santorini.new
    mv -f santorini.new santorini
}

# The page with the engine compiled to WebAssembly, in one file. Debian's compiler
# has no linker for it, but rustup's has.
web() {
    need_tools
    target=wasm32-unknown-unknown
    linker=$(find "$(rustc --print sysroot)/lib/rustlib" -name rust-lld | head -n 1)
    (
        use_compiler $target
        use_flags -Ctarget-feature=+simd128
        [ -z "$build_std" ] || export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER="$linker"
        # shellcheck disable=SC2086 # the words are meant to be split
        cargo build --locked $build_std --profile web --target $target -p santorini-web --lib
    )
    # It runs once: optimising it would take longer than it saves.
    CARGO_PROFILE_DEV_OPT_LEVEL=0 cargo run --locked --quiet -p santorini-web --bin bundle --features bundle -- \
        "${CARGO_TARGET_DIR:-target}/$target/web/santorini_web.wasm" .
}

# The Python package. With zig, the wheel runs on any Linux since 2014; otherwise it needs a
# C library as new as this machine's. The wheel's name says which.
wheel() {
    need_tools
    need maturin 'pip install maturin, and ziglang for a wheel that runs on older systems'
    target=$(rustc -vV | sed -n 's/^host: //p')
    add_python_licences "$target"
    zig=
    case "$target" in
    *-linux-gnu)
        if python3 -c 'import ziglang' 2>/dev/null; then
            zig='--zig --compatibility manylinux2014'
        else
            echo "build.sh: no zig here (pip install ziglang): the wheel will need a C library as new as this machine's" >&2
        fi
        ;;
    esac
    # shellcheck disable=SC2086 # the words are meant to be split
    maturin build --locked --profile "${PROFILE:-release}" $zig \
        --manifest-path src/python/Cargo.toml --out target/wheels
}

lint() {
    need_tools
    cargo fmt --all --check
    cargo clippy --locked --all-targets -- -D warnings
    cargo clippy --locked --test long -- -D warnings
    # These also check the library without the program, and without an operating system.
    cargo clippy --locked -p santorini-python -- -D warnings
    cargo clippy --locked -p santorini-web --features bundle -- -D warnings
    RUSTDOCFLAGS='-D warnings' cargo doc --locked --no-deps --lib
    lint_with shellcheck -x -S warning build.sh .ci/run .ci/release .ci/sdist .ci/site/build .ci/common.sh
    lint_with check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/build.yml
    check_crates
}

# Checks the licences and sources of the crates; for Windows only those of the Python package,
# the only part built for it. The result depends only on .ci/deny.toml and Cargo.lock: after a
# check that passed, their checksums are saved and it is not repeated.
check_crates() {
    ! crates_passed || return 0
    for graph in Cargo.toml 'src/python/Cargo.toml --target x86_64-pc-windows-gnu'; do
        # shellcheck disable=SC2086 # the words are meant to be split
        lint_with cargo-deny --log-level error --locked --config .ci/deny.toml --manifest-path $graph \
            check licenses bans sources
    done
    if has cargo-deny && has sha256sum; then
        sha256sum .ci/deny.toml Cargo.lock >.ci/deny.sha256
    fi
}

# Runs a linter if it is installed.
lint_with() {
    if has "$1"; then
        "$@"
    else
        echo "skipped: $1: not installed" >&2
    fi
}

# Tests the program as it is linked for the hand-in.
run_tests() {
    # The tests write paths into commands.
    for path in "${CARGO_TARGET_DIR:-$PWD}" "${TMPDIR:-}"; do
        case "$path" in
        *[!A-Za-z0-9/._+@-]*)
            fail "the tests need paths without spaces and special characters, not $path: move the folder, or set CARGO_TARGET_DIR or TMPDIR to another"
            ;;
        esac
    done
    # Settings of this shell, or of a git hook, would change what the tests see.
    unset SANTORINI_TIME SANTORINI_THREADS SANTORINI_TOKEN SANTORINI_PROGRESS COLUMNS CLICOLOR_FORCE
    unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
    lint
    use_program_flags
    # With many cores, the tests have many files open at the same time.
    # shellcheck disable=SC3045 # without these options, the limit stays
    [ "$(ulimit -n)" = unlimited ] || [ "$(ulimit -n)" -ge 8192 ] || ulimit -S -n 8192 2>/dev/null || true
    # Many tests wait for a clock, not for a core.
    RUST_TEST_THREADS="${RUST_TEST_THREADS:-$((4 * $(getconf _NPROCESSORS_ONLN)))}" \
        cargo test --locked --target "$target"
}

# Runs the tests that reach the `unsafe` blocks of the library, with each memory access
# checked. Only the core of the library is compiled. The compiler option is unstable; the
# checks are not.
sanitize() {
    need_tools
    # A test tries to allocate more memory than there is.
    export ASAN_OPTIONS="allocator_may_return_null=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
    RUSTC_BOOTSTRAP=1 RUSTFLAGS="${RUSTFLAGS:-} -Z sanitizer=address" CARGO_PROFILE_DEV_OPT_LEVEL=1 \
        cargo test --locked --lib --no-default-features --features system,cards-network \
        --target "$(rustc -vV | sed -n 's/^host: //p')" --target-dir "${CARGO_TARGET_DIR:-target}/sanitize" -- \
        base::memory engine::eval::network engine::rules engine::search::lookup \
        engine::search::transposition workshop::solve::bytes
}

# Shows the drawings, not the boards in JSON that the referee writes for programs. A turn
# takes half a second instead of the default of two.
demo() {
    build
    # shellcheck disable=SC2069 # only the drawings, as said
    SANTORINI_TIME="${SANTORINI_TIME:-0.5}" \
        ./santorini referee --show first=./santorini second=./santorini 2>&1 >/dev/null
}

# Builds an image that contains only the program.
container() {
    need_tools
    for builder in podman buildah docker ''; do
        [ -n "$builder" ] || fail "no program that builds containers is installed: install podman, buildah or docker"
        ! has "$builder" || break
    done
    build
    [ -n "$is_static" ] ||
        fail "the image holds no libraries, so the program must be linked statically: install a static C library (libc.a) on Linux, on Debian and Ubuntu with: apt-get install libc6-dev"
    folder=target/container
    mkdir -p "$folder"
    cp santorini LICENSE "$folder"
    write_licences "$folder/LICENSE-THIRD-PARTY.txt" "$target"
    "$builder" build --tag santorini --file .ci/Containerfile "$folder"
}

handin() {
    build
    use_source_date
    set -- santorini
    licences=LICENSE-THIRD-PARTY.txt
    if (write_licences $licences "$target"); then
        set -- "$@" $licences
    else
        echo "build.sh: without $licences the archive may be handed in, but not published" >&2
    fi
    pack_source "$ARCHIVE" "$@"
    echo "$ARCHIVE is ready; the player executable in it is santorini/santorini"
}

[ $# -le 1 ] || fail "only one command at a time; ./build.sh help lists the commands"
case "${1-}" in
'') build ;;
test) run_tests ;;
lint) lint ;;
demo) demo ;;
handin) handin ;;
container) container ;;
sanitize) sanitize ;;
web) web ;;
python) wheel ;;
release) .ci/release ;;
site) .ci/site/build ;;
help | -h | --help) usage ;;
*) fail "unknown command '$1'; ./build.sh help lists the commands" ;;
esac
