# SPDX-License-Identifier: BSD-3-Clause
# How one parameter of a wrapper is carried over. The words of a section's name must all be true of the parameter; of
# several sections the first applies. The words are
#   a conversion of abi-tables/rules, or `value` for one that is by value; a KIND; a direction; `scalar` or `array`
#   same      the value passes as it is: it means the same on both sides, or a string's room is large enough
#   refused   what is no handle is refused
#   lent      the host may write a new handle into the application's variable
#   left      some host writes the handle though the call fails
#   retained  an array that the operation uses when the call has returned
#   distinct  the procedure's flag; a datatype that stands in for another must come back as that
#   reduces   the procedure's flag; its operation is `op`
#   conditional  it counts only where `$counts` is true; elsewhere the host gets what IGNORED_ says (convert/significant.h)
# The parts of a section are
#   check     statements ahead of all others: what is wrong here must leave nothing behind
#   declare   statements before the call
#   lacking   an expression that is true if memory ran out: MPI_ERR_NO_MEM is raised in place of the call
#   argument  what the host's procedure receives
#   always    statements after the call, whatever it returned
#   success   statements after a call that returned MPI_SUCCESS
#   failure   statements after a call that did not
# Conversions are declared, not written among the arguments: evaluated before the host's procedure
# is fetched from its table, they leave the compiler a call through memory.
# $name parameter, $class kind in lower case, $kind kind, $extent number of elements,
# $elements the array that has the count for each datatype of this one,
# $limit the named constant that bounds a string, $length its length parameter or 0, $counts its condition, $bad_argument,
# $no_room and $no_handle the calls that raise these errors on the procedure's object.

[COUNT conditional in scalar]
declare: const $valuetype its_$name = $counts ? $name : IGNORED_COUNT($counts);
argument: its_$name

[STRING conditional in scalar]
declare: const char *its_$name = $counts ? $name : "";
argument: ($hosttype)its_$name

[same]
argument: $name

[value in scalar]
declare: $valuetype its_$name = ${class}_to_host($name);
argument: its_$name

[value out scalar]
argument: $name
success: *$name = ${class}_to_app(*$name);

[value out? scalar]
argument: $name
success: if ($name) *$name = ${class}_to_app(*$name);

[value inout scalar]
declare: $ctype its_$name = $name ? ${class}_to_host(*$name) : 0;
argument: $name ? &its_$name : 0
success: *$name = ${class}_to_app(its_$name);

[value in array]
declare: int local_$name[STAGE_LOCAL], *its_$name = stage_ints(local_$name, $name, $extent, ${class}_to_host);
lacking: IS_LACKING(its_$name, $name)
argument: its_$name
always: unstage(its_$name, local_$name);

[value out array]
argument: $name
success: for (int i = 0; i < $extent; i++) $name[i] = ${class}_to_app($name[i]);

[address in scalar]
declare: void *its_$name = ${class}_to_host($name);
argument: ($hosttype)its_$name

[address in array]
declare: void *its_$name = ${class}_to_host($name);
argument: ($hosttype)its_$name

[address out scalar]
declare: void *its_$name = ${class}_to_host($name);
argument: ($hosttype)its_$name

[address inout scalar]
argument: ($hosttype)${class}_to_host($name)

[address out array]
argument: ($hosttype)${class}_to_host($name)

[opaque in scalar]
argument: ${class}_to_host($name)

[opaque inout scalar]
declare: void *its_$name = $name ? ${class}_to_host(*$name) : 0;
argument: $name ? &its_$name : 0
success: *$name = ${class}_to_app(its_$name);

[handle refused conditional in scalar]
check: const host_$class its_$name = $counts ? ${class}_to_host($name) : IGNORED_$kind; if (unlikely($counts && is_no_$class($name, its_$name))) return $no_handle;
argument: its_$name

[handle refused in scalar]
check: const host_$class its_$name = ${class}_to_host($name); if (unlikely(is_no_$class($name, its_$name))) return $no_handle;
argument: its_$name

[handle refused inout scalar]
check: host_$class its_$name = $name ? ${class}_to_host(*$name) : HOST_NULL_$class; if (unlikely($name && is_no_$class(*$name, its_$name))) return $no_handle;
argument: $name ? &its_$name : 0
always: if (likely($name != 0)) *$name = ${class}_to_app(its_$name);

