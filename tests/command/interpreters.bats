# SPDX-License-Identifier: BSD-3-Clause
# Which MPI an interpreter, a script or a wrapper will load, found in files that it would read. run and exec are asked alike.

load false_mpis

setup_file() {
    make_fixtures
    make_library "$fixtures/other/libmpich.so.12" libmpich.so.12 "$fake_host const char *MPI_Whose(void) { return \"mpich\"; }"
}

setup() {
    make_installation
    add_pair "$prefix/lib/mpi-adapter/mpich-to-openmpi" mpich openmpi
    unset PYTHONPATH R_LIBS R_LIBS_USER R_LIBS_SITE
    export HOME=$BATS_TEST_TMPDIR/home
    mkdir -p "$HOME" "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    python=$BATS_TEST_TMPDIR/base/bin/python3.9
    packages=$BATS_TEST_TMPDIR/base/lib/python3.9/site-packages
    make_interpreter "$python"
}

# make_interpreter FILE: opens its MPI late, and says whose that is.
make_interpreter() {
    compile "$1" -ldl <<< '#include <dlfcn.h>
        #include <stdio.h>
        int main(void)
        {
            void *library = dlopen("libmpi.so.40", RTLD_NOW);
            const char *(*whose)(void) = library ? (const char *(*)(void))dlsym(library, "MPI_Whose") : 0;
            puts(whose ? whose() : "none");
            return 0;
        }'
}

# make_module FILE ABI: it leaves a mark if anything of it runs.
make_module() {
    local library=$fixtures/real/libmpi.so.40
    [ "$2" = openmpi ] || library=$fixtures/other/libmpich.so.12
    compile "$1" -shared -fPIC -Wl,--no-as-needed "$library" <<< '#include <fcntl.h>
        __attribute__((constructor)) static void start(void) { open("'"$BATS_TEST_TMPDIR/mark"'", O_CREAT | O_WRONLY, 0600); }'
}

# takes ABI WORD...: run and exec both find that.
takes() {
    local abi=$1 way
    shift
    for way in 'run -v -n 1' "exec -v -- mpiexec.fake$([ "$abi" = openmpi ] && echo mpich || echo openmpi) -n 1"; do
        # shellcheck disable=SC2086  # words
        run --separate-stderr "$adapter" $way "$@"
        echo "$way $*: status $status, stdout: $output, stderr: $stderr"
        [[ $stderr == *"compiled against $abi"* ]] || return
        [ ! -e "$BATS_TEST_TMPDIR/mark" ] || { echo 'something ran'; return 1; }
    done
}

# refuses TEXT WORD...: run and exec both do so, with this text.
refuses() {
    local text=$1 way
    shift
    for way in 'run -n 1' 'exec -- mpiexec.fakempich -n 1'; do
        # shellcheck disable=SC2086  # words
        run --separate-stderr "$adapter" $way "$@"
        fails_with 1 "$text" --from || return
        [ ! -e "$BATS_TEST_TMPDIR/mark" ] || { echo 'something ran'; return 1; }
    done
}

@test "the module that a script imports decides, and the program runs on the pair" {
    make_module "$packages/solver/core.cpython-39.so" openmpi
    make_module "$packages/unused.so" mpich
    echo 'from solver import core' > script.py
    takes openmpi "$python" script.py
    [[ $stderr == *"needs that of openmpi"* && $stderr == *"$packages/solver/core.cpython-39.so"* ]]
    [ "$output" = adapter ]
    echo 'import sys, unused' > script.py
    takes mpich "$python" -u script.py data.txt
}

@test "so does one that its own modules or other packages import" {
    make_module "$packages/deep/core.so" mpich
    mkdir "$packages/middle" lib
    echo 'import deep.core' > "$packages/middle/__init__.py"
    echo '    import middle' > lib/local.py
    echo 'if True: import local' > lib/script.py
    takes mpich "$python" lib/script.py
}

@test "strings and comments import nothing, and statements within a line and calls do" {
    make_module "$packages/one.so" openmpi
    make_module "$packages/two.so" mpich
    printf '"""\nimport two\n"""\nx = 1  # import two\nif x: import sys, os.path as p, \\\n    one\n' > script.py
    takes openmpi "$python" script.py
    printf "text = r'import one'\nmodule = importlib.import_module('two')\n" > script.py
    takes mpich "$python" script.py
    printf 'from one import (MPI,\n    two)\n' > script.py
    takes openmpi "$python" script.py
}

