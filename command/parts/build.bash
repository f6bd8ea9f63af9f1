# SPDX-License-Identifier: BSD-3-Clause
# mpi-adapter build: makes pairs for one MPI of the site.

help_build() {
    sed "s|@SITE@|$site_prefix_of_all|" <<'TEXT'
Usage: mpi-adapter build --host PREFIX|MPICC [OPTION]...
       mpi-adapter build --all [OPTION]... [FOLDER]...
       mpi-adapter build --remove ABI@NAME|PAIR@NAME [--prefix DIR]

Makes pairs that run programs of other ABIs on one MPI of this machine, tries
them with that MPI's launcher and installs them.  Compares the MPI with the
releases that are known, and compiles the pairs; without a compiler or
Python, it takes the pairs that came with mpi-adapter.

  --host PREFIX|MPICC  the MPI: the folder it is installed in, or its mpicc
  --all                for every MPI that is found: where doctor looks, by
                       modules, in Spack's trees and beneath each FOLDER
  --remove ABI@NAME|PAIR@NAME
                       take away the pairs that were made under this name
  --host-abi ABI       the ABI of it that is meant, if it has several libraries
                       (default: its own rather than one that others share)
  --to-abi ABI[,ABI]   ABIs whose programs are to run on it (default: all)
  --prefix DIR         where to install (default: where mpi-adapter is, or
                       @SITE@ if a package brought it);
                       pairs go to DIR/lib/mpi-adapter/PAIR@NAME
  --name NAME          tells several MPIs of a kind apart: 'run --to ABI@NAME'
                       (default: the release)
  --launcher PATH      its launcher (default: the one beside its mpicc)
  --prebuilt           do not compile, even if that is possible
  --compile            compile, or say why that is not possible
  --no-test            do not try the pairs, where nothing can be launched
  --log FILE           the log (default: a temporary file, which is kept and
                       named if something fails)
  -v, --verbose        show on stderr what goes to the log, step by step
  -h, --help           print this text
TEXT
}

target=''           # the folder that will hold the pairs
stage=''            # a folder in it, where pairs are made ready
work=''             # for the generator and the compiler
log='' log_file=''
step=''             # the process of the current step
source_folder=''
python=''
compiled=''         # the folder of pairs that were compiled, or nothing

progress() {
    # A terminal that is gone is no reason to stop.
    local REPLY
    plain "$2"
    printf '%-10s %s\n' "$1" "$REPLY" 2> /dev/null
    printf '== %s: %s\n' "$1" "$2" 2> /dev/null >> "$log_file" || cannot_log
}

cannot_log() {
    die "the log $log cannot be written" 'free space there, or choose another --log'
}

clean_up() {
    stop_ticking
    [[ -z $stage ]] || rm -rf -- "$stage"
    [[ -z $work ]] || rm -rf -- "$work"
    stage='' work=''
}

interrupted() {
    trap '' INT TERM HUP
    if [[ -n $step ]]; then
        kill -TERM "$step" 2> /dev/null
        wait "$step" 2> /dev/null
    fi
    [[ -n ${given[--log]-} ]] || rm -f -- "$log"
    say "interrupted, so nothing is installed${then}start it again"
    exit 130
}

# Sets REPLY to how many lines the log has.
count_log() {
    REPLY=$(wc -l < "$log_file")
    [[ $REPLY =~ ^[0-9]+$ ]] || REPLY=0
}

# tell_of_log FROM: how many lines the log of a step has got.
tell_of_log() {
    count_log
    printf '%-10s %s\n' '' "... $SECONDS s, $((REPLY - $1)) commands" 2> /dev/null
}

# tick FROM: while a step takes long, tells now and then that it goes on.
tick() {
    local every=30
    [[ ! -t 1 ]] || every=2
    every=${MPI_ADAPTER_TICK:-$every}
    start_ticking "$every" "$every" tell_of_log "$1"
}

