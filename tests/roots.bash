# SPDX-License-Identifier: BSD-3-Clause
# Shared by the checks in roots of other Debian releases. Sourced; for the first three functions `top` is the checkout.

# seen_by_roots FOLDER: ends the check if roots do not see the folder.
seen_by_roots() {
    case $1 in
    "$top"/*) ;;
    *) echo "${0#"$top"/}: BUILD is not a folder of this checkout, and roots see nothing else; give such a one" >&2; exit 2 ;;
    esac
}

# in_root RELEASE [SETTING=VALUE...] COMMAND...: runs it in the root of that release, with what this machine has built in BUILD.
in_root() {
    seen_by_roots "$BUILD"
    "$top/scripts/debian-root" "$1" env BUILD="$BUILD" "${@:2}"
}

# fresh_root RELEASE WORK: makes WORK/roots/RELEASE-bare, a copy of the bare root, which has the packages that an earlier run
# downloaded; prints its folder.
fresh_root() {
    local bare debs=$2/debs/$1 root=$2/roots/$1-bare
    bare=$("$top/scripts/debian-root" "$1-bare") && mkdir -p "$debs" "$2/roots" || return
    [ ! -d "$root" ] || cp -al --update "$root"/var/cache/apt/archives/*.deb "$debs" 2> /dev/null || true
    rm -rf --one-file-system "$root" && cp -a "$bare" "$root" || return
    cp -al "$debs"/*.deb "$root/var/cache/apt/archives" 2> /dev/null || true
    echo "$root"
}

# step WHAT COMMAND...: what it says goes to the file $log. If it fails, the end of that is shown here, and `failed` becomes 1. Lines
# begin with $label.
step() {
    local what=$1 from=$SECONDS
    shift
    if "$@" > "$log" 2>&1 < /dev/null; then
        echo "$label: $what: ok, $((SECONDS - from)) s"
    else
        failed=1
        echo "$label: $what: FAILED after $((SECONDS - from)) s"
        tail -n 25 "$log" | sed 's/^/    /'
    fi
}