@test "a library or a program that a script names in quotes decides where its imports do not" {
    mkdir scripts
    echo 'import ctypes; mpi = ctypes.CDLL("libmpich.so.12")' > scripts/named.py
    takes mpich "$python" scripts/named.py
    make_module scripts/user.so mpich
    echo 'ctypes.CDLL(os.path.join(folder, "user.so"))' > scripts/beside.py
    takes mpich "$python" scripts/beside.py
    cp "$fixtures/bin/app" program
    echo 'os.execv("./program", ["./program"])' > scripts/starts.py
    takes openmpi "$python" scripts/starts.py
    make_module "$packages/one.so" openmpi
    echo 'import one; print("for libmpich.so.12", "libmpich.so.12")' > scripts/said.py
    takes openmpi "$python" scripts/said.py
}

@test "files of the folder in which one is take no pattern's place" {
    make_library "$fixtures/aocc/libmpi_aocc_9.so.12" libmpi_aocc_9.so.12 "$fake_host"
    compile "$packages/solver.so" -shared -fPIC -Wl,--no-as-needed "$fixtures/aocc/libmpi_aocc_9.so.12" <<< 'int solver;'
    echo 'import solver' > script.py
    touch libmpi_aocc_1.so.12
    run --separate-stderr "$adapter" run -v "$python" script.py
    echo "$stderr"
    [[ $stderr == *"$packages/solver.so needs that of mpich"* ]]
}

@test "hundreds of modules cost no process each" {
    local i
    make_module "$packages/large/core.so" openmpi
    make_library "$packages/large/part/m0.so" m '' -Wl,--no-as-needed -lm
    for ((i = 1; i < 300; i++)); do
        ln "$packages/large/part/m0.so" "$packages/large/part/m$i.so"
    done
    echo 'import large' > script.py
    takes openmpi "$python" script.py
    strace -f -o trace -e trace=execve "$adapter" exec --print -- mpiexec.fakempich -n 1 "$python" script.py
    [ "$(grep -c 'execve(.*= 0' trace)" -lt 100 ]
}

@test "modules and programs that are words" {
    make_module "$packages/deep/core.so" mpich
    takes mpich "$python" -m deep.bench
    takes mpich "$python" -c 'import sys; from deep import core'
}

@test "where the text names none that loads MPI, it is the one that mostly does" {
    make_module "$packages/mpi4py/MPI.so" openmpi
    echo 'print(__import__("mpi" + "4py"))' > script.py
    takes openmpi "$python" script.py
    [[ $stderr == *'nothing tells which MPI'*"$packages/mpi4py/MPI.so"* ]]
    takes openmpi "$python"
    echo 'import mpi4py' > script.py
    takes openmpi "$python" script.py
    [[ $stderr != *'nothing tells'* ]]
}

@test "a package counts where the interpreter finds it first" {
    make_module "$packages/mpi4py/MPI.so" openmpi
    make_module "$HOME/.local/lib/python3.9/site-packages/mpi4py/MPI.so" mpich
    echo 'import mpi4py' > script.py
    takes mpich "$python" script.py
    make_module "$BATS_TEST_TMPDIR/path/mpi4py/MPI.so" openmpi
    PYTHONPATH=/none:$BATS_TEST_TMPDIR/path takes openmpi "$python" script.py
    mkdir mpi4py
    make_module mpi4py/MPI.so mpich
    PYTHONPATH=/none:$BATS_TEST_TMPDIR/path takes mpich "$python" script.py
}

@test "an environment of its own has the packages of its base only if it says so" {
    local own=$BATS_TEST_TMPDIR/own
    make_module "$packages/mpi4py/MPI.so" openmpi
    mkdir -p "$own/bin"
    ln -s "$python" "$own/bin/python3"
    echo 'include-system-site-packages = false' > "$own/pyvenv.cfg"
    echo 'import mpi4py' > script.py
    refuses 'names no MPI library' "$own/bin/python3" script.py
    echo 'include-system-site-packages = true' > "$own/pyvenv.cfg"
    takes openmpi "$own/bin/python3" script.py
    make_module "$own/lib/python3.9/site-packages/mpi4py/MPI.so" mpich
    takes mpich "$own/bin/python3" script.py
}

