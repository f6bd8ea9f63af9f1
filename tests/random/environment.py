# SPDX-License-Identifier: BSD-3-Clause
"""Steps with errors, info objects, threads, sessions, and the tool interface."""

from messages import begin


def errhandler(p):
    new = p.new("errhandler")
    return f"OK(MPI_Comm_create_errhandler(handle_comm, &{new}));"


def handled(p):
    """An error on a communicator, with a handler of the program's or one of MPI's."""
    comm = p.some("comm")
    own = p.some("errhandler") if p.maybe() else None
    provoked = p.one(["MPI_Send(&number, 1, MPI_INT, size + 3, 0, C)", "MPI_Send(&number, -1, MPI_INT, MPI_PROC_NULL, 0, C)",
                      "MPI_Send(&number, 1, MPI_DATATYPE_NULL, 0, 0, C)", "MPI_Send(&number, 1, MPI_INT, 0, -5, C)",
                      "MPI_Recv(&number, 1, MPI_INT, size + 3, 0, C, MPI_STATUS_IGNORE)",
                      "MPI_Irecv(&number, -2, MPI_INT, 0, 0, C, &request)",
                      "MPI_Bcast(&number, 1, MPI_INT, size + 9, C)", "MPI_Probe(size + 3, 0, C, MPI_STATUS_IGNORE)"]).replace("C)",
                      f"{comm})").replace(
                          "C, MPI", f"{comm}, MPI").replace("C, &", f"{comm}, &")
    if comm.inter and "Bcast" in provoked:
        return None
    handler = own.name if own else "MPI_ERRORS_RETURN"
    return "\n".join(begin(comm) + [
        "int number = 0;", "MPI_Request request;", "(void)request;", "(void)rank;", "MPI_Errhandler before, now;",
        f"expected_comm = {comm};",
        f"OK(MPI_Comm_get_errhandler({comm}, &before));", f"OK(MPI_Comm_set_errhandler({comm}, {handler}));",
        f"OK(MPI_Comm_get_errhandler({comm}, &now));", f'say("handler %d", now == {handler});', "OK(MPI_Errhandler_free(&now));",
        f'outcome("provoked", {provoked});', 'say_handled("handled");',
        *([f'outcome("called", MPI_Comm_call_errhandler({comm}, MPI_ERR_OTHER));', 'say_handled("handled");'] if p.maybe() else []),
        f"OK(MPI_Comm_set_errhandler({comm}, before));", "OK(MPI_Errhandler_free(&before));", "}"])


def error_codes(p):
    n = p.number(1, 2)
    lines = ["int class, code, *last, found, length;", "char text[MPI_MAX_ERROR_STRING];"]
    for i in range(n):
        lines += ["OK(MPI_Add_error_class(&class));", "OK(MPI_Add_error_code(class, &code));",
            f'OK(MPI_Add_error_string(code, "text {i}"));',
                  "OK(MPI_Error_string(code, text, &length));", 'say("%s of %d", text, length);', "OK(MPI_Error_class(code, &found));",
                  'say("class %d, beyond %d", found == class, class > MPI_ERR_LASTCODE);',
                  "OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &found));",
                  'say("last %d", avoids("lastusedcode") || *last >= code);']
    return "\n".join(lines)


def info(p):
    new = p.new("info")
    lines = [f"OK(MPI_Info_create(&{new}));"]
    keys = [f"key{p.number(0, 9)}" for _ in range(p.number(0, 4))]
    for key in keys:
        value = "v" * p.one([1, 5, 200]) + str(p.number(0, 99))
        lines.append(f'OK(MPI_Info_set({new}, "{key}", "{value}"));')
    return "\n".join(lines + [f'say_info("info", {new});'])


def info_change(p):
    old = p.some("info")
    if not old:
        return None
    how = p.one(["dup", "delete", "missing"])
    if how == "dup":
        new = p.new("info")
        return f'OK(MPI_Info_dup({old}, &{new}));\nsay_info("dup", {new});'
    if how == "delete":
        return (f'char key[MPI_MAX_INFO_KEY + 1];\nint keys;\nOK(MPI_Info_get_nkeys({old}, &keys));\nif (keys > 0) {{\n'
                f'OK(MPI_Info_get_nthkey({old}, 0, key));\nOK(MPI_Info_delete({old}, key));\nOK(MPI_Info_get_nkeys({old}, &keys));\n}}\n'
                'say("keys %d", keys);\n' + f'while (keys > 0) {{\nOK(MPI_Info_get_nthkey({old}, 0, key));\nOK(MPI_Info_delete({old}, key));\n'
                f'OK(MPI_Info_get_nkeys({old}, &keys));\n}}')
    return (f'int flag = -1;\nchar value[4] = "abc";\nOK(MPI_Info_get({old}, "no such key", 3, value, &flag));\nsay("missing %d %s", !!flag, value);\n'
            f'outcome("delete", MPI_Info_delete({old}, "no such key"));')


def info_string(p):
    old = p.some("info")
    if not old:
        return None
    room = p.number(0, 9)
    return (f'int flag = -1, room = {room};\nchar value[10] = "xxxxxxxxx";\nOK(MPI_Info_get_string({old}, "key{p.number(0, 9)}", &room, value, &flag));\n'
            'say("%d: %d \'%s\'", !!flag, flag ? room : 0, value);')


