# SPDX-License-Identifier: BSD-3-Clause
# Shared by the scripts of this folder, which source it with top set. Their arguments are: BASE, the folder of programs and
# results; HOST, an MPI of tests/releases/mpis.tsv that is a library of the standard ABI.

# The families whose programs run on the standard ABI.
families() { sed -n 's/-to-mpiabi$//p' "$top/abi-tables/pairs"; }

# implementation_of HOST
implementation_of() { awk -F '\t' -v host="$1" '$2 == host { print $4 }' "$top/tests/releases/mpis.tsv"; }

# each_application: calls a command with each PROGRAM and FAMILY of the gallery.
each_application() {
    local program families family
    while IFS=$'\t' read -r program _ _ families _; do
        for family in $families; do
            "$@" "$program" "$family"
        done
    done < <(grep -v '^#' "$top/tests/gallery/programs.tsv")
}

# The MPIs of unstable whose programs run on the standard ABI, and the compilers that need none, in one line.
applications() {
    {
        awk -F '\t' '$1 == "unstable" && $3 != "mpiabi" { print $2 }' "$top/tests/releases/mpis.tsv"
        awk -F '\t' '$1 == "unstable" { print $2 }' "$top/tests/releases/compilers.tsv"
    } | paste -sd ' '
}

# Compilers of Fortran for programs of mpifort_abi.
fortran_compilers() { awk -F '\t' '$1 == "unstable" { print $4 }' "$top/tests/releases/compilers.tsv"; }
