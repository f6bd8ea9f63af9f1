#ifdef FORTRAN_LIBRARY
/* The lower half of a dynamic handle is its integer, if the host's handles are integers. */
INLINE app_comm comm_from_number(MPI_Fint number)
{
    intptr_t handle = (intptr_t)(uint32_t)number | fortran_numbers[CLASS_COMM].upper;
    return (app_comm)(likely(handle < 0) ? handle : CALL_PRESERVING(handle_of_number, (int32_t)handle, CLASS_COMM));
}

INLINE MPI_Fint comm_to_number(app_comm handle)
{
    return (MPI_Fint)(intptr_t)handle;
}

/* The lower half of a dynamic handle is its integer, if the host's handles are integers. */
INLINE app_datatype datatype_from_number(MPI_Fint number)
{
    intptr_t handle = (intptr_t)(uint32_t)number | fortran_numbers[CLASS_DATATYPE].upper;
    return (app_datatype)(likely(handle < 0) ? handle : CALL_PRESERVING(handle_of_number, (int32_t)handle, CLASS_DATATYPE));
}

INLINE MPI_Fint datatype_to_number(app_datatype handle)
{
    return (MPI_Fint)(intptr_t)handle;
}

/* The lower half of a dynamic handle is its integer, if the host's handles are integers. */
INLINE app_errhandler errhandler_from_number(MPI_Fint number)
{
    intptr_t handle = (intptr_t)(uint32_t)number | fortran_numbers[CLASS_ERRHANDLER].upper;
    return (app_errhandler)(likely(handle < 0) ? handle : CALL_PRESERVING(handle_of_number, (int32_t)handle, CLASS_ERRHANDLER));
}

INLINE MPI_Fint errhandler_to_number(app_errhandler handle)
{
    return (MPI_Fint)(intptr_t)handle;
}

/* The lower half of a dynamic handle is its integer, if the host's handles are integers. */
INLINE app_file file_from_number(MPI_Fint number)
{
    intptr_t handle = (intptr_t)(uint32_t)number | fortran_numbers[CLASS_FILE].upper;
    return (app_file)(likely(handle < 0) ? handle : CALL_PRESERVING(handle_of_number, (int32_t)handle, CLASS_FILE));
}

INLINE MPI_Fint file_to_number(app_file handle)
{
    return (MPI_Fint)(intptr_t)handle;
}

/* The lower half of a dynamic handle is its integer, if the host's handles are integers. */
INLINE app_group group_from_number(MPI_Fint number)
{
    intptr_t handle = (intptr_t)(uint32_t)number | fortran_numbers[CLASS_GROUP].upper;
    return (app_group)(likely(handle < 0) ? handle : CALL_PRESERVING(handle_of_number, (int32_t)handle, CLASS_GROUP));
}

INLINE MPI_Fint group_to_number(app_group handle)
{
    return (MPI_Fint)(intptr_t)handle;
}

/* The lower half of a dynamic handle is its integer, if the host's handles are integers. */
INLINE app_info info_from_number(MPI_Fint number)
{
    intptr_t handle = (intptr_t)(uint32_t)number | fortran_numbers[CLASS_INFO].upper;
    return (app_info)(likely(handle < 0) ? handle : CALL_PRESERVING(handle_of_number, (int32_t)handle, CLASS_INFO));
}

INLINE MPI_Fint info_to_number(app_info handle)
{
    return (MPI_Fint)(intptr_t)handle;
}

/* The lower half of a dynamic handle is its integer, if the host's handles are integers. */
INLINE app_message message_from_number(MPI_Fint number)
{
    intptr_t handle = (intptr_t)(uint32_t)number | fortran_numbers[CLASS_MESSAGE].upper;
    return (app_message)(likely(handle < 0) ? handle : CALL_PRESERVING(handle_of_number, (int32_t)handle, CLASS_MESSAGE));
}

INLINE MPI_Fint message_to_number(app_message handle)
{
    return (MPI_Fint)(intptr_t)handle;
}

