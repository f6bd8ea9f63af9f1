/* SPDX-License-Identifier: BSD-3-Clause */
/* The subcommands. Each makes a plan of what happens when programs are started, and carries it out, prints it or explains it. */
#ifndef VERBS_H
#define VERBS_H

#include "../launch/line.h"
#include "../plan/choice.h"

/* Kinds of values and operands, by which a shell completes them: a host is an ABI, or a pair's ABI@NAME; a line, a launcher's. */
enum takes { TAKES_NOTHING, TAKES_WORD, TAKES_ABI, TAKES_HOST, TAKES_LAUNCHER, TAKES_TOOL, TAKES_MPI, TAKES_FILE, TAKES_FOLDER, TAKES_COMMAND,
             TAKES_LINE };

struct option {
    const char *name, *also;    /* and another name, or null */
    const char *value;          /* as people read it; null if it takes none */
    enum takes takes;
    const char *help;           /* ABIS stands for the names of ABIs, DIALECTS for those of launchers; so in the texts below */
};

struct verb {
    const char *name;
    const char *summary;        /* null: it is not for people */
    const struct option *options;       /* the last has no name */
    enum takes operand;
    int may_start;              /* whether it may start what it finds */
    int starts_program;         /* options end at the first operand, as what follows belongs to the program */
    struct problem *(*act)(struct job *job, int *status);
    const char *shown;          /* a line of usage among those of others; null for the first of its own */
    const char *usage, *about, *end;    /* of its help; null: there is none */
};

/* Options of each subcommand besides its own, which the table of one may explain. Those without a help are not shown. */
extern const struct option COMMON_OPTIONS[];

/* All subcommands; the last has no name, and those before it that are not for people no summary. */
extern const struct verb VERBS[];

/* Returns the subcommand of that name, or null. */
const struct verb *verb_of(const char *name);

/* Returns the names of those that are for people. */
const char *verb_names(void);

/* Each acts as its subcommand says, and sets *status to the exit status where there is no problem. */
/* Starts programs with the launcher of the host MPI. */
struct problem *act_run(struct job *job, int *status);
/* Runs a launch line of the user's own. */
struct problem *act_exec(struct job *job, int *status);
/* Runs a script in which launchers start adapted ranks. */
struct problem *act_shell(struct job *job, int *status);
/* Does what a launcher of that name would do, in such a script. */
struct problem *act_shim(struct job *job, int *status);
/* Prints the environment that ranks need. */
struct problem *act_env(struct job *job, int *status);
/* Shows the installed pairs, and the settings. */
struct problem *act_list(struct job *job, int *status);
/* Says whether programs run here, on what, and what to do if not. */
struct problem *act_check(struct job *job, int *status);
/* Says what a program was built against, and what becomes of its calls. */
struct problem *act_explain(struct job *job, int *status);
/* Tries the MPIs, the launchers and the pairs of this machine. */
struct problem *act_doctor(struct job *job, int *status);
/* Adapts a tree of programs that brings its own MPI, in place. */
struct problem *act_splice(struct job *job, int *status);
/* Makes pairs for MPIs of the site. */
struct problem *act_build(struct job *job, int *status);
/* Starts a program of a container image on this machine's MPI. */
struct problem *act_container(struct job *job, int *status);

/* Answers a question of `container` within an image, and ends: COUNT words, then an empty word and the image's variables, each a word
 * NAME=VALUE. */
struct problem *act_inside(struct job *job, int count, char **words);

/* Starts the container of one rank by Podman or Docker: VARIABLES TOOL run WORD.... `container` puts it between the launcher and the tool,
 * for what only a rank's own process can do. */
struct problem *start_contained(int count, char **words);

/* ---------------------------------------------------------------- options */

/* Reads options and operands. *wants_help is set by --help. --help and --verbose are known beside the options that are given. */
struct problem *parse_options(struct job *job, const struct option *options, const struct list *words, int *wants_help);

/* ---------------------------------------------------------------- answers */

