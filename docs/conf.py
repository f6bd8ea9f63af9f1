# SPDX-License-Identifier: BSD-3-Clause
"""How Sphinx makes the HTML site of the pages, which it reads where they lie; `make docs` calls it."""

import os
import re
import subprocess
from pathlib import Path

import furo
from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.parsers import Parser
from sphinx.transforms import SphinxTransform

TOP = Path(__file__).resolve().parent.parent
MANUALS = {page.name: page.stem for page in (TOP / "docs/man").glob("*.[1-9]")}
PAGES = ("README.md", "HACKING.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "docs", "abi-tables", "tests")

project = "MPI-Adapter"
copyright = "2026, the MPI-Adapter authors"
release = re.search(r"^VERSION := (.*)", (TOP / "Makefile").read_text(), re.M)[1]

extensions = ["myst_parser"]
myst_heading_anchors = 4
source_suffix = {".md": "markdown", ".1": "manual", ".3": "manual", ".5": "manual"}
root_doc = "README"
include_patterns = ["README.md", "HACKING.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "docs/*.md", "docs/host-faults/README.md", "docs/man/*", "abi-tables/FORMAT.md", "tests/README.md"]
exclude_patterns = [path.name for path in TOP.iterdir() if path.name not in PAGES]
# Tables and pictures as they are: "..." stays three dots, "--" two dashes.
smartquotes = False

def dark_variables():
    """Returns furo's colors of the dark scheme. Debian's style sheet has them only for a scheme that is chosen on the page. The
    system's scheme needs them, too."""
    sheet = Path(furo.__file__).parent / "theme/furo/static/styles/furo.css"
    block = re.search(r'body\[data-theme="?dark"?\]\s*\{(.*?)\}', sheet.read_text(), re.S)
    return dict(re.findall(r"--([\w-]+):\s*([^;}]+)", block[1])) if block else {}


html_theme = "furo"
html_logo = html_favicon = "mark.svg"
html_static_path = ["site.css", "site.js"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_title = f"MPI-Adapter {release}"
html_theme_options = {"light_css_variables": {"font-stack": "sans-serif"}, "dark_css_variables": {**dark_variables(), "font-stack": "sans-serif"}}
# `make docs EDIT='https://HOST/OWNER/NAME/edit/main/{filename}'` gives each page a link to edit it, on any host.
if os.environ.get("EDIT"):
    html_theme_options["source_edit_link"] = os.environ["EDIT"]
html_copy_source = False


class ManualParser(Parser):
    """Manual pages, as mandoc shows them."""

    supported = ("manual",)

    def parse(self, inputstring, document):
        page = Path(document["source"]).name
        html = subprocess.run(
            ["mandoc", "-T", "html", "-O", "fragment"], input=inputstring, stdout=subprocess.PIPE, text=True, check=True
        ).stdout
        name, section = MANUALS[page], page.rpartition(".")[2]
        title = nodes.section("", nodes.title(text=f"{name}({section})"), ids=[nodes.make_id(page)], names=[page])
        title += nodes.raw("", manual_body(html), format="html")
        document += title


def manual_body(html):
    """The page without its first and last line, below our title, with links to our other ones."""
    html = re.sub(r'(?s)<table class="(head|foot)">.*?</table>', "", html)
    html = re.sub(r'(?s)<a class="permalink"[^>]*>(.*?)</a>', r"\1", html)
    html = re.sub(r"<(/?)h([1-5])\b", lambda heading: f"<{heading[1]}h{int(heading[2]) + 1}", html)
    html = re.sub(r"<b>(-[^<\s]*)</b>", r'<b class="option">\1</b>', html)

    def link(found):
        target = f"{found[1]}.{found[2]}"
        return f'<a href="{found[1]}.html">{found[0]}</a>' if target in MANUALS else found[0]

    return re.sub(r"<b>([\w.-]+)</b>\s*\((\d)\)", link, html)


class ManualLinks(SphinxTransform):
    """Makes a link of "mpi-adapter(1)" and its like in the text of other pages."""

    default_priority = 500
    pattern = re.compile(rf"\b({'|'.join(map(re.escape, sorted(MANUALS.values(), reverse=True)))})\((\d)\)")

    def apply(self, **_):
        for text in list(self.document.findall(nodes.Text)):
            if not isinstance(text.parent, (nodes.literal, nodes.literal_block, nodes.reference, nodes.title, nodes.raw)):
                text.parent.replace(text, list(self.parts(text)))

    def parts(self, text):
        end = 0
        for found in self.pattern.finditer(text):
            yield nodes.Text(text[end : found.start()])
            yield pending_xref(
                "", nodes.Text(found[0]), refdomain="std", reftype="doc", refdoc=self.env.docname,
                reftarget=f"/docs/man/{found[1]}", refexplicit=True, refwarn=True,
            )
            end = found.end()
        yield nodes.Text(text[end:])


class Cells(SphinxTransform):
    """Cells with a check mark are green, and days stay in one piece (site.css)."""

    default_priority = 500

    def apply(self, **_):
        for cell in self.document.findall(nodes.entry):
            text = cell.astext()
            if text.startswith("\N{CHECK MARK}"):
                cell["classes"].append("equal")
            elif re.fullmatch(r"\d{4}-\d\d-\d\d", text):
                cell["classes"].append("day")


class NumbersToTheRight(SphinxTransform):
    """Columns that are aligned to the right are so: themes know no such cells, but paragraphs in them."""

    default_priority = 500

    def apply(self, **_):
        for cell in self.document.findall(nodes.entry):
            for text in cell.findall(nodes.paragraph) if "text-right" in cell["classes"] else ():
                text["classes"].append("align-right")


def join_scripts(app, exception):
    """Debian's furo.js imports another script, which upstream's has in it. Pages load it as a script that is no module, so it
    would stop at once, and the switch of schemes, hidden for browsers without scripts, would not appear."""
    script = Path(app.outdir) / "_static/scripts/furo.js"
    if exception is None and script.is_file():
        line, _, rest = script.read_text().partition("\n")
        imported = re.fullmatch(r'import Gumshoe from "\./([\w-]+\.js)";', line)
        if imported:
            script.write_text((script.parent / imported[1]).read_text() + rest)


def add_contents(app, docname, source):
    """README.md is the start page, and the page from which all others are reached."""
    if docname == root_doc:
        source[0] += (TOP / "docs/contents.myst").read_text()


def setup(app):
    app.add_source_parser(ManualParser)
    app.add_transform(ManualLinks)
    app.add_transform(Cells)
    app.add_transform(NumbersToTheRight)
    app.connect("source-read", add_contents)
    app.connect("build-finished", join_scripts)