# The first line of the log's end that tells of an error, or the last one.
fault_in_log() {
    REPLY=$(tail -n +"$1" -- "$log_file" | grep -aim 1 'error:\|error [0-9]\|cannot\|fatal\|^probe: ')
    REPLY=${REPLY:-$(tail -n 1 -- "$log_file")}
    [[ -n $REPLY ]] || REPLY='it said nothing'
}

# run_step WHAT COMMAND...: in the background, so that a signal is answered at
# once; what it says goes to the log.
run_step() {
    local what=$1 from status
    shift
    count_log
    from=$((REPLY + 1))
    printf '$ %s\n' "${*@Q}" >> "$log_file"
    start_program "$@" < /dev/null >> "$log_file" 2>&1 &
    step=$!
    tick "$from"
    wait "$step"
    status=$?
    step=''
    stop_ticking
    [[ $verbose == no ]] || tail -n +"$from" -- "$log_file" >&2
    [[ $status -ne 0 ]] || return 0
    fault_in_log $((from + 1))
    problem="$what failed: ${REPLY:0:300}${then}see $log"
    return 1
}

# ---------------------------------------------------------------- what is there

# Sets python to one that has what the generator needs.
find_python() {
    for python in "${PYTHON:-/usr/bin/python3}" python3; do
        PYTHONDONTWRITEBYTECODE=1 start_program "$python" -c 'import elftools, pycparser' > /dev/null 2>&1 && return
    done
    return 1
}

# Fails, with problem set, where pairs cannot be compiled.
can_compile() {
    local name advice="or use --prebuilt"
    source_folder=$prefix/share/mpi-adapter/src
    if is_shared "$site_family"; then
        problem="the ABI $site_family is the same in every MPI that has it${then}leave out --compile"
        return 1
    fi
    for name in make "${CC:-gcc}"; do
        if ! type -P -- "${name%% *}" > /dev/null; then
            problem="$name is missing${then}install it, $advice"
            return 1
        fi
    done
    if ! find_python; then
        problem="Python 3 with pycparser and pyelftools is missing${then}install it, $advice"
        return 1
    elif [[ ! -r $source_folder/Makefile ]]; then
        problem="$source_folder has no sources${then}install them, $advice"
        return 1
    elif [[ -z $site_header || -z $site_release ]]; then
        problem="$site_prefix has no mpi.h that tells its release${then}install its headers, $advice"
        return 1
    elif ! ${CC:-gcc} -E -x c - < <(echo '#include <libelf.h>') > /dev/null 2>&1; then
        problem="the header libelf.h is missing${then}install libelf's, $advice"
        return 1
    fi
}

