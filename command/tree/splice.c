/* SPDX-License-Identifier: BSD-3-Clause */
/* At each moment every name has a file, and a program that starts has all of the tree's libraries as they were, or all of the new ones;
 * so an interruption leaves nothing that cannot be undone or repeated.
 *
 * For that, libraries are replaced by way of one link, TREE/.mpi-adapter/now, that leads to the folder `before` or `after` beside it:
 * each library's name becomes a link to now/NUMBER, while that leads to what was there before; then `now` changes as a whole; then each
 * name becomes a link to its target. An undo goes the same way back. The loader takes the folder of the outermost link for $ORIGIN, so
 * that libraries find each other all the time.
 *
 * Launchers are programs, whose $ORIGIN is the folder of the real file, and change one by one. Until these are changed, too, the record
 * that the pair reads beside its libraries says `unfinished`: ranks of the other launcher end in a line that tells what to type. */
#include "splice.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "journal.h"
#include "words.h"

enum { EXCHANGE = 2, NO_REPLACE = 1 };

static const char now_name[] = "now", before_name[] = "before", after_name[] = "after";

/* A folder of the tree, and the one beside its files that they are set aside into. */
struct place {
    char *path;             /* below the tree; empty for the tree itself */
    int folder, aside;      /* -1: not opened */
};

struct work {
    int tree;
    const char *path;
    unsigned long long inode;       /* of the tree; 0 where inodes tell nothing */
    struct journal journal;
    struct place *places;
    size_t place_count;
    char *record;           /* what the pair is to read in the end */
};

static int rename_by(int from, const char *name, int to, const char *new_name, unsigned flags)
{
#ifdef SYS_renameat2
    return (int)syscall(SYS_renameat2, from, name, to, new_name, flags);
#else
    errno = ENOSYS;
    return -1;
#endif
}

static int is_lacking(int error)
{
    return error == EINVAL || error == ENOSYS || error == EOPNOTSUPP || error == ENOTTY;
}

/* Finds or adds the folder of a path. Returns null with errno. */
static struct place *place_of(struct work *work, const char *path, const char **name)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < work->place_count; i++)
        if (strlen(work->places[i].path) == length && memcmp(work->places[i].path, path, length) == 0)
            return &work->places[i];
    int folder = open_parent(work->tree, path, name);
    if (folder < 0)
        return 0;
    if (work->place_count % 16 == 0)
        work->places = reallocated(work->places, (work->place_count + 16) * sizeof *work->places);
    struct place *place = &work->places[work->place_count++];
    *place = (struct place){ text_of("%.*s", (int)length, path), folder, -1 };
    return place;
}

static char *folder_name(const struct work *work, const struct place *place)
{
    return text_of("%s%s%s", work->path, *place->path ? "/" : "", place->path);
}

/* Opens the folder for what is set aside. Returns 0 if it is not there and not to be made. */
static int open_aside(const struct work *work, struct place *place, int is_made)
{
    struct stat status;
    if (place->aside >= 0)
        return 1;
    /* The folder's writers may write here, too: a group's tree stays the group's. */
    if (is_made && (fstat(place->folder, &status) != 0 ||
                    (mkdirat(place->folder, OWN_FOLDER, (status.st_mode & 0777) | 0700) != 0 && errno != EEXIST)))
        give_up("%s/" OWN_FOLDER " cannot be written; be the owner of the tree, or adapt a copy of links with "
                "'mpi-adapter splice --copy COPY %s'", folder_name(work, place), work->path);
    place->aside = open_beneath(place->folder, OWN_FOLDER, O_RDONLY | O_DIRECTORY);
    if (place->aside < 0 && (is_made || errno != ENOENT))
        give_up("%s/" OWN_FOLDER " is not a folder that can be opened; remove it", folder_name(work, place));
    return place->aside >= 0;
}

static _Noreturn void fail(const struct work *work, const char *path, const char *done)
{
    give_up("%s/%s cannot be %s; see its permissions and the room, and run 'mpi-adapter splice --undo %s'", work->path, path, done,
            work->path);
}

/* --- what is to be done ---------------------------------------------------- */

static char *required_word(void)
{
    char *word = next_word();
    if (!word)
        give_up("the command and its part for trees differ; install mpi-adapter again");
    return word;
}

