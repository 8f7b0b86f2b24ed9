# shellcheck shell=sh disable=SC2034
# Shared by build.sh and the scripts of .ci, which read it from the top folder.

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

has() {
    command -v "$1" >/dev/null
}

need() {
    has "$1" || fail "$1 is missing: $2"
}

# Builds the parts $3, one on each line: runs the script $1 with the words of a part, and
# writes its output to a log whose name begins with $2. name_missing then names the parts
# that could not be built, with the last lines of their logs.
build_parts() {
    logs=$2
    missing=
    newline='
'
    number=0
    count=$(echo "$3" | grep -c .)
    IFS=$newline
    for part in $3; do
        number=$((number + 1))
        printf '%s of %s: %s: ' "$number" "$count" "$part"
        begun=$(date +%s)
        log=$logs-$(echo "$part" | tr ' ' -).log
        unset IFS
        # shellcheck disable=SC2086 # the words are meant to be split
        if "$1" $part >"$log" 2>&1; then
            echo "built in $(($(date +%s) - begun)) s"
        else
            missing="$missing  $part: $(tail -n 1 "$log")$newline"
            echo "not built"
        fi
    done
}

name_missing() {
    [ -z "$missing" ] || {
        printf 'Not built:\n%s' "$missing" >&2
        echo "The logs are $logs-*.log." >&2
        exit 1
    }
}

# Selects a compiler for the target. rustup has compiled standard libraries for most targets.
# Debian's compiler has the source of one: $build_std then holds the option with which cargo
# compiles it. Debian has no tool that removes symbols for macOS.
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
            case "$1" in *-apple-darwin) export CARGO_PROFILE_RELEASE_STRIP=false ;; esac
            return
        fi
    done
    fail "the Rust target $1 is missing: rustup target add $1 (or, on Debian: apt-get install rustc-web rust-web-src)"
}

# Adds compiler flags to those in RUSTFLAGS, and keeps this machine's paths out of what is
# built. The flags may contain spaces.
use_flags() {
    separator=$(printf '\037')
    CARGO_ENCODED_RUSTFLAGS=
    # shellcheck disable=SC2086 # the words are meant to be split
    for flag in ${RUSTFLAGS:-} "$@" "--remap-path-prefix=${CARGO_HOME:-${HOME:-}/.cargo}=/cargo"; do
        CARGO_ENCODED_RUSTFLAGS=${CARGO_ENCODED_RUSTFLAGS:+$CARGO_ENCODED_RUSTFLAGS$separator}$flag
    done
    export CARGO_ENCODED_RUSTFLAGS
}

# The flags for a program that is linked statically. It gets random numbers from the kernel
# itself, so it needs no /dev/urandom either.
use_static_flags() {
    use_flags -Ctarget-feature=+crt-static '--cfg=getrandom_backend="linux_getrandom"'
}

# Sets this machine as the target, and the flags for its program: linked statically if there is
# a static C library, so that it runs on machines with other libraries. $is_static says which.
# Naming the target keeps the flags away from build scripts and macros, which cannot be linked
# statically.
use_program_flags() {
    target=$(rustc -vV | sed -n 's/^host: //p')
    is_static=
    use_flags
    case "$target" in
    *-linux-gnu)
        if [ -f "$(cc -print-file-name=libc.a)" ]; then
            use_static_flags
            is_static=yes
        else
            echo "build.sh: no static C library (libc.a) here: the program will need this machine's libraries" >&2
        fi
        ;;
    esac
}

# Whether the check of the crates passed before, with this Cargo.lock and these rules.
crates_passed() {
    sha256sum --check --status .ci/deny.sha256 2>/dev/null
}

# Prints the node counts of fixed searches. "$@" is the command of the program. A change that
# should not alter the search must not change these counts.
signatures() {
    for bench in 'bench' 'bench --eval tuned' 'bench cards'; do
        # shellcheck disable=SC2086 # the words are meant to be split
        echo "$bench: $("$@" $bench | grep '^signature')"
    done
}

# Writes the licences of the crates in the Python package beside its pyproject.toml until the
# script ends: maturin packs them. They are for the target $1, or for all targets.
add_python_licences() {
    trap 'rm -f src/python/LICENSE-THIRD-PARTY.txt' EXIT
    python3 .ci/licences.py --package santorini-python ${1:+--target "$1"} \
        >src/python/LICENSE-THIRD-PARTY.txt
}

# Writes the licences of all that is linked into the program to the file $1: those of the crates,
# for the target $2 or for all releases, and that of this machine's C library.
write_licences() {
    need python3 'install Python 3.10 or newer'
    lgpl=
    for file in /usr/share/common-licenses/LGPL-2.1 /usr/share/licenses/glibc/COPYING.LIB; do
        [ ! -f "$file" ] || lgpl=$file
    done
    [ -n "$lgpl" ] || fail "the text of the GNU Lesser General Public License 2.1 is missing: no /usr/share/common-licenses/LGPL-2.1"
    python3 .ci/licences.py ${2:+--package santorini --target "$2"} --c-library "$lgpl" >"$1.new" &&
        mv "$1.new" "$1"
}

# Whether the source is in its own git repository, and not in an unpacked archive.
in_repository() {
    git ls-files --error-unmatch build.sh >/dev/null 2>&1
}

# Prints the names of the source files, each followed by a zero byte: the files that git tracks,
# without build outputs. In an unpacked archive all files count.
source_files() {
    set -- Cargo.toml Cargo.lock src tests build.sh .ci .github .gitignore README.txt CHANGELOG.md CITATION.cff LICENSE
    if in_repository; then
        git ls-files -z -- "$@"
    else
        find "$@" -type f -print0
    fi
}

# Packs the source files into the archive $1, and the other files named.
pack_source() {
    archive=$1
    shift
    source_files >"$archive.files" || {
        rm -f "$archive.files"
        fail "not all files of the source are here"
    }
    [ $# = 0 ] || printf '%s\0' "$@" >>"$archive.files"
    packed=0
    pack "$archive" <"$archive.files" || packed=$?
    rm -f "$archive.files"
    return $packed
}

# Sets the time of packed files: that of the last commit, or in an unpacked archive that of its
# files.
use_source_date() {
    : "${SOURCE_DATE_EPOCH:=$(in_repository && git log -1 --format=%ct 2>/dev/null || date -r Cargo.toml +%s)}"
    export SOURCE_DATE_EPOCH
}

# Packs files of the current folder into the archive $1, in the folder $2 (default: santorini).
# Their names come from standard input, each followed by a zero byte. The same files give the
# same bytes.
pack() {
    # No pipes: a failure of their first program would go unnoticed.
    if LC_ALL=C sort -z >"$1.names" &&
            tar -cf "$1.tar" --format=ustar --owner=0 --group=0 --numeric-owner \
                --mode=u+rw,go=rX --mtime="@$SOURCE_DATE_EPOCH" \
                --transform "s,^,${2:-santorini}/," \
                --null --no-recursion --files-from "$1.names" &&
            gzip -n -9 <"$1.tar" >"$1"; then
        rm -f "$1.names" "$1.tar"
    else
        rm -f "$1.names" "$1.tar" "$1"
        return 1
    fi
}
