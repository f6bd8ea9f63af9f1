# SPDX-License-Identifier: BSD-3-Clause
# Prints the part of the table of launchers that bash reads: the facts of those that have a command, and how many words each option takes.
/^#/ || NF == 0 || $2 ~ /^(ranks|bind|bind_variables|share|first|places|counts|environment|settings|programs)$/ { next }
$2 == "commands" { has_command[$1] = 1 }
$2 != "option" { name[++lines] = $1; line[lines] = $0; next }
$4 ~ /^-/ {
    option = $4
    sub(/=.*/, "", option)
    sub(/^--/, "-", option)
    words = $4 ~ /=/ ? 1 : NF - 4
    key = $1 SUBSEP option
    if (!(key in most)) {
        name[++lines] = $1
        key_of[lines] = key
        line[lines] = $1 " values " option
    }
    if (words > most[key])
        most[key] = words
}
END {
    for (i = 1; i <= lines; i++) {
        if (!has_command[name[i]] || (i in key_of && !most[key_of[i]]))
            continue
        print line[i] (i in key_of && most[key_of[i]] > 1 ? "=" most[key_of[i]] : "")
    }
}
