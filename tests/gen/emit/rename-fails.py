#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a pair into the folder given, on a file system that fails when the new one is renamed."""

import errno
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "gen"))

import emit
from diagnostic import InputError

RENAME = os.rename


def failing(source, target):
    if source.endswith("fresh"):
        raise OSError(errno.EIO, os.strerror(errno.EIO), target)
    RENAME(source, target)


emit.os.rename = failing
try:
    emit.write_outputs(sys.argv[1], {"config.h": "new\n"})
except InputError as error:
    print(error, file=sys.stderr)
    sys.exit(1)