# The pairs that came with mpi-adapter for the site's MPI: sets known_pairs to
# their indices.
find_known_pairs() {
    local index wanted=${given[--to-abi]-} name known=''
    known_pairs=()
    for index in "${!pair_folders[@]}"; do
        [[ ${conf[$index.host]} == "$site_family" && -z ${conf[$index.name]-} &&
            ${pair_folders[$index]%/*} == "$home" ]] || continue
        known+=" ${conf[$index.application]}"
        [[ -z $wanted ]] || has_word "${conf[$index.application]}" "${wanted//,/ }" || continue
        known_pairs+=("$index")
    done
    [[ -n $known ]] ||
        die "no pair that came with mpi-adapter runs on $site_family" 'install mpi-adapter again'
    for name in ${wanted//,/ }; do
        has_word "$name" "$known" && continue
        did_you_mean "$name" "$known" || REPLY="give --to-abi one of:$known"
        die "programs of $name cannot run on $site_family" "$REPLY"
    done
}

# ---------------------------------------------------------------- making pairs

# The command that compiles for the site's MPI, quoted for the scanner.
site_compile_command() {
    if [[ -n $site_compiler ]]; then
        printf -v REPLY '%q' "$site_compiler"
    else
        printf -v REPLY '%s -I%q' "${CC:-gcc}" "${site_header%/*}"
    fi
}

scan_site() {
    local line
    site_compile_command
    run_step "reading $site_header" "$python" "$source_folder/gen/scan.py" \
        --release "$site_family-$site_release" --mpicc "$REPLY" --library "$site_library" \
        --output "$work/scanned/$site_family-$site_release" || return
    run_step 'the comparison with the known releases' "$python" "$source_folder/gen/compare.py" \
        --tables "$source_folder/abi-tables" --output "$work/tables" \
        --scanned "$work/scanned/$site_family-$site_release" || return
    while IFS= read -r line; do
        progress scan "$line"
    done < <(tail -n 2 -- "$log_file" | grep -a '^agrees\|^differs\|^not known')
}

compile_pairs() {
    local index names=()
    for index in "${known_pairs[@]}"; do
        pair_name "$index"
        names+=("$REPLY")
    done
    progress compile "${names[*]}"
    run_step "compiling ${names[*]}" env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -C "$source_folder" --no-print-directory V=1 \
        -j "$(nproc)" BUILD="$work/build" TABLES="$work/tables" PYTHON="$python" \
        VERSION="$version" PAIRS="${names[*]}" ${CC:+CC="$CC"} pairs || return
    compiled=$work/build/lib/mpi-adapter
}

# describe_pair FILE: what pair.conf says besides, of a pair for the site's MPI.
describe_pair() {
    local made=prebuilt
    [[ -z $compiled ]] || made=compiled
    cat >> "$1" <<TEXT
# Made by mpi-adapter build.
name = $site_name
made = $made
host_product = $site_product
host_prefix = $site_prefix
host_library = $site_library
host_checksum = $(sha256sum < "$site_library" | cut -d ' ' -f 1)
library_path = ${site_library%/*}
launcher = $site_launcher
TEXT
}

# lead_to_fortran FOLDER: a pair's link to the library for Fortran leads from anywhere to the one that is installed.
lead_to_fortran() {
    local file
    for file in "$1"/*.so*; do
        [[ -e $file ]] || ln -sfn -- "$home/fortran/${file##*/}" "$file" || return
    done
}

# stage_pair INDEX: makes the pair ready under the name that it will have.
stage_pair() {
    local name folder from
    pair_name "$1"
    name=$REPLY
    folder=$stage/$name@$site_name
    from=${compiled:-$home}/$name
    if ! { mkdir -- "$folder" && cp -P -- "$from"/*.so* "$from"/*.conf "$folder" &&
        { [[ ! -d $from/stand-ins ]] || cp -r -- "$from/stand-ins" "$folder"; } && lead_to_fortran "$folder" &&
        chmod -R u+w,go+rX -- "$folder" && describe_pair "$folder/pair.conf"; } 2> /dev/null; then
        problem="$folder cannot be written${then}free space there or choose another --prefix"
        return 1
    fi
}

# Tries a pair where it stands, by nothing but its own description.
try_pair() {
    local name probe=$home/probe/${conf[$1.application]}
    pair_name "$1"
    name=$REPLY
    if [[ ! -x $probe ]]; then
        problem="the probe $probe is missing${then}install mpi-adapter again"
        return 1
    fi
    run_step "the self-test of $name" probe_environment MPI_ADAPTER_PATH="$stage" \
        MPI_ADAPTER_LAUNCHER_ARGUMENTS="${setting[launcher_arguments]-}" timeout 120 \
        "$prefix/bin/mpi-adapter" run -v --from "${conf[$1.application]}" \
        --to "$site_family@$site_name" -n 2 "$probe" 2 || return
    REPLY=$(grep -a '^probe: ok, 2 ranks' "$log_file" | tail -n 1)
    if [[ -z $REPLY ]]; then
        problem="the self-test of $name failed: its ranks said nothing${then}see $log"
        return 1
    fi
    progress self-test "$name: ${REPLY#probe: ok, }"
}

# install_pair FOLDER: takes the place of what was there, or leaves that.
install_pair() {
    local new=$1 old=$stage/.old place
    place=$target/${1##*/}
    trap '' INT TERM HUP
    if [[ -e $place ]] && ! mv -T -- "$place" "$old"; then
        problem="$place cannot be replaced${then}check the permissions"
        return 1
    fi
    if ! mv -T -- "$new" "$place"; then
        [[ ! -e $old ]] || mv -T -- "$old" "$place"
        problem="$place cannot be written${then}check the permissions"
        return 1
    fi
    rm -rf -- "$old"
    trap interrupted INT TERM HUP
    progress install "$place"
}

# ---------------------------------------------------------------- the command

# name_is_taken: whether a pair is there under a name that these will have, for another MPI; sets folder and line.
name_is_taken() {
    local index
    for index in "${known_pairs[@]}"; do
        pair_name "$index"
        folder=$target/$REPLY@$site_name
        [[ -e $folder ]] || continue
        line=$(told_in_pair "$folder" host_prefix)
        [[ $line == "$site_prefix" ]] || return 0
    done
    return 1
}

# An existing pair of the same name must be of this MPI. With --all, the new one gets another name.
check_names() {
    local folder line
    [[ -z ${MPI_ADAPTER_ONE_OF_ALL-} ]] || ! name_is_taken || site_name+=-${site_prefix##*/}
    is_word "$site_name" ||
        die "'$site_name' cannot be the name of a pair" 'give --name letters, digits, dots and dashes'
    ! name_is_taken || die "$folder exists already, for ${line:-something else}" 'choose another --name'
}

# Whether the files of this installation are a package's, among which nothing else is to be.
is_packaged() {
    [[ $prefix == /usr ]] || dpkg-query -S "$home/families" > /dev/null 2>&1 || rpm -qf "$home/families" > /dev/null 2>&1
}

# open_log: sets log to the file where steps write, the user's or one that goes if all is well, and log_file to what leads to it whatever
# becomes of that name.
open_log() {
    local number
    log=${given[--log]-}
    if [[ -z $log ]]; then
        log=${TMPDIR:-/tmp}/mpi-adapter-build.$site_family@$site_name.$$-$RANDOM
        open_new "$log" || die "no file can be created in ${TMPDIR:-/tmp}" 'free space there or set TMPDIR to another folder'
        log_file=$REPLY
        return
    fi
    # A file that lies there is removed: also one that the folder's owner leads the name to.
    ! is_root || ! is_on_anothers_way "$log" || die "the log $log would be in a folder of another user's" 'choose another --log'
    ! is_somebody_elses "$log" || die "the log $log is a link or somebody else's file" 'choose another --log'
    mkdir -p -- "$(dirname -- "$log")" 2> /dev/null
    [[ ! -f $log || -L $log ]] || rm -f -- "$log" 2> /dev/null
    # Somebody else may have put a link there meanwhile.
    if [[ -e $log ]] && ! is_in_shared_folder "$log"; then
        { exec {number}> "$log"; } 2> /dev/null || cannot_log
        log_file=/proc/$$/fd/$number
    else
        open_new "$log" || cannot_log
        log_file=$REPLY
    fi
}

prepare_folders() {
    target=$prefix
    ! is_packaged || target=$site_prefix_of_all
    target=${given[--prefix]:-$target}
    { mkdir -p -- "$target/lib/mpi-adapter" 2> /dev/null &&
        target=$(cd -- "$target/lib/mpi-adapter" && pwd -P) && [[ -w $target ]]; } ||
        die "${given[--prefix]:-$target} cannot be written" 'choose another --prefix, or ask for permission'
    check_names
    open_log
    trap clean_up EXIT
    trap interrupted INT TERM HUP
    { stage=$(mktemp -d -- "$target/.build-XXXXXX") && chmod 755 -- "$stage" &&
        work=$(mktemp -d 2> /dev/null); } || die "no folder can be created in $target or ${TMPDIR:-/tmp}" 'free space there or set TMPDIR to another folder'
    [[ $work != *[[:space:]]* ]] || die "make cannot work in $work" 'set TMPDIR to a folder without spaces'
    printf 'mpi-adapter %s build --host %q\n%s\n' "$version" "${given[--host]}" "$(date)" 2> /dev/null >> "$log_file" || cannot_log
}

# Compiles where that is wanted and possible.
make_pairs() {
    if [[ -n ${given[--prebuilt]-} ]]; then
        progress pairs 'those that came with mpi-adapter'
    elif can_compile; then
        scan_site && compile_pairs
    elif [[ -n ${given[--compile]-} ]]; then
        return 1
    else
        progress pairs "those that came with mpi-adapter, as ${problem%%"$then"*}"
    fi
}

stage_and_try() {
    local index
    for index in "${known_pairs[@]}"; do
        stage_pair "$index" || return
        if [[ -n ${given[--no-test]-} ]]; then
            progress self-test 'left out'
        else
            try_pair "$index" || return
        fi
    done
}

tell_use() {
    local items
    [[ -z ${given[--log]-} ]] || progress log "$log"
    split_colons "${setting[pair_path]-}"
    shell_word "$target"
    [[ $target == "$home" || $target == "$site_home" ]] || has_word "$target" "${items[*]}" ||
        progress use "set pair_path = $target in mpi-adapter.conf, or MPI_ADAPTER_PATH=$REPLY"
    progress use "mpi-adapter run --to $site_family@$site_name PROGRAM"
    [[ -n ${given[--log]-} ]] || rm -f -- "$log"
}

# Refuses options for one MPI together with --all.
check_build_options() {
    local name
    [[ -z ${given[--prebuilt]-} || -z ${given[--compile]-} ]] ||
        usage_error '--prebuilt and --compile contradict each other' 'give one of them'
    if [[ -n ${given[--remove]-} ]]; then
        for name in --host --host-abi --to-abi --name --launcher --log --all --prebuilt --compile --no-test; do
            [[ -z ${given[$name]-} ]] || usage_error "$name makes pairs and --remove takes them away" 'give one of them'
        done
        [[ ${#operands[@]} -eq 0 ]] || usage_error "unexpected argument '${operands[0]}'"
        return
    fi
    if [[ -n ${given[--all]-} ]]; then
        for name in --host --name --launcher --log; do
            [[ -z ${given[$name]-} ]] || usage_error "$name is for one MPI and --all for every one" 'give one of them'
        done
        return
    fi
    [[ ${#operands[@]} -eq 0 ]] || usage_error "unexpected argument '${operands[0]}'"
    [[ -n ${given[--host]-} || -z ${given[--name]-} ]] ||
        usage_error "--name ${given[--name]} names the pairs of one MPI" 'give that MPI with --host PREFIX|MPICC'
    [[ -n ${given[--host]-} ]] || usage_error 'neither --host nor --all is given' 'give one of them'
}

command_build() {
    local known_pairs folder
    export PYTHONDONTWRITEBYTECODE=1
    parse_options '--remove --host --host-abi --to-abi --prefix --name --launcher --log' '--all --prebuilt --compile --no-test' "$@"
    check_build_options
    if [[ -n ${given[--remove]-} ]]; then
        load_settings die_of_problem
        [[ -z ${given[--prefix]-} ]] || setting[pair_path]=${given[--prefix]}/lib/mpi-adapter
        load_pairs say
        remove_pairs "${given[--remove]}"
        return
    fi
    require_pairs
    [[ -z ${given[--all]-} ]] || build_all
    [[ -z ${given[--host-abi]-} ]] || { check_abi_name --host-abi "${given[--host-abi]}" && given[--host-abi]=$REPLY; }
    find_site "${given[--host]}" "${given[--host-abi]-}"
    find_known_pairs
    find_site_launcher "${given[--launcher]-}" "${known_pairs[0]}"
    site_name=${given[--name]:-$site_name}
    prepare_folders
    progress host "$site_product, $site_library, $site_launcher"
    { make_pairs && stage_and_try; } || die_of_problem "$problem"
    for folder in "$stage"/*@*; do
        install_pair "$folder" || die_of_problem "$problem"
    done
    tell_use
}