[DATATYPE distinct in scalar]
declare: host_datatype its_$name = distinct_datatype($name);
argument: its_$name

[DATATYPE reduces conditional in scalar]
declare: host_datatype its_$name = $counts ? reduced_datatype($name, op) : IGNORED_$kind;
argument: its_$name

[DATATYPE reduces in scalar]
declare: host_datatype its_$name = reduced_datatype($name, op);
argument: its_$name

[handle conditional in scalar]
declare: host_$class its_$name = $counts ? ${class}_to_host($name) : IGNORED_$kind;
argument: its_$name

[handle in scalar]
declare: host_$class its_$name = ${class}_to_host($name);
argument: its_$name

[handle lent out scalar]
argument: ${class}_lend($name)
success: ${class}_settle($name);
failure: ${class}_spoil($name);

[handle left out scalar]
check: if (unlikely($name == 0)) return $bad_argument;
declare: host_$class its_$name = HOST_${kind}_FROM(NO_HANDLE);
argument: &its_$name
success: if (likely(HOST_${kind}_BITS(its_$name) != NO_HANDLE)) *$name = ${class}_at(&its_$name);
failure: if (HOST_${kind}_BITS(its_$name) != NO_HANDLE) *$name = ${class}_to_app(its_$name);

[handle out scalar]
check: if (unlikely($name == 0)) return $bad_argument;
declare: host_$class its_$name;
argument: &its_$name
success: *$name = ${class}_at(&its_$name);

[handle out? scalar]
declare: host_$class its_$name = HOST_NULL_$class;
argument: $name ? &its_$name : 0
success: if ($name) *$name = ${class}_to_app(its_$name);

[handle inout scalar]
declare: host_$class its_$name = $name ? ${class}_to_host(*$name) : HOST_NULL_$class;
argument: $name ? &its_$name : 0
always: if (likely($name != 0)) *$name = ${class}_to_app(its_$name);

[DATATYPE distinct in array]
declare: host_datatype local_$name[STAGE_LOCAL], *its_$name = stage_datatype(local_$name, $name, $extent); distinguish_datatypes(its_$name, $name, $extent);
lacking: IS_LACKING(its_$name, $name)
argument: its_$name
always: unstage(its_$name, local_$name);

[TYPES retained array]
declare: host_datatype *its_$name = retained_datatypes(&retained, $name, $elements, sizeof *$elements, $extent, sendbuf);
lacking: IS_LACKING(its_$name, $name)
argument: its_$name

[TYPES in array]
declare: host_datatype local_$name[STAGE_LOCAL], *its_$name = staged_datatypes(local_$name, $name, $elements, sizeof *$elements, $extent, sendbuf);
lacking: IS_LACKING(its_$name, $name)
argument: its_$name
always: unstage(its_$name, local_$name);

[STATUS in scalar]
declare: host_status its_$name; if (unlikely(IS_IGNORED($name))) return raise_error(HOST_MPI_ERR_ARG); status_to_host(&its_$name, $name);
argument: &its_$name

[STATUS ref scalar]
declare: host_status its_$name; if (unlikely(IS_IGNORED($name))) return raise_error(HOST_MPI_ERR_ARG); status_to_host(&its_$name, $name);
argument: &its_$name
always: status_to_app($name, &its_$name);

[STATUS out scalar]
declare: host_status its_${name}_room, *its_$name = status_room(&its_${name}_room, $name);
argument: its_$name
always: if (!IS_IGNORED($name)) status_returned($name, &its_${name}_room);

[STATUS inout scalar]
declare: host_status its_$name; status_to_host(&its_$name, $name);
argument: IS_IGNORED($name) ? HOST_MPI_STATUS_IGNORE : &its_$name
always: if (!IS_IGNORED($name)) status_to_app($name, &its_$name);

[ERROR_CODE in scalar]
argument: error_to_host($name)

[STRING_OUT out]
declare: char its_$name[HOST_$limit + 1];
argument: $name ? its_$name : 0
success: copy_prose($name, its_$name, APP_$limit, $length);

[IDENTIFIER out]
declare: char its_$name[HOST_$limit + 1];
argument: $name ? its_$name : 0
success: if (copy_identifier($name, its_$name, APP_$limit) != 0) return $no_room;

[RANGES in scalar]
argument: $name
