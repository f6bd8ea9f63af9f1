# SPDX-License-Identifier: BSD-3-Clause
# A figure of lines. Given: data (blocks of x, median, low, high, each below a line with its title),
# series (how many blocks), output, title, xlabel, ylabel, and scale, the axes that are logarithmic.
set terminal svg size 760,460 dynamic background rgb "white" font "sans-serif,12"
set output output
set title title noenhanced
set xlabel xlabel
set ylabel ylabel
set key top left noenhanced
set grid
if (strlen(scale) > 0) eval "set logscale ".scale
if (strstrt(scale, "y") == 0) set yrange [0:*]
set offsets graph 0.03, graph 0.03, graph 0.15, 0
plot for [i=0:series-1] data index i using 1:2:3:4 with yerrorlines pointtype 6 + i pointsize 0.5 title columnheader(1)