/* The lower half of a dynamic handle is its integer, if the host's handles are integers. */
INLINE app_op op_from_number(MPI_Fint number)
{
    intptr_t handle = (intptr_t)(uint32_t)number | fortran_numbers[CLASS_OP].upper;
    return (app_op)(likely(handle < 0) ? handle : CALL_PRESERVING(handle_of_number, (int32_t)handle, CLASS_OP));
}

INLINE MPI_Fint op_to_number(app_op handle)
{
    return (MPI_Fint)(intptr_t)handle;
}

/* The lower half of a dynamic handle is its integer, if the host's handles are integers. */
INLINE app_request request_from_number(MPI_Fint number)
{
    intptr_t handle = (intptr_t)(uint32_t)number | fortran_numbers[CLASS_REQUEST].upper;
    return (app_request)(likely(handle < 0) ? handle : CALL_PRESERVING(handle_of_number, (int32_t)handle, CLASS_REQUEST));
}

INLINE MPI_Fint request_to_number(app_request handle)
{
    return (MPI_Fint)(intptr_t)handle;
}

/* The lower half of a dynamic handle is its integer, if the host's handles are integers. */
INLINE app_session session_from_number(MPI_Fint number)
{
    intptr_t handle = (intptr_t)(uint32_t)number | fortran_numbers[CLASS_SESSION].upper;
    return (app_session)(likely(handle < 0) ? handle : CALL_PRESERVING(handle_of_number, (int32_t)handle, CLASS_SESSION));
}

INLINE MPI_Fint session_to_number(app_session handle)
{
    return (MPI_Fint)(intptr_t)handle;
}

/* The lower half of a dynamic handle is its integer, if the host's handles are integers. */
INLINE app_win win_from_number(MPI_Fint number)
{
    intptr_t handle = (intptr_t)(uint32_t)number | fortran_numbers[CLASS_WIN].upper;
    return (app_win)(likely(handle < 0) ? handle : CALL_PRESERVING(handle_of_number, (int32_t)handle, CLASS_WIN));
}

INLINE MPI_Fint win_to_number(app_win handle)
{
    return (MPI_Fint)(intptr_t)handle;
}

#endif

/* Fortran numbers the predefined handles of C, which are addresses. */
extern HIDDEN const struct fortran_handles fortran_comm;
extern HIDDEN intptr_t fortran_comm_handles[];

INLINE app_comm comm_from_fortran(MPI_Fint integer)
{
    if (likely((uint32_t)integer >= (uint32_t)fortran_comm.count))
        return comm_from_number(integer);
    return (app_comm)fortran_comm_handles[(uint32_t)integer];
}

INLINE MPI_Fint comm_to_fortran(app_comm handle)
{
    if (likely(HAS_NUMBER(CLASS_COMM, handle)))
        return comm_to_number(handle);
    if (likely(handle == APP_NULL_comm))
        return fortran_comm.null;
    return other_to_fortran(CLASS_COMM, fortran_comm.count, fortran_comm_handles, (intptr_t)handle);
}

/* Fortran numbers the predefined handles of C, which are addresses. */
extern HIDDEN const struct fortran_handles fortran_datatype;
extern HIDDEN intptr_t fortran_datatype_handles[];

INLINE app_datatype datatype_from_fortran(MPI_Fint integer)
{
    if (likely((uint32_t)integer >= (uint32_t)fortran_datatype.count))
        return datatype_from_number(integer);
    return (app_datatype)fortran_datatype_handles[(uint32_t)integer];
}

INLINE MPI_Fint datatype_to_fortran(app_datatype handle)
{
    if (likely(HAS_NUMBER(CLASS_DATATYPE, handle)))
        return datatype_to_number(handle);
    if (likely(handle == APP_NULL_datatype))
        return fortran_datatype.null;
    return other_to_fortran(CLASS_DATATYPE, fortran_datatype.count, fortran_datatype_handles, (intptr_t)handle);
}

/* Fortran numbers the predefined handles of C, which are addresses. */
extern HIDDEN const struct fortran_handles fortran_errhandler;
extern HIDDEN intptr_t fortran_errhandler_handles[];

