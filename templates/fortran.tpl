# SPDX-License-Identifier: BSD-3-Clause
# How one parameter of a Fortran procedure (MPI-4.1 section 19.1) becomes one of the C procedure of
# the same ABI. The words of a section's name must all be true of the parameter; of several sections the first
# applies. The words are a role of abi-tables/rules, a direction, `scalar` or `array`, and `default_integer` of addresses
# that are such. Every Fortran argument is an address; a string's length follows the last argument. The parts are
# those of parameters.tpl:
#   declare   statements before the call
#   lacking   an expression that is true if memory ran out: MPI_ERR_NO_MEM is raised in place of the call
#   argument  what the C procedure receives
#   always    statements after the call, whatever it returned
#   success   statements after a call that returned MPI_SUCCESS
# $name parameter, $class kind in lower case, $type C's type of a scalar, $extent number of
# elements, $limit the named constant that bounds a string.

[default_integer in scalar]
argument: *$name

[default_integer in array]
declare: MPI_Aint local_$name[FORTRAN_LOCAL], *its_$name = widen(local_$name, $name, $extent);
lacking: IS_LACKING(its_$name, $name)
argument: its_$name
always: fortran_unstage(its_$name, local_$name);

[default_integer out scalar]
declare: MPI_Aint its_$name;
argument: &its_$name
success: *$name = (MPI_Fint)its_$name;

[absent]
argument: 0

[pointer]
argument: $name

[address]
argument: $name

[value in scalar]
argument: *$name

[value in array]
argument: $name

[value out scalar]
argument: $name

[value inout scalar]
argument: $name

[value out array]
argument: $name

[value inout array]
argument: $name

[ranges in scalar]
argument: (int (*)[3])$name

[keyval in scalar]
argument: keyval_from_fortran(*$name)

[keyval inout scalar]
declare: const int had_$name = keyval_from_fortran(*$name); int its_$name = had_$name;
argument: &its_$name
always: if (its_$name != had_$name) *$name = its_$name;

[logical in scalar]
argument: logical_from_fortran(*$name)

[logical out scalar]
declare: int its_$name;
argument: &its_$name
success: *$name = logical_to_fortran(its_$name);

[logical in array]
declare: int local_$name[FORTRAN_LOCAL], *its_$name = logicals_from_fortran(local_$name, $name, $extent);
lacking: IS_LACKING(its_$name, $name)
argument: its_$name
always: fortran_unstage(its_$name, local_$name);

[logical out array]
argument: $name
success: logicals_to_fortran($name, $extent);

[index out scalar]
declare: int its_$name = APP_MPI_UNDEFINED;
argument: &its_$name
always: set_index($name, rc, its_$name);

[handle in scalar]
argument: ${class}_from_fortran(*$name)

[handle ref scalar]
declare: app_$class its_$name = ${class}_from_fortran(*$name);
argument: &its_$name

[handle out scalar]
declare: app_$class its_$name;
argument: &its_$name
success: *$name = ${class}_to_fortran(its_$name);

[handle inout scalar]
declare: app_$class its_$name = ${class}_from_fortran(*$name);
argument: &its_$name
always: set_inout($name, ${class}_to_fortran(its_$name));

[handle in array]
declare: app_$class local_$name[FORTRAN_LOCAL], *its_$name = ${class}_stage_fortran(local_$name, $name, $extent);
lacking: IS_LACKING(its_$name, $name)
argument: its_$name
always: ${class}_unstage_fortran(its_$name, local_$name);

[handle inout array]
declare: app_$class local_$name[FORTRAN_LOCAL], *its_$name = ${class}_stage_inout(local_$name, $name, $extent);
lacking: IS_LACKING(its_$name, $name)
argument: its_$name
always: ${class}_restore_inout($name, its_$name, local_$name, $extent);

[types in array]
declare: app_datatype local_$name[FORTRAN_LOCAL], *its_$name = datatype_stage_fortran(local_$name, $name, $extent);
lacking: IS_LACKING(its_$name, $name)
argument: its_$name
always: datatype_unstage_fortran(its_$name, local_$name);

[status in scalar]
argument: status_from_fortran($name)

[status out scalar]
argument: status_from_fortran($name)

[status ref scalar]
argument: status_from_fortran($name)

[status inout scalar]
argument: status_from_fortran($name)

[status out array]
argument: statuses_from_fortran($name)

[buffer in scalar]
argument: buffer_from_fortran($name)

[buffer out scalar]
argument: buffer_from_fortran($name)

[buffer inout scalar]
argument: buffer_from_fortran($name)

[coll_buffer in scalar]
argument: coll_buffer_from_fortran($name)

[coll_buffer out scalar]
argument: coll_buffer_from_fortran($name)

[coll_buffer inout scalar]
argument: coll_buffer_from_fortran($name)

[attached_buffer in scalar]
argument: attached_buffer_from_fortran($name)

[weights in array]
argument: weights_from_fortran($name)

[weights out array]
argument: weights_from_fortran($name)

[string in scalar]
declare: char local_$name[FORTRAN_TEXT], *its_$name = string_from_fortran(local_$name, $name, ${name}_length);
lacking: !its_$name
argument: its_$name
always: fortran_unstage(its_$name, local_$name);

[written_string out]
declare: char its_$name[APP_$limit + 1];
argument: its_$name
success: string_to_fortran($name, ${name}_length, its_$name);
