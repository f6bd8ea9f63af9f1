# SPDX-License-Identifier: BSD-3-Clause
# Programs that load their MPI late, through wrappers that change the environment.

load real_mpis

setup() {
    clean_environment
    cd "$BATS_TEST_TMPDIR"
    cat > ranks.R <<'TEXT'
library(Rmpi)
sum <- mpi.allreduce(mpi.comm.rank(0) + 1, type = 2, op = "sum", comm = 0)
cat(sprintf("rank %d of %d, sum %d\n", mpi.comm.rank(0), mpi.comm.size(0), sum))
mpi.quit()
TEXT
}

# Natively, too, ranks may write into each other's lines.
ranks_find_each_other() {
    run --separate-stderr timeout 300 "$@"
    echo "status $status, stdout: $output, stderr: $stderr"
    [ "$status" -eq 0 ] || return
    [ "$(tr -cd 0-9 <<< "$output" | fold -w 1 | sort | tr -d '\n')" = 012233 ]
}

@test "R with Rmpi, whose wrapper puts the system's libraries ahead" {
    ranks_find_each_other "$adapter" run --from openmpi --to mpich -n 2 Rscript ranks.R
    ranks_find_each_other mpiexec.openmpi -n 2 Rscript ranks.R
}

@test "R by LD_LIBRARY_PATH alone, as env prints it without a program" {
    ranks_find_each_other bash -c "eval \"\$('$adapter' env --from openmpi --to mpich)\"; exec mpiexec.mpich -n 2 Rscript ranks.R"
}

@test "R starts in a script that loads another MPI's folder" {
    printf '#!/bin/bash\nexport LD_LIBRARY_PATH=/usr/lib/x86_64-linux-gnu/openmpi/lib:/usr/lib/x86_64-linux-gnu\nR --no-echo --no-restore --file=ranks.R\n' > job
    chmod +x job
    ranks_find_each_other "$adapter" run --from openmpi --to mpich -n 2 ./job
}

@test "each of R's ranks says what it loaded" {
    MPI_ADAPTER_VERBOSE=1 run --separate-stderr timeout 300 "$adapter" run --from openmpi --to mpich -n 2 Rscript ranks.R
    [ "$status" -eq 0 ]
    [ "$(sed -n 's/.*: rank \([01]\) of 2$/\1/p' <<< "$stderr" | sort)" = $'0\n1' ]
}

@test "R loads a module in Fortran and Rmpi, whichever comes first, with --preload and without" {
    type -P mpifort.openmpi > /dev/null || skip "no Fortran compiler for Open MPI"
    cat > total.f90 <<'TEXT'
subroutine total(value, answer)
  use mpi
  implicit none
  integer :: value, answer, error
  answer = value
  call MPI_Allreduce(MPI_IN_PLACE, answer, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
end subroutine
TEXT
    mpifort.openmpi -shared -fPIC -o total.so total.f90
    cat > late.R <<'TEXT'
library(Rmpi)
dyn.load("total.so")
rank <- mpi.comm.rank(0)
sum <- .Fortran("total", as.integer(10 * (rank + 1)), 0L)[[2]]
maps <- unique(sub(".* ", "", readLines("/proc/self/maps")))
others <- grep("openmpi-to-", grep("/libmpi[._]", maps, value = TRUE), invert = TRUE, value = TRUE)
cat(sprintf("sum %d, others %d\n", sum, length(others)))
mpi.quit()
TEXT
    { sed -n 2p late.R; sed 2d late.R; } > early.R
    for script in late.R early.R; do
        for way in "run --from openmpi --to mpich -n 2" "exec --from openmpi -- mpiexec.mpich -n 2" \
            "run --to mpich --preload --from openmpi -n 2" "exec --preload --from openmpi -- mpiexec.mpich -n 2"; do
            # shellcheck disable=SC2086  # words
            run --separate-stderr timeout 300 "$adapter" $way Rscript $script
            echo "$way $script: status $status, stdout: $output, stderr: $stderr"
            [ "$status" -eq 0 ]
            [ "$(grep -o 'sum 30, others 0' <<< "$output" | wc -l)" -eq 2 ]
        done
    done
}

@test "Python opens an MPI by a name without a version, from where it is installed" {
    local wanted
    cat > ranks.py <<'TEXT'
import ctypes, sys
mpi = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)
world = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.in_dll(mpi, "ompi_mpi_comm_world")))
size = ctypes.c_int()
mpi.MPI_Init(None, None)
mpi.MPI_Comm_size(world, ctypes.byref(size))
sys.stdout.write("of %d\n" % size.value)
mpi.MPI_Finalize()
TEXT
    local native
    native=$(ldconfig -p | sed -n 's/^[[:space:]]*libmpi\.so\.40 .* => //p' | sed -n 1p)
    ln -s "$native" libmpi.so
    # By a path, or by links that lead to it, it gets the pair, too: that is in the process already.
    for wanted in libmpi.so libmpi.so.40 "$native" "$PWD/libmpi.so"; do
        run --separate-stderr timeout 300 "$adapter" run --from openmpi --to mpich -n 2 /usr/bin/python3 ranks.py "$wanted"
        echo "status $status, stdout: $output, stderr: $stderr"
        [ "$status" -eq 0 ]
        [ "$output" = $'of 2\nof 2' ]
        [ -z "$stderr" ]
    done
}

@test "processes that open MPI by a path, and initialize it without arguments, meet at a port" {
    cat > port.py <<'TEXT'
import ctypes, os, sys
mpi = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)
if "mpich" in sys.argv[1]:
    world, itself, info, integer = (ctypes.c_int(value) for value in (0x44000000, 0x44000001, 0x1C000000, 0x4C000405))