@test "another version's packages are nobody's" {
    make_module "${packages/3.9/3.8}/mpi4py/MPI.so" openmpi
    refuses 'names no MPI library' "$python"
}

@test "where two are possible, both are named, and --from decides" {
    make_module "$packages/one.so" openmpi
    make_module "$packages/two.so" mpich
    echo 'import one, two' > script.py
    refuses "may load the MPI of openmpi, as $packages/one.so needs, or mpich, as $packages/two.so needs; say with --from ABI" \
        "$python" script.py
    run "$adapter" run --from openmpi "$python" script.py
    [ "$output" = adapter ]
}

# alternatives: a package with a module for each ABI, as mpi4py's wheel is.
alternatives() {
    make_module "$packages/mpi4py/MPI.openmpi.cpython-39.so" openmpi
    make_module "$packages/mpi4py/MPI.mpich.cpython-39.so" mpich
    touch "$packages/mpi4py/__init__.py"
    echo 'import mpi4py' > script.py
}

@test "of a package with a module for each ABI, its variable decides" {
    alternatives
    MPI4PY_MPIABI=openmpi takes openmpi "$python" script.py
    [ "$output" = adapter ]
    MPI4PY_MPIABI=MPICH takes mpich "$python" script.py
    MPI4PY_MPIABI=other refuses 'may load the MPI of' "$python" script.py
    make_module "$packages/mpi4py/other.so" mpich
    make_module "$packages/two.so" mpich
    rm "$packages/mpi4py/MPI.mpich.cpython-39.so" "$packages/mpi4py/other.so"
    echo 'import two, mpi4py' > script.py
    MPI4PY_MPIABI=openmpi takes openmpi "$python" script.py
}

@test "without it, the MPI that is meant does, or the library that it finds, and ranks are told" {
    alternatives
    make_library "$BATS_TEST_TMPDIR/own/libmpi.so" libmpich.so.12 "$fake_host"
    run --separate-stderr env LD_LIBRARY_PATH="$BATS_TEST_TMPDIR/own:$fixtures/host" "$adapter" run -v "$python" script.py
    echo "$stderr"
    [[ $stderr == *"taking that of mpich, as it finds $BATS_TEST_TMPDIR/own/libmpi.so"* ]]
    [[ $stderr == *'ranks get MPI4PY_MPIABI=mpich'* ]]
    run --separate-stderr "$adapter" exec -v --print -- mpiexec.fakeopenmpi -n 1 "$python" script.py
    echo "$stderr"
    [[ $stderr == *'taking that of openmpi, as '*mpiexec.fakeopenmpi* ]]
    [[ $output == *'MPI4PY_MPIABI=openmpi'* ]]
}

@test "R's packages" {
    local r=$BATS_TEST_TMPDIR/base/bin/Rscript
    make_interpreter "$r"
    make_module "$BATS_TEST_TMPDIR/base/lib/R/site-library/Rmpi/libs/Rmpi.so" openmpi
    make_module "$BATS_TEST_TMPDIR/mine/parallelly/libs/p.so" mpich
    echo 'suppressMessages(library("Rmpi"))' > script.R
    takes openmpi "$r" script.R
    takes openmpi "$r" --file=script.R
    takes openmpi "$r" -e '1 + 1'
    echo 'parallelly::start()' > script.R
    R_LIBS=$BATS_TEST_TMPDIR/mine takes mpich "$r" --vanilla script.R
}

@test "Ruby's packages" {
    local r=$BATS_TEST_TMPDIR/base/bin/ruby3.1
    make_interpreter "$r"
    make_module "$BATS_TEST_TMPDIR/base/lib/x86_64-linux-gnu/ruby/vendor_ruby/3.1.0/mpi.so" openmpi
    make_module "$BATS_TEST_TMPDIR/base/lib/ruby/gems/3.1.0/gems/numo-mpi-0.1/lib/numo/mpi.so" mpich
    make_module "$BATS_TEST_TMPDIR/mine/own/work.so" mpich
    echo 'require "mpi"' > script.rb
    takes openmpi "$r" script.rb
    takes openmpi "$r" -e '1 + 1'
    echo "  require 'own/work'" > script.rb
    RUBYLIB=$BATS_TEST_TMPDIR/mine takes mpich "$r" -w script.rb
    echo '# require "mpi"' > script.rb
    RUBYLIB=$BATS_TEST_TMPDIR/mine takes openmpi "$r" script.rb
    [[ $stderr == *'nothing tells which MPI'* ]]
}