INLINE app_errhandler errhandler_from_fortran(MPI_Fint integer)
{
    if (likely((uint32_t)integer >= (uint32_t)fortran_errhandler.count))
        return errhandler_from_number(integer);
    return (app_errhandler)fortran_errhandler_handles[(uint32_t)integer];
}

INLINE MPI_Fint errhandler_to_fortran(app_errhandler handle)
{
    if (likely(HAS_NUMBER(CLASS_ERRHANDLER, handle)))
        return errhandler_to_number(handle);
    if (likely(handle == APP_NULL_errhandler))
        return fortran_errhandler.null;
    return other_to_fortran(CLASS_ERRHANDLER, fortran_errhandler.count, fortran_errhandler_handles, (intptr_t)handle);
}

/* Fortran numbers the predefined handles of C, which are addresses. */
extern HIDDEN const struct fortran_handles fortran_file;
extern HIDDEN intptr_t fortran_file_handles[];

INLINE app_file file_from_fortran(MPI_Fint integer)
{
    if (likely((uint32_t)integer >= (uint32_t)fortran_file.count))
        return file_from_number(integer);
    return (app_file)fortran_file_handles[(uint32_t)integer];
}

INLINE MPI_Fint file_to_fortran(app_file handle)
{
    if (likely(HAS_NUMBER(CLASS_FILE, handle)))
        return file_to_number(handle);
    if (likely(handle == APP_NULL_file))
        return fortran_file.null;
    return other_to_fortran(CLASS_FILE, fortran_file.count, fortran_file_handles, (intptr_t)handle);
}

/* Fortran numbers the predefined handles of C, which are addresses. */
extern HIDDEN const struct fortran_handles fortran_group;
extern HIDDEN intptr_t fortran_group_handles[];

INLINE app_group group_from_fortran(MPI_Fint integer)
{
    if (likely((uint32_t)integer >= (uint32_t)fortran_group.count))
        return group_from_number(integer);
    return (app_group)fortran_group_handles[(uint32_t)integer];
}

INLINE MPI_Fint group_to_fortran(app_group handle)
{
    if (likely(HAS_NUMBER(CLASS_GROUP, handle)))
        return group_to_number(handle);
    if (likely(handle == APP_NULL_group))
        return fortran_group.null;
    return other_to_fortran(CLASS_GROUP, fortran_group.count, fortran_group_handles, (intptr_t)handle);
}

/* Fortran numbers the predefined handles of C, which are addresses. */
extern HIDDEN const struct fortran_handles fortran_info;
extern HIDDEN intptr_t fortran_info_handles[];

INLINE app_info info_from_fortran(MPI_Fint integer)
{
    if (likely((uint32_t)integer >= (uint32_t)fortran_info.count))
        return info_from_number(integer);
    return (app_info)fortran_info_handles[(uint32_t)integer];
}

INLINE MPI_Fint info_to_fortran(app_info handle)
{
    if (likely(HAS_NUMBER(CLASS_INFO, handle)))
        return info_to_number(handle);
    if (likely(handle == APP_NULL_info))
        return fortran_info.null;
    return other_to_fortran(CLASS_INFO, fortran_info.count, fortran_info_handles, (intptr_t)handle);
}

/* Fortran numbers the predefined handles of C, which are addresses. */
extern HIDDEN const struct fortran_handles fortran_message;
extern HIDDEN intptr_t fortran_message_handles[];

INLINE app_message message_from_fortran(MPI_Fint integer)
{
    if (likely((uint32_t)integer >= (uint32_t)fortran_message.count))
        return message_from_number(integer);
    return (app_message)fortran_message_handles[(uint32_t)integer];
}

INLINE MPI_Fint message_to_fortran(app_message handle)
{
    if (likely(HAS_NUMBER(CLASS_MESSAGE, handle)))
        return message_to_number(handle);
    if (likely(handle == APP_NULL_message))
        return fortran_message.null;
    return other_to_fortran(CLASS_MESSAGE, fortran_message.count, fortran_message_handles, (intptr_t)handle);
}

/* Fortran numbers the predefined handles of C, which are addresses. */
extern HIDDEN const struct fortran_handles fortran_op;
extern HIDDEN intptr_t fortran_op_handles[];