/* The host's library, and what has to be loaded with it, a line each. */
static void read_record(struct work *work)
{
    int count = atoi(required_word());
    work->record = text_of("%s\n", work->journal.host);
    for (int i = 0; i < count; i++) {
        char *longer = text_of("%spreload %s\n", work->record, required_word());
        free(work->record);
        work->record = longer;
    }
}

static void plan_entry(struct work *work, char *path, char *target, char *script)
{
    const char *name;
    if (!is_spliceable(path) || has_control(target) || *target != '/')
        give_up("%s/%s or %s has a name that no journal can hold; rename it", work->path, path, target);
    struct place *place = place_of(work, path, &name);
    if (!place)
        give_up("%s/%s cannot be opened; see the permissions of its folder", work->path, path);
    if (faccessat(place->folder, ".", W_OK, AT_EACCESS) != 0)
        give_up("%s cannot be written; be the owner of the tree, or adapt a copy of links with 'mpi-adapter splice --copy COPY %s'",
                folder_name(work, place), work->path);
    struct entry *entry = add_entry(&work->journal);
    entry->path = path;
    entry->target = target;
    entry->script = *script ? script : 0;
    if (identify(place->folder, name, &entry->own) != 0)
        give_up("%s/%s cannot be read; see its permissions", work->path, path);
    if (entry->own.kind == KIND_OTHER)
        give_up("%s/%s is neither a file nor a link; remove it from the tree", work->path, path);
    if (entry->script)
        hash_text(entry->script, entry->put);
    else
        strcpy(entry->put, "link");
}

/* --- records, and the journal ---------------------------------------------- */

static int open_own_folder(const struct work *work)
{
    struct place place = { "", work->tree, -1 };
    open_aside(work, &place, 1);
    return place.aside;
}

static _Noreturn void refuse_file_system(const struct work *work, int own_folder, const char *path, const char *why)
{
    unlinkat(own_folder, now_name, 0);
    unlinkat(own_folder, "now.new", 0);
    unlinkat(work->tree, OWN_FOLDER, AT_REMOVEDIR);
    give_up("%s%s%s cannot be adapted, as %s; adapt a copy of links elsewhere with 'mpi-adapter splice --copy COPY %s'", work->path,
            *path ? "/" : "", path, why, work->path);
}

/* Ends the program, before anything is changed, on a file system without links, or on one where a name can neither change places with
 * another one nor be given to the same file. */
static void require_file_system(struct work *work, int own_folder)
{
    unlinkat(own_folder, now_name, 0);
    unlinkat(own_folder, "now.new", 0);
    if (symlinkat(".", own_folder, now_name) != 0 && (errno == EPERM || is_lacking(errno)))
        refuse_file_system(work, own_folder, "", "its file system has no links");
    if (symlinkat(".", own_folder, "now.new") != 0)
        fail(work, OWN_FOLDER, "written");
    int can_exchange = rename_by(own_folder, "now.new", own_folder, now_name, EXCHANGE) == 0;
    unlinkat(own_folder, now_name, 0);
    unlinkat(own_folder, "now.new", 0);
    for (size_t i = 0; !can_exchange && i < work->journal.count; i++) {
        const struct entry *entry = &work->journal.entries[i];
        const char *name;
        const struct place *place = place_of(work, entry->path, &name);
        if (entry->own.kind != KIND_NONE && (!place || linkat(place->folder, name, own_folder, "now.new", 0) != 0))
            refuse_file_system(work, own_folder, entry->path,
                               "its file system neither lets names change places nor lets you make a link to it");
        unlinkat(own_folder, "now.new", 0);
    }
}

static void write_record(const struct work *work, const struct place *place, const char *text)
{
    char *path = text_of("%s%s" OWN_FOLDER "/host", place->path, *place->path ? "/" : "");
    if (write_whole(place->aside, "host", text) != 0)
        fail(work, path, "written");
    free(path);
}

static void mark_unfinished(const struct work *work, int is_made)
{
    char *text = text_of("unfinished %s\n", work->path);
    for (size_t i = 0; i < work->place_count; i++) {
        struct place *place = &work->places[i];
        if (open_aside(work, place, is_made))
            write_record(work, place, text);
    }
    free(text);
}

