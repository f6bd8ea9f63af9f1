/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of subcommands: what is said of each, and which options it has. Options are read, explained and completed by it. */
#include "texts.h"
#include "verbs.h"

const struct option COMMON_OPTIONS[] = {
    { "-h", "--help", 0, TAKES_NOTHING, "print this text" },
    { "-v", "--verbose", 0, TAKES_NOTHING, 0 },
    { 0 },
};

static const struct option RUN_OPTIONS[] = {
    { "-n", "-np", "N", TAKES_WORD, "number of ranks (default: 1)" },
    { "--from", 0, "ABI", TAKES_ABI, "ABI that PROGRAM was compiled against, or ABI,ABI of all parts of its process (default: found from the libraries that PROGRAM needs)" },
    { "--to", 0, "ABI", TAKES_HOST,
      "ABI of the MPI to run on (default: PROGRAM's own if its MPI and that one's launcher are here, and no setting says another; or "
      "else of the first pair whose MPI library and launcher are both present)" },
    { "--launcher", 0, "PATH", TAKES_LAUNCHER,
      "launcher to use (default: $MPI_ADAPTER_LAUNCHER, or the first one of the right implementation in PATH); options after it that "
      "are none of these are the launcher's" },
    { "--launcher-arg", 0, "X", TAKES_WORD, "give X to the launcher; may be repeated" },
    { "--print", 0, 0, TAKES_NOTHING, "print the line that would be run, and run nothing" },
    { "--print=json", 0, 0, TAKES_NOTHING, "print the plan in JSON, and run nothing; docs/json.md has its form" },
    { "--preload", 0, 0, TAKES_NOTHING, "preload the adapter even if PROGRAM does not need it" },
    { "-v", "--verbose", 0, TAKES_NOTHING, "say on stderr what was found and what is started" },
    { 0 },
};

static const struct option EXEC_OPTIONS[] = {
    { "--from", 0, "ABI", TAKES_ABI, "ABI that programs were compiled against that do not tell" },
    { "--to", 0, "ABI", TAKES_HOST, "ABI of the MPI to run on, where the launcher starts any" },
    { "--program", 0, "FILE", TAKES_FILE, "the program, where it does not stand in the line" },
    { "--launcher", 0, "PATH", TAKES_LAUNCHER, "the host's launcher, for a line that is translated" },
    { "--as", 0, "KIND", TAKES_WORD, "the launcher that the line was written for: DIALECTS" },
    { "--ignore-options", 0, "LIST", TAKES_WORD, "leave out these options, with commas between" },
    { "--print", 0, 0, TAKES_NOTHING, "print the line that would be run, and run nothing" },
    { "--print=json", 0, 0, TAKES_NOTHING, "print the plan in JSON, and run nothing; docs/json.md has its form" },
    { "--preload", 0, 0, TAKES_NOTHING, "preload the adapter even if programs do not need it" },
    { "-v", "--verbose", 0, TAKES_NOTHING, "say on stderr what was found and what is started" },
    { 0 },
};

static const struct option SHELL_OPTIONS[] = {
    { "--from", 0, "ABI", TAKES_ABI, "ABI that programs were compiled against that do not tell" },
    { "--to", 0, "ABI", TAKES_HOST, "ABI of the MPI to run on" },
    { "--ignore-options", 0, "LIST", TAKES_WORD, "leave out these options of launch lines" },
    { "--print", 0, 0, TAKES_NOTHING, "print the line that would be started, and start nothing" },
    { "--print=json", 0, 0, TAKES_NOTHING, "print the plan in JSON, and start nothing; docs/json.md has its form" },
    { "--path", 0, 0, TAKES_NOTHING, "print the folder that is put first in PATH, for a modulefile or a batch system's prolog" },
    { "-v", "--verbose", 0, TAKES_NOTHING, "say on stderr what was found and what is started" },
    { 0 },
};

static const struct option CONTAINER_OPTIONS[] = {
    { "-n", "-np", "N", TAKES_WORD, "number of ranks (default: 1)" },
    { "--tool", 0, "PATH", TAKES_TOOL, "tool that starts containers (default: the first in PATH of those that take such an image)" },
    { "--tool-arg", 0, "X", TAKES_WORD, "give X to the tool; may be repeated" },
    { "--print", 0, 0, TAKES_NOTHING, "print the command, and start nothing but a look into the image" },
    { "--print=json", 0, 0, TAKES_NOTHING, "print the plan in JSON, and start nothing but that; docs/json.md has its form" },
    { "--from", 0, "ABI", TAKES_ABI, "ABI that PROGRAM was compiled against" },
    { "--to", 0, "ABI", TAKES_HOST, "ABI of the MPI to run on" },
    { "--launcher", 0, "PATH", TAKES_LAUNCHER, "launcher to use; options after it that are none of these are the launcher's" },
    { "--launcher-arg", 0, "X", TAKES_WORD, "give X to the launcher; may be repeated" },
    { "--preload", 0, 0, TAKES_NOTHING, "preload the adapter even if PROGRAM does not need it" },
    { "-v", "--verbose", 0, TAKES_NOTHING, "say on stderr what was found and what is started" },
    { 0 },
};

