#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""site.py FOLDER: says which links of an HTML site lead nowhere, and what its pages fetch from elsewhere."""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.fetched, self.ids = [], [], set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name"):
                self.ids.add(value)
            elif name == "src" or (name == "href" and tag == "link"):
                self.fetched.append(value)
            elif name == "href":
                self.links.append(value)


def fault(pages, path, target, fetched):
    """Why a target is none, or nothing."""
    parts = urlsplit(target)
    if parts.scheme or parts.netloc:
        return "is fetched from elsewhere" if fetched else ""
    place = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not place.is_file():
        return "is not there"
    if parts.fragment and place in pages and unquote(parts.fragment) not in pages[place].ids:
        return "is no place in that page"
    return ""


def main(folder):
    pages = {path: Page(path) for path in Path(folder).resolve().rglob("*.html")}
    faults = 0
    for path, page in pages.items():
        for target, fetched in [(link, False) for link in page.links] + [(link, True) for link in page.fetched]:
            text = fault(pages, path, target, fetched)
            if text:
                faults += 1
                print(f"{path}: error: {target} {text}")
    return 1 if faults or not pages else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
