# SPDX-License-Identifier: BSD-3-Clause
# Small systems made of this machine's files, to be entered with chroot: they have what is copied
# into them and nothing else.

# copy_into TREE FILE...: files under their own names, with the libraries that they need.
copy_into() {
    local tree=$1 file
    shift
    for file; do
        echo "$file"
        ldd "$file" 2> /dev/null | grep -o '/[^ ]*' || true
    done | sort -u | while read -r file; do
        mkdir -p "$tree${file%/*}" && cp -L --preserve=mode,timestamps "$file" "$tree$file" || return
    done
}

# make_tree TREE FILE...: a system with these files.
make_tree() {
    local name
    for name in bin lib lib32 lib64 libx32 sbin; do
        mkdir -p "$1/usr/$name"
        [ ! -L "/$name" ] || ln -s "usr/$name" "$1/$name"
    done
    mkdir -p "$1"/{dev,etc,proc,root,sys,tmp,var}
    printf '%s\n' 'root:x:0:0::/root:/bin/sh' > "$1/etc/passwd"
    cp /etc/hosts "$1/etc/hosts"
    copy_into "$@"
}

# Skips the test where with_mounts cannot work.
require_mounts() {
    [ "$(id -u)" -eq 0 ] || skip "only root may use chroot"
    unshare --mount --propagation private mount -t tmpfs tmpfs /mnt 2> /dev/null || skip "no mounts can be made here"
}

# with_mounts TREE COMMAND...: COMMAND, outside of TREE, while TREE has /proc, /sys and a /dev of its
# own.  Nobody else sees the mounts, and they go away with the command: what happens to TREE later
# cannot reach what was mounted.
with_mounts() {
    # shellcheck disable=SC2016
    unshare --mount --propagation private bash -euc '
        tree=$1
        shift
        mount -t proc proc "$tree/proc"
        mount -t sysfs -o ro sysfs "$tree/sys"
        mount -t tmpfs tmpfs "$tree/dev"
        mkdir -m 1777 "$tree/dev/shm"
        ln -s /proc/self/fd "$tree/dev/fd"
        mknod -m 666 "$tree/dev/null" c 1 3
        mknod -m 666 "$tree/dev/zero" c 1 5
        mknod -m 666 "$tree/dev/urandom" c 1 9
        exec "$@"' bash "$@"
}