/* Prints a part of an answer. What cannot be written ends the program. */
void put(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints "  KEY   VALUE" with a value from elsewhere, which stays in its line; `width` is that of the key's column. */
void put_field(int width, const char *key, const char *value);

/* Print the help of a subcommand, and of all; and for a shell that completes words the options of a subcommand, or with "" the subcommands: a
 * line NAME|KIND|HELP for each, of which the first, without a name, has the kind of operands. They end the program. */
void put_help(const struct job *job, const struct verb *verb) __attribute__((noreturn));
void put_main_help(void) __attribute__((noreturn));
void put_completions(const struct job *job, const char *name) __attribute__((noreturn));

/* Ends the answer; what is left of it is written. */
void end_answer(void);

/* Ends the program with a problem of this subcommand's. */
void end_with(struct job *job, const struct problem *problem) __attribute__((noreturn));

/* Prints a pair with what it would use; and the settings. */
void put_pair(struct job *job, const struct pair *pair);
void put_settings(const struct site *site);

/* ---------------------------------------------------------------- launch lines */

/* Adds the words by which a launcher is told the environment of ranks, as the pattern's NAME and VALUE show. */
void append_settings(struct list *arguments, const char *pattern, const struct facts *environment);

/* Adds what stands between the launcher and the program, if anything must: start-rank, which sets the variables of the program's own MPI,
 * and the environment of ranks if `with_settings`. */
struct problem *append_starter(const struct job *job, const struct program *program, const struct choice *choice, int with_settings,
                               struct list *arguments);

/* Returns the words that the host's launcher needs ahead of one program, which has the job to itself. */
struct problem *launcher_words(struct job *job, const struct program *program, const struct choice *choice, struct list *words);

/* Adds, ahead of these words for the launcher, those by which so many ranks share this machine's cores, where it would refuse more of them. */
void share_cores_of(struct job *job, const struct choice *choice, int ranks, struct list *arguments);

/* The plan of a start: plain data, which is carried out or printed. */
struct start {
    struct list words;          /* the line */
    struct list variables;      /* NAME=VALUE, for its environment besides this command's own */
    struct list files;          /* "N<<< TEXT", as a shell would open them: what the line reads by their numbers */
    const char *launcher;       /* the launcher's file, which may stand among the words; "" if there is none */
    int without_library_path;   /* the line does not get LD_LIBRARY_PATH */
    const char *breaks;         /* options ahead of which a line that is printed may be broken, or null */
    int logged_ranks;           /* how many ranks the site's log is told of; 0 for no job of `run` */
};

/* Replaces this process by the line, so that exit status, standard streams and signals are its own; or prints the plan, with --print for a
 * shell and with --print=json in JSON. Returns if it was printed, or cannot be started. */
struct problem *carry_out(struct job *job, const struct start *start);

/* Makes a process for the launcher, in which this returns, and stays until that ends: then the socket that the setting job_log names gets a
 * line, and this process ends as the launcher did. */
void log_job(struct job *job, int ranks);

/* Says how the launcher starts as root, which some do only if they are told that this is meant, unless the words of the line or the environment
 * tell it. */
void tell_root(struct job *job, const struct list *line, const char *launcher, const char *kind);

/* Returns in JSON what was chosen for a program. */
const char *json_planned(const struct program *program, const struct choice *choice);

/* Why what a word names cannot be started. */
struct problem *cannot_be_started(const char *word);

/* Starts, or prints, the launch line that the operands are. */
struct problem *exec_line(struct job *job);

/* Holds what the words of the user's line start. */
struct user_line {
    struct list words;
    size_t launcher_at;
    const char *launcher, *kind;    /* "" if the launcher is not there */
};

/* Returns the one kind of launchers that is called so; null where there are several. */
const char *kind_of_name(const struct job *job, const char *name);

/* Returns the kind of launcher that the program of the line was built for, as each launcher of that name would look for it; null if none is
 * found. The program's ABI is left in *abi, and whether libraries of its process are for another MPI in *has_parts. */
struct problem *kind_of_program(struct job *job, const struct user_line *line, const char **kind, const char **abi, int *has_parts);

/* Returns a launcher of the ABI's own MPI, the one that is called so if it is one; or null. */
const char *native_launcher(const struct job *job, const char *abi, const char *name);

/* Prints what a launcher of the family's own would say of its version, by which build systems tell it. */
void answer_as(const struct job *job, const char *family);

/* Returns whether a launcher is asked what it is. */
int is_question(const struct list *words, size_t from);

/* Translates the line of one launcher for that of the host. */
struct translation {
    struct start start;         /* its files list hosts */
    struct choice choice;       /* of the last program */
    int is_own;                 /* the line was written for the host's launcher, which has another name here: `user` is to be adapted */
    struct user_line user;
};
struct problem *translate_line(struct job *job, const struct user_line *user, const char *dialect, struct translation *translation);

/* Returns the names of launchers whose lines can be translated. */
struct list known_dialects(const struct job *job);

/* Returns the launcher that alone, of those with the name in the line, has the line's options; or null. */
const char *shown_dialect(const struct job *job, const struct user_line *line);

/* Examines a program in the environment that the line gives to its ranks. */
struct told {
    const char *library_path, *preload;     /* null: the line says nothing */
};

/* ---------------------------------------------------------------- verdicts */

/* Holds what `check` finds out about one program. */
struct finding {
    const char *program, *abi, *called, *host, *library, *launcher, *pair;      /* "" while they are not known */
    const char *arguments;          /* a space and the words behind an interpreter, or "" */
    const char *linked_name;        /* the MPI that is linked in, "" if none is */
    const char *linked_into;        /* with that: the library that has it, or what a script starts; "" if it is the program itself */
    const struct linked_mpi *linked;        /* or null */
    const char *inner_pair, *pairs_library; /* where two pairs lead there: the one behind, and its library; or "" */
    struct list part_abis;          /* of the parts of a process that were compiled for several MPIs, and their files; none elsewhere */
    const struct list *part_files;
    struct list missing, built;     /* procedures that the host lacks */
    struct list differs, said;      /* what may differ; what was said of it, as people see it */
    struct list others;             /* on what else it runs: what --to takes, a space, and what it is called */
    int abi_is_guess;               /* nothing tells its ABI but that all installed pairs serve the same */
    const struct problem *problem;  /* why it does not run, or null */
};
void find_out(struct job *job, const struct list *words, struct finding *finding);

/* Returns the first line of the verdict. */
const char *verdict(const struct finding *finding);

/* Returns how it runs on one of the others. */
const char *other_verdict(const char *other);

#endif