static void mark_finished(const struct work *work)
{
    for (size_t i = 0; i < work->place_count; i++)
        write_record(work, &work->places[i], work->record);
}

/* --- names ----------------------------------------------------------------- */

/* Moves to a name that nothing has. Returns 0, or -1 with errno. */
static int move_new(int from, const char *name, int to, const char *new_name)
{
    struct stat status;
    if (rename_by(from, name, to, new_name, NO_REPLACE) == 0)
        return 0;
    if (!is_lacking(errno))
        return -1;
    if (fstatat(to, new_name, &status, AT_SYMLINK_NOFOLLOW) == 0) {
        errno = EEXIST;
        return -1;
    }
    return renameat(from, name, to, new_name);
}

/* Makes a link as `new` beside what is set aside, to be moved to its place. */
static void make_link(const struct work *work, const struct place *place, const struct entry *entry, const char *text)
{
    unlinkat(place->aside, "new", 0);
    if (symlinkat(text, place->aside, "new") != 0)
        fail(work, entry->path, "replaced");
}

/* The same for a script. */
static void make_script(const struct work *work, const struct place *place, const struct entry *entry)
{
    unlinkat(place->aside, "new", 0);
    int file = openat(place->aside, "new", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0755);
    if (file < 0 || write_all(file, entry->script, strlen(entry->script)) != 0 || close(file) != 0)
        fail(work, entry->path, "replaced");
}

/* --- the one link by which all libraries change ----------------------------- */

static int is_library(const struct entry *entry)
{
    return strcmp(entry->put, "link") == 0;
}

/* The text of the link in a library's place while the splice or the undo is under way. */
static char *switch_text(const struct work *work, const struct entry *entry)
{
    char *up = text_of("%s", "");
    for (const char *slash = entry->path; (slash = strchr(slash, '/')); slash++) {
        char *more = text_of("../%s", up);
        free(up);
        up = more;
    }
    char *text = text_of("%s" OWN_FOLDER "/%s/%zu", up, now_name, (size_t)(entry - work->journal.entries));
    free(up);
    return text;
}

static int is_switch(const struct work *work, const struct entry *entry, const struct identity *now)
{
    char hash[SHA256_TEXT], *text = switch_text(work, entry);
    hash_text(text, hash);
    free(text);
    return is_library(entry) && now->kind == KIND_LINK && strcmp(hash, now->hash) == 0;
}

/* The text of a link in the folder `before` to the library that was there before. */
static char *before_text(struct work *work, const struct entry *entry)
{
    const char *name;
    struct place *place = place_of(work, entry->path, &name);
    struct identity now;
    char *text = 0, *slash = *place->path ? "/" : "", *result;
    if (entry->own.kind == KIND_LINK) {
        /* The link itself is in its place, or set aside. */
        int is_in_place = identify(place->folder, name, &now) == 0 && is_own(&work->journal, entry, &now, work->inode);
        text = link_text(is_in_place ? place->folder : place->aside, name);
    }
    if (!text)
        result = text_of("../../%s%s" OWN_FOLDER "/%s", place->path, slash, name);
    else if (*text == '/')
        result = text_of("%s", text);
    else
        result = text_of("../../%s%s%s", place->path, slash, text);
    free(text);
    return result;
}

static int open_made(const struct work *work, int own_folder, const char *name)
{
    int made = mkdirat(own_folder, name, 0755) == 0 || errno == EEXIST ? open_beneath(own_folder, name, O_RDONLY | O_DIRECTORY) : -1;
    if (made < 0)
        fail(work, OWN_FOLDER, "written");
    return made;
}

/* Makes both folders. A library that was not there before is not there in the one. */
static void make_sides(struct work *work, int own_folder)
{
    int before = open_made(work, own_folder, before_name), after = open_made(work, own_folder, after_name);
    for (size_t i = 0; i < work->journal.count; i++) {
        const struct entry *entry = &work->journal.entries[i];
        const char *name;
        char number[32];
        if (!is_library(entry) || !place_of(work, entry->path, &name))
            continue;
        snprintf(number, sizeof number, "%zu", i);
        unlinkat(before, number, 0);
        unlinkat(after, number, 0);
        char *text = before_text(work, entry);
        if ((entry->own.kind != KIND_NONE && symlinkat(text, before, number) != 0) || symlinkat(entry->target, after, number) != 0)
            fail(work, OWN_FOLDER, "written");
        free(text);
    }
    close(before);
    close(after);
}