else:
    world, itself, info, integer = (ctypes.c_void_p(ctypes.addressof(ctypes.c_char.in_dll(mpi, "ompi_" + name)))
                                    for name in ("mpi_comm_world", "mpi_comm_self", "mpi_info_null", "mpi_int"))
rank, value, other, status = ctypes.c_int(), ctypes.c_int(), type(world)(), ctypes.create_string_buffer(64)
port = ctypes.create_string_buffer(4096)
mpi.MPI_Init(None, None)
mpi.MPI_Comm_rank(world, ctypes.byref(rank))
char = ctypes.c_int(0x4C000101) if "mpich" in sys.argv[1] else ctypes.c_void_p(
    ctypes.addressof(ctypes.c_char.in_dll(mpi, "ompi_mpi_char")))
if rank.value == 0:
    mpi.MPI_Open_port(info, port)
mpi.MPI_Bcast(port, 4096, char, 0, world)
if rank.value == 0:
    mpi.MPI_Comm_accept(port, info, 0, itself, ctypes.byref(other))
    value.value = 42
    mpi.MPI_Send(ctypes.byref(value), 1, integer, 0, 0, other)
else:
    mpi.MPI_Comm_connect(port, info, 0, itself, ctypes.byref(other))
    mpi.MPI_Recv(ctypes.byref(value), 1, integer, 0, 0, other, status)
mpi.MPI_Comm_disconnect(ctypes.byref(other))
mpi.MPI_Finalize()
sys.stdout.write("met %d\n" % value.value)
TEXT
    local tried=0 name library from to
    for name in mpich/libmpich.so.12/openmpi openmpi/libmpi.so.40/mpich; do
        IFS=/ read -r from library to <<< "$name"
        library=$(ldconfig -p | sed -n "s/^[[:space:]]*${library//./\\.} .* => //p" | sed -n 1p)
        # Some builds of MPICH have no ports.
        timeout 100 "mpiexec.$to" -n 2 /usr/bin/python3 port.py \
            "$(ldconfig -p | sed -n "s/^[[:space:]]*lib${to/openmpi/mpi}\\.so\\.[14].* => //p" | sed -n 1p)" > natively 2>&1 || continue
        tried=1
        run --separate-stderr timeout 300 "$adapter" run --from "$from" --to "$to" -n 2 /usr/bin/python3 port.py "$library"
        echo "$name: status $status, stdout: $output, stderr: $stderr"
        [ "$status" -eq 0 ]
        [ "$(grep -o 'met 42' <<< "$output" | wc -l)" -eq 2 ]
    done
    [ "$tried" -eq 1 ] || skip 'no MPI here has ports'
}

@test "a rank ends whose MPI is not the one that was guessed" {
    /usr/bin/python3 -c 'import mpi4py' 2> /dev/null || skip 'no mpi4py'
    cat > hidden.py <<'TEXT'
import ctypes
mpi = ctypes.CDLL("lib" + "mpich" + ".so.12")
mpi.MPI_Init(None, None)
mpi.MPI_Finalize()
TEXT
    run --separate-stderr timeout 300 "$adapter" run -n 2 /usr/bin/python3 hidden.py
    echo "status $status, stdout: $output, stderr: $stderr"
    [ "$status" -ne 0 ]
    [[ $stderr == *'nothing tells which MPI'* ]]
    [[ $stderr == *'so each rank is alone; give '* ]]
    # Nor is it the one of the package that was found, or of which the user told, as the script has folders of its own.
    mkdir -p own/mpi4py
    mv hidden.py own/mpi4py/__init__.py
    printf 'import sys\nsys.path.insert(0, "o" + "wn")\nimport mpi4py\n' > script.py
    for words in '--to openmpi' '--from openmpi --to openmpi'; do
        # shellcheck disable=SC2086  # words
        run --separate-stderr timeout 300 "$adapter" run $words -n 2 /usr/bin/python3 script.py
        echo "status $status, stdout: $output, stderr: $stderr"
        [ "$status" -ne 0 ]
        [[ $stderr == *'so each rank is alone; give '* ]]
    done
}

@test "what a rank starts after MPI_Init has no guard" {
    cat > starts.py <<'TEXT'
import os, subprocess
show = 'echo $0 ${LD_PRELOAD##*/}'
subprocess.run(['sh', '-c', show, 'before'])
from mpi4py import MPI
os.system(show.replace('$0', 'system'))
subprocess.run(['sh', '-c', show, 'after'])
TEXT
    run --separate-stderr timeout 300 "$adapter" run --from openmpi --to mpich /usr/bin/python3 starts.py
    echo "status $status, stdout: $output, stderr: $stderr"
    [ "$output" = $'before guard.so\nsystem\nafter' ]
}

@test "Python sees the names of its own MPI alone, although a host is global for its plugins" {
    cat > sees.py <<'TEXT'
import ctypes, sys
names = "ompi_mpi_comm_self", "ompi_mpi_init", "ompi_mpi_comm_world", "opal_init", "mca_base_open"
def seen(library):
    return [name for name in names if hasattr(library, name)]
before = seen(ctypes.CDLL(None))
mpi = ctypes.CDLL("libmpich.so.12")
mpi.MPI_Init(None, None)
sys.stdout.write("%s\n" % (before + seen(ctypes.CDLL(None)) + seen(mpi)))
mpi.MPI_Finalize()
TEXT
    run --separate-stderr timeout 300 "$adapter" run --from mpich --to openmpi /usr/bin/python3 sees.py
    echo "status $status, stdout: $output, stderr: $stderr"
    [ "$status" -eq 0 ]
    [ "$output" = '[]' ]
}
