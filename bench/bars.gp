# SPDX-License-Identifier: BSD-3-Clause
# A figure of kinds of calls. Given: data (a header, then kind and for each series median, low and
# high), series (how many), output, title and ylabel.
set terminal svg size 1100,520 dynamic background rgb "white" font "sans-serif,12"
set output output
set title title noenhanced
set ylabel ylabel
set key top left noenhanced
set grid ytics
set logscale y
set xtics rotate by -45 noenhanced
set xrange [-1:*]
plot for [i=0:series-1] data using ($0 + 0.2 * i):(column(2 + 3 * i)):(column(3 + 3 * i)):(column(4 + 3 * i)):xtic(1) \
    with yerrorbars pointtype 7 pointsize 0.5 title columnheader(2 + 3 * i)
