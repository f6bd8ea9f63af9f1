# SPDX-License-Identifier: BSD-3-Clause
# A buffer that is an array descriptor (mpi_x_f08ts_): what is made of it, after that of the buffers before it.
#   declare, open   statements before the call
#   argument        what the entry point without descriptors receives
#   failed          why that must not be called, or 0
#   close           a statement after the call
# $manner as in adapter-f77/section.h, $count and $datatype parameters that belong to the buffer alone, $size
# the size of counts, $out whether a copy of the section is copied back.

[whole]
declare: struct section its_$name;
open: open_section_$manner(&its_$name, $name);
argument: its_$name.address
failed: its_$name.failed
close: close_section(&its_$name);

[counted]
declare: struct section its_$name;
open: open_${size}section(&its_$name, $name, $count, $datatype);
argument: its_$name.address
failed: its_$name.failed
close: close_section(&its_$name);

[counted in parts]
declare: struct section its_$name;
open: open_${size}section_in_parts(&its_$name, $name, $count, $datatype);
argument: its_$name.address
failed: its_$name.failed
close: close_section(&its_$name);

[counted or copied]
declare: struct section its_$name;
open: open_${size}section_or_copy(&its_$name, $name, $count, $datatype, $out);
argument: its_$name.address
failed: its_$name.failed
close: close_section(&its_$name);

# The arguments that take the place of $count and $datatype.

[count]
argument: its_$name.${size}count

[datatype]
argument: its_$name.datatype