static const struct option ENV_OPTIONS[] = {
    { "--from", 0, "ABI", TAKES_ABI, "ABI that PROGRAM was compiled against" },
    { "--to", 0, "ABI", TAKES_HOST, "ABI of the MPI to run on" },
    { "--json", 0, 0, TAKES_NOTHING, "print what was chosen, with the environment, in JSON; docs/json.md has its form" },
    { "--preload", 0, 0, TAKES_NOTHING, "preload the adapter even if PROGRAM does not need it" },
    { "-v", "--verbose", 0, TAKES_NOTHING, "say on stderr what was found" },
    { 0 },
};

static const struct option LIST_OPTIONS[] = {
    { "--abis", 0, 0, TAKES_NOTHING,
      "print the names that --from and --to take, and no more: of ABIs, and of MPIs that pairs were made for (ABI@NAME)" },
    { "--json", 0, 0, TAKES_NOTHING, "print the same in JSON; docs/json.md has its form" },
    { 0 },
};

static const struct option CHECK_OPTIONS[] = {
    { "--from", 0, "ABI", TAKES_ABI, "ABI that the programs were compiled against" },
    { "--to", 0, "ABI", TAKES_HOST, "ABI of the MPI to run on" },
    { "--json", 0, 0, TAKES_NOTHING, "print JSON; docs/json.md has its form" },
    { 0 },
};

static const struct option EXPLAIN_OPTIONS[] = {
    { "--from", 0, "ABI", TAKES_ABI, "ABI that PROGRAM was compiled against, if it cannot be found" },
    { "--json", 0, 0, TAKES_NOTHING, "print JSON" },
    { 0 },
};

static const struct option DOCTOR_OPTIONS[] = {
    { "--json", 0, 0, TAKES_NOTHING, "print JSON; docs/json.md has its form" },
    { "--timeout", 0, "N", TAKES_WORD, "seconds that a probe may take (default: 60)" },
    { "--report", 0, "FOLDER", TAKES_FOLDER,
      "leave all of this in a file there, with versions, pairs and settings, to attach to a report; and what MPI_ADAPTER_REPORT leaves "
      "of probes that die" },
    { "-v", "--verbose", 0, TAKES_NOTHING, "show on stderr what failing probes said" },
    { 0 },
};

static const struct option BUILD_OPTIONS[] = {
    { "--host", 0, "PREFIX|MPICC", TAKES_MPI, "the MPI: the folder it is installed in, or its mpicc" },
    { "--all", 0, 0, TAKES_NOTHING,
      "for every MPI that is found: where doctor looks, by modules, in Spack's trees and beneath each FOLDER" },
    { "--remove", 0, "ABI@NAME|PAIR@NAME", TAKES_HOST, "take away the pairs that were made under this name" },
    { "--host-abi", 0, "ABI", TAKES_ABI,
      "the ABI of it that is meant, if it has several libraries (default: its own rather than one that others share)" },
    { "--to-abi", 0, "ABI[,ABI]", TAKES_ABI, "ABIs whose programs are to run on it (default: all)" },
    { "--prefix", 0, "DIR", TAKES_FOLDER,
      "where to install (default: where mpi-adapter is, or SITE_FOLDER if a package brought it); pairs go to DIR/lib/mpi-adapter/PAIR@NAME" },
    { "--name", 0, "NAME", TAKES_WORD, "tells several MPIs of a kind apart: 'run --to ABI@NAME' (default: the release)" },
    { "--launcher", 0, "PATH", TAKES_LAUNCHER, "its launcher (default: the one beside its mpicc)" },
    { "--prebuilt", 0, 0, TAKES_NOTHING, "do not compile, even if that is possible" },
    { "--compile", 0, 0, TAKES_NOTHING, "compile, or say why that is not possible" },
    { "--no-test", 0, 0, TAKES_NOTHING, "do not try the pairs, where nothing can be launched" },
    { "--log", 0, "FILE", TAKES_FILE, "the log (default: a temporary file, which is kept and named if something fails)" },
    { "-v", "--verbose", 0, TAKES_NOTHING, "show on stderr what goes to the log, step by step" },
    { 0 },
};