INLINE app_op op_from_fortran(MPI_Fint integer)
{
    if (likely((uint32_t)integer >= (uint32_t)fortran_op.count))
        return op_from_number(integer);
    return (app_op)fortran_op_handles[(uint32_t)integer];
}

INLINE MPI_Fint op_to_fortran(app_op handle)
{
    if (likely(HAS_NUMBER(CLASS_OP, handle)))
        return op_to_number(handle);
    if (likely(handle == APP_NULL_op))
        return fortran_op.null;
    return other_to_fortran(CLASS_OP, fortran_op.count, fortran_op_handles, (intptr_t)handle);
}

/* Fortran numbers the predefined handles of C, which are addresses. */
extern HIDDEN const struct fortran_handles fortran_request;
extern HIDDEN intptr_t fortran_request_handles[];

INLINE app_request request_from_fortran(MPI_Fint integer)
{
    if (likely((uint32_t)integer >= (uint32_t)fortran_request.count))
        return request_from_number(integer);
    return (app_request)fortran_request_handles[(uint32_t)integer];
}

INLINE MPI_Fint request_to_fortran(app_request handle)
{
    if (likely(HAS_NUMBER(CLASS_REQUEST, handle)))
        return request_to_number(handle);
    if (likely(handle == APP_NULL_request))
        return fortran_request.null;
    return other_to_fortran(CLASS_REQUEST, fortran_request.count, fortran_request_handles, (intptr_t)handle);
}

/* Fortran numbers the predefined handles of C, which are addresses. */
extern HIDDEN const struct fortran_handles fortran_session;
extern HIDDEN intptr_t fortran_session_handles[];

INLINE app_session session_from_fortran(MPI_Fint integer)
{
    if (likely((uint32_t)integer >= (uint32_t)fortran_session.count))
        return session_from_number(integer);
    return (app_session)fortran_session_handles[(uint32_t)integer];
}

INLINE MPI_Fint session_to_fortran(app_session handle)
{
    if (likely(HAS_NUMBER(CLASS_SESSION, handle)))
        return session_to_number(handle);
    if (likely(handle == APP_NULL_session))
        return fortran_session.null;
    return other_to_fortran(CLASS_SESSION, fortran_session.count, fortran_session_handles, (intptr_t)handle);
}

/* Fortran numbers the predefined handles of C, which are addresses. */
extern HIDDEN const struct fortran_handles fortran_win;
extern HIDDEN intptr_t fortran_win_handles[];

INLINE app_win win_from_fortran(MPI_Fint integer)
{
    if (likely((uint32_t)integer >= (uint32_t)fortran_win.count))
        return win_from_number(integer);
    return (app_win)fortran_win_handles[(uint32_t)integer];
}

INLINE MPI_Fint win_to_fortran(app_win handle)
{
    if (likely(HAS_NUMBER(CLASS_WIN, handle)))
        return win_to_number(handle);
    if (likely(handle == APP_NULL_win))
        return fortran_win.null;
    return other_to_fortran(CLASS_WIN, fortran_win.count, fortran_win_handles, (intptr_t)handle);
}

#ifdef FORTRAN_LIBRARY
/* C gets an array of its own. */
static inline app_comm *comm_stage_fortran(app_comm *local, const MPI_Fint *from, int count)
{
    app_comm *staged = stage_room(local, count, sizeof *staged);
    for (int i = 0; staged && i < count; i++)
        staged[i] = comm_from_fortran(from[i]);
    return staged;
}

INLINE void comm_unstage_fortran(app_comm *staged, app_comm *local)
{
    unstage(staged, local);
}

INLINE app_comm *comm_stage_inout(app_comm *local, const MPI_Fint *from, int count)
{
    return comm_stage_fortran(local, from, count);
}

static inline void comm_restore_inout(MPI_Fint *to, app_comm *from, app_comm *local, int count)
{
    for (int i = 0; from && i < count; i++)
        set_inout(&to[i], comm_to_fortran(from[i]));
    unstage(from, local);
}

