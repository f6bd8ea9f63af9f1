# SPDX-License-Identifier: BSD-3-Clause
# A figure of kinds of calls, a bar for each series, one below the other, and its quartiles. Given: data (a header, then
# kind and for each series median, low and high), series and kinds (how many), output, title and xlabel.
set terminal svg size 980,(110 + 11 * series * kinds) dynamic background rgb "white" font "sans-serif,12"
set output output
set title title noenhanced
set xlabel xlabel
set key outside right top reverse Left noenhanced
set grid xtics
set logscale x
set format x "%.0s%c"
least = 0.5
set xrange [least:*]
set yrange [kinds - 0.5:-0.5]
set ytics nomirror noenhanced
set style fill solid
# The lower edge of a bar. The bars of one kind fill four fifths of its place.
edge(kind, number) = kind - 0.4 + 0.8 * number / series
plot for [i=0:series-1] data using (column(2 + 3 * i)):(edge($0, i + 0.5)):(least):(column(2 + 3 * i)): \
        (edge($0, i)):(edge($0, i + 1)) with boxxyerror title columnheader(2 + 3 * i), \
    for [i=0:series-1] data skip 1 using (column(2 + 3 * i)):(edge($0, i + 0.5)):(column(3 + 3 * i)):(column(4 + 3 * i)) \
        with xerrorbars pointtype 0 linecolor "black" notitle, \
    data skip 1 using (least):0:ytic(1) with points pointtype 0 notitle
