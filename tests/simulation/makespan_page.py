#!/usr/bin/env python3
"""Whether a page has the table that makespan prints: makespan_page.py PAGE MAKESPAN"""
import pathlib
import subprocess
import sys

page = pathlib.Path(sys.argv[1]).read_text().splitlines()
printed = subprocess.run([sys.argv[2]], check=True, capture_output=True, text=True).stdout
table = [line for line in printed.splitlines() if line.startswith("|")]
missing = [line for line in table if line not in page]
if len(table) < 13 or missing:
    sys.exit("{} lacks\n{}\nof\n{}".format(sys.argv[1], "\n".join(missing), printed))