/* C gets an array of its own. */
static inline app_datatype *datatype_stage_fortran(app_datatype *local, const MPI_Fint *from, int count)
{
    app_datatype *staged = stage_room(local, count, sizeof *staged);
    for (int i = 0; staged && i < count; i++)
        staged[i] = datatype_from_fortran(from[i]);
    return staged;
}

INLINE void datatype_unstage_fortran(app_datatype *staged, app_datatype *local)
{
    unstage(staged, local);
}

INLINE app_datatype *datatype_stage_inout(app_datatype *local, const MPI_Fint *from, int count)
{
    return datatype_stage_fortran(local, from, count);
}

static inline void datatype_restore_inout(MPI_Fint *to, app_datatype *from, app_datatype *local, int count)
{
    for (int i = 0; from && i < count; i++)
        set_inout(&to[i], datatype_to_fortran(from[i]));
    unstage(from, local);
}

/* C gets an array of its own. */
static inline app_errhandler *errhandler_stage_fortran(app_errhandler *local, const MPI_Fint *from, int count)
{
    app_errhandler *staged = stage_room(local, count, sizeof *staged);
    for (int i = 0; staged && i < count; i++)
        staged[i] = errhandler_from_fortran(from[i]);
    return staged;
}

INLINE void errhandler_unstage_fortran(app_errhandler *staged, app_errhandler *local)
{
    unstage(staged, local);
}

INLINE app_errhandler *errhandler_stage_inout(app_errhandler *local, const MPI_Fint *from, int count)
{
    return errhandler_stage_fortran(local, from, count);
}

static inline void errhandler_restore_inout(MPI_Fint *to, app_errhandler *from, app_errhandler *local, int count)
{
    for (int i = 0; from && i < count; i++)
        set_inout(&to[i], errhandler_to_fortran(from[i]));
    unstage(from, local);
}

/* C gets an array of its own. */
static inline app_file *file_stage_fortran(app_file *local, const MPI_Fint *from, int count)
{
    app_file *staged = stage_room(local, count, sizeof *staged);
    for (int i = 0; staged && i < count; i++)
        staged[i] = file_from_fortran(from[i]);
    return staged;
}

INLINE void file_unstage_fortran(app_file *staged, app_file *local)
{
    unstage(staged, local);
}

INLINE app_file *file_stage_inout(app_file *local, const MPI_Fint *from, int count)
{
    return file_stage_fortran(local, from, count);
}

static inline void file_restore_inout(MPI_Fint *to, app_file *from, app_file *local, int count)
{
    for (int i = 0; from && i < count; i++)
        set_inout(&to[i], file_to_fortran(from[i]));
    unstage(from, local);
}

/* C gets an array of its own. */
static inline app_group *group_stage_fortran(app_group *local, const MPI_Fint *from, int count)
{
    app_group *staged = stage_room(local, count, sizeof *staged);
    for (int i = 0; staged && i < count; i++)
        staged[i] = group_from_fortran(from[i]);
    return staged;
}

INLINE void group_unstage_fortran(app_group *staged, app_group *local)
{
    unstage(staged, local);
}

INLINE app_group *group_stage_inout(app_group *local, const MPI_Fint *from, int count)
{
    return group_stage_fortran(local, from, count);
}

static inline void group_restore_inout(MPI_Fint *to, app_group *from, app_group *local, int count)
{
    for (int i = 0; from && i < count; i++)
        set_inout(&to[i], group_to_fortran(from[i]));
    unstage(from, local);
}

/* C gets an array of its own. */
static inline app_info *info_stage_fortran(app_info *local, const MPI_Fint *from, int count)
{
    app_info *staged = stage_room(local, count, sizeof *staged);
    for (int i = 0; staged && i < count; i++)
        staged[i] = info_from_fortran(from[i]);
    return staged;
}

INLINE void info_unstage_fortran(app_info *staged, app_info *local)
{
    unstage(staged, local);
}

INLINE app_info *info_stage_inout(app_info *local, const MPI_Fint *from, int count)
{
    return info_stage_fortran(local, from, count);
}

static inline void info_restore_inout(MPI_Fint *to, app_info *from, app_info *local, int count)
{
    for (int i = 0; from && i < count; i++)
        set_inout(&to[i], info_to_fortran(from[i]));
    unstage(from, local);
}

