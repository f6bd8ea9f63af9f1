# SPDX-License-Identifier: BSD-3-Clause
"""Put the ranks' records together.

    report.py next DIRECTORY RANKS      after a job: exit status 0 when every rank
                                        finished, 1 when the rest must be started
                                        again (file "done" says what is left out),
                                        2 when nothing more can be run
    report.py print DIRECTORY RANKS [FILE]
                                        print failures and totals; FILE gets one
                                        "outcome TAB test" line for each test
    report.py known DIRECTORY RANKS HOST RELEASE
                                        after tests that are listed as faults of this host: fails for a line
                                        of which no test fails
"""
import collections
import fnmatch
import json
import os
import re
import sys

from harness import known_faults


def lines(directory, name):
    path = os.path.join(directory, name)
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                yield line.rstrip("\n").split("\t")


def gather(directory, ranks):
    """{test: {rank: (outcome, text)}} in order; and how often ranks have finished."""
    tests, finished = collections.OrderedDict(), 0
    for rank in range(ranks):
        for fields in lines(directory, f"rank.{rank}"):
            if fields[0] == "finished":
                finished += 1
            elif fields[0] == "start":
                tests.setdefault(fields[1], {})[rank] = ("crash", "did not end")
            elif fields[0] == "end" and len(fields) == 4:
                tests[fields[1]][rank] = (fields[2], json.loads(fields[3]))
    for fields in lines(directory, "crashed"):
        outcomes = tests.setdefault(fields[0], {})
        traces = json.loads(fields[1])
        for rank in range(ranks):
            if rank not in outcomes or outcomes[rank][0] != "fail":
                outcomes[rank] = ("crash", traces[rank])
    return tests, finished


def next_job(directory, ranks):
    tests, finished = gather(directory, ranks)
    jobs = sum(1 for _ in lines(directory, "jobs"))
    if finished == ranks * (jobs + 1):
        with open(os.path.join(directory, "jobs"), "a", encoding="utf-8") as file:
            file.write("complete\n")
        return 0
    before = {fields[0] for fields in lines(directory, "done")}
    fresh = [name for name in tests if name not in before]
    if not fresh:
        return 2
    crashed = [n for n in fresh if any(o[0] == "crash" for o in tests[n].values())] or fresh[-1:]
    traces = []
    for rank in range(ranks):
        path = os.path.join(directory, f"trace.{rank}")
        traces.append(open(path, encoding="utf-8").read() if os.path.exists(path) else "")
    with open(os.path.join(directory, "crashed"), "a", encoding="utf-8") as file:
        for name in crashed:
            file.write(name + "\t" + json.dumps(traces) + "\n")
    with open(os.path.join(directory, "done"), "w", encoding="utf-8") as file:
        file.write("\n".join(tests))
    return 1


def verdict(outcomes):
    kinds = {outcome[0] for outcome in outcomes.values()}
    if kinds & {"fail", "crash"}:
        return "fail"
    return "pass" if "pass" in kinds else "skip"


def show_failure(name, outcomes):
    print(f"FAIL {name}")
    shown = set()
    for rank, (outcome, text) in sorted(outcomes.items()):
        gist = re.sub("0x[0-9a-f]+", "", text)  # addresses differ between ranks
        if outcome in ("fail", "crash") and gist not in shown:
            shown.add(gist)
            print(f"  rank {rank}: {'crashed or hung' if outcome == 'crash' else 'failed'}")
            print("".join(f"    {line}\n" for line in text.rstrip("\n").split("\n")[-25:]), end="")


def print_report(directory, ranks, listing=None):
    tests, _ = gather(directory, ranks)
    verdicts = {name: verdict(outcomes) for name, outcomes in tests.items()}
    reasons = collections.Counter()
    for name, outcomes in tests.items():
        if verdicts[name] == "fail":
            show_failure(name, outcomes)
        elif verdicts[name] == "skip":
            reasons[min(text for _, text in outcomes.values())] += 1
    for reason, number in sorted(reasons.items()):
        print(f"skipped {number}: {reason}")
    if listing:
        with open(listing, "w", encoding="utf-8") as file:
            file.writelines(f"{verdicts[name]}\t{name}\n" for name in tests)
    count = collections.Counter(verdicts.values())
    for fields in lines(directory, "broken"):
        print(f"FAIL {fields[0]}")
        count["fail"] += 1
    print(f"mpi4py: {count['pass']} passed, {count['fail']} failed, {count['skip']} skipped")
    return 1 if count["fail"] or not count["pass"] else 0


def judge_known(directory, ranks, host, release):
    tests, _ = gather(directory, ranks)
    gone = 0
    for pattern, how, _ in known_faults(host, release):
        found = {verdict(outcomes) for name, outcomes in tests.items() if fnmatch.fnmatch(name, pattern)}
        if how != "fails":
            print(f"not run {host} {pattern} ({how})")
        elif "fail" in found:
            print(f"fails {host} {pattern}, as it is listed")
        else:
            gone += 1
            print(f"FAIL {host} {pattern} passes; take {release} from its releases in known-faults.tsv" if "pass" in found else
                  f"FAIL {host} {pattern} is listed, and run nowhere; mend its line in known-faults.tsv")
    return gone > 0


def main():
    command, directory, ranks = sys.argv[1:4]
    if command == "known":
        return judge_known(directory, int(ranks), *sys.argv[4:6])
    if command == "next":
        return next_job(directory, int(ranks))
    return print_report(directory, int(ranks), *sys.argv[4:5])


if __name__ == "__main__":
    sys.exit(main())
