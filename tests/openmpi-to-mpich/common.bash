# SPDX-License-Identifier: BSD-3-Clause
load ../pair
use_pair openmpi-to-mpich