static const struct option SPLICE_OPTIONS[] = {
    { "--from", 0, "ABI", TAKES_ABI, "which of the tree's MPIs, if it has several" },
    { "--to", 0, "ABI[@NAME]", TAKES_HOST, "ABI of the MPI to run on, and which one of a site's" },
    { "--copy", 0, "COPY", TAKES_FOLDER,
      "leave TREE as it is, which may be another user's or on a read-only file system: make the folder COPY, with links to the files "
      "of TREE, and adapt that" },
    { "--dry-run", 0, 0, TAKES_NOTHING, "show what would be done" },
    { "--undo", 0, 0, TAKES_NOTHING, "put back all that was set aside" },
    { "-v", "--verbose", 0, TAKES_NOTHING, "say on stderr what is done" },
    { 0 },
};

static const struct option NO_OPTIONS[] = { { 0 } };

const struct verb VERBS[] = {
    { .name = "run", .summary = "start PROGRAM with the launcher of the other MPI",
      .options = RUN_OPTIONS, .operand = TAKES_COMMAND, .may_start = 1, .starts_program = 1, .act = act_run,
      .usage = "run [OPTION]... [--] PROGRAM [ARGUMENT]...\n"
               "run [OPTION]... PROGRAM [ARGUMENT]... : [-n N] PROGRAM...",
      .end = "Of several programs, with ':' between, each has its own -n and --launcher-arg.\n"
             "ABI is ABIS." },
    { .name = "exec", .summary = "run a launch line of your own, adapted",
      .options = EXEC_OPTIONS, .operand = TAKES_LINE, .may_start = 1, .starts_program = 1, .act = act_exec,
      .usage = "exec [OPTION]... [--] LAUNCHER [WORD]...",
      .about = "Runs a launch line as it is, with its programs adapted to the MPI of the\n"
               "launcher:\n"
               "  mpi-adapter exec -- mpiexec -n 2 ./a : -n 2 ./b\n"
               "  mpi-adapter exec -- srun -n 4 ./program\n"
               "Finds the programs in the line and gives their ranks what they need; the\n"
               "launcher does not get it.  A program that needs nothing runs as it is.\n"
               "\n"
               "A line for a launcher that is not there, or with --to not the host's, is\n"
               "translated: its options become those of the host's launcher, which starts as\n"
               "many ranks, binds them and gives them variables as the line's own would.",
      .end = "ABI is ABIS." },
    { .name = "shell", .summary = "run a script whose launch lines are for the program's own MPI",
      .options = SHELL_OPTIONS, .operand = TAKES_FILE, .may_start = 1, .starts_program = 1, .act = act_shell,
      .usage = "shell [OPTION]... [--] [SCRIPT [ARGUMENT]...]",
      .about = "Runs a script, or a shell, in which launchers start adapted ranks:\n"
               "  mpi-adapter shell --to ABI ./job.sh\n"
               "The script stays as it is.  mpirun, mpiexec, srun and other launchers in it\n"
               "take the options that the MPI of each program has, and start what the host has.\n"
               "Programs of the host's own MPI run natively.  A launcher that is called by its\n"
               "whole path is not caught: put the folder of its links first in PATH instead.",
      .end = "ABI is ABIS." },
    { .name = "container", .summary = "start PROGRAM of a container image on this machine's MPI",
      .options = CONTAINER_OPTIONS, .operand = TAKES_FILE, .may_start = 1, .starts_program = 1, .act = act_container,
      .usage = "container [OPTION]... IMAGE -- PROGRAM [ARGUMENT]...",
      .about = "Starts PROGRAM of a container image with the launcher of this machine's MPI,\n"
               "a container for each rank, by Apptainer, Singularity, Podman or Docker:\n"
               "  mpi-adapter container -n 4 program.sif -- /app/program\n"
               "Mounts into the image the MPI, what that needs, and the adapter; the image's C\n"
               "library must be as new as they need.  IMAGE is a file or a folder with a '/' in\n"
               "its name, a .sif file, an address (docker://...), or the name of an image.",
      .end = "ABI is ABIS." },
    { .name = "env", .summary = "print the environment that PROGRAM's ranks need, for any launcher",
      .options = ENV_OPTIONS, .operand = TAKES_COMMAND, .may_start = 0, .starts_program = 0, .act = act_env,
      .usage = "env [OPTION]... [--] [PROGRAM]",
      .about = "Prints shell commands that export the environment of PROGRAM's ranks:\n"
               "  eval \"$(mpi-adapter env ./program)\"",
      .end = "ABI is ABIS." },
    { .name = "list", .summary = "show the installed pairs of implementations, and the settings",
      .options = LIST_OPTIONS, .operand = TAKES_NOTHING, .may_start = 0, .starts_program = 0, .act = act_list,
      .shown = "list [--json]",
      .usage = "list [--abis | --json]",
      .about = "Shows every installed pair, with the MPI library and the launcher that it\n"
               "would use.  Pairs are looked for in the folders of MPI_ADAPTER_PATH, then in\n"
               "the folder of this installation." },
    { .name = "check", .summary = "say whether programs run here, on what, and what to do if not",
      .options = CHECK_OPTIONS, .operand = TAKES_COMMAND, .may_start = 0, .starts_program = 0, .act = act_check,
      .shown = "check [--json] [--] PROGRAM|FOLDER...",
      .usage = "check [OPTION]... [--] PROGRAM|FOLDER...",
      .about = "Says of each program whether it runs here, on which MPI and by which pair,\n"
               "what may differ there, what is missing, and what to do.  Nothing of a program\n"
               "runs.  Of a folder, and of the folders in it, those programs are checked that\n"
               "need an MPI library.",
      .end = "The exit status is 0 if all of them run here, 1 if one does not, and 2 if no\n"
             "library tells the MPI of one.  ABI is ABIS." },
    { .name = "explain", .summary = "show what PROGRAM was built against, and what becomes of its calls",
      .options = EXPLAIN_OPTIONS, .operand = TAKES_COMMAND, .may_start = 0, .starts_program = 0, .act = act_explain,
      .shown = "explain [--json] [--] PROGRAM|LIBRARY",
      .usage = "explain [OPTION]... [--] PROGRAM|LIBRARY",
      .about = "Says which MPI PROGRAM was compiled against, by which interfaces it calls it,\n"
               "where its libraries are found now, on what it runs here and, for each installed\n"
               "pair and its host MPI, what becomes of every MPI procedure that PROGRAM or its\n"
               "libraries import:\n"
               "  direct     the arguments pass as they are\n"
               "  converted  the adapter converts arguments\n"
               "  built      the host has no such procedure; others do its work\n"
               "  missing    calls fail, or the program cannot start\n"
               "Nothing of it runs.  A shared library is explained in the same way, an MPI's\n"
               "own by the pairs that run on it." },
    { .name = "doctor", .summary = "try the MPIs, the launchers and the pairs of this machine",
      .options = DOCTOR_OPTIONS, .operand = TAKES_FOLDER, .may_start = 1, .starts_program = 0, .act = act_doctor,
      .shown = "doctor [--json] [TREE]...",
      .usage = "doctor [OPTION]...\n"
               "doctor [OPTION]... [--] TREE...",
      .about = "Finds the MPIs and the launchers of this machine, and starts a probe of two\n"
               "ranks on each MPI natively and through each installed pair.  Checks launchers\n"
               "against libraries, and the pairs themselves.  For each failure it says the\n"
               "next step, and the exit status is 1.\n"
               "\n"
               "Of each TREE that 'mpi-adapter splice' adapted, it says instead whether that is\n"
               "as it was left, and which libraries its programs and the host's MPI both bring." },
    { .name = "build", .summary = "make pairs for one MPI of this machine",
      .options = BUILD_OPTIONS, .operand = TAKES_FOLDER, .may_start = 1, .starts_program = 0, .act = act_build,
      .shown = "build --host PREFIX|MPICC | --all | --remove NAME [OPTION]...",
      .usage = "build --host PREFIX|MPICC [OPTION]...\n"
               "build --all [OPTION]... [FOLDER]...\n"
               "build --remove ABI@NAME|PAIR@NAME [--prefix DIR]",
      .about = "Makes pairs that run programs of other ABIs on one MPI of this machine, tries\n"
               "them with that MPI's launcher and installs them.  Compares the MPI with the\n"
               "releases that are known, and compiles the pairs; without a compiler or\n"
               "Python, it takes the pairs that came with mpi-adapter." },
    { .name = "splice", .summary = "adapt a tree of programs that brings its own MPI, in place",
      .options = SPLICE_OPTIONS, .operand = TAKES_FOLDER, .may_start = 0, .starts_program = 0, .act = act_splice,
      .shown = "splice [--undo] [OPTION]... TREE",
      .usage = "splice [OPTION]... [--] TREE\n"
               "splice --copy COPY [OPTION]... [--] TREE\n"
               "splice --undo [--] TREE",
      .about = "Adapts a tree of programs that brings its own MPI (a conda environment, a\n"
               "Spack prefix, a vendor's folder) in place: its programs then run on this\n"
               "machine's MPI however they are started.  Each library of the tree's MPI is set\n"
               "aside into a folder .mpi-adapter beside it, and a link to the pair's takes its\n"
               "name; the tree's mpiexec and its like start the host's.",
      .end = "Run it again after the tree's MPI was updated: doctor TREE tells when." },
    /* Links by the names of launchers are this one, in a folder that `shell` puts into PATH. */
    { .name = "shim", .options = NO_OPTIONS, .may_start = 1, .starts_program = 1, .act = act_shim },
    { 0 },
};

const struct verb *verb_of(const char *name)
{
    for (const struct verb *verb = VERBS; verb->name; verb++)
        if (is_same(verb->name, name))
            return verb;
    return 0;
}