/* C gets an array of its own. */
static inline app_message *message_stage_fortran(app_message *local, const MPI_Fint *from, int count)
{
    app_message *staged = stage_room(local, count, sizeof *staged);
    for (int i = 0; staged && i < count; i++)
        staged[i] = message_from_fortran(from[i]);
    return staged;
}

INLINE void message_unstage_fortran(app_message *staged, app_message *local)
{
    unstage(staged, local);
}

INLINE app_message *message_stage_inout(app_message *local, const MPI_Fint *from, int count)
{
    return message_stage_fortran(local, from, count);
}

static inline void message_restore_inout(MPI_Fint *to, app_message *from, app_message *local, int count)
{
    for (int i = 0; from && i < count; i++)
        set_inout(&to[i], message_to_fortran(from[i]));
    unstage(from, local);
}

/* C gets an array of its own. */
static inline app_op *op_stage_fortran(app_op *local, const MPI_Fint *from, int count)
{
    app_op *staged = stage_room(local, count, sizeof *staged);
    for (int i = 0; staged && i < count; i++)
        staged[i] = op_from_fortran(from[i]);
    return staged;
}

INLINE void op_unstage_fortran(app_op *staged, app_op *local)
{
    unstage(staged, local);
}

INLINE app_op *op_stage_inout(app_op *local, const MPI_Fint *from, int count)
{
    return op_stage_fortran(local, from, count);
}

static inline void op_restore_inout(MPI_Fint *to, app_op *from, app_op *local, int count)
{
    for (int i = 0; from && i < count; i++)
        set_inout(&to[i], op_to_fortran(from[i]));
    unstage(from, local);
}

/* C gets an array of its own. */
static inline app_request *request_stage_fortran(app_request *local, const MPI_Fint *from, int count)
{
    app_request *staged = stage_room(local, count, sizeof *staged);
    for (int i = 0; staged && i < count; i++)
        staged[i] = request_from_fortran(from[i]);
    return staged;
}

INLINE void request_unstage_fortran(app_request *staged, app_request *local)
{
    unstage(staged, local);
}

INLINE app_request *request_stage_inout(app_request *local, const MPI_Fint *from, int count)
{
    return request_stage_fortran(local, from, count);
}

static inline void request_restore_inout(MPI_Fint *to, app_request *from, app_request *local, int count)
{
    for (int i = 0; from && i < count; i++)
        set_inout(&to[i], request_to_fortran(from[i]));
    unstage(from, local);
}

/* C gets an array of its own. */
static inline app_session *session_stage_fortran(app_session *local, const MPI_Fint *from, int count)
{
    app_session *staged = stage_room(local, count, sizeof *staged);
    for (int i = 0; staged && i < count; i++)
        staged[i] = session_from_fortran(from[i]);
    return staged;
}

INLINE void session_unstage_fortran(app_session *staged, app_session *local)
{
    unstage(staged, local);
}

INLINE app_session *session_stage_inout(app_session *local, const MPI_Fint *from, int count)
{
    return session_stage_fortran(local, from, count);
}

static inline void session_restore_inout(MPI_Fint *to, app_session *from, app_session *local, int count)
{
    for (int i = 0; from && i < count; i++)
        set_inout(&to[i], session_to_fortran(from[i]));
    unstage(from, local);
}

/* C gets an array of its own. */
static inline app_win *win_stage_fortran(app_win *local, const MPI_Fint *from, int count)
{
    app_win *staged = stage_room(local, count, sizeof *staged);
    for (int i = 0; staged && i < count; i++)
        staged[i] = win_from_fortran(from[i]);
    return staged;
}

INLINE void win_unstage_fortran(app_win *staged, app_win *local)
{
    unstage(staged, local);
}

INLINE app_win *win_stage_inout(app_win *local, const MPI_Fint *from, int count)
{
    return win_stage_fortran(local, from, count);
}

static inline void win_restore_inout(MPI_Fint *to, app_win *from, app_win *local, int count)
{
    for (int i = 0; from && i < count; i++)
        set_inout(&to[i], win_to_fortran(from[i]));
    unstage(from, local);
}

#endif
