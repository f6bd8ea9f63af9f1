# SPDX-License-Identifier: BSD-3-Clause
"""The body of a stand-in for MPI_X_c that calls MPI_X (adapter-c/stand_ins/narrow.h).

A count whose next parameter is its datatype is narrowed together with it; a reduction's operation
may not be applied to derived datatypes, so that counts of reductions must fit, as all others must.
"""


from typing import Callable, Optional

from emitter.procedures import Extent, Parameter, Procedure


class Narrowing:
    """Collects the statements around the call of the host's procedure."""

    def __init__(self, procedure: Procedure, extents: dict[str, Extent], failure: Callable[[str], str]) -> None:
        self.procedure, self.extents, self.failure = procedure, extents, failure
        self.unsupported = f'unsupported("{procedure.name}")'
        self.names = {parameter.name: parameter for parameter in procedure.parameters}
        self.declare: list[str] = []
        self.steps: list[str] = []
        self.checks: list[str] = []
        self.after: list[str] = []
        self.always: list[str] = []
        self.arguments: dict[str, str] = {}
        self.arrays = False

    def body(self) -> Optional[list[str]]:
        """The statements, or None if a parameter cannot be narrowed."""
        parameters = self.procedure.parameters
        for before, parameter, after in zip((None, *parameters), parameters, (*parameters[1:], None)):
            if not self._parameter(before, parameter, after):
                return None
        lines = [*self.declare]
        if self.arrays:
            kept = "rc == 0 ? request : 0" if self.procedure.starts else "0"
            lines.append("    void *arrays = 0;")
            self.always.append(f"    retain_arrays({kept}, arrays);")
        if self.checks:
            lines.append(f"    if ({' || '.join(self.checks)}) return {self.failure(self.unsupported)};")
        call = ", ".join(self.arguments[parameter.name] for parameter in parameters)
        lines.append("    host_code rc = 0;" if self.steps else f"    host_code rc = host.{self.procedure.name}({call});")
        lines += self.steps
        if self.steps:
            lines.append(f"    if (rc == 0) rc = host.{self.procedure.name}({call});")
        return lines + self.after + self.always + ["    return rc;"]

    def _parameter(self, before: Optional[Parameter], parameter: Parameter, after: Optional[Parameter]) -> bool:
        kind, name = parameter.kind, parameter.name
        self.arguments.setdefault(name, name)
        if kind.ctype == kind.large_ctype or kind.large_ctype == "void*":
            return True
        if parameter.extent is not None:
            return self._array(parameter)
        if parameter.direction != "in":
            self._result(parameter)
        elif after is not None and after.kind.name == "DATATYPE" and not self.procedure.reduces and kind.name == "COUNT":
            self._with_datatype(before, parameter, after)
        else:
            self.checks.append(f"({kind.ctype}){name} != {name}")
            self.arguments[name] = f"({kind.ctype}){name}"
        return True

    def _with_datatype(self, before: Optional[Parameter], parameter: Parameter, after: Parameter) -> None:
        """The count in place of which an in-place operation has none is not looked at."""
        name, count = parameter.name, parameter.name
        if before is not None and before.kind.role.name == "coll_buffer":
            count = f"{before.name} == HOST_MPI_IN_PLACE ? 0 : {name}"
        self.declare.append(f"    struct narrow narrow_{name} = {{ .made = 0 }};")
        self.steps.append(f"    if (rc == 0) rc = narrow(&narrow_{name}, {count}, {after.name});")
        self.arguments[name] = f"narrow_{name}.count"
        self.arguments[after.name] = f"narrow_{name}.datatype"
        self.always.append(f"    narrow_done(&narrow_{name});")

    def _result(self, parameter: Parameter) -> None:
        ctype, name = parameter.kind.ctype, parameter.name
        self.declare.append(f"    {ctype} narrow_{name} = {name} ? ({ctype})*{name} : 0;")
        self.arguments[name] = f"{name} ? &narrow_{name} : 0"
        self.after.append(f"    if (rc == 0 && {name}) *{name} = narrow_{name};")
        if parameter.direction == "inout":
            self.checks.append(f"({name} && narrow_{name} != *{name})")

    def _array(self, parameter: Parameter) -> bool:
        kind, name = parameter.kind, parameter.name
        if kind.ctype in ("MPI_Aint", "MPI_Offset"):
            self.arguments[name] = f"(const {kind.ctype} *){name}"
            return True
        length = self._length(parameter)
        if parameter.direction != "in" or length is None:
            return False
        self.declare.append(f"    int *narrow_{name} = 0;")
        self.steps.append(f"    if (rc == 0 && (rc = narrow_array(&arrays, &narrow_{name}, {name}, {length})) != 0) "
                          f"rc = {self.failure(f'rc < 0 ? {self.unsupported} : rc')};")
        self.arguments[name] = f"narrow_{name}"
        self.arrays = True
        return True

    def _length(self, parameter: Parameter) -> Optional[str]:
        """The C expression for an array's length."""
        if parameter.extent in self.names:
            return f"(int){parameter.extent}"
        extent = self.extents.get(parameter.extent or "")
        return f"{extent.function}({', '.join(extent.arguments)})" if extent else None


def narrow(procedure: Procedure, extents: dict[str, Extent], failure: Callable[[str], str]) -> Optional[list[str]]:
    """MPI_X_c by MPI_X: the statements, or None. `failure` makes the call that raises an
    error and returns its code."""
    if any(parameter.large_only for parameter in procedure.parameters):
        return None
    return Narrowing(procedure, extents, failure).body()