static void switch_to(const struct work *work, int own_folder, const char *side)
{
    unlinkat(own_folder, "now.new", 0);
    if (symlinkat(side, own_folder, "now.new") != 0 || renameat(own_folder, "now.new", own_folder, now_name) != 0)
        fail(work, OWN_FOLDER, "written");
}

static void remove_side(int own_folder, const char *name, size_t count)
{
    int side = open_beneath(own_folder, name, O_RDONLY | O_DIRECTORY);
    char number[32];
    for (size_t i = 0; side >= 0 && i < count; i++) {
        snprintf(number, sizeof number, "%zu", i);
        unlinkat(side, number, 0);
    }
    if (side >= 0)
        close(side);
    unlinkat(own_folder, name, AT_REMOVEDIR);
}

static void remove_sides(const struct work *work, int own_folder)
{
    unlinkat(own_folder, "now.new", 0);
    unlinkat(own_folder, now_name, 0);
    remove_side(own_folder, before_name, work->journal.count);
    remove_side(own_folder, after_name, work->journal.count);
}

/* --- one file -------------------------------------------------------------- */

/* Whether what was set aside is what was planned to be. */
static int is_planned(const struct work *work, const struct entry *entry, const struct place *place, const char *name)
{
    struct identity now;
    return identify(place->aside, name, &now) == 0 && is_own(&work->journal, entry, &now, work->inode);
}

/* For file systems on which two names cannot change places: the tree's own has two names for a moment. */
static void splice_by_link(const struct work *work, const struct place *place, const struct entry *entry, const char *name)
{
    if (renameat(place->aside, name, place->aside, "new") != 0)
        fail(work, entry->path, "replaced");
    if (linkat(place->folder, name, place->aside, name, 0) != 0)
        fail(work, entry->path, "set aside");
    if (!is_planned(work, entry, place, name))
        give_up("%s/%s changed meanwhile; run 'mpi-adapter splice --undo %s'", work->path, entry->path, work->path);
    if (renameat(place->aside, "new", place->folder, name) != 0)
        fail(work, entry->path, "replaced");
}

/* The names change places at once, so that nothing is lost that came into the tree meanwhile. */
static void set_aside(const struct work *work, const struct place *place, const struct entry *entry, const char *name)
{
    if (move_new(place->aside, "new", place->aside, name) != 0 && errno == EEXIST)
        give_up("%s/" OWN_FOLDER "/%s is in the way; run 'mpi-adapter splice --undo %s', and move it elsewhere",
                folder_name(work, place), name, work->path);
    if (rename_by(place->aside, name, place->folder, name, EXCHANGE) == 0) {
        if (is_planned(work, entry, place, name))
            return;
        rename_by(place->aside, name, place->folder, name, EXCHANGE);
        give_up("%s/%s changed meanwhile; run 'mpi-adapter splice --undo %s'", work->path, entry->path, work->path);
    }
    if (!is_lacking(errno))
        fail(work, entry->path, "replaced");
    splice_by_link(work, place, entry, name);
}

/* Puts what was made as `new` in the place of the tree's own, which is set aside. */
static void put_new(const struct work *work, const struct place *place, const struct entry *entry, const char *name)
{
    if (entry->own.kind != KIND_NONE)
        set_aside(work, place, entry, name);
    else if (move_new(place->aside, "new", place->folder, name) != 0)
        fail(work, entry->path, "made");
}

static void splice_script(struct work *work, const struct entry *entry)
{
    const char *name;
    const struct place *place = place_of(work, entry->path, &name);
    make_script(work, place, entry);
    put_new(work, place, entry, name);
    note("%s/%s starts %s", work->path, entry->path, entry->target);
}

/* Replaces a library's name by the link to what it was. */
static void splice_library(struct work *work, const struct entry *entry)
{
    const char *name;
    const struct place *place = place_of(work, entry->path, &name);
    char *text = switch_text(work, entry);
    make_link(work, place, entry, text);
    put_new(work, place, entry, name);
    free(text);
}

