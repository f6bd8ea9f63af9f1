# SPDX-License-Identifier: BSD-3-Clause
# A figure of lines. Given: data (blocks of x, median, low, high, each below a line with its title),
# series (how many blocks), output, title, xlabel, ylabel, and scale, the axes that are logarithmic.
set terminal svg size 860,460 dynamic background rgb "white" font "sans-serif,12"
set output output
set title title noenhanced
set xlabel xlabel
set ylabel ylabel
set key outside right top reverse Left noenhanced
set grid
if (strlen(scale) > 0) eval "set logscale ".scale
if (strstrt(scale, "y") == 0) set yrange [0:*]
# A logarithmic axis has thousands and millions; another one has the numbers that were measured, which are whole.
if (strstrt(scale, "x") > 0) set format x "%.0s%c"
place = strstrt(scale, "x") > 0 ? "1:2:3:4" : "1:2:3:4:xtic(1)"
set offsets graph 0.03, graph 0.03, graph 0.15, 0
eval "plot for [i=0:series-1] data index i using ".place." with yerrorlines pointtype 6 + i pointsize 0.5 title columnheader(1)"
