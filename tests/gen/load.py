#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reads the table in the folder given, as every program that uses tables does."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "gen"))

import abitable
from diagnostic import InputError

try:
    TABLE = abitable.load(sys.argv[1])
    print(TABLE.family, TABLE.release)
except InputError as error:
    print(error, file=sys.stderr)
    sys.exit(1)
