# SPDX-License-Identifier: BSD-3-Clause
# Writes inside_table.h, for inside.c, of abi-tables/families and abi-tables/implementations.

function joined(list, word) { return list (list == "" ? "" : " ") word }
/^#/ { next }
{ name = $1; key = $2; sub(/^[^ ]+ [^ ]+ /, "") }
key ~ /^(soname|alias|earlier|renamed|contested|fortran_library)$/ {
    libraries = key == "fortran_library" ? $1 : $0
    sub(/=.*/, "", libraries)
    for (i = split(libraries, each, ","); i > 0; i--) {
        sub(/\.so.*/, ".so*", each[i])
        if (!(each[i] in pattern))
            patterns = patterns sprintf("    \"%s\",\n", each[i])
        pattern[each[i]] = 1
    } }
key == "soname" { soname[name] = $0 }
key == "implementations" && !(name in implementation) { implementation[name] = $0; families[++count] = name }
key == "release_symbol" { release[name] = joined(release[name], $0) }
key == "since" { since[name] = $0 }
key == "fortran_library" { library = $1; sub(/,.*/, "", library)
    if (!((name, library) in seen))
        fortran[name] = joined(fortran[name], library)
    seen[name, library] = 1 }
key == "version" { version[name] = $0 }
key == "inside" { text[name] = $0 }
key == "inside_start" { start[name] = $0 }
key == "inside_state" { state[name] = joined(state[name], $0) }
key == "inside_has" { needed = needed sprintf("    { \"%s\", \"%s\" },\n", version[name], $0) }
END {
    print "static const struct implementation implementations[] = {"
    for (i = 1; i <= count; i++) {
        family = families[i]; name = implementation[family]
        if (name in text && !(name in done))
            printf "    { \"%s\", \"%s\", \"%s\", \"%s\", \"%s\", \"%s\", \"%s\", \"%s\", \"%s\" },\n", name, version[name], substr(text[name], 2), start[name], state[name],
                soname[family], fortran[family], release[family], since[family]
        done[name] = 1
    }
    printf "};\nstatic const struct needed needed[] = {\n%s};\nstatic const char *const mpi_libraries[] = {\n%s};\n", needed, patterns
}