/* Replaces what is in a library's place by another link to the same file. */
static void replace_link(struct work *work, const struct entry *entry, const char *text)
{
    const char *name;
    const struct place *place = place_of(work, entry->path, &name);
    make_link(work, place, entry, text);
    if (renameat(place->aside, "new", place->folder, name) != 0)
        fail(work, entry->path, "replaced");
}

/* Whether a file keeps its inode while it is renamed, and until the file system is mounted again. */
static int has_lasting_inodes(int tree)
{
    static const uint32_t unlasting[] = { 0x794c7630 /* overlay */, 0x65735546 /* FUSE */, 0x4d44 /* FAT */, 0x2011bab0 /* exFAT */,
                                          0x517b /* SMB */, 0xfe534d42 /* SMB 2 */, 0xff534d42 /* CIFS */ };
    struct statfs status;
    if (fstatfs(tree, &status) != 0)
        return 0;
    for (size_t i = 0; i < sizeof unlasting / sizeof *unlasting; i++)
        if ((uint32_t)status.f_type == unlasting[i])
            return 0;
    return 1;
}

static void begin(struct work *work, int tree, const char *path)
{
    struct stat status;
    if (fstat(tree, &status) != 0)
        give_up("%s cannot be opened; see its permissions", path);
    *work = (struct work){ .tree = tree, .path = path, .inode = has_lasting_inodes(tree) ? status.st_ino : 0 };
}

/* On an overlay a file that was moved may have another inode now. */
static void identify_again(struct work *work)
{
    for (size_t i = 0; i < work->journal.count; i++) {
        struct entry *entry = &work->journal.entries[i];
        const char *name;
        struct stat status;
        const struct place *place = place_of(work, entry->path, &name);
        if (entry->own.kind != KIND_NONE && fstatat(place->aside, name, &status, AT_SYMLINK_NOFOLLOW) == 0)
            entry->own.inode = status.st_ino;
    }
}

void splice_tree(int tree, const char *path)
{
    struct work work;
    begin(&work, tree, path);
    work.journal.pair = required_word();
    work.journal.host = required_word();
    work.journal.tree = work.inode;
    read_record(&work);
    if (has_control(work.journal.pair) || has_control(work.journal.host) || has_control(path))
        give_up("the path of %s, %s or %s has a control character; rename it", path, work.journal.pair, work.journal.host);
    for (char *word; (word = next_word());) {
        char *target = required_word();
        plan_entry(&work, word, target, required_word());
    }
    int own_folder = open_own_folder(&work);
    require_file_system(&work, own_folder);
    if (write_journal(own_folder, "journal", &work.journal) != 0 || (fsync(own_folder) != 0 && !is_lacking(errno)))
        give_up("%s/" OWN_FOLDER " cannot be written; be the owner of the tree, or adapt a copy of links with 'mpi-adapter splice "
                "--copy COPY %s'", path, path);
    mark_unfinished(&work, 1);
    make_sides(&work, own_folder);
    switch_to(&work, own_folder, before_name);
    for (size_t i = 0; i < work.journal.count; i++)
        if (is_library(&work.journal.entries[i]))
            splice_library(&work, &work.journal.entries[i]);
    switch_to(&work, own_folder, after_name);
    for (size_t i = 0; i < work.journal.count; i++)
        if (!is_library(&work.journal.entries[i]))
            splice_script(&work, &work.journal.entries[i]);
    for (size_t i = 0; i < work.journal.count; i++)
        if (is_library(&work.journal.entries[i])) {
            replace_link(&work, &work.journal.entries[i], work.journal.entries[i].target);
            note("%s/%s leads to %s", path, work.journal.entries[i].path, work.journal.entries[i].target);
        }
    remove_sides(&work, own_folder);
    identify_again(&work);
    mark_finished(&work);
    if (write_journal(own_folder, "manifest", &work.journal) != 0 || unlinkat(own_folder, "journal", 0) != 0)
        fail(&work, OWN_FOLDER, "written");
}

/* --- back ------------------------------------------------------------------ */

/* The state of one entry: what is in its place, and what is set aside. */
struct state {
    struct place *place;        /* null: its folder is gone */
    const char *name;
    struct identity now, aside;
    int is_own, is_put;         /* what is in its place: what was there before, what the splice put there at last */
    int is_ours;                /* that, or the link to what was or is to be there */
    int has_own, has_ours;      /* what is set aside */
};

