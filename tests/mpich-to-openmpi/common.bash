# SPDX-License-Identifier: BSD-3-Clause
load ../pair
use_pair mpich-to-openmpi