@test "lines of mpirun that start what opens its MPI late are read by what that will load, or else by whose mpirun is here" {
    local words
    make_own_launchers
    make_module "$PWD/lib/mpi4py/MPI.so" openmpi
    printf '#!%s\nimport mpi4py.MPI\n' "$python" > script.py
    printf '#!/bin/sh\nexec tool\n' > wrapper
    chmod +x script.py wrapper
    write_launcher "$bin/mpirun" openmpi 'mpirun (Open MPI) 5.0.7'
    export PYTHONPATH=$PWD/lib
    for words in "$python script.py" ./script.py ./wrapper; do
        # shellcheck disable=SC2086  # words
        run --separate-stderr "$adapter" exec --print --to mpich -- mpirun -n 1 $words
        echo "$output $stderr"
        [ "$status" -eq 0 ]
        [[ $output == *"mpiexec.fakempich -bind-to core "*"LD_LIBRARY_PATH $pair:"*" $words" ]]
    done
    # Of another MPI's mpirun, what the script loads still tells.
    write_launcher "$bin/mpirun" hydra 'HYDRA build details:'
    run --separate-stderr "$adapter" exec --print --to mpich --launcher "$bin/mpiexec.fakempich" -- mpirun -n 1 ./script.py
    echo "$output $stderr"
    [[ $output == *"LD_LIBRARY_PATH $pair:"* ]]
}

@test "a wrapper that is started with a program, an interpreter, or a script" {
    printf '#!/bin/sh\nexec "$@"\n' > wrapper.sh
    chmod +x wrapper.sh
    takes openmpi ./wrapper.sh app whose
    [ "$output" = adapter ]
    takes openmpi env A=1 "$fixtures/bin/app" whose
    make_module "$packages/two.so" mpich
    echo 'import two' > script.py
    takes mpich ./wrapper.sh "$python" script.py
    takes mpich env A=1 "$python" script.py
}

@test "a script that names what it starts" {
    printf '#!/bin/bash\n# mpirun other\nexport A=1; time "app" whose\n' > job.sh
    chmod +x job.sh
    takes openmpi ./job.sh
    [ "$output" = adapter ]
    takes openmpi /bin/bash job.sh
    make_module "$packages/two.so" mpich
    echo 'import two' > script.py
    printf '#!/bin/bash\n%s script.py || exit\n' "$python" > job.sh
    takes mpich ./job.sh
    printf 'app\n' >> job.sh
    refuses 'may load the MPI of mpich' ./job.sh
}

@test "a word that is an interpreter's name decides nothing where a program does" {
    make_module "$packages/mpi4py/MPI.so" mpich
    printf '#!/bin/sh\n%s -c "import json"\necho "for plots use %s plot.py"\nexec app whose\n' "$python" "$python" > job.sh
    chmod +x job.sh
    takes openmpi ./job.sh
    [ "${lines[-1]}" = adapter ]
    sed -i '$d' job.sh
    takes mpich ./job.sh
    [[ $stderr == *'nothing tells which MPI'* ]]
}

@test "a script of an interpreter is one of its words" {
    make_module "$packages/two.so" mpich
    printf '#!%s\nimport two\n' "$python" > script
    chmod +x script
    takes mpich ./script
}

@test "what is no text, is too large or has odd names ends nothing" {
    make_module "$packages/mpi4py/MPI.so" openmpi
    head -c 300000 /bin/sh > script.py
    takes openmpi "$python" script.py
    printf 'import a$(touch %s/mark), `touch %s/mark`, ../*, [x]\n' "$BATS_TEST_TMPDIR" "$BATS_TEST_TMPDIR" > 'odd $(touch mark) *.py'
    takes openmpi "$python" 'odd $(touch mark) *.py'
    [ ! -e mark ]
    mkfifo pipe
    takes openmpi "$python" pipe
}