def tool(p):
    """The tool interface, which a batch begins once: MPICH does not survive that it is begun again."""
    what = p.one(["cvar", "pvar", "category"])
    return "\n".join(["int count = -1, index = -1;", f'say("num %d", MPI_T_{what}_get_num(&count) == MPI_SUCCESS);',
        f'say("{what} %d", count >= 0);',
                      'say("no variable %d", MPI_T_cvar_get_index("no such variable", &index) == MPI_T_ERR_INVALID_NAME);',
                      "int provided = -1;", 'say("again %d", MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS);',
                      'say("ended %d", MPI_T_finalize() == MPI_SUCCESS);'])


def inquiries(p):
    return "\n".join(["int flag = -1, level = -1, version = -1, minor = -1, length = -1;", "OK(MPI_Initialized(&flag));",
        'say("initialized %d", !!flag);',
                      "OK(MPI_Finalized(&flag));", 'say("finalized %d", !!flag);', "OK(MPI_Query_thread(&level));",
                      'say("level %d", level >= wanted_level);',
                      "OK(MPI_Is_thread_main(&flag));", 'say("main %d", !!flag);', "OK(MPI_Get_version(&version, &minor));",
                      'say("version %d", version >= 3);',
                      "char name[MPI_MAX_PROCESSOR_NAME];", "OK(MPI_Get_processor_name(name, &length));",
                      'say("name %d", (int)strlen(name) == length);',
                      'say("time %d %d", MPI_Wtime() <= MPI_Wtime(), MPI_Wtick() > 0);'])


def session(p):
    """A communicator of a session's, of a process set that MPI promises."""
    name = p.one(["mpi://WORLD", "mpi://SELF"])
    lines = ["MPI_Session session;", "MPI_Group group;", "MPI_Comm comm;", "MPI_Info info;", "int sets = -1;",
             "OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));",
             "OK(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &sets));",
             'say("sets %d", sets >= 2);', f'OK(MPI_Group_from_session_pset(session, "{name}", &group));', 'say_group("set", group);',
             f'OK(MPI_Comm_create_from_group(group, "tag {p.number(0, 9)}", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));',
             'int size, rank, sum = -1;',
             "OK(MPI_Comm_size(comm, &size));", "OK(MPI_Comm_rank(comm, &rank));", 'say("rank %d of %d", rank, size);',
             "OK(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm));", 'say("sum %d", sum);',
             f'OK(MPI_Session_get_pset_info(session, "{name}", &info));',
             "int flag = -1, room = 20;", "char value[20];", 'OK(MPI_Info_get_string(info, "mpi_size", &room, value, &flag));',
             'say("size %s", flag ? value : "none");',
             "OK(MPI_Info_free(&info));", "OK(MPI_Group_free(&group));", "OK(MPI_Comm_free(&comm));",
             "OK(MPI_Session_finalize(&session));",
             'say("null %d", session == MPI_SESSION_NULL);']
    return "\n".join(lines)


def threads(p):
    """Each thread exchanges messages on a communicator of its own, with a type of its own."""
    comm = p.some("comm", lambda comm: not comm.inter)
    n, rounds, places = p.number(2, 4), p.number(1, 30), p.number(0, 3)
    body = p.one(["sendrecv", "isend", "allreduce"])
    calls = {
        "sendrecv": ["MPI_Sendrecv(out, 2, type, to, i, in, 2, type, from, i, comm, MPI_STATUS_IGNORE);"],
        "isend": ["MPI_Request requests[2];", "MPI_Irecv(in, 2, type, from, i, comm, &requests[0]);",
        "MPI_Isend(out, 2, type, to, i, comm, &requests[1]);",
                  "MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);"],
        "allreduce": ["MPI_Allreduce(out, in, 4, MPI_INT, MPI_SUM, comm);"]}[body]
    text = [f"#define THREADS {n}", "struct work { MPI_Comm comm; int number, sum; } work[THREADS];", "pthread_t threads[THREADS];",
            "void *run(void *given)", "{", "    struct work *work = given;", "    int rank, size, out[4], in[4] = { 0 };",
            "    MPI_Comm comm = work->comm;",
            "    MPI_Datatype type;", "    MPI_Comm_rank(comm, &rank);", "    MPI_Comm_size(comm, &size);",
            "    MPI_Type_contiguous(2, MPI_INT, &type);",
            "    MPI_Type_commit(&type);", f"    int to = (rank + {places}) % size, from = (rank + 4 * size - {places}) % size;",
            "    (void)to;", "    (void)from;",
            f"    for (int i = 0; i < {rounds}; i++) {{", "        fill_ints(out, 4, 100 * work->number + 10 * rank + i);",
            *(f"        {call}" for call in calls), "        work->sum = work->sum * 31 + in[0] + 2 * in[3];", "    }",
            "    MPI_Type_free(&type);",
            "    return 0;", "}"]
    lines = begin(comm) + ["(void)rank;", "(void)size;", *text, "for (int i = 0; i < THREADS; i++) {",
        f"OK(MPI_Comm_dup({comm}, &work[i].comm));",
                           "work[i].number = i;", "work[i].sum = 0;", "}", 'say_callbacks("dup");', "for (int i = 0; i < THREADS; i++)",
                           "    pthread_create(&threads[i], 0, run, &work[i]);", "for (int i = 0; i < THREADS; i++)",
                           "    pthread_join(threads[i], 0);",
                           "for (int i = 0; i < THREADS; i++) {", 'say("thread %d: %d", i, work[i].sum);',
                           "OK(MPI_Comm_free(&work[i].comm));", "}", "#undef THREADS", "}"]
    return "\n".join(lines)


STEPS = [(errhandler, 1), (handled, 4), (error_codes, 1), (info, 2), (info_change, 2), (inquiries, 1), (tool, 1)]
LARGE = [(info_string, 2), (session, 2)]
THREADS = [(threads, 12)]