static void look(struct work *work, const struct entry *entry, struct state *state)
{
    *state = (struct state){ .place = place_of(work, entry->path, &state->name) };
    if (!state->place && errno != ENOENT && errno != ENOTDIR && errno != ELOOP)
        give_up("%s/%s cannot be opened; see the permissions of its folder", work->path, entry->path);
    if (!state->place)
        return;
    const char *slash = strrchr(entry->path, '/');
    state->name = slash ? slash + 1 : entry->path;
    if (identify(state->place->folder, state->name, &state->now) != 0 ||
        (open_aside(work, state->place, 0) && identify(state->place->aside, state->name, &state->aside) != 0))
        give_up("%s/%s cannot be read; see its permissions", work->path, entry->path);
    state->is_own = is_own(&work->journal, entry, &state->now, work->inode);
    state->is_put = is_put(entry, state->place->folder, state->name, &state->now);
    state->is_ours = state->is_put || is_switch(work, entry, &state->now);
    state->has_own = is_own(&work->journal, entry, &state->aside, work->inode);
    state->has_ours = state->place->aside >= 0 &&
                      (is_put(entry, state->place->aside, state->name, &state->aside) || is_switch(work, entry, &state->aside));
}

/* Ends the program where the tree's own cannot be put back. */
static void check_entry(struct work *work, const struct entry *entry)
{
    struct state state;
    look(work, entry, &state);
    if (!state.place || entry->own.kind == KIND_NONE || state.is_own || state.has_own)
        return;
    char *aside = text_of("%s/" OWN_FOLDER "/%s", folder_name(work, state.place), state.name);
    if ((state.is_ours || state.now.kind == KIND_NONE) && state.aside.kind != KIND_NONE && !state.has_ours)
        give_up("%s is not what was set aside; put the tree's own %s/%s back from where it came, and remove %s", aside, work->path,
                entry->path, aside);
    if (state.is_ours)
        give_up("%s is gone; put the tree's own %s/%s back from where it came", aside, work->path, entry->path);
    free(aside);
}

static void put_back(const struct work *work, const struct entry *entry, const struct state *state)
{
    const struct place *place = state->place;
    if (state->now.kind == KIND_NONE)
        complain("%s/%s was removed since it was spliced; it is put back", work->path, entry->path);
    else if (rename_by(place->aside, state->name, place->folder, state->name, EXCHANGE) == 0) {
        struct identity now;
        if (identify(place->aside, state->name, &now) == 0 &&
            (is_put(entry, place->aside, state->name, &now) || is_switch(work, entry, &now))) {
            if (unlinkat(place->aside, state->name, 0) != 0)
                fail(work, entry->path, "put back");
            note("%s/%s is put back", work->path, entry->path);
            return;
        }
        rename_by(place->aside, state->name, place->folder, state->name, EXCHANGE);
        give_up("%s/%s changed meanwhile; run 'mpi-adapter splice --undo %s'", work->path, entry->path, work->path);
    } else if (!is_lacking(errno))
        fail(work, entry->path, "put back");
    if (renameat(place->aside, state->name, place->folder, state->name) != 0)
        fail(work, entry->path, "put back");
    note("%s/%s is put back", work->path, entry->path);
}

static void unsplice_entry(struct work *work, const struct entry *entry)
{
    struct state state;
    look(work, entry, &state);
    if (!state.place)
        return;
    if (entry->own.kind != KIND_NONE && state.has_own && !state.is_own && (state.is_ours || state.now.kind == KIND_NONE)) {
        put_back(work, entry, &state);
        return;
    }
    if (entry->own.kind == KIND_NONE && state.is_ours && unlinkat(state.place->folder, state.name, 0) != 0)
        fail(work, entry->path, "removed");
    if (entry->own.kind != KIND_NONE && !state.is_own && state.has_own)
        complain("%s/%s was replaced since it was spliced; it is left as it is", work->path, entry->path);
    /* It is of no use any more: the tree has it again, or has something newer. */
    if ((state.has_own || state.has_ours) && unlinkat(state.place->aside, state.name, 0) != 0)
        fail(work, entry->path, "put back");
}

/* Whether a link that the splice put there in the end is in a library's place, and what was there before can be put back. */
static int leads_to_pair(struct work *work, const struct entry *entry)
{
    struct state state;
    if (!is_library(entry))
        return 0;
    look(work, entry, &state);
    return state.place && state.place->aside >= 0 && state.is_put && (state.has_own || entry->own.kind == KIND_NONE);
}

/* Leads all libraries to what they were, at once. */
static void switch_back(struct work *work, int own_folder)
{
    char *now = link_text(own_folder, now_name);
    if (now && strcmp(now, before_name) == 0) {
        free(now);
        return;
    }
    char *is_led = reallocated(0, work->journal.count);
    int is_needed = now != 0;
    for (size_t i = 0; i < work->journal.count; i++)
        is_needed |= is_led[i] = (char)leads_to_pair(work, &work->journal.entries[i]);
    if (!is_needed) {
        free(is_led);
        return;
    }
    /* Without that link no name leads to it. */
    if (!now) {
        make_sides(work, own_folder);
        switch_to(work, own_folder, after_name);
    }
    for (size_t i = 0; i < work->journal.count; i++) {
        const struct entry *entry = &work->journal.entries[i];
        if (is_led[i]) {
            char *text = switch_text(work, entry);
            replace_link(work, entry, text);
            free(text);
        }
    }
    switch_to(work, own_folder, before_name);
    free(is_led);
    free(now);
}

static void show(const struct journal *journal)
{
    answer("pair", "%s", journal->pair);
    answer("host", "%s", journal->host);
    for (size_t i = 0; i < journal->count; i++) {
        answer("path", "%s", journal->entries[i].path);
        answer("target", "%s", journal->entries[i].target);
    }
}

void undo_splice(int tree, const char *path, int only_show)
{
    static const char *const own_files[] = { "host.new", "journal.new", "manifest.new", "host", "journal", "manifest" };
    struct work work;
    begin(&work, tree, path);
    if (!read_journal(tree, path, &work.journal))
        give_up("%s is not spliced; give a tree that is", path);
    if (only_show) {
        show(&work.journal);
        return;
    }
    for (size_t i = 0; i < work.journal.count; i++)
        check_entry(&work, &work.journal.entries[i]);
    int own_folder = open_own_folder(&work);
    mark_unfinished(&work, 0);
    for (size_t i = work.journal.count; i-- > 0;)
        if (!is_library(&work.journal.entries[i]))
            unsplice_entry(&work, &work.journal.entries[i]);
    switch_back(&work, own_folder);
    for (size_t i = work.journal.count; i-- > 0;)
        if (is_library(&work.journal.entries[i]))
            unsplice_entry(&work, &work.journal.entries[i]);
    remove_sides(&work, own_folder);
    for (size_t i = 0; i < work.place_count; i++) {
        struct place *place = &work.places[i];
        if (place->aside < 0)
            continue;
        unlinkat(place->aside, "host", 0);
        unlinkat(place->aside, "host.new", 0);
        unlinkat(place->aside, "new", 0);
        if (*place->path)
            unlinkat(place->folder, OWN_FOLDER, AT_REMOVEDIR);
    }
    /* The last two say that there is something to undo. */
    for (size_t i = 0; i < sizeof own_files / sizeof *own_files; i++)
        if (unlinkat(own_folder, own_files[i], 0) != 0 && errno != ENOENT)
            fail(&work, OWN_FOLDER, "removed");
    unlinkat(tree, OWN_FOLDER, AT_REMOVEDIR);
    answer("count", "%zu", work.journal.count);
}

void examine_splice(int tree, const char *path)
{
    struct work work;
    begin(&work, tree, path);
    if (!read_journal(tree, path, &work.journal))
        return;
    answer("form", "%s", work.journal.is_whole ? "manifest" : "journal");
    answer("pair", "%s", work.journal.pair);
    answer("host", "%s", work.journal.host);
    for (size_t i = 0; i < work.journal.count; i++) {
        struct state state;
        look(&work, &work.journal.entries[i], &state);
        answer("path", "%s", work.journal.entries[i].path);
        answer("target", "%s", work.journal.entries[i].target);
        answer("state", "%s", state.is_put ? "put" : "changed");
    }
}
